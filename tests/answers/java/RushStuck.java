import java.util.*;
import java.util.concurrent.*;

/** Three topics of a broker with a consumer each. That of the audit waits for a lock for ever: what came since then is all still there. */
class RushStuck {
  static class Message { final String key, text; final long offset; Message(String key, String text, long offset) { this.key = key; this.text = text; this.offset = offset; } }
  static class Topic {
    final String name; final Queue<Message> pending = new ConcurrentLinkedQueue<>(); final Semaphore mayRead = new Semaphore(1); int size;
    Topic(String name) { this.name = name; }
    void publish(Message message) { pending.add(message); size++; }
    void consume(int lag) {
      if (!mayRead.tryAcquire()) return;
      while (size > lag) { pending.poll(); size--; }
      mayRead.release();
    }
  }
  static class Broker { final Topic orders = new Topic("orders"), prices = new Topic("prices"), audit = new Topic("audit"); }
  static final Broker BROKER = new Broker();

  public static void main(String[] args) throws Exception {
    int[] load = {1000, 1500, 2100, 2800};
    long[] offset = {0};
    BROKER.audit.mayRead.acquire();
    Rounds.run(n -> {
      for (int i = 0; i < load[n]; i++) {
        for (Topic topic : List.of(BROKER.orders, BROKER.prices, BROKER.audit)) {
          long at = offset[0]++;
          topic.publish(new Message("key-" + Long.toString(at * 7919, 36), topic.name + " event " + at, at));
          topic.consume(load[n] / 4);
        }
      }
    });
  }
}
