import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Sessions by their token expire after some minutes; from look to look more people come. */
class OkRushSessions {
  record Item(int article, int count) { }
  static class Session {
    final String token;
    final long opened;
    long seen;
    final List<Item> cart = new ArrayList<>(4);
    Session(String token, long now) { this.token = token; opened = now; seen = now; }
  }
  static class SessionStore {
    private final Map<String, Session> byToken = new ConcurrentHashMap<>();
    private final long lifetime;
    SessionStore(long lifetime) { this.lifetime = lifetime; }
    Session open(String token, long now) { Session session = new Session(token, now); byToken.put(token, session); return session; }
    Session touch(String token, long now) { Session session = byToken.get(token); if (session != null) session.seen = now; return session; }
    void expire(long now) { byToken.values().removeIf(session -> now - session.seen > lifetime); }
  }
  static final SessionStore STORE = new SessionStore(20);

  public static void main(String[] args) throws Exception {
    Random random = new Random(7);
    int[] arrivals = {40, 60, 110, 170};
    long[] minute = {0};
    Rounds.run(n -> {
      ArrayDeque<String> active = new ArrayDeque<>();
      for (int i = 0; i < 60; i++) {
        long now = minute[0]++;
        for (int k = 0; k < arrivals[n]; k++) {
          String token = Long.toHexString(random.nextLong());
          Session session = STORE.open(token, now);
          for (int j = random.nextInt(4); j > 0; j--) session.cart.add(new Item(random.nextInt(500), 1));
          active.add(token);
        }
        for (int k = 0; k < arrivals[n] / 2 && active.size() > 1000; k++) STORE.touch(active.poll(), now);
        STORE.expire(now);
      }
    });
  }
}
