import java.time.Instant;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** Parcels are on their way by due time and are delivered; more each round. Stops are a bounded tree, and what was delivered is summed by hour for ten hours. */
public class OkRushParcels {
  static class Parcel implements Comparable<Parcel> {
    final long due;
    final int grams;
    final Instant taken;
    final double[] place;

    Parcel(long due, int grams, Instant taken) {
      this.due = due;
      this.grams = grams;
      this.taken = taken;
      this.place = new double[] {due * 0.001, grams * 0.5};
    }

    @Override
    public int compareTo(Parcel other) { return Long.compare(due, other.due); }
  }

  static class Depot {
    final PriorityQueue<Parcel> underway = new PriorityQueue<>();
    final TreeMap<Integer, String> stops = new TreeMap<>();
    final ArrayDeque<long[]> hours = new ArrayDeque<>();
    long clock;

    void take(int grams) {
      clock++;
      underway.add(new Parcel(clock * 10 + grams % 7, grams, Instant.ofEpochSecond(1_700_000_000L + clock)));
      stops.put((int) (clock % 500), "stop " + clock % 500);
    }

    void deliver() {
      Parcel parcel = underway.poll();
      if (hours.isEmpty() || hours.peekLast()[0] != parcel.due / 20_000) hours.add(new long[] {parcel.due / 20_000, 0});
      hours.peekLast()[1] += parcel.grams;
      if (hours.size() > 10) hours.poll();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Depot depot = new Depot();
    int[] together = {400, 800, 1_200, 1_600};
    Rounds.run(round -> {
      for (int n = 0; n < 8_000; n++) {
        depot.take(n % 900);
        while (depot.underway.size() > together[round]) depot.deliver();
      }
    });
  }
}
