import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** A filter counts requests by the address as it was asked for, with its query, so that there is a counter for nearly each of them. */
public class RequestCounts {
  record Request(String uri, String query, int user) { }

  static final class CountingFilter {
    private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

    void doFilter(Request request) {
      COUNTS.computeIfAbsent(request.uri() + "?" + request.query(), uri -> new LongAdder()).increment();
    }
  }

  public static void main(String[] arguments) throws Exception {
    CountingFilter filter = new CountingFilter();
    ArrayDeque<Request> underway = new ArrayDeque<>();
    int[] together = {40, 80, 120, 160};
    int[] last = {0};
    Rounds.run(round -> {
      for (int n = 0; n < 3_000; n++) {
        Request request = new Request("/search", "q=word" + n % 90 + "&session=" + last[0]++, n % 70);
        filter.doFilter(request);
        underway.add(request);
        while (underway.size() > together[round]) underway.poll();
      }
    });
  }
}
