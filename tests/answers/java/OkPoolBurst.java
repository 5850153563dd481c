import java.util.*;
import java.util.concurrent.*;

/** A burst of orders has the pool start thirty threads; later ones are fewer, and the threads stay for an hour. */
class OkPoolBurst {
  static class Worker implements Callable<Integer> {
    private final CyclicBarrier together;
    private final int[] numbers = new int[200];
    Worker(CyclicBarrier together) { this.together = together; }
    public Integer call() throws Exception {
      together.await();
      return Arrays.stream(numbers).sum();
    }
  }
  static class OrderService {
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(4, 40, 1, TimeUnit.HOURS, new SynchronousQueue<>());
    private long handled;
    void burst(int size) throws Exception {
      CyclicBarrier together = new CyclicBarrier(size);
      List<Future<Integer>> answers = new ArrayList<>();
      for (int n = 0; n < size; n++) answers.add(pool.submit(new Worker(together)));
      for (Future<Integer> answer : answers) handled += answer.get();
    }
  }
  static final OrderService ORDERS = new OrderService();
  public static void main(String[] args) throws Exception {
    int[] sizes = {30, 12, 20, 8};
    Rounds.run(n -> { for (int i = 0; i < 50; i++) { ORDERS.burst(sizes[n]); if (i % 10 == 0) Thread.sleep(5); } });
  }
}
