import java.util.*;
import java.util.concurrent.*;

/** Requests over a message queue wait for their answers by number; what is answered late or never stays. */
class CorrelatedFutures {
  static class Shipment { final String address; final int[] parcels = new int[24]; Shipment(String address) { this.address = address; } }
  static class Gateway {
    private final ConcurrentMap<String, CompletableFuture<String>> awaiting = new ConcurrentHashMap<>();
    CompletableFuture<String> send(String id) { CompletableFuture<String> f = new CompletableFuture<>(); awaiting.put(id, f); return f; }
    void answered(String id) { CompletableFuture<String> f = awaiting.remove(id); if (f != null) f.complete("ok"); }
  }
  enum Gateways { CARRIER; final Gateway gateway = new Gateway(); }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 3000; i++) {
        Shipment shipment = new Shipment("street " + i);
        String id = n + "/" + i;
        Gateways.CARRIER.gateway.send(id).thenApply(text -> shipment.address + text).thenAccept(text -> shipment.parcels[0] = text.length());
        if (i % 3 != 0) Gateways.CARRIER.gateway.answered(id);
      }
    });
  }
}
