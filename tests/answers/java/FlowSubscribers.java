import java.util.concurrent.*;

/** Dashboards subscribe to measurements; the closed ones never cancel. */
class FlowSubscribers {
  static final class Dashboard implements Flow.Subscriber<String> {
    final double[] values = new double[100]; int n; Flow.Subscription subscription;
    public void onSubscribe(Flow.Subscription s) { subscription = s; s.request(Long.MAX_VALUE); }
    public void onNext(String item) { values[n++ % values.length] = item.length(); }
    public void onError(Throwable error) { }
    public void onComplete() { }
  }
  static final class Weather {
    private final SubmissionPublisher<String> measurements = new SubmissionPublisher<>(Runnable::run, 16);
    void open() { measurements.subscribe(new Dashboard()); }
    void measure(String text) { measurements.submit(text); }
  }
  public static void main(String[] args) throws Exception {
    Weather weather = new Weather();
    Rounds.run(n -> { for (int i = 0; i < 150; i++) weather.open(); weather.measure("12 degrees"); });
  }
}
