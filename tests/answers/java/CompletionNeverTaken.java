import java.util.concurrent.*;

/** Tasks are given to a completion service for its threads alone; nobody takes what is completed. */
class CompletionNeverTaken {
  record Shipment(String id, int[] weights) { }
  static class ShippingDesk {
    final ExecutorService workers = Executors.newFixedThreadPool(2, task -> { Thread thread = new Thread(task, "shipping"); thread.setDaemon(true); return thread; });
    final CompletionService<Shipment> shipments = new ExecutorCompletionService<>(workers);
    void ship(String id) { shipments.submit(() -> new Shipment(id, new int[40])); }
  }
  public static void main(String[] args) throws Exception {
    ShippingDesk desk = new ShippingDesk();
    Rounds.run(n -> {
      for (int i = 0; i < 1500; i++) desk.ship("s" + n + "-" + i);
      Thread.sleep(300);
    });
  }
}
