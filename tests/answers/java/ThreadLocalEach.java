import java.util.*;
import java.util.concurrent.*;

/** Each parser has a thread local of its own, whose value knows the parser; the threads of a pool never lose them. */
class ThreadLocalEach {
  static class Scratch { final Parser owner; final char[] text = new char[60]; Scratch(Parser owner) { this.owner = owner; } }
  static class Parser {
    final String document;
    final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(() -> new Scratch(this));
    Parser(String document) { this.document = document; }
    int parse() { return scratch.get().text.length; }
  }
  static final ExecutorService POOL = Executors.newFixedThreadPool(2, task -> { Thread thread = new Thread(task, "parse-worker"); thread.setDaemon(true); return thread; });
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      List<Future<?>> open = new ArrayList<>();
      for (int i = 0; i < 2000; i++) { String name = "doc-" + n + "-" + i; open.add(POOL.submit(() -> new Parser(name).parse())); }
      for (Future<?> one : open) one.get();
    });
  }
}
