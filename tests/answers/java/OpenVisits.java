import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Visits are ended by a logout, which hardly anybody does; nothing else ends them. Requests under way become more. */
public class OpenVisits {
  static final class Visit {
    final UUID id;
    final Map<String, Object> attributes = new HashMap<>();
    long lastSeen;

    Visit(UUID id) {
      this.id = id;
    }
  }

  record Request(Visit visit, String path) { }

  static final class VisitManager {
    private final Map<UUID, Visit> visits = new HashMap<>();

    Visit begin(long number) {
      Visit visit = new Visit(new UUID(number * 0x9E3779B97F4A7C15L, number));
      visit.attributes.put("user", "user " + number);
      visit.attributes.put("theme", number % 2 == 0 ? "dark" : "light");
      visits.put(visit.id, visit);
      return visit;
    }

    void logout(Visit visit) {
      visits.remove(visit.id);
    }
  }

  public static void main(String[] arguments) throws Exception {
    VisitManager manager = new VisitManager();
    ArrayDeque<Request> underway = new ArrayDeque<>();
    long[] last = {0};
    Rounds.run(round -> {
      for (int n = 0; n < 2_000; n++) {
        Visit visit = manager.begin(last[0]++);
        visit.lastSeen = n;
        underway.add(new Request(visit, "/basket/" + n % 40));
        while (underway.size() > 40 + 40 * round) {
          Request request = underway.poll();
          if (n % 10 == 0) manager.logout(request.visit());
        }
      }
    });
  }
}
