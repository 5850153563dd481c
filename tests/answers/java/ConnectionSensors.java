import java.util.*;
import java.util.concurrent.*;

/** Each connection of a broker makes sensors with figures. What closes a connection removes its sensor, not the figures that the sensor has registered. */
class ConnectionSensors {
  record MetricName(String name, String group, Map<String, String> tags) { }
  interface Measurable { double measure(long now); }
  static class Rate implements Measurable {
    private final long[] windows = new long[8];
    private final String unit;
    Rate(String unit) { this.unit = unit; }
    void record(long now, long value) { windows[(int) (now % windows.length)] += value; }
    @Override public double measure(long now) { return Arrays.stream(windows).sum() / (double) windows.length; }
  }
  static class KafkaMetric {
    final MetricName name;
    final Measurable measurable;
    KafkaMetric(MetricName name, Measurable measurable) { this.name = name; this.measurable = measurable; }
  }
  static class Sensor {
    final String name;
    final List<KafkaMetric> metrics = new ArrayList<>();
    Sensor(String name) { this.name = name; }
    void record(long now, long value) { for (KafkaMetric metric : metrics) ((Rate) metric.measurable).record(now, value); }
  }
  static class Metrics {
    private final ConcurrentMap<MetricName, KafkaMetric> metrics = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Sensor> sensors = new ConcurrentHashMap<>();
    Sensor sensor(String name) { return sensors.computeIfAbsent(name, Sensor::new); }
    void add(Sensor sensor, MetricName name, Measurable measurable) {
      KafkaMetric metric = new KafkaMetric(name, measurable);
      sensor.metrics.add(metric);
      metrics.put(name, metric);
    }
    void removeSensor(String name) { sensors.remove(name); }
  }
  static class Selector {
    private final Metrics metrics;
    private final Map<String, Sensor> open = new HashMap<>();
    Selector(Metrics metrics) { this.metrics = metrics; }
    void connect(String id) {
      Sensor sensor = metrics.sensor("node-" + id + ".bytes");
      Map<String, String> tags = Map.of("client-id", "orders", "node-id", "node-" + id);
      metrics.add(sensor, new MetricName("incoming-byte-rate", "node-metrics", tags), new Rate("bytes"));
      metrics.add(sensor, new MetricName("request-rate", "node-metrics", tags), new Rate("requests"));
      open.put(id, sensor);
    }
    void close(String id) { metrics.removeSensor(open.remove(id).name); }
  }
  public static void main(String[] args) throws Exception {
    Selector selector = new Selector(new Metrics());
    Rounds.run(n -> {
      for (int i = 0; i < 700; i++) {
        String id = n + "-" + i;
        selector.connect(id);
        selector.open.get(id).record(i, 100);
        selector.close(id);
      }
    });
    System.err.println(selector.open.size());
  }
}
