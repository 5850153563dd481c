import java.sql.*;
import java.util.*;
import java.util.logging.Logger;

/** Each deployment registers its driver with the runtime's manager, and none takes it away. */
class JdbcDrivers {
  static class ShopDriver implements Driver {
    private final Map<String, String> settings = new HashMap<>();
    ShopDriver(int n) { for (int i = 0; i < 30; i++) settings.put("setting" + i, "value " + n + "/" + i); }
    public Connection connect(String url, Properties info) { return null; }
    public boolean acceptsURL(String url) { return false; }
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) { return new DriverPropertyInfo[0]; }
    public int getMajorVersion() { return 1; }
    public int getMinorVersion() { return 0; }
    public boolean jdbcCompliant() { return false; }
    public Logger getParentLogger() { return null; }
  }

  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 150; i++) DriverManager.registerDriver(new ShopDriver(count[0]++)); });
  }
}
