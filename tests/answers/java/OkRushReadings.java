import java.util.*;

/** The readings of the last hour, by number. With more sensors there are more of them. */
class OkRushReadings {
  record Reading(long number, int sensor, double value) { }
  static class Window {
    private final Deque<Reading> readings = new LinkedList<>();
    private int most = 500;
    void add(Reading reading) {
      readings.addLast(reading);
      while (readings.size() > most) readings.removeFirst();
    }
    double highest() { double high = 0; for (Reading reading : readings) high = Math.max(high, reading.value()); return high; }
  }
  static class Station { final Window window = new Window(); int sensors; }
  static final Station STATION = new Station();

  public static void main(String[] args) throws Exception {
    Random random = new Random(13);
    int[] sensors = {10, 25, 42, 64};
    long[] number = {80_000_000_000L};
    Rounds.run(n -> {
      STATION.sensors = sensors[n];
      STATION.window.most = sensors[n] * 60;
      for (int minute = 0; minute < 180; minute++)
        for (int sensor = 0; sensor < sensors[n]; sensor++)
          STATION.window.add(new Reading(number[0]++, sensor, Math.round(random.nextDouble() * 300) / 10.0));
    });
    System.err.println(STATION.window.highest());
  }
}
