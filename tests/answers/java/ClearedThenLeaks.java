import java.util.*;
/** A HashMap that held 20000 rows of an import in the warm-up (cleared), then keeps 300 open orders a round for ever. */
public class ClearedThenLeaks {
  record Order(long id, String customer, int[] lines) { }
  static final class Desk { final Map<Long, Order> open = new HashMap<>(); }
  static final Desk desk = new Desk();
  public static void main(String[] a) throws Exception {
    for (long i = 0; i < 20000; i++) desk.open.put(-i, new Order(i, "import", new int[0])); desk.open.clear();
    long[] n = {0};
    Rounds.run(r -> { for (int i = 0; i < 300; i++) { long id = n[0]++; desk.open.put(id, new Order(id, "customer " + id, new int[] {1, 2, 3, 4})); } });
  }
}
