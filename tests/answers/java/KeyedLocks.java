import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Orders are locked one by one; the lock of an order stays in the map when the order is done. */
class KeyedLocks {
  static class OrderLocks {
    private final ConcurrentHashMap<String, ReentrantLock> byOrder = new ConcurrentHashMap<>();
    void within(String order, Runnable work) {
      ReentrantLock lock = byOrder.computeIfAbsent(order, key -> new ReentrantLock(true));
      lock.lock();
      try { work.run(); } finally { lock.unlock(); }
    }
  }
  static class PaymentService {
    private final OrderLocks locks = new OrderLocks();
    private long paid;
    void pay(String order, long cents) { locks.within(order, () -> paid += cents); }
  }
  static final PaymentService PAYMENTS = new PaymentService();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 3000; i++) PAYMENTS.pay("order-" + n + "-" + i, i); });
  }
}
