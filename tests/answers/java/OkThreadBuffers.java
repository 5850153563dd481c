import java.util.*;
import java.util.concurrent.*;

/** Threads of a pool have a buffer each, which is used again. */
class OkThreadBuffers {
  static class Scratch { byte[] bytes = new byte[20000]; List<String> words = new ArrayList<>(); }
  static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);
  static final ExecutorService POOL = Executors.newFixedThreadPool(8);

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 800; i++) {
        int number = i;
        all.add(POOL.submit(() -> {
          Scratch scratch = SCRATCH.get();
          scratch.words.clear();
          for (int k = 0; k < 20; k++) scratch.words.add("word " + number + "/" + k);
        }));
      }
      for (Future<?> one : all) one.get();
    });
  }
}
