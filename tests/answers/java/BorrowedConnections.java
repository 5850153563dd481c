import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.commons.dbcp2.BasicDataSource;

/** A pool of connections without a limit; the import gives its connection back only if a line is right. */
public class BorrowedConnections {
  static class Customers {
    private final BasicDataSource source;

    Customers(BasicDataSource source) throws SQLException {
      this.source = source;
      try (Connection connection = source.getConnection()) {
        connection.createStatement().execute("create table customer(id bigint primary key, name varchar(80), town varchar(80))");
      }
    }

    void add(long id, String line) throws SQLException {
      Connection connection = source.getConnection();
      PreparedStatement insert = connection.prepareStatement("merge into customer values(?, ?, ?)");
      String[] fields = line.split(";");
      if (fields.length != 2) throw new SQLException("a line of " + fields.length + " fields");
      insert.setLong(1, id % 500);
      insert.setString(2, fields[0]);
      insert.setString(3, fields[1]);
      insert.executeUpdate();
      insert.close();
      connection.close();
    }

    int count() throws SQLException {
      try (Connection connection = source.getConnection();
          ResultSet result = connection.createStatement().executeQuery("select count(*) from customer")) {
        result.next();
        return result.getInt(1);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    BasicDataSource source = new BasicDataSource();
    source.setUrl("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
    source.setMaxTotal(-1);
    source.setMaxIdle(8);
    source.setPoolPreparedStatements(true);
    Customers customers = new Customers(source);
    long[] id = {0};
    Rounds.run(round -> {
      for (int i = 0; i < 2000; i++) {
        long n = id[0]++;
        try {
          customers.add(n, n % 10 == 0 ? "Customer " + n : "Customer " + n + ";Town " + n % 80);
        } catch (SQLException wrong) {
          // The line is left out.
        }
      }
      customers.count();
    });
  }
}
