import java.util.*;
import java.util.concurrent.*;

/** Latencies in buckets of fixed count, for routes that are all known after the first round, with a window that rolls. */
class OkHistogram {
  static class Histogram { final long[] buckets = new long[64]; final ArrayDeque<Long> last = new ArrayDeque<>(); void add(long v) { buckets[(int) (v % 64)]++; last.add(v); if (last.size() > 100) last.poll(); } }
  static final Map<String, Histogram> ROUTES = new ConcurrentHashMap<>();
  public static void main(String[] args) throws Exception {
    Random random = new Random(4);
    Rounds.run(n -> { for (int i = 0; i < 20000; i++) ROUTES.computeIfAbsent("/route/" + i % 120, r -> new Histogram()).add(random.nextInt(5000)); });
  }
}
