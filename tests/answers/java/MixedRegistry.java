import java.util.*;
/** A registry of 12 constant big tables (byte[40000]) and ever more small watchers. */
public class MixedRegistry {
  interface Part { }
  static final class Table implements Part { final byte[] data = new byte[40000]; }
  static final class Watcher implements Part { final String topic; final long[] seen = new long[6]; Watcher(int n) { topic = "topic " + n; } }
  static final class Registry { private final Map<String, Part> parts = new HashMap<>(); }
  static final Registry registry = new Registry();
  public static void main(String[] a) throws Exception { for (int i = 0; i < 12; i++) registry.parts.put("table " + i, new Table()); int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 400; i++) registry.parts.put("watch " + n[0], new Watcher(n[0]++)); }); }
}
