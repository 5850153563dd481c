import java.util.*;
/** One service object of six maps, each growing by 200 a round. */
public class FieldsByName {
  static final class Sum { long hits; long bytes; }
  static final class Stats { final Map<String, Sum> byUser = new HashMap<>(), byPath = new HashMap<>(), byAgent = new HashMap<>(), byQuery = new HashMap<>(), byBasket = new HashMap<>(), byToken = new HashMap<>(); void hit(int n) { for (Map<String, Sum> m : List.of(byUser, byPath, byAgent, byQuery, byBasket, byToken)) m.computeIfAbsent("key " + n, k -> new Sum()).hits++; } }
  static final Stats stats = new Stats();
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 200; i++) stats.hit(n[0]++); }); }
}
