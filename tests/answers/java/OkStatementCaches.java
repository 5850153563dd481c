import java.util.*;

/** Eight connections keep their last sixty statements each, and are full; texts come and go. */
class OkStatementCaches {
  record Statement(String sql, String[] columns, byte[] plan) { }
  static class Connection {
    private final LinkedHashMap<String, Statement> statements = new LinkedHashMap<>(16, 0.75f, true) {
      @Override protected boolean removeEldestEntry(Map.Entry<String, Statement> eldest) { return size() > 60; }
    };
    Statement prepare(String sql) { return statements.computeIfAbsent(sql, key -> new Statement(key, key.split(" "), new byte[400])); }
  }
  static class DataSource {
    private final ArrayDeque<Connection> idle = new ArrayDeque<>();
    DataSource(int size) { for (int n = 0; n < size; n++) idle.add(new Connection()); }
    void query(String sql) {
      Connection connection = idle.poll();
      try { connection.prepare(sql); } finally { idle.add(connection); }
    }
  }
  static final DataSource SOURCE = new DataSource(8);
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 6000; i++) SOURCE.query("select a, b from t" + (n * 37 + i * 7) % 900 + " where id = ?"); });
  }
}
