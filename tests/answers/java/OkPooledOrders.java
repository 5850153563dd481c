import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Orders in a database of its own with a pool of ten; finished orders are moved away, so the tables stay small. */
public class OkPooledOrders {
  static class Orders {
    private final HikariDataSource source;
    /** The last reports, at most twenty. */
    private final Map<String, List<String>> reports = new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, List<String>> eldest) { return size() > 20; }
    };

    Orders(HikariDataSource source) throws SQLException {
      this.source = source;
      try (Connection connection = source.getConnection()) {
        connection.createStatement().execute("create table orders(id bigint primary key, customer varchar(40), cents int, state int)");
        connection.createStatement().execute("create index by_state on orders(state)");
      }
    }

    void place(long id) throws SQLException {
      try (Connection connection = source.getConnection();
          PreparedStatement insert = connection.prepareStatement("insert into orders values(?, ?, ?, 0)")) {
        insert.setLong(1, id);
        insert.setString(2, "customer" + id % 300);
        insert.setInt(3, (int) (id % 9000));
        insert.executeUpdate();
      }
      try (Connection connection = source.getConnection();
          PreparedStatement delete = connection.prepareStatement("delete from orders where id < ?")) {
        delete.setLong(1, id - 800);
        delete.executeUpdate();
      }
    }

    synchronized void report(String name, int over) throws SQLException {
      List<String> lines = new ArrayList<>();
      try (Connection connection = source.getConnection();
          PreparedStatement query = connection.prepareStatement("select customer, sum(cents) from orders where cents > ? group by customer order by 2 desc limit 50")) {
        query.setInt(1, over);
        try (ResultSet rows = query.executeQuery()) {
          while (rows.next()) lines.add(rows.getString(1) + " " + rows.getInt(2));
        }
      }
      reports.put(name, lines);
    }
  }

  public static void main(String[] arguments) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1");
    config.setMaximumPoolSize(10);
    config.setMinimumIdle(2);
    Orders orders = new Orders(new HikariDataSource(config));
    ExecutorService workers = Executors.newFixedThreadPool(6);
    long[] id = {0};
    Rounds.run(round -> {
      List<Future<?>> waiting = new ArrayList<>();
      for (int i = 0; i < 1000 + 500 * round; i++) {
        long n = id[0]++;
        waiting.add(workers.submit(() -> {
          orders.place(n);
          if (n % 50 == 0) orders.report("report-" + n, (int) (n % 400));
          return null;
        }));
      }
      for (Future<?> one : waiting) one.get();
    });
  }
}
