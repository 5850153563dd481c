import java.util.*;

/** Threads of a pool that keep what each request left in a thread-local variable. */
public class Locals {
  static class Scratch { final List<byte[]> buffers = new ArrayList<>(); }
  static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  public static void main(String[] args) throws Exception {
    Thread worker = new Thread(() -> {
      for (int i = 0; i < 1000; i++) SCRATCH.get().buffers.add(new byte[1024]);
      try { Thread.sleep(Long.MAX_VALUE); } catch (InterruptedException e) { }
    }, "worker");
    worker.start();
    Thread.sleep(300);
    System.out.println("READY"); worker.join();
  }
}
