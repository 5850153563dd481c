import java.io.IOException;
import java.util.*;

/** One exception is thrown each time when the store is down, and the reasons are added to it. */
class SuppressedErrors {
  static class StoreDownException extends RuntimeException {
    StoreDownException() { super("the store is down"); }
  }
  static class AttemptFailed extends IOException {
    private final Map<String, String> request = new HashMap<>();
    AttemptFailed(String node, int attempt) {
      super("no answer of " + node);
      request.put("node", node);
      request.put("attempt", "attempt " + attempt);
    }
  }
  static class StoreClient {
    private static final StoreDownException DOWN = new StoreDownException();
    private final List<String> nodes = List.of("node-a", "node-b", "node-c");
    String read(int key) {
      for (String node : nodes) {
        try {
          throw new AttemptFailed(node, key);
        } catch (AttemptFailed failed) {
          DOWN.addSuppressed(failed);
        }
      }
      throw DOWN;
    }
  }
  public static void main(String[] args) throws Exception {
    StoreClient client = new StoreClient();
    int[] failed = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 400; i++) {
        try { client.read(n * 400 + i); } catch (StoreDownException down) { failed[0]++; }
      }
    });
  }
}
