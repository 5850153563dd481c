import java.util.*;

/** Which numbers of orders were seen is in bits, for each of eight regions, from the first order on. */
class SeenBits {
  static class RegionLog {
    private final String region;
    private final BitSet seen = new BitSet();
    RegionLog(String region) { this.region = region; }
    boolean first(int order) {
      if (seen.get(order)) return false;
      seen.set(order);
      return true;
    }
  }
  static class OrderDeduplicator {
    private final Map<String, RegionLog> logs = new TreeMap<>();
    private long duplicates;
    void received(String region, int order) {
      if (!logs.computeIfAbsent(region, RegionLog::new).first(order)) duplicates++;
    }
  }
  static final OrderDeduplicator DEDUPLICATOR = new OrderDeduplicator();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 400000; i++) DEDUPLICATOR.received("region-" + i % 8, n * 1600000 + i * 4); });
  }
}
