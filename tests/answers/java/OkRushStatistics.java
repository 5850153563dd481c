import java.util.*;

/** Times of requests within the last minute. More requests, more samples. */
class OkRushStatistics {
  static class Sample {
    final long at; final double millis; final String endpoint; final int status;
    Sample(long at, double millis, String endpoint, int status) { this.at = at; this.millis = millis; this.endpoint = endpoint; this.status = status; }
  }
  static class Window {
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    private final long width;
    private double sum;
    Window(long width) { this.width = width; }
    void add(Sample sample) {
      samples.add(sample);
      sum += sample.millis;
      while (samples.peek().at <= sample.at - width) sum -= samples.poll().millis;
    }
    double mean() { return samples.isEmpty() ? 0 : sum / samples.size(); }
  }
  static class Metrics { final Window latency = new Window(60_000); }
  static final Metrics METRICS = new Metrics();

  public static void main(String[] args) throws Exception {
    Random random = new Random(2);
    String[] endpoints = {"/login", "/search", "/cart", "/pay", "/health"};
    int[] gap = {60, 40, 19, 12};
    long[] now = {0};
    Rounds.run(n -> {
      for (long end = now[0] + 150_000; now[0] < end; now[0] += gap[n])
        METRICS.latency.add(new Sample(now[0], random.nextDouble() * 100, endpoints[random.nextInt(5)], 200));
    });
    System.err.println(METRICS.latency.mean());
  }
}
