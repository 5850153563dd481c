import java.util.concurrent.*;

/** Names of devices are made one object each, and so are the names of their measurements, which have the time in them. */
class StrongInterner {
  static class Interner {
    private final ConcurrentMap<String, String> known = new ConcurrentHashMap<>();
    String intern(String text) {
      String before = known.putIfAbsent(text, text);
      return before == null ? text : before;
    }
  }
  record Measurement(String device, String name, double value) { }
  static class MeasurementReader {
    private final Interner names = new Interner();
    private Measurement last;
    void read(String line) {
      String[] parts = line.split(",");
      last = new Measurement(names.intern(parts[0]), names.intern(parts[1]), Double.parseDouble(parts[2]));
    }
  }
  public static void main(String[] args) throws Exception {
    MeasurementReader reader = new MeasurementReader();
    Rounds.run(n -> {
      for (int i = 0; i < 5000; i++) reader.read("device-" + i % 30 + ",temperature@" + (n * 5000L + i) * 250 + "," + i * 0.1);
    });
  }
}
