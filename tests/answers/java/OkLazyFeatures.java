import java.util.*;

/** Parts of a program are first used one after the other, and each loads a table of its own for good. Requests come and go beside them. */
class OkLazyFeatures {
  record Place(String name, double north, double east) { }
  static class Postcodes {
    static final Map<String, Place> BY_CODE = new HashMap<>();
    static { for (int n = 0; n < 4000; n++) BY_CODE.put(String.format("%05d", n * 17), new Place("place " + n, n * 0.01, n * 0.02)); }
  }
  static class Tariffs {
    static final List<long[]> STEPS = new ArrayList<>();
    static { for (int n = 0; n < 2500; n++) STEPS.add(new long[] {n, n * 3L, n * 5L, n * 7L, n * 11L, n * 13L, n * 17L, n * 19L, n * 23L, n * 29L}); }
  }
  static class Phrases {
    static final TreeMap<String, String> TEXTS = new TreeMap<>();
    static { for (int n = 0; n < 3000; n++) TEXTS.put("phrase." + n, "What is said at place " + n); }
  }
  static class Calendar {
    static final Set<String> HOLIDAYS = new LinkedHashSet<>();
    static { for (int n = 0; n < 5000; n++) HOLIDAYS.add("holiday " + n + " of region " + n % 16); }
  }
  record Request(int id, List<String> headers) { }
  static class Desk {
    private final ArrayDeque<Request> open = new ArrayDeque<>();
    int serve(int id, int most) {
      open.add(new Request(id, List.of("host: shop", "id: " + id)));
      while (open.size() > most) open.poll();
      return open.size();
    }
  }
  public static void main(String[] args) throws Exception {
    Desk desk = new Desk();
    int[] most = {300, 420, 350, 460};
    long[] sum = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 2000; i++) sum[0] += desk.serve(n * 2000 + i, most[n]);
      sum[0] += switch (n) {
        case 0 -> Postcodes.BY_CODE.size();
        case 1 -> Tariffs.STEPS.size();
        case 2 -> Phrases.TEXTS.size();
        default -> Calendar.HOLIDAYS.size();
      };
    });
    System.err.println(sum[0]);
  }
}
