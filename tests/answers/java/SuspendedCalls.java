import java.util.*;

/** As coroutines are compiled: each that waits for a permit is an object in the queue of a semaphore without permits. */
class SuspendedCalls {
  interface Continuation { void resumeWith(Object result); }
  static class Semaphore {
    private int permits;
    private final Deque<Continuation> waiters = new ArrayDeque<>();
    Semaphore(int permits) { this.permits = permits; }
    void acquire(Continuation continuation) { if (permits > 0) { permits--; continuation.resumeWith(null); } else waiters.add(continuation); }
  }
  static class Upload$upload$1 implements Continuation {
    int label; final UploadService service; final byte[] part;
    Upload$upload$1(UploadService service, byte[] part) { this.service = service; this.part = part; }
    @Override public void resumeWith(Object result) { label = 1; }
  }
  static class UploadService {
    final Semaphore slots = new Semaphore(4);
    void upload(byte[] part) { slots.acquire(new Upload$upload$1(this, part)); }
  }
  static final UploadService SERVICE = new UploadService();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 1200; i++) SERVICE.upload(new byte[100]); });
  }
}
