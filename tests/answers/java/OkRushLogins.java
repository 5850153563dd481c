import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Logins by UUID, which end some time after the last request. At noon more people work. */
class OkRushLogins {
  static class Login {
    final UUID id; final int[] rights = new int[16]; long lastSeen; int requests;
    Login(UUID id, long now) { this.id = id; lastSeen = now; }
    void request(long now) { lastSeen = now; requests++; }
  }
  static class Logins {
    private final ConcurrentHashMap<UUID, Login> active = new ConcurrentHashMap<>();
    Login open(UUID id, long now) { Login login = new Login(id, now); active.put(id, login); return login; }
    void expire(long before) { active.values().removeIf(login -> login.lastSeen < before); }
  }
  static final Logins LOGINS = new Logins();

  public static void main(String[] args) throws Exception {
    Random random = new Random(12);
    int[] perMinute = {20, 40, 70, 110};
    long[] clock = {1_700_000_000_000L};
    Rounds.run(n -> {
      List<Login> mine = new ArrayList<>();
      for (int minute = 0; minute < 90; minute++) {
        clock[0] += 60_000;
        for (int i = 0; i < perMinute[n]; i++)
          mine.add(LOGINS.open(new UUID(random.nextLong(), random.nextLong()), clock[0] + i));
        for (int i = 0; i < perMinute[n] * 2; i++) {
          Login login = mine.get(mine.size() - 1 - random.nextInt(Math.min(mine.size(), perMinute[n] * 10)));
          if (LOGINS.active.containsKey(login.id)) login.request(clock[0] + i);
        }
        LOGINS.expire(clock[0] - 15 * 60_000);
      }
    });
  }
}
