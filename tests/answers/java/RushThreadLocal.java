import java.util.*;
import java.util.concurrent.*;

/** Each thread of a pool remembers the users that it has served, and nobody clears that; the tasks themselves come and go. */
class RushThreadLocal {
  static class Principal { final String user; final Set<String> roles; final byte[] ticket = new byte[160]; Principal(String user, Set<String> roles) { this.user = user; this.roles = roles; } }
  static class SecurityContext {
    private static final ThreadLocal<List<Principal>> SEEN = ThreadLocal.withInitial(ArrayList::new);
    static void enter(Principal principal) { SEEN.get().add(principal); }
  }
  static class Task { final String name; final byte[] data = new byte[300]; Task(String name) { this.name = name; } }
  static final Deque<Task> RECENT = new ArrayDeque<>();

  public static void main(String[] args) throws Exception {
    ThreadFactory daemons = work -> { Thread thread = new Thread(work, "worker"); thread.setDaemon(true); return thread; };
    ExecutorService pool = Executors.newFixedThreadPool(4, daemons);
    int[] load = {1000, 1500, 2100, 2900};
    int[] serial = {0};
    Rounds.run(n -> {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < load[n]; i++) {
        int number = serial[0]++;
        RECENT.add(new Task("task " + number));
        while (RECENT.size() > load[n] / 4) RECENT.poll();
        all.add(pool.submit(() -> SecurityContext.enter(new Principal("user" + number + "@example.org", Set.of("reader")))));
      }
      for (Future<?> one : all) one.get();
    });
  }
}
