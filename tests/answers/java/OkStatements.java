import java.util.*;

/** Connections keep their last 40 statements; each load has other texts. */
class OkStatements {
  static class Statement { final String sql; final Object[] parameters = new Object[12]; Statement(String sql) { this.sql = sql; } }
  static class Connection {
    private final LinkedHashMap<String, Statement> cache = new LinkedHashMap<>(16, 0.75f, true) {
      @Override protected boolean removeEldestEntry(Map.Entry<String, Statement> eldest) { return size() > 40; }
    };
    Statement prepare(String sql) { return cache.computeIfAbsent(sql, Statement::new); }
  }
  static final List<Connection> CONNECTIONS = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 10; i++) CONNECTIONS.add(new Connection());
    int[] count = {0};
    Rounds.run(n -> {
      if (n < 2) return;
      for (int i = 0; i < 3000; i++) CONNECTIONS.get(i % 10).prepare("select a from b where c = " + count[0]++);
    });
  }
}
