import java.util.*;
/** The map was large once (30000, then evicted to 0), then 900 sessions a round stay. */
public class MapBurstBig {
  static final class Session { final String token; final long[] times = new long[3]; Session(int n) { token = Integer.toHexString(n * 7919) + "-" + n; } }
  static final class Store { private final Map<String, Session> sessions = new HashMap<>(); }
  static final Store store = new Store();
  public static void main(String[] a) throws Exception { for (int i = 0; i < 30000; i++) store.sessions.put("x" + i, new Session(i)); store.sessions.keySet().removeIf(k -> k.startsWith("x")); int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 900; i++) { Session s = new Session(n[0]++); store.sessions.put(s.token, s); } }); }
}
