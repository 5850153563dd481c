import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Sessions expire: about as many are there each time. */
class OkSessions {
  static class Session { final long id; final Map<String, String> attributes = new HashMap<>(); Session(long id) { this.id = id; attributes.put("user", "u" + id); } }
  static final Map<Long, Session> SESSIONS = new ConcurrentHashMap<>();
  public static void main(String[] args) throws Exception {
    long[] clock = {0};
    int[] keep = {800, 800, 850, 820};
    Rounds.run(n -> {
      for (int i = 0; i < 3000; i++) { long id = clock[0]++; SESSIONS.put(id, new Session(id)); }
      SESSIONS.keySet().removeIf(id -> id < clock[0] - keep[n]);
    });
  }
}
