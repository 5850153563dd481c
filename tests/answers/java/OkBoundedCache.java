import java.util.*;
import java.util.concurrent.*;

/** A cache of four segments, each with a limit and a queue of recent reads that is worked off. It is full before the last dump. */
class OkBoundedCache {
  static class Value { final String key; final double[] data = new double[12]; Value(String key) { this.key = key; } }
  static class Segment {
    private final LinkedHashMap<String, Value> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final ArrayDeque<String> reads = new ArrayDeque<>();
    Value get(String key) {
      reads.add(key);
      if (reads.size() > 64) reads.clear();
      Value value = entries.computeIfAbsent(key, Value::new);
      if (entries.size() > 300) entries.remove(entries.keySet().iterator().next());
      return value;
    }
  }
  static final Segment[] CACHE = {new Segment(), new Segment(), new Segment(), new Segment()};

  public static void main(String[] args) throws Exception {
    Random random = new Random(4);
    Rounds.run(n -> {
      for (int i = 0; i < 900; i++) {
        String key = "key" + random.nextInt(1600);
        CACHE[(key.hashCode() & 0x7fffffff) % 4].get(key);
      }
    });
  }
}
