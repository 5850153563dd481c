import java.util.*;
import java.util.concurrent.*;

/** Events of few kinds; the list of each kind only grows. */
class EventsByHour {
  record Event(String text, long at, int[] codes) { }
  static class AuditTrail {
    private final ConcurrentHashMap<String, List<Event>> byKind = new ConcurrentHashMap<>();
    void add(String kind, Event event) { byKind.computeIfAbsent(kind, k -> Collections.synchronizedList(new ArrayList<>())).add(event); }
  }
  static final AuditTrail TRAIL = new AuditTrail();

  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 2000; i++) TRAIL.add("kind-" + i % 6, new Event("event " + count[0]++, i, new int[10]));
    });
  }
}
