import java.util.*;
import java.util.concurrent.*;

/** Each call waits in a virtual thread for a reply that never comes. */
class VirtualReplies {
  static class Reply { volatile String text; final byte[] frame = new byte[300]; }
  static class Call {
    final String name;
    final List<String> headers = new ArrayList<>();
    final CountDownLatch done = new CountDownLatch(1);
    final Reply reply = new Reply();
    Call(String name) { this.name = name; for (int i = 0; i < 5; i++) headers.add("x-" + i + ": " + name); }
    String await() throws InterruptedException { done.await(); return reply.text; }
  }
  static class RpcClient {
    private final Map<Integer, Call> pending = new ConcurrentHashMap<>();
    private int next;
    void call(String name) {
      Call call = new Call(name);
      pending.put(next++, call);
      Thread.ofVirtual().name("rpc-" + name).start(() -> { try { call.await(); } catch (InterruptedException e) { } });
    }
  }
  static final RpcClient INVENTORY = new RpcClient();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 400; i++) INVENTORY.call("stock-" + n + "-" + i);
      Thread.sleep(300);
    });
  }
}
