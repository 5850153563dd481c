import java.util.*;
import java.util.concurrent.*;

/** A connection knows its open statements, to close them when it is closed. A search that finds nothing returns before its statement is closed, and connections go back to the pool as they are. */
class OpenResults {
  static class ResultRows implements AutoCloseable {
    private final PlainStatement statement;
    private final List<Object[]> rows;
    private int at = -1;
    ResultRows(PlainStatement statement, List<Object[]> rows) { this.statement = statement; this.rows = rows; }
    boolean next() { return ++at < rows.size(); }
    Object get(int column) { return rows.get(at)[column]; }
    @Override public void close() { rows.clear(); statement.results.remove(this); }
  }
  static class PlainStatement implements AutoCloseable {
    final PlainConnection connection;
    final Set<ResultRows> results = new HashSet<>();
    private final char[] buffer = new char[512];
    private String sql;
    PlainStatement(PlainConnection connection) { this.connection = connection; connection.openStatements.add(this); }
    ResultRows query(String sql, Table table) {
      this.sql = sql;
      sql.getChars(0, Math.min(sql.length(), buffer.length), buffer, 0);
      ResultRows rows = new ResultRows(this, table.find(sql));
      results.add(rows);
      return rows;
    }
    @Override public void close() {
      for (ResultRows rows : List.copyOf(results)) rows.close();
      connection.openStatements.remove(this);
    }
  }
  static class PlainConnection {
    final int number;
    final Set<PlainStatement> openStatements = Collections.newSetFromMap(new ConcurrentHashMap<>());
    final Map<String, String> settings = new HashMap<>(Map.of("timezone", "UTC", "schema", "shop"));
    PlainConnection(int number) { this.number = number; }
    PlainStatement statement() { return new PlainStatement(this); }
  }
  static class ConnectionPool {
    private final BlockingQueue<PlainConnection> free = new LinkedBlockingQueue<>();
    ConnectionPool(int size) { for (int n = 0; n < size; n++) free.add(new PlainConnection(n)); }
    PlainConnection borrow() throws InterruptedException { return free.take(); }
    void giveBack(PlainConnection connection) { free.add(connection); }
  }
  static class Table {
    List<Object[]> find(String sql) {
      List<Object[]> rows = new ArrayList<>();
      if (sql.endsWith("0'")) return rows;
      for (int n = 0; n < 5; n++) rows.add(new Object[] {"customer " + n, sql.length() * n});
      return rows;
    }
  }
  static class CustomerSearch {
    private final ConnectionPool pool;
    private final Table table = new Table();
    CustomerSearch(ConnectionPool pool) { this.pool = pool; }
    List<String> find(String name) throws InterruptedException {
      PlainConnection connection = pool.borrow();
      try {
        PlainStatement statement = connection.statement();
        ResultRows rows = statement.query("select name, orders from customers where name = '" + name + "'", table);
        if (!rows.next()) return List.of();
        List<String> names = new ArrayList<>();
        do names.add((String) rows.get(0)); while (rows.next());
        statement.close();
        return names;
      } finally {
        pool.giveBack(connection);
      }
    }
  }
  public static void main(String[] args) throws Exception {
    CustomerSearch search = new CustomerSearch(new ConnectionPool(4));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    Rounds.run(round -> {
      List<Callable<Integer>> all = new ArrayList<>();
      for (int n = 0; n < 2500; n++) {
        String name = "name " + round + "." + n;
        all.add(() -> search.find(name).size());
      }
      for (Future<Integer> each : threads.invokeAll(all)) each.get();
    });
  }
}
