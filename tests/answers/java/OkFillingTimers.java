import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Durations of 40 routes: each timer has a reservoir of at most 1,028 samples that fills up for hours. Routes come up one after another, answers are cached up to a number, requests under way become more. */
public class OkFillingTimers {
  record Request(long number, String route, long started) { }

  final MetricRegistry registry = new MetricRegistry();
  final Map<String, String> answers = new LinkedHashMap<>(16, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
      return size() > 800;
    }
  };
  final ArrayDeque<Request> underway = new ArrayDeque<>();
  long number;

  void serve(String route, int article, int most) {
    underway.add(new Request(number++, route, System.nanoTime()));
    answers.computeIfAbsent(route + "/" + article, path -> "<p>" + path + "</p>");
    while (underway.size() > most) {
      Request request = underway.poll();
      Timer timer = registry.timer("seconds." + request.route());
      timer.update(System.nanoTime() - request.started(), TimeUnit.NANOSECONDS);
      registry.meter("requests." + request.route()).mark();
    }
  }

  public static void main(String[] arguments) throws Exception {
    OkFillingTimers service = new OkFillingTimers();
    Random random = new Random(3);
    int[] together = {40, 80, 120, 160};
    Rounds.run(round -> {
      int routes = 12 + 9 * round;
      for (int n = 0; n < 6_000; n++) service.serve("/route-" + random.nextInt(routes), random.nextInt(200), together[round]);
    });
  }
}
