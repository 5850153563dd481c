import java.util.*;
import java.util.concurrent.*;

/** A pool of connections grows with the load up to its limit. */
class OkConnections {
  static final class Connection { final byte[] buffer = new byte[4096]; final Map<String, String> settings = new HashMap<>(Map.of("user", "shop")); }
  static final class ConnectionPool {
    private final BlockingDeque<Connection> idle = new LinkedBlockingDeque<>(); private int made;
    Connection take() throws InterruptedException {
      Connection connection = idle.poll();
      if (connection == null && made < 48) { made++; return new Connection(); }
      return connection != null ? connection : idle.take();
    }
    void give(Connection connection) { idle.addFirst(connection); }
  }
  public static void main(String[] args) throws Exception {
    ConnectionPool pool = new ConnectionPool();
    int[] load = {20, 36, 46, 48};
    Rounds.run(n -> {
      List<Connection> busy = new ArrayList<>();
      for (int i = 0; i < load[n]; i++) busy.add(pool.take());
      for (Connection connection : busy) pool.give(connection);
    });
  }
}
