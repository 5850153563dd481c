import java.util.*;
/** Sessions live 120 ticks (1.2 rounds), random tokens; traffic rises. */
public class OkMorningUsers {
  static final class Session { final UUID token; final long until; final List<String> cart = new ArrayList<>(); Session(UUID t, long u, int n) { token = t; until = u; cart.add("item " + n % 50); } }
  static final class Store { final LinkedHashMap<UUID, Session> live = new LinkedHashMap<>(); void tick(long now) { live.values().removeIf(s -> s.until <= now); } }
  static final Store store = new Store();
  public static void main(String[] a) throws Exception { long[] now = {0}; int[] n = {0}; Random rnd = new Random(5); Rounds.run(r -> { for (int t = 0; t < 100; t++) { now[0]++; for (int i = 0; i < 3 + r; i++) { UUID u = new UUID(rnd.nextLong(), rnd.nextLong()); store.live.put(u, new Session(u, now[0] + 120, n[0]++)); } store.tick(now[0]); } }); }
}
