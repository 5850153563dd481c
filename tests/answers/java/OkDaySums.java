import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A day's statistics by hour and route, which begin anew at midnight; dumps are taken at 9, 13 and 17 o'clock. Orders under way become more. */
public class OkDaySums {
  enum Outcome { GOOD, LATE, FAILED }

  static final class Sums {
    long count;
    double seconds;
    final EnumMap<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);

    void add(double took, Outcome outcome) {
      count++;
      seconds += took;
      outcomes.merge(outcome, 1, Integer::sum);
    }
  }

  static final class Day {
    final int number;
    final TreeMap<Integer, Map<String, Sums>> byHour = new TreeMap<>();

    Day(int number) {
      this.number = number;
    }

    void add(int hour, String route, double took, Outcome outcome) {
      byHour.computeIfAbsent(hour, of -> new HashMap<>()).computeIfAbsent(route, of -> new Sums()).add(took, outcome);
    }
  }

  record Order(long id, String route, String customer) { }

  private Day today = new Day(0);
  private final ArrayDeque<Order> underway = new ArrayDeque<>();
  private long last;

  void hour(int hour, int most) {
    if (hour / 24 != today.number) today = new Day(hour / 24);
    for (int n = 0; n < 600; n++) {
      underway.add(new Order(last, "/route-" + n % 60, "customer " + last++ % 500));
      while (underway.size() > most) {
        Order order = underway.poll();
        today.add(hour % 24, order.route(), order.id() % 17 / 10.0, Outcome.values()[(int) (order.id() % 3)]);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    OkDaySums shop = new OkDaySums();
    int[] hours = {0};
    int[] until = {29, 33, 37, 41};
    Rounds.run(round -> {
      while (hours[0] < until[round]) shop.hour(hours[0]++, 50 + 40 * round);
    });
  }
}
