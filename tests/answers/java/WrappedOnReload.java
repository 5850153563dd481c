import java.util.*;

/** Each reload of the settings puts one more layer around the service that is in use. */
class WrappedOnReload {
  interface Prices { long of(String article); }
  record FixedPrices(Map<String, Long> table) implements Prices {
    public long of(String article) { return table.getOrDefault(article, 0L); }
  }
  static class MeasuredPrices implements Prices {
    final Prices delegate;
    final long[] histogram = new long[40];
    final String name;
    MeasuredPrices(Prices delegate, String name) { this.delegate = delegate; this.name = name; }
    public long of(String article) { histogram[article.length() % 40]++; return 1; }
  }
  static class Shop {
    private volatile Prices prices = new FixedPrices(Map.of("apple", 40L));
    void reload(int version) { prices = new MeasuredPrices(prices, "prices of version " + version); }
  }
  static final Shop SHOP = new Shop();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 700; i++) { SHOP.reload(n * 700 + i); SHOP.prices.of("pear"); } });
  }
}
