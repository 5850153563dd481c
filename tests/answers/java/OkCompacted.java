import java.util.*;
/** Runs of sorted cells, compacted between the dumps. */
public class OkCompacted {
  record Cell(String key, String value, long seq) { }
  static final class Store { TreeMap<String, Cell> mem = new TreeMap<>(); List<List<Cell>> runs = new ArrayList<>(); long seq; void put(String k, String v) { mem.put(k, new Cell(k, v, ++seq)); if (mem.size() >= 400) { runs.add(new ArrayList<>(mem.values())); mem = new TreeMap<>(); } } void compact() { TreeMap<String, Cell> all = new TreeMap<>(); for (List<Cell> run : runs) for (Cell c : run) all.put(c.key(), c); runs = new ArrayList<>(List.of(new ArrayList<>(all.values()))); } }
  static final Store store = new Store();
  public static void main(String[] a) throws Exception { long[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 4000; i++, n[0]++) store.put("key-" + n[0] * 7919 % 1500, "value " + n[0]); store.compact(); for (int i = 0; i < 400 * (r + 1); i++, n[0]++) store.put("key-" + n[0] * 7919 % 1500, "value " + n[0]); }); }
}
