import java.util.*;

/** Panels watch the weather and have a number. Who closes a panel forgets to say so, and each change is written into all of them. */
class RushWatchers {
  interface Watcher { void changed(String report); }
  static class Panel implements Watcher {
    final int number; final short[] pixels = new short[96]; String line; long drawn;
    Panel(int number) { this.number = number; }
    public void changed(String report) { line = number + ": " + report; drawn = System.nanoTime(); }
  }
  static class Weather {
    private final List<Watcher> watchers = new ArrayList<>();
    void watch(Watcher watcher) { watchers.add(watcher); }
    void report(String text) { for (Watcher watcher : watchers) watcher.changed(text); }
  }
  static final Weather WEATHER = new Weather();

  public static void main(String[] args) throws Exception {
    int[] load = {600, 900, 1300, 1900};
    int[] number = {0};
    Rounds.run(n -> {
      for (int i = 0; i < load[n]; i++) {
        WEATHER.watch(new Panel(++number[0]));
        if (i % 500 == 499) WEATHER.report("report " + n + "." + i);
      }
      WEATHER.report("end of round " + n);
    });
  }
}
