import java.util.*;

/** What changes is written to the database some seconds later. The more is changed, the more waits. */
class OkRushWriteBehind {
  static class Change {
    final UUID entity; final String column, value; final long at;
    Change(UUID entity, String column, String value, long at) { this.entity = entity; this.column = column; this.value = value; this.at = at; }
  }
  static class Buffer {
    private final Map<UUID, List<Change>> dirty = new LinkedHashMap<>();
    void change(Change change) { dirty.computeIfAbsent(change.entity, id -> new ArrayList<>(2)).add(change); }
    int flush(long before) {
      int written = 0;
      for (Iterator<List<Change>> all = dirty.values().iterator(); all.hasNext(); ) {
        List<Change> changes = all.next();
        if (changes.get(0).at >= before) break;
        written += changes.size();
        all.remove();
      }
      return written;
    }
  }
  static final Buffer BUFFER = new Buffer();
  static long written;

  public static void main(String[] args) throws Exception {
    Random random = new Random(11);
    String[] columns = {"street", "city", "phone", "mail", "note"};
    int[] rate = {4, 7, 13, 20};
    long[] clock = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 1500; i++) {
        long now = clock[0]++;
        for (int k = 0; k < rate[n]; k++) {
          UUID entity = new UUID(random.nextLong(), random.nextLong());
          for (int c = 0; c <= k % 2; c++) BUFFER.change(new Change(entity, columns[random.nextInt(5)], "value " + random.nextInt(), now));
        }
        written += BUFFER.flush(now - 120);
      }
    });
  }
}
