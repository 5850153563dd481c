import java.util.*;

/** Rows of a table by number, the last used ones. The pool may have more of them as traffic rises; others are dropped. */
class OkRushRows {
  static class Row {
    final byte[] data; int uses; long lastUse;
    Row(int size) { data = new byte[size]; }
  }
  static class RowCache {
    private int capacity = 400;
    private final LinkedHashMap<Long, Row> rows = new LinkedHashMap<>(16, 0.75f, true) {
      @Override protected boolean removeEldestEntry(Map.Entry<Long, Row> eldest) { return size() > capacity; }
    };
    void resize(int rows) { capacity = rows; }
    Row get(long id, long now) {
      Row row = rows.computeIfAbsent(id, key -> new Row(160));
      row.uses++;
      row.lastUse = now;
      return row;
    }
  }
  static final RowCache CACHE = new RowCache();

  public static void main(String[] args) throws Exception {
    Random random = new Random(11);
    int[] capacity = {400, 900, 1500, 2300};
    long[] newest = {5_000_000};
    Rounds.run(n -> {
      CACHE.resize(capacity[n]);
      for (int i = 0; i < 9000; i++) {
        // People mostly look at what is new.
        long id = newest[0] - (long) Math.abs(random.nextGaussian() * 40);
        CACHE.get(id, System.nanoTime());
        newest[0] += random.nextInt(3);
      }
    });
  }
}
