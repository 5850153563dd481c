import java.util.*;

/** Time limits of calls stand in a wheel of 256 slots; a call that ends cancels its limit, which the wheel drops when it comes by. How many are under way differs from hour to hour. */
class OkTimerWheel {
  static class Limit {
    final String call;
    final long due;
    boolean cancelled;
    Limit prev, next;
    Limit(String call, long due) { this.call = call; this.due = due; }
  }
  static class Bucket {
    Limit head, tail;
    void add(Limit limit) {
      if (head == null) { head = tail = limit; } else { tail.next = limit; limit.prev = tail; tail = limit; }
    }
    void remove(Limit limit) {
      if (limit.prev != null) limit.prev.next = limit.next; else head = limit.next;
      if (limit.next != null) limit.next.prev = limit.prev; else tail = limit.prev;
      limit.prev = limit.next = null;
    }
  }
  static class Wheel {
    private final Bucket[] wheel = new Bucket[256];
    private long tick;
    private int expired;
    Wheel() { Arrays.setAll(wheel, n -> new Bucket()); }
    Limit after(String call, int ticks) {
      Limit limit = new Limit(call, tick + ticks);
      wheel[(int) (limit.due % wheel.length)].add(limit);
      return limit;
    }
    void advance() {
      Bucket bucket = wheel[(int) (tick % wheel.length)];
      for (Limit limit = bucket.head; limit != null; ) {
        Limit next = limit.next;
        if (limit.cancelled || limit.due <= tick) { bucket.remove(limit); if (!limit.cancelled) expired++; }
        limit = next;
      }
      tick++;
    }
  }
  public static void main(String[] args) throws Exception {
    Wheel wheel = new Wheel();
    int[] perTick = {7, 11, 9, 14};
    Rounds.run(n -> {
      for (int t = 0; t < 600; t++) {
        for (int i = 0; i < perTick[n]; i++) {
          Limit limit = wheel.after("call-" + n + "-" + t + "-" + i, 200 + i % 20);
          if (i % 5 != 0) limit.cancelled = true;
        }
        wheel.advance();
      }
    });
    System.err.println(wheel.expired);
  }
}
