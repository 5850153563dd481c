import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;

/** What customers send as an archive is read as a file system, which is not closed. The JDK keeps it by its path. */
class OpenArchives {
  static class Imports {
    private int lines;
    void read(Path archive) throws Exception {
      FileSystem files = FileSystems.newFileSystem(URI.create("jar:" + archive.toUri()), Map.of());
      try (var found = Files.newDirectoryStream(files.getPath("/"))) {
        for (Path path : found) if (path.toString().endsWith("0.csv")) lines += Files.readAllLines(path).size();
      }
    }
  }
  static void archive(Path path, int files) throws Exception {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(path))) {
      for (int n = 0; n < files; n++) {
        out.putNextEntry(new ZipEntry("orders-of-day-" + n + ".csv"));
        out.write(("order;" + n + "\n").getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
      }
    }
  }
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("archives");
    Imports imports = new Imports();
    Rounds.run(n -> {
      for (int i = 0; i < 50; i++) {
        Path path = folder.resolve("import-" + n + "-" + i + ".zip");
        archive(path, 60);
        imports.read(path);
        Files.delete(path);
      }
      if (n == 3) Files.delete(folder);
    });
    System.err.println(imports.lines);
  }
}
