import java.util.*;

/** Keys of a cache have no equals: every look-up misses and adds. */
class KeyWithoutEquals {
  static class RouteKey { final String from, to; RouteKey(String from, String to) { this.from = from; this.to = to; } }
  static class Route { final List<int[]> points = new ArrayList<>(); Route() { for (int i = 0; i < 6; i++) points.add(new int[] {i, i}); } }
  static class Planner {
    private final Map<RouteKey, Route> routes = new HashMap<>();
    Route plan(String from, String to) { return routes.computeIfAbsent(new RouteKey(from, to), key -> new Route()); }
  }
  enum Services { PLANNING; final Planner planner = new Planner(); }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 800; i++) Services.PLANNING.planner.plan("stop" + i % 20, "stop" + i % 30); });
  }
}
