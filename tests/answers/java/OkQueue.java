import java.util.concurrent.*;

/** Tasks wait in the queue of an executor: many, few, some. */
class OkQueue {
  static class Resize { final byte[] photo = new byte[800]; final String name; Resize(int n) { name = "photo-" + n; } }
  static final ExecutorService WORKERS = Executors.newFixedThreadPool(2);
  public static void main(String[] args) throws Exception {
    int[] sizes = {900, 500, 150, 700};
    Rounds.run(n -> {
      ((ThreadPoolExecutor) WORKERS).getQueue().clear();
      for (int i = 0; i < sizes[n]; i++) { Resize job = new Resize(i); WORKERS.submit(() -> { Thread.sleep(3600000); return job.name; }); }
    });
  }
}
