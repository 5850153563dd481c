import java.util.*;

/** A connection has a line of handlers. Each request on it adds one that aggregates its parts, and takes none out; connections are kept alive. */
class KeptAliveHandlers {
  interface Handler { void read(Context context, Object message); }
  static class Context {
    final String name;
    final Handler handler;
    Context prev;
    Context next;
    Context(String name, Handler handler) { this.name = name; this.handler = handler; }
    void fireRead(Object message) { if (next != null && next.handler != null) next.handler.read(next, message); }
  }
  static class Pipeline {
    private final Context head = new Context("head", (context, message) -> context.fireRead(message));
    private final Context tail = new Context("tail", null);
    private int size;
    Pipeline() { head.next = tail; tail.prev = head; }
    void addLast(String name, Handler handler) {
      Context added = new Context(name, handler);
      Context before = tail.prev;
      added.prev = before;
      added.next = tail;
      before.next = added;
      tail.prev = added;
      size++;
    }
    void read(Object message) { head.handler.read(head, message); }
  }
  static class Aggregator implements Handler {
    private final String request;
    private final List<byte[]> parts = new ArrayList<>();
    private final int[] lengths = new int[16];
    Aggregator(String request) { this.request = request; }
    @Override public void read(Context context, Object message) {
      if (parts.size() < 2 && message instanceof byte[] part) { lengths[parts.size()] = part.length; parts.add(part.clone()); }
    }
  }
  static class Channel {
    final Pipeline pipeline = new Pipeline();
    private int requests;
    void request(String id) {
      pipeline.addLast("aggregator-" + requests++, new Aggregator(id));
      pipeline.read(new byte[80]);
    }
  }
  static class Server {
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    Channel channel(String address) { return channels.computeIfAbsent(address, key -> new Channel()); }
  }
  public static void main(String[] args) throws Exception {
    Server server = new Server();
    Rounds.run(n -> {
      for (int i = 0; i < 1600; i++) server.channel("10.0.0." + i % 4).request("request-" + n + "-" + i);
    });
    System.err.println(server.channels.size());
  }
}
