import java.nio.ByteBuffer;
import java.util.*;

/** Buffers outside the heap are lent from a pool of sixteen, and given back; a burst makes more that are let go. */
class OkDirectPool {
  static class BufferPool {
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
    ByteBuffer lend() { ByteBuffer buffer = free.poll(); return buffer == null ? ByteBuffer.allocateDirect(65536) : buffer.clear(); }
    void back(ByteBuffer buffer) { if (free.size() < 16) free.push(buffer); }
  }
  static class Compressor {
    private final BufferPool pool = new BufferPool();
    private long bytes;
    void burst(int size) {
      List<ByteBuffer> lent = new ArrayList<>();
      for (int i = 0; i < size; i++) { ByteBuffer buffer = pool.lend(); buffer.putLong(i); bytes += buffer.position(); lent.add(buffer); }
      lent.forEach(pool::back);
    }
  }
  public static void main(String[] args) throws Exception {
    Compressor compressor = new Compressor();
    int[] sizes = {24, 10, 30, 18};
    Rounds.run(n -> { for (int i = 0; i < 20; i++) compressor.burst(sizes[n]); System.gc(); });
  }
}
