import java.util.*;
/** An event store of three record classes in equal parts. */
public class ThreeEvents {
  sealed interface Event permits Placed, Paid, Shipped { }
  record Placed(long n, String customer) implements Event { }
  record Paid(long n, double amount) implements Event { }
  record Shipped(long n, String parcel) implements Event { }
  static final class Store { private final List<Event> events = new ArrayList<>(); }
  static final Store store = new Store();
  public static void main(String[] a) throws Exception { long[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 500; i++, n[0]++) { store.events.add(new Placed(n[0], "customer " + n[0])); store.events.add(new Paid(n[0], n[0] * 1.5)); store.events.add(new Shipped(n[0], "parcel " + n[0])); } }); }
}
