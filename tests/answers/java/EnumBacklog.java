import java.util.*;
import java.util.concurrent.*;

/** Parcels wait in a queue of their region. One region has no van any more, and nobody takes its parcels. */
class EnumBacklog {
  enum Region { NORTH, EAST, SOUTH, WEST, ISLANDS }
  sealed interface Load permits Parcel, Pallet { String id(); }
  record Parcel(String id, String to, int[] size) implements Load { }
  record Pallet(String id, List<Parcel> parcels) implements Load { }
  static class Depot {
    private final EnumMap<Region, Deque<Load>> backlog = new EnumMap<>(Region.class);
    private final Set<Region> served = EnumSet.complementOf(EnumSet.of(Region.ISLANDS));
    private int sent;
    Depot() { for (Region region : Region.values()) backlog.put(region, new ArrayDeque<>()); }
    void receive(Region region, Load load) { backlog.get(region).addLast(load); }
    void tour() {
      for (Region region : served) while (backlog.get(region).size() > 40) { backlog.get(region).removeFirst(); sent++; }
    }
  }
  public static void main(String[] args) throws Exception {
    Depot depot = new Depot();
    Region[] regions = Region.values();
    Rounds.run(n -> {
      for (int i = 0; i < 5000; i++) {
        String id = "parcel-" + n + "-" + i;
        Parcel parcel = new Parcel(id, "street " + i % 700 + " in town " + i % 50, new int[] {i % 9, i % 7, i % 5});
        depot.receive(regions[i % 5], i % 50 == 0 ? new Pallet("pallet of " + id, List.of(parcel)) : parcel);
        if (i % 100 == 0) depot.tour();
      }
    });
    System.err.println(depot.sent);
  }
}
