import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
/** LongAdder by user agent in a static map; computeIfAbsent. */
public class ServiceStats {
  static final class Counters { private static final ConcurrentHashMap<String, LongAdder> BY_AGENT = new ConcurrentHashMap<>(); static void hit(String agent) { BY_AGENT.computeIfAbsent(agent, k -> new LongAdder()).increment(); } }
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 700; i++) Counters.hit("Agent/" + n[0]++ + " (linux; app " + i % 9 + ")"); }); }
}
