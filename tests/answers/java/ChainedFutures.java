import java.util.*;
import java.util.concurrent.*;

/** Writes to an account are chained to its handshake, which is never answered. */
class ChainedFutures {
  static class Transfer {
    final int id;
    final Map<String, String> fields = new HashMap<>();
    Transfer(int id) { this.id = id; fields.put("purpose", "transfer " + id); }
  }
  static class Ledger {
    private final Map<String, CompletableFuture<String>> handshakes = new HashMap<>();
    CompletableFuture<String> open(String account) { return handshakes.computeIfAbsent(account, a -> new CompletableFuture<>()); }
    void write(String account, Transfer transfer) { open(account).thenAcceptAsync(session -> transfer.fields.put("session", session)); }
  }
  static final Ledger LEDGER = new Ledger();

  public static void main(String[] args) throws Exception {
    int[] ids = {0};
    Rounds.run(n -> { for (int i = 0; i < 2000; i++) LEDGER.write("DE-1", new Transfer(ids[0]++)); });
  }
}
