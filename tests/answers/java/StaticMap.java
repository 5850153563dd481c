import java.util.HashMap;
import java.util.Map;

/** Prices are cached by a key that has the time in it. */
class StaticMap {
  record Price(String product, long[] steps) { }

  static class PriceService {
    static final Map<String, Price> PRICES = new HashMap<>();

    static Price price(String product, int second) {
      return PRICES.computeIfAbsent(product + "@" + second, key -> new Price(product, new long[] { second, 1, 2, 3 }));
    }
  }

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 3000; i++) PriceService.price("p" + i % 10, n * 3000 + i);
    });
  }
}
