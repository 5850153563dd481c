import java.util.*;
import java.util.concurrent.*;
/** Four pool threads, each with a ThreadLocal trail that is never cleared. */
public class ThreadPoolLocals {
  static final class Step { final String name; Step(int n) { name = "step " + n; } }
  static final class Importer { static final ThreadLocal<List<Step>> TRAIL = ThreadLocal.withInitial(ArrayList::new); static void run(int n) { TRAIL.get().add(new Step(n)); } }
  public static void main(String[] a) throws Exception { int[] k = {0}; ExecutorService pool = Executors.newFixedThreadPool(4, r -> { Thread t = new Thread(r, "import-" + ++k[0]); t.setDaemon(true); return t; }); int[] n = {0}; Rounds.run(r -> { List<Future<?>> f = new ArrayList<>(); for (int i = 0; i < 800; i++) { int id = n[0]++; f.add(pool.submit(() -> Importer.run(id))); } for (Future<?> x : f) x.get(); }); }
}
