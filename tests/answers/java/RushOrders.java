import java.util.*;

/** Open orders by number. What has been delivered should be taken out and is not; each night all get a new line of status. */
class RushOrders {
  static class Order {
    final double[] prices = new double[12]; String status = "new"; int checks;
    void check(String day) { checks++; status = "checked " + day + ", " + checks + " times, at " + System.nanoTime(); }
  }
  static class Book {
    private final TreeMap<Long, Order> open = new TreeMap<>();
    void place(long number) { open.put(number, new Order()); }
    void night(String day) { for (Order order : open.values()) order.check(day); }
  }
  static final Book BOOK = new Book();

  public static void main(String[] args) throws Exception {
    int[] load = {700, 1000, 1500, 2100};
    long[] number = {20_260_000};
    Rounds.run(n -> {
      for (int i = 0; i < load[n]; i++) BOOK.place(number[0] += 1 + i % 3);
      BOOK.night("day " + n);
    });
  }
}
