import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

/** Each customer's folder is watched for what comes in, until the customer's upload is done. The upload forgets its folder then, and does not cancel the key; folders stay for a week. */
class WatchedFolders {
  static class Upload {
    final String customer;
    final Path folder;
    final List<String> parts = new ArrayList<>();
    int expected;
    Upload(String customer, Path folder, int expected) { this.customer = customer; this.folder = folder; this.expected = expected; }
    boolean done() { return parts.size() >= expected; }
  }
  static class FolderWatch implements Closeable {
    private final WatchService service;
    private final Map<Path, Upload> uploads = new ConcurrentHashMap<>();
    private int finished;
    FolderWatch() throws IOException { service = FileSystems.getDefault().newWatchService(); }
    void expect(Upload upload) throws IOException {
      uploads.put(upload.folder, upload);
      upload.folder.register(service, StandardWatchEventKinds.ENTRY_CREATE);
    }
    void pump() throws InterruptedException {
      WatchKey key;
      while ((key = service.poll(20, TimeUnit.MILLISECONDS)) != null) {
        Upload upload = uploads.get((Path) key.watchable());
        for (WatchEvent<?> event : key.pollEvents()) if (upload != null) upload.parts.add(event.context().toString());
        key.reset();
        if (upload != null && upload.done()) {
          uploads.remove(upload.folder);
          finished++;
        }
      }
    }
    @Override public void close() throws IOException { service.close(); }
  }
  static void remove(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
    }
  }
  public static void main(String[] args) throws Exception {
    Path root = Path.of(System.getProperty("java.io.tmpdir"), "heap-tools-watched-folders");
    if (Files.exists(root)) remove(root);
    Files.createDirectory(root);
    FolderWatch watch = new FolderWatch();
    Rounds.run(round -> {
      for (int n = 0; n < 300; n++) {
        Path folder = Files.createDirectory(root.resolve("customer-" + round + "-" + n));
        watch.expect(new Upload("customer " + round + "." + n, folder, 2));
        for (String part : List.of("part-1", "part-2")) Files.delete(Files.createFile(folder.resolve(part)));
        if (n % 50 == 49) watch.pump();
      }
      watch.pump();
    });
  }
}
