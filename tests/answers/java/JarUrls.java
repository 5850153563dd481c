import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.jar.*;

/** The description of a plugin is read from its jar by an address, which keeps the jar open. */
class JarUrls {
  static class PluginRepository {
    private final Path folder;
    private long bytes;
    PluginRepository(Path folder) { this.folder = folder; }
    Path publish(String name) throws IOException {
      Path jar = folder.resolve(name + ".jar");
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
        for (int i = 0; i < 40; i++) {
          out.putNextEntry(new JarEntry("org/example/plugin/Part" + i + ".class"));
          out.write(new byte[20]);
          out.closeEntry();
        }
        out.putNextEntry(new JarEntry("plugin.properties"));
        out.write(("name=" + name).getBytes());
        out.closeEntry();
      }
      jar.toFile().deleteOnExit();
      return jar;
    }
    void describe(Path jar) throws IOException {
      URL description = new URL("jar:" + jar.toUri() + "!/plugin.properties");
      try (InputStream in = description.openConnection().getInputStream()) { bytes += in.readAllBytes().length; }
    }
  }
  public static void main(String[] args) throws Exception {
    PluginRepository plugins = new PluginRepository(Files.createTempDirectory("plugins"));
    Rounds.run(n -> {
      for (int i = 0; i < 150; i++) {
        Path jar = plugins.publish("plugin-" + n + "-" + i);
        plugins.describe(jar);
        Files.delete(jar);
      }
    });
  }
}
