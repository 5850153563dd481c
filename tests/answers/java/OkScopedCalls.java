import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Calls run in virtual threads, at most two hundred at a time, with a context that is bound to each call. What fails is tried again after a delay, four times at most. How many calls wait when one looks is chance. */
class OkScopedCalls {
  record CallContext(String id, String user, List<String> trail) { }
  static final ScopedValue<CallContext> CONTEXT = ScopedValue.newInstance();

  static class Answer {
    final String call;
    final byte[] body;
    Answer(String call, int size) { this.call = call; body = new byte[size]; }
  }
  static class Backend {
    private final AtomicInteger calls = new AtomicInteger();
    Answer ask(String what) throws Exception {
      CONTEXT.get().trail().add("asks " + what);
      int n = calls.incrementAndGet();
      if (n % 50 == 0) Thread.sleep(Duration.ofMillis(2));
      if (n % 13 == 0) throw new TimeoutException(what);
      return new Answer(what, 200 + n % 300);
    }
  }
  static class Retry implements Delayed {
    final CallContext context;
    final int tries;
    final long due;
    Retry(CallContext context, int tries) { this.context = context; this.tries = tries; due = System.nanoTime() + (1L << tries) * 1_000_000; }
    @Override public long getDelay(TimeUnit unit) { return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS); }
    @Override public int compareTo(Delayed other) { return Long.compare(due, ((Retry) other).due); }
  }
  static class Gateway {
    private final Backend backend = new Backend();
    private final Semaphore room = new Semaphore(200);
    private final DelayQueue<Retry> retries = new DelayQueue<>();
    private final ConcurrentMap<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch hold = new CountDownLatch(0);
    Gateway() {
      Thread.ofVirtual().name("retries").start(() -> {
        try {
          while (true) { Retry retry = retries.take(); start(retry.context, retry.tries); }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
    }
    void start(CallContext context, int tries) throws InterruptedException {
      room.acquire();
      underWay.add(context.id());
      Thread.ofVirtual().start(() -> ScopedValue.where(CONTEXT, context).run(() -> call(context, tries)));
    }
    private void call(CallContext context, int tries) {
      try {
        Answer answer = backend.ask(context.id());
        if (context.user().equals("slow")) hold.await();
        count("size " + answer.body.length / 100);
      } catch (TimeoutException e) {
        if (tries < 4) retries.add(new Retry(context, tries + 1)); else count("lost");
      } catch (Exception e) {
        count("failed");
      } finally {
        underWay.remove(context.id());
        room.release();
      }
    }
    private void count(String outcome) { outcomes.computeIfAbsent(outcome, o -> new LongAdder()).increment(); }
    boolean idle() { return underWay.isEmpty() && retries.isEmpty(); }
  }

  public static void main(String[] args) throws Exception {
    Gateway gateway = new Gateway();
    int[] waiting = {20, 60, 150, 90};
    Rounds.run(round -> {
      gateway.hold.countDown();
      for (int n = 0; n < 4000; n++) gateway.start(new CallContext(round + "-" + n, "user " + n % 80, new ArrayList<>()), 0);
      while (!gateway.idle()) Thread.sleep(5);
      gateway.hold = new CountDownLatch(1);
      for (int n = 0; n < waiting[round]; n++) gateway.start(new CallContext(round + "-w" + n, "slow", new ArrayList<>(List.of("waits"))), 0);
      Thread.sleep(120);
    });
  }
}
