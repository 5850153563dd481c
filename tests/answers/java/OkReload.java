import java.util.*;

/** Rates are read anew each time, and replace the old ones. */
class OkReload {
  static class Rate { final String pair; final double[] history = new double[12]; Rate(String pair) { this.pair = pair; } }
  static volatile Map<String, Rate> rates = Map.of();
  public static void main(String[] args) throws Exception {
    int[] sizes = {2500, 2500, 2530, 2510};
    Rounds.run(n -> {
      Map<String, Rate> fresh = new HashMap<>();
      for (int i = 0; i < sizes[n]; i++) fresh.put("pair" + i, new Rate("pair" + i));
      rates = fresh;
    });
  }
}
