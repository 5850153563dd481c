import java.util.*;
import java.util.concurrent.*;

/** Virtual threads serve requests and end; a few wait for work at every time. */
class OkVirtual {
  static final BlockingQueue<String> WORK = new LinkedBlockingQueue<>();
  static class Handler { final byte[] scratch = new byte[512]; int handle(String text) { return text.length() + scratch.length; } }
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 50; i++) Thread.ofVirtual().name("handler-" + i).start(() -> { Handler handler = new Handler(); try { while (true) handler.handle(WORK.take()); } catch (InterruptedException e) { } });
    Rounds.run(n -> {
      for (int i = 0; i < 3000; i++) WORK.add("request " + n + " " + i);
      while (!WORK.isEmpty()) Thread.sleep(10);
      try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 500; i++) each.submit(() -> new Handler().handle("one"));
      }
      Thread.sleep(100);
    });
  }
}
