import java.lang.ref.SoftReference;
import java.util.*;

/** Thumbnails are softly held, by names that are made anew each time; the map itself only grows. */
class SoftThumbnails {
  static class Thumbnail { final byte[] pixels; Thumbnail(int n) { pixels = new byte[100 + n % 7]; } }
  static class ThumbnailCache {
    private final Map<String, SoftReference<Thumbnail>> byName = new HashMap<>();
    Thumbnail get(String name, int n) {
      SoftReference<Thumbnail> found = byName.get(name);
      Thumbnail thumbnail = found == null ? null : found.get();
      if (thumbnail == null) byName.put(name, new SoftReference<>(thumbnail = new Thumbnail(n)));
      return thumbnail;
    }
  }
  static final ThumbnailCache THUMBNAILS = new ThumbnailCache();

  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 3000; i++) { int k = count[0]++; THUMBNAILS.get("/photos/2024/img-" + k + ".jpg?t=" + n, k); } });
  }
}
