import java.util.*;
/** 8 stripes (arrays of HashMap) of a table by lock. */
public class ShardedStripes {
  static final class Row { final int id; final String name; Row(int id) { this.id = id; name = "row " + id; } }
  @SuppressWarnings("unchecked") static final class Table { private final Map<Integer, Row>[] stripes = new Map[8]; Table() { for (int i = 0; i < 8; i++) stripes[i] = new HashMap<>(); } void put(Row r) { Map<Integer, Row> m = stripes[r.id % 8]; synchronized (m) { m.put(r.id, r); } } }
  static final Table table = new Table();
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 1000; i++) table.put(new Row(n[0]++)); }); }
}
