import java.util.*;
/** Pool of byte[4096] buffers, up to the most that were needed at once. */
public class OkBigPool {
  static final class Buf { final byte[] bytes = new byte[4096]; String user; }
  static final class Pool { private final ArrayDeque<Buf> free = new ArrayDeque<>(); Buf take() { Buf b = free.pollFirst(); return b == null ? new Buf() : b; } void give(Buf b) { b.user = null; free.addFirst(b); } }
  static final Pool pool = new Pool();
  public static void main(String[] a) throws Exception { int[] peak = {60, 100, 110, 112}; Rounds.run(r -> { for (int t = 0; t < 30; t++) { List<Buf> used = new ArrayList<>(); for (int i = 0; i < peak[r]; i++) { Buf b = pool.take(); b.user = "u" + i; used.add(b); } used.forEach(pool::give); } }); }
}
