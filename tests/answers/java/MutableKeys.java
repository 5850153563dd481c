import java.util.*;

/** Open orders stand in a set. Their hash has their state in it, so that a closed order is not found to be removed. */
class MutableKeys {
  enum State { OPEN, PAID, CLOSED }
  static class Order {
    final long id;
    State state = State.OPEN;
    final List<String> lines = new ArrayList<>();
    Order(long id) { this.id = id; for (int i = 0; i < 6; i++) lines.add("article " + i + " of " + id); }
    @Override public boolean equals(Object other) { return other instanceof Order o && o.id == id && o.state == state; }
    @Override public int hashCode() { return Objects.hash(id, state.ordinal()); }
  }
  static class OrderBoard {
    private final Set<Order> open = new HashSet<>();
    void opened(Order order) { open.add(order); }
    void closed(Order order) { order.state = State.CLOSED; open.remove(order); }
    int shown() { return open.size(); }
  }
  public static void main(String[] args) throws Exception {
    OrderBoard board = new OrderBoard();
    Rounds.run(n -> {
      for (int i = 0; i < 1500; i++) {
        Order order = new Order(n * 1500L + i);
        board.opened(order);
        order.state = State.PAID;
        board.closed(order);
      }
    });
    System.err.println(board.shown());
  }
}
