import java.util.*;
import java.util.concurrent.*;

/** Thread locals of values that inherit: each short thread gets a copy of the map of its parent, and a registry keeps threads. */
class ChildLoggers {
  static final InheritableThreadLocal<Map<String, String>> MDC = new InheritableThreadLocal<>() {
    @Override protected Map<String, String> childValue(Map<String, String> parent) { return parent == null ? null : new HashMap<>(parent); }
  };
  static class Crawl extends Thread {
    final String site;
    Crawl(String site) { super("crawl-" + site); this.site = site; }
    @Override public void run() { try { Thread.sleep(3_600_000L); } catch (InterruptedException e) { } }
  }
  public static void main(String[] args) throws Exception {
    Map<String, String> mine = new HashMap<>();
    for (int i = 0; i < 60; i++) mine.put("field" + i, "value" + i);
    MDC.set(mine);
    Rounds.run(n -> {
      for (int i = 0; i < 40; i++) { Crawl crawl = new Crawl(n + "-" + i); crawl.setDaemon(true); crawl.start(); }
      Thread.sleep(200);
    });
  }
}
