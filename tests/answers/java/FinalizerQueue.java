import java.util.concurrent.CountDownLatch;

/** One finalizer waits for ever, and all that come after it wait in the queue. */
class FinalizerQueue {
  static final CountDownLatch NEVER = new CountDownLatch(1);

  static class Blocker {
    @SuppressWarnings("removal")
    @Override protected void finalize() throws Throwable { NEVER.await(); }
  }

  static class NativeImage {
    final byte[] header = new byte[300];
    @SuppressWarnings("removal")
    @Override protected void finalize() { header[0] = 0; }
  }

  public static void main(String[] args) throws Exception {
    new Blocker();
    System.gc();
    Thread.sleep(100);
    Rounds.run(n -> {
      for (int i = 0; i < 1500; i++) new NativeImage();
      System.gc();
      Thread.sleep(50);
    });
  }
}
