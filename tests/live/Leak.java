import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Leaks a session each millisecond; prints READY, and each second the longest pause in milliseconds. */
public class Leak {
  static class Session {
    final int id;
    final String text;
    Session(int id) { this.id = id; this.text = "session " + id; }
  }

  static class Registry {
    final Map<Integer, Session> sessions = new HashMap<>();
    final List<byte[]> ballast = new ArrayList<>();
  }

  static final Registry REGISTRY = new Registry();

  public static void main(String[] args) throws Exception {
    int n = 0;
    for (; n < 50_000; n++) REGISTRY.sessions.put(n, new Session(n));
    for (int i = 0; i < Integer.parseInt(args[0]); i++) REGISTRY.ballast.add(new byte[1 << 20]);
    System.out.println("READY");
    long last = System.nanoTime();
    long worst = 0;
    long shown = last;
    while (true) {
      if (args.length == 1) { REGISTRY.sessions.put(n, new Session(n)); n++; }
      Thread.sleep(1);
      long now = System.nanoTime();
      worst = Math.max(worst, now - last);
      last = now;
      if (now - shown > 1_000_000_000L) {
        System.out.println("WORST " + worst / 1_000_000);
        worst = 0;
        shown = now;
      }
    }
  }
}
