import java.util.*;
/** LinkedHashMap LRU of 200, full; values of later rounds are larger; 400 new a round. */
public class OkLruLarger {
  static final class Block { final int n; final String text; Block(int n, int i) { this.n = n; text = "block " + n + "/" + i; } }
  static final class Doc { final String id; final List<Block> blocks = new ArrayList<>(); Doc(int n, int size) { id = "d" + n; for (int i = 0; i < size; i++) blocks.add(new Block(n, i)); } }
  static final class Lru extends LinkedHashMap<String, Doc> { Lru() { super(16, .75f, true); } protected boolean removeEldestEntry(Map.Entry<String, Doc> e) { return size() > 200; } }
  static final Lru documents = new Lru();
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 400; i++) { Doc d = new Doc(n[0]++, 10 + 4 * r); documents.put(d.id, d); } }); }
}
