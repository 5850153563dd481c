import java.util.*;

/** Changes are collected by their record and written in lots of a thousand; how many wait when somebody looks is chance. A table of the last writes is a ring. */
class OkWriteBehind {
  record Change(long record, String field, String value) { }
  record Written(int lot, int changes, String first) { }
  static class Writer {
    private Map<Long, List<Change>> waiting = new LinkedHashMap<>();
    private final Written[] last = new Written[64];
    private int count, lots;
    void change(Change change) {
      waiting.computeIfAbsent(change.record(), id -> new ArrayList<>(2)).add(change);
      if (++count == 1000) write();
    }
    private void write() {
      last[lots % last.length] = new Written(lots, count, waiting.values().iterator().next().get(0).field());
      lots++;
      count = 0;
      waiting = new LinkedHashMap<>();
    }
  }
  public static void main(String[] args) throws Exception {
    Writer writer = new Writer();
    int[] counts = {9400, 8950, 9850, 8500};
    Rounds.run(n -> {
      for (int i = 0; i < counts[n]; i++) writer.change(new Change(i % 700, "field " + i % 9, "value " + i + " in round " + n));
    });
    System.err.println(writer.lots);
  }
}
