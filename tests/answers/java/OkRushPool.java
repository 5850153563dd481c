import java.util.*;

/** A pool grows with the load and renews its connections when they are old; each has buffers and prepared statements. */
class OkRushPool {
  static class Statement { final String text; final int[] parameters = new int[8]; Statement(String text) { this.text = text; } }
  static class Connection {
    final String name; final int born; final byte[] in = new byte[1024], out = new byte[1024];
    final List<Statement> statements = new ArrayList<>();
    Connection(String name, int born) {
      this.name = name; this.born = born;
      for (int i = 0; i < 6; i++) statements.add(new Statement("select * from t" + i + " where id = ?"));
    }
  }
  static class Pool {
    private final Deque<Connection> idle = new ArrayDeque<>();
    private int serial, clock;
    void resize(int size) { while (idle.size() < size) idle.add(open()); while (idle.size() > size) idle.poll(); }
    private Connection open() { return new Connection("pool-1-connection-" + serial++, clock); }
    void use() {
      clock++;
      Connection connection = idle.poll();
      idle.add(clock - connection.born > 2000 ? open() : connection);
    }
  }
  public static void main(String[] args) throws Exception {
    Pool pool = new Pool();
    int[] sizes = {40, 90, 190, 280};
    Rounds.run(n -> {
      pool.resize(sizes[n]);
      for (int i = 0; i < 9000; i++) pool.use();
    });
  }
}
