import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Provider;
import com.google.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A service in its first minutes: its parts are bound by Guice when they are asked for first, one more in each round; orders are settled in lots. */
public class OkGuiceFirst {
  record Order(String id, String customer, List<String> lines) {}

  @Singleton
  static class Prices {
    private final Map<String, Long> byArticle = new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) { return size() > 300; }
    };

    long of(String article) { return byArticle.computeIfAbsent(article, key -> (long) key.hashCode() & 0xfff); }
  }

  @Singleton
  static class Settlement {
    private List<Order> lot = new ArrayList<>();
    private int settled;

    void add(Order order) {
      lot.add(order);
      if (lot.size() < 250) return;
      settled += lot.size();
      lot = new ArrayList<>();
    }
  }

  static class Orders {
    @Inject Prices prices;
    @Inject Settlement settlement;

    long take(int n) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 5; i++) lines.add("article " + (n + i) % 400);
      settlement.add(new Order("order-" + n, "customer " + n % 90, lines));
      return lines.stream().mapToLong(prices::of).sum();
    }
  }

  static class Mails { @Inject Settlement settlement; String text(int n) { return "mail " + n; } }

  static class Returns { @Inject Provider<Orders> orders; long give(int n) { return -orders.get().take(n); } }

  static class Exports { @Inject Mails mails; @Inject Returns returns; int rows(int n) { return mails.text(n).length(); } }

  public static void main(String[] arguments) throws Exception {
    Injector injector = Guice.createInjector(new AbstractModule() {
      @Override
      protected void configure() { }
    });
    int[] load = {900, 1_400, 1_900, 2_400};
    long[] sum = {0};
    Rounds.run(round -> {
      for (int n = 0; n < load[round]; n++) {
        sum[0] += injector.getInstance(Orders.class).take(round * 10_000 + n);
        if (round > 0 && n % 10 == 0) sum[0] += injector.getInstance(Mails.class).text(n).length();
        if (round > 1 && n % 20 == 0) sum[0] += injector.getInstance(Returns.class).give(n);
        if (round > 2 && n % 50 == 0) sum[0] += injector.getInstance(Exports.class).rows(n);
      }
    });
  }
}
