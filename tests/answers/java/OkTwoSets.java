import java.util.*;
/** Dedupe by two sets that rotate three times a round; traffic rises. */
public class OkTwoSets {
  static final class Dedupe { private Set<String> now = new HashSet<>(), before = new HashSet<>(); boolean seen(String id) { return before.contains(id) || !now.add(id); } void rotate() { before = now; now = new HashSet<>(); } }
  static final Dedupe dedupe = new Dedupe();
  public static void main(String[] a) throws Exception { Random rnd = new Random(4); Rounds.run(r -> { for (int t = 0; t < 3; t++) { dedupe.rotate(); for (int i = 0; i < 600 + 200 * r; i++) dedupe.seen(new UUID(rnd.nextLong(), rnd.nextLong()).toString()); } }); }
}
