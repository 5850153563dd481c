import java.util.*;
import java.util.concurrent.*;

/** Threads recycle their buffers in stacks with a limit, which fill up when the load is high for the first time. */
class OkRecycler {
  static class PooledBuffer { final byte[] bytes = new byte[600]; }
  static class Recycler {
    final ArrayDeque<PooledBuffer> free = new ArrayDeque<>();
    PooledBuffer take() { PooledBuffer buffer = free.poll(); return buffer == null ? new PooledBuffer() : buffer; }
    void give(PooledBuffer buffer) { if (free.size() < 256) free.push(buffer); }
  }
  static final ThreadLocal<Recycler> RECYCLER = ThreadLocal.withInitial(Recycler::new);
  static final ExecutorService POOL = Executors.newFixedThreadPool(3, task -> { Thread thread = new Thread(task, "io-worker"); thread.setDaemon(true); return thread; });
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      int most = new int[] {180, 300, 320, 310}[n];
      List<Future<?>> open = new ArrayList<>();
      for (int i = 0; i < 60; i++) open.add(POOL.submit(() -> {
        List<PooledBuffer> taken = new ArrayList<>();
        for (int k = 0; k < most; k++) taken.add(RECYCLER.get().take());
        for (PooledBuffer buffer : taken) RECYCLER.get().give(buffer);
      }));
      for (Future<?> one : open) one.get();
    });
  }
}
