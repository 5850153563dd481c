import java.util.*;
import java.util.concurrent.*;
import java.util.zip.*;

/** Each connection has a compressor; closed connections are taken off the list of connections and not off that of compressors. */
class DeflaterEach {
  static class Connection {
    final int id;
    Connection(int id) { this.id = id; }
  }
  static class FrameCompressor {
    final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    final byte[] output = new byte[512];
    int compress(byte[] frame) { deflater.reset(); deflater.setInput(frame); deflater.finish(); return deflater.deflate(output); }
  }
  static class PushGateway {
    final Set<Connection> open = ConcurrentHashMap.newKeySet();
    final Map<Integer, FrameCompressor> compressors = new ConcurrentHashMap<>();
    void send(Connection connection, String text) { compressors.computeIfAbsent(connection.id, id -> new FrameCompressor()).compress(text.getBytes()); }
  }

  public static void main(String[] args) throws Exception {
    PushGateway gateway = new PushGateway();
    int[] ids = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 600; i++) {
        Connection connection = new Connection(ids[0]++);
        gateway.open.add(connection);
        gateway.send(connection, "price " + i);
        gateway.open.remove(connection);
      }
    });
  }
}
