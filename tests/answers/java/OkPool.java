import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A pool of connections, each with buffers, under steady use. */
class OkPool {
  static class Connection { final byte[] in = new byte[2048], out = new byte[2048]; }

  static final BlockingQueue<Connection> POOL = new ArrayBlockingQueue<>(200);

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 200; i++) POOL.put(new Connection());
    Rounds.run(n -> {
      for (int i = 0; i < 10_000; i++) {
        Connection c = POOL.take();
        c.in[i % 2048] = (byte) n;
        POOL.put(c);
      }
    });
  }
}
