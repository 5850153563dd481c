import java.util.concurrent.*;

/** Prices by their time, sorted, so that a window can be asked for; nobody removes its head. */
class SkipListTicks {
  record Tick(String symbol, double price) { }
  static class TickStore {
    private final ConcurrentSkipListMap<Long, Tick> byTime = new ConcurrentSkipListMap<>();
    void add(long time, Tick tick) { byTime.put(time, tick); }
    double last() { return byTime.tailMap(byTime.lastKey() - 10).lastEntry().getValue().price(); }
  }
  static final TickStore TICKS = new TickStore();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 4000; i++) TICKS.add(n * 4000L + i, new Tick("S" + i % 50, i));
      TICKS.last();
    });
  }
}
