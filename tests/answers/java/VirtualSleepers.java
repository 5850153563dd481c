import java.util.*;
import java.util.concurrent.*;

/** A virtual thread for each order retries for a day; nothing else knows the order. */
class VirtualSleepers {
  static class RetryOrder {
    final String number;
    final List<String> lines = new ArrayList<>();
    RetryOrder(String number) { this.number = number; for (int i = 0; i < 12; i++) lines.add(number + " line " + i); }
    void send() { }
  }
  static void retry(RetryOrder order) {
    try {
      Thread.sleep(86_400_000L);
      order.send();
    } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
  }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 400; i++) {
        RetryOrder order = new RetryOrder("order-" + n + "-" + i);
        Thread.startVirtualThread(() -> retry(order));
      }
      Thread.sleep(300);
    });
  }
}
