import java.util.*;
import java.util.function.Consumer;

/** Every view listens to the prices. Most views take their listener away when they close; those that were closed by the user's back button do not. */
class RushListeners {
  static class Prices {
    private final List<Consumer<String>> listeners = new ArrayList<>();
    void listen(Consumer<String> listener) { listeners.add(listener); }
    void ignore(Consumer<String> listener) { listeners.remove(listener); }
  }
  static class View {
    final String title; final long[] columns = new long[24]; String shown = ""; final Consumer<String> onPrice;
    View(String title) { this.title = title; onPrice = price -> shown = price; }
  }
  static final Prices PRICES = new Prices();

  public static void main(String[] args) throws Exception {
    ArrayDeque<View> open = new ArrayDeque<>();
    int[] load = {800, 1200, 1700, 2300};
    int[] serial = {0};
    Rounds.run(n -> {
      for (int i = 0; i < load[n]; i++) {
        View view = new View("Order " + serial[0]++);
        PRICES.listen(view.onPrice);
        open.add(view);
        while (open.size() > load[n] / 8) {
          View closed = open.poll();
          if (i % 2 == 0) PRICES.ignore(closed.onPrice);
        }
      }
    });
  }
}
