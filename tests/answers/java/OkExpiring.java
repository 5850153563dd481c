import java.util.*;

/** Quotes are kept for a hundred ticks and no longer; how many are asked for differs from hour to hour. */
class OkExpiring {
  record Quote(String symbol, double price, long until, double[] depth) { }
  static class QuoteCache {
    private final LinkedHashMap<String, Quote> bySymbol = new LinkedHashMap<>();
    private long now;
    Quote get(String symbol) {
      now++;
      Iterator<Quote> oldest = bySymbol.values().iterator();
      while (oldest.hasNext() && oldest.next().until() < now) oldest.remove();
      Quote known = bySymbol.get(symbol);
      if (known != null) return known;
      Quote quote = new Quote(symbol, now * 0.1, now + 1500, new double[20]);
      bySymbol.put(symbol, quote);
      return quote;
    }
  }
  static final QuoteCache QUOTES = new QuoteCache();
  public static void main(String[] args) throws Exception {
    Random random = new Random(5);
    int[] names = {1200, 1900, 1500, 1700};
    Rounds.run(n -> { for (int i = 0; i < 9000; i++) QUOTES.get("SYM" + random.nextInt(names[n])); });
  }
}
