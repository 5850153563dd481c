import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Each visitor has a virtual thread that waits for the next message; visitors come and go, and more are there from round to round. A board has the last 300 messages. */
public class OkRushFibers {
  static class Visitor {
    final String name;
    final CountDownLatch gone = new CountDownLatch(1);
    final List<String> inbox = new ArrayList<>();

    Visitor(String name) {
      this.name = name;
    }

    void stay(Map<String, Visitor> here) {
      here.put(name, this);
      try {
        inbox.add("welcome, " + name);
        gone.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      } finally {
        here.remove(name);
      }
    }
  }

  static final Map<String, Visitor> HERE = new ConcurrentHashMap<>();
  static final ArrayDeque<String> BOARD = new ArrayDeque<>();

  public static void main(String[] arguments) throws Exception {
    int[] together = {100, 200, 300, 400};
    ArrayDeque<Visitor> visitors = new ArrayDeque<>();
    ArrayDeque<Thread> threads = new ArrayDeque<>();
    Rounds.run(round -> {
      for (int n = 0; n < 800; n++) {
        Visitor visitor = new Visitor("visitor " + round + "-" + n);
        visitors.add(visitor);
        threads.add(Thread.ofVirtual().name(visitor.name).start(() -> visitor.stay(HERE)));
        BOARD.add("visitor " + round + "-" + n + " came");
        if (BOARD.size() > 300) BOARD.poll();
        while (visitors.size() > together[round]) {
          visitors.poll().gone.countDown();
          threads.poll().join();
        }
      }
      while (HERE.size() < visitors.size()) Thread.sleep(1);
    });
  }
}
