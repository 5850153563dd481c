import java.util.*;
import java.util.concurrent.*;

/** Rows are collected in memory, in order of their keys, until there are enough for a file; then an index with every fiftieth key stays, and old indexes are merged. */
class OkMemtable {
  record Row(String key, byte[] value) { }
  static class Index {
    final String[] keys;
    Index(List<String> keys) { this.keys = keys.toArray(new String[0]); }
  }
  static class Store {
    private ConcurrentSkipListMap<String, Row> memtable = new ConcurrentSkipListMap<>();
    private final Deque<Index> indexes = new ArrayDeque<>();
    private final int most;
    Store(int most) { this.most = most; }
    void put(Row row) {
      memtable.put(row.key(), row);
      if (memtable.size() >= most) flush();
    }
    private void flush() {
      List<String> keys = new ArrayList<>();
      int n = 0;
      for (String key : memtable.keySet()) if (n++ % 50 == 0) keys.add(key);
      indexes.addLast(new Index(keys));
      memtable = new ConcurrentSkipListMap<>();
      if (indexes.size() > 4) indexes.removeFirst();
    }
  }
  public static void main(String[] args) throws Exception {
    Store store = new Store(4000);
    int[] counts = {6500, 9300, 7900, 10200};
    Rounds.run(n -> { for (int i = 0; i < counts[n]; i++) store.put(new Row("key-" + (i * 7919L % 100003) + "-" + n, new byte[24])); });
    System.err.println(store.indexes.size());
  }
}
