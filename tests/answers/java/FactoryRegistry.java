import java.util.*;
import java.util.concurrent.*;

/** Each check of the database makes a factory of sessions, with what it knows of all tables. Factories stay in a registry, as only the session is closed. */
class FactoryRegistry {
  record Column(String name, String type, boolean nullable) { }
  record Table(String name, List<Column> columns, Map<String, String> queries) { }
  static class SessionFactory {
    static final Map<UUID, SessionFactory> REGISTERED = new ConcurrentHashMap<>();
    final UUID id = UUID.randomUUID();
    final String url;
    private final Map<String, Table> tables = new LinkedHashMap<>();
    SessionFactory(String url) {
      this.url = url;
      for (int t = 0; t < 25; t++) {
        List<Column> columns = new ArrayList<>();
        Map<String, String> queries = new HashMap<>();
        for (int c = 0; c < 12; c++) {
          columns.add(new Column("column_" + c + "_of_" + t, c % 3 == 0 ? "bigint" : "text", c > 3));
          queries.put("by_" + c, "select * from table_" + t + " where column_" + c + " = ?");
        }
        tables.put("table_" + t, new Table("table_" + t, List.copyOf(columns), queries));
      }
      REGISTERED.put(id, this);
    }
    Session open() { return new Session(this); }
    void close() { REGISTERED.remove(id); }
  }
  record Session(SessionFactory factory) implements AutoCloseable {
    boolean alive() { return factory.tables.size() > 3; }
    @Override public void close() { }
  }
  static class HealthCheck {
    int passed;
    void run(String url) { try (Session session = new SessionFactory(url).open()) { if (session.alive()) passed++; } }
  }
  public static void main(String[] args) throws Exception {
    HealthCheck check = new HealthCheck();
    Rounds.run(n -> { for (int i = 0; i < 12; i++) check.run("jdbc:db://host-" + i % 3 + "/shop"); });
    System.err.println(check.passed);
  }
}
