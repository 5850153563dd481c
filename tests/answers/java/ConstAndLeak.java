import java.util.*;
/** A map of 300 constant beans and 250 more scoped ones a round. */
public class ConstAndLeak {
  static final class Bean { final String name; final long[] o = new long[4]; Bean(int n) { name = "bean " + n; } }
  static final class Scoped { final String name; final long[] o = new long[4]; Scoped(int n) { name = "scoped " + n; } }
  static final class Context { private final Map<String, Object> beans = new HashMap<>(); }
  static final Context context = new Context();
  public static void main(String[] a) throws Exception { for (int i = 0; i < 300; i++) context.beans.put("b" + i, new Bean(i)); int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 250; i++) context.beans.put("s" + n[0], new Scoped(n[0]++)); }); }
}
