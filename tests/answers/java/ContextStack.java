import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.ThreadContext;

/** Orders are worked off by a pool; each pushes what it is to the context of the log, and a refused one never pops it. */
public class ContextStack {
  private static final Logger LOG = LogManager.getLogger(ContextStack.class);
  private static final ExecutorService WORKERS = Executors.newFixedThreadPool(4, task -> {
    Thread thread = new Thread(task, "order-worker");
    thread.setDaemon(true);
    return thread;
  });

  record Order(long number, String customer, int cents) { }

  static class Refused extends Exception {
    Refused(String why) { super(why); }
  }

  static class Stock {
    private final Map<Integer, Integer> left = new java.util.concurrent.ConcurrentHashMap<>();

    void reserve(Order order) throws Refused {
      int shelf = (int) (order.number() % 50);
      left.merge(shelf, -1, Integer::sum);
      if (order.cents() % 3 == 0) throw new Refused("no credit for " + order.customer());
    }
  }

  static class OrderService {
    private final Stock stock = new Stock();

    void place(Order order) throws Refused {
      ThreadContext.push("order=" + order.number() + " customer=" + order.customer() + " amount=" + order.cents());
      LOG.debug("place");
      stock.reserve(order);
      LOG.debug("placed");
      ThreadContext.pop();
    }
  }

  public static void main(String[] arguments) throws Exception {
    OrderService service = new OrderService();
    long[] number = {0};
    Rounds.run(round -> {
      List<Future<?>> waiting = new ArrayList<>();
      for (int i = 0; i < 18000; i++) {
        long n = number[0]++;
        waiting.add(WORKERS.submit(() -> {
          ThreadContext.put("shop", "berlin");
          try {
            service.place(new Order(n, "customer" + n % 900, (int) (n * 7 % 10000)));
          } catch (Refused refused) {
            LOG.debug("refused", refused);
          } finally {
            ThreadContext.clearMap();
          }
        }));
      }
      for (Future<?> one : waiting) one.get();
    });
  }
}
