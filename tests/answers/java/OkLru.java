import java.util.LinkedHashMap;
import java.util.Map;

/** A cache that is full and in order. */
class OkLru {
  static class Tile { final byte[] pixels = new byte[256]; }

  static class TileCache extends LinkedHashMap<Integer, Tile> {
    TileCache() { super(16, 0.75f, true); }
    @Override protected boolean removeEldestEntry(Map.Entry<Integer, Tile> eldest) { return size() > 3000; }
  }

  static final TileCache TILES = new TileCache();

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 5000; i++) TILES.computeIfAbsent(n * 2000 + i, key -> new Tile());
    });
  }
}
