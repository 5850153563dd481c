import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Uploads by UUID. Those that break off stay forever; a watchdog writes into each how long it has been silent. */
class RushUploads {
  static class Upload {
    final byte[] head = new byte[200]; String silent = ""; long checked;
    void watch(long now) { checked = now; silent = "silent since " + (now ^ hashCode()); }
  }
  static class Registry {
    private final Map<UUID, Upload> uploads = new ConcurrentHashMap<>();
    Upload begin(UUID id) { return uploads.computeIfAbsent(id, key -> new Upload()); }
    void end(UUID id) { uploads.remove(id); }
    void watch(long now) { uploads.values().forEach(upload -> upload.watch(now)); }
  }
  static final Registry REGISTRY = new Registry();

  public static void main(String[] args) throws Exception {
    Random random = new Random(15);
    int[] load = {1500, 2200, 3000, 4200};
    Rounds.run(n -> {
      for (int i = 0; i < load[n]; i++) {
        UUID id = new UUID(random.nextLong(), random.nextLong());
        REGISTRY.begin(id);
        if (random.nextInt(3) > 0) REGISTRY.end(id);
      }
      REGISTRY.watch(System.currentTimeMillis());
    });
  }
}
