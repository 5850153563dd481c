import java.util.*;

/** Connections of a pool keep prepared statements by their text, and texts have values in them. */
class StatementCaches {
  static class PreparedStatement {
    final String sql;
    final Object[] parameters = new Object[16];
    final Map<String, Integer> columns = new HashMap<>();
    PreparedStatement(String sql) { this.sql = sql; columns.put("id", 1); columns.put("name", 2); }
  }
  static class Connection {
    private final Map<String, PreparedStatement> statementCache = new LinkedHashMap<>();
    PreparedStatement prepare(String sql) { return statementCache.computeIfAbsent(sql, PreparedStatement::new); }
  }
  static class DataSource {
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    DataSource(int size) { for (int i = 0; i < size; i++) idle.add(new Connection()); }
    Connection take() { return idle.poll(); }
    void give(Connection connection) { idle.add(connection); }
  }
  static final DataSource ORDERS_DB = new DataSource(6);

  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 1200; i++) {
        Connection connection = ORDERS_DB.take();
        connection.prepare("select id, name from orders where id = " + count[0]++);
        ORDERS_DB.give(connection);
      }
    });
  }
}
