import java.util.*;
/** A copy-on-write state: each action copies all items (new records, new Strings), and adds. */
public class CopiedState {
  record Item(long id, long price, long stamp) { Item copy() { return new Item(id, price, stamp); } }
  record State(long revision, List<Item> items) { }
  static final class Store { private State state = new State(0, new ArrayList<>()); long n = 100000; void dispatch() { List<Item> next = new ArrayList<>(); for (Item i : state.items()) next.add(i.copy()); for (int k = 0; k < 10; k++) { next.add(new Item(n, n * 3, 1700000000000L + n)); n++; } state = new State(state.revision() + 1, next); } }
  static final Store store = new Store();
  public static void main(String[] a) throws Exception { Rounds.run(r -> { for (int i = 0; i < 45; i++) store.dispatch(); }); }
}
