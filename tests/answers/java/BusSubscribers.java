import java.lang.reflect.Method;
import java.util.*;
import java.util.concurrent.*;

/** Screens subscribe to a bus by their methods when they are made, and are thrown away; a catalogue beside it is much larger. */
class BusSubscribers {
  @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Subscribe { }
  record PriceChanged(String sku, long cents) { }
  record Subscription(Object target, Method method) { }
  static class EventBus {
    private final Map<Class<?>, CopyOnWriteArrayList<Subscription>> subscribersByType = new ConcurrentHashMap<>();
    void register(Object target) {
      for (Method method : target.getClass().getDeclaredMethods()) {
        if (!method.isAnnotationPresent(Subscribe.class)) continue;
        subscribersByType.computeIfAbsent(method.getParameterTypes()[0], type -> new CopyOnWriteArrayList<>()).add(new Subscription(target, method));
      }
    }
  }
  static class PriceScreen {
    private final long[] cents = new long[24];
    private final String title;
    PriceScreen(EventBus bus, String title) { this.title = title; bus.register(this); }
    @Subscribe public void priceChanged(PriceChanged change) { cents[0] = change.cents(); }
  }
  record Article(String sku, String name, String[] tags) { }
  static class Catalogue {
    private final Map<String, Article> articles = new HashMap<>();
    Catalogue() { for (int i = 0; i < 40000; i++) articles.put("sku-" + i, new Article("sku-" + i, "article number " + i, new String[] {"t" + i % 9, "new"})); }
  }
  static class Shop {
    final EventBus bus = new EventBus();
    final Catalogue catalogue = new Catalogue();
    int shown;
  }
  public static void main(String[] args) throws Exception {
    Shop shop = new Shop();
    Rounds.run(n -> { for (int i = 0; i < 500; i++) { new PriceScreen(shop.bus, "screen " + n + "-" + i); shop.shown++; } });
    System.err.println(shop.catalogue.articles.size());
  }
}
