import java.lang.ref.SoftReference;
import java.util.*;

/** A cache of 600 places with soft values, all of them used early. */
class OkSoft {
  static class Tile { final int[] pixels = new int[256]; }
  static final Map<Integer, SoftReference<Tile>> TILES = new LinkedHashMap<>(16, 0.75f, true) {
    @Override protected boolean removeEldestEntry(Map.Entry<Integer, SoftReference<Tile>> eldest) { return size() > 600; }
  };
  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 1000; i++) TILES.put(count[0]++, new SoftReference<>(new Tile())); });
  }
}
