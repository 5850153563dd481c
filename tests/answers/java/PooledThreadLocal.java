import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;

/** Threads of a pool keep what requests left in a ThreadLocal. */
class PooledThreadLocal {
  static class Span {
    final long[] marks = new long[8];
    final String name;
    Span(String name) { this.name = name; }
  }

  static final ThreadLocal<List<Span>> OPEN_SPANS = ThreadLocal.withInitial(ArrayList::new);

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    Rounds.run(n -> {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 4000; i++) {
        String name = "request " + n + "/" + i;
        done.add(pool.submit(() -> OPEN_SPANS.get().add(new Span(name))));
      }
      for (Future<?> f : done) f.get();
    });
  }
}
