import java.util.*;
import java.util.concurrent.*;

/** A pool of connections without a bound; those that are lent are given back only where nothing fails. */
class LeasedConnections {
  static class PooledConnection {
    final int number;
    final List<String> statements = new ArrayList<>();
    final char[] buffer = new char[256];
    PooledConnection(int number) { this.number = number; }
  }
  static class Lease { final PooledConnection connection; final Exception takenAt; Lease(PooledConnection c) { connection = c; takenAt = new Exception("taken here"); } }
  static class ConnectionPool {
    private final Deque<PooledConnection> idle = new ArrayDeque<>();
    private final Set<Lease> leases = Collections.newSetFromMap(new IdentityHashMap<>());
    private int made;
    Lease take() {
      PooledConnection connection = idle.isEmpty() ? new PooledConnection(made++) : idle.pop();
      Lease lease = new Lease(connection);
      leases.add(lease);
      return lease;
    }
    void give(Lease lease) { leases.remove(lease); idle.push(lease.connection); }
  }
  static class Reports {
    private final ConnectionPool pool;
    Reports(ConnectionPool pool) { this.pool = pool; }
    void run(int n) {
      Lease lease = pool.take();
      lease.connection.statements.add("select " + n);
      if (n % 5 == 0) throw new IllegalStateException("no rows");
      pool.give(lease);
    }
  }
  public static void main(String[] args) throws Exception {
    Reports reports = new Reports(new ConnectionPool());
    Rounds.run(n -> {
      for (int i = 0; i < 2500; i++) try { reports.run(i); } catch (IllegalStateException e) { }
    });
  }
}
