import com.mchange.v2.c3p0.ComboPooledDataSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The sources of data of tenants are made anew when their settings are read again; those from before are let go and not closed, and C3P0's registry has them. */
public class TenantSources {
  static class Sources {
    private Map<String, ComboPooledDataSource> byTenant = new LinkedHashMap<>();
    private int reads;

    void read(int tenants) throws Exception {
      reads++;
      Map<String, ComboPooledDataSource> fresh = new LinkedHashMap<>();
      for (int n = 0; n < tenants; n++) {
        ComboPooledDataSource source = new ComboPooledDataSource();
        source.setJdbcUrl("jdbc:h2:mem:tenant" + n);
        source.setUser("shop_" + n);
        source.setPassword("secret " + reads);
        source.setMaxPoolSize(4 + n % 3);
        fresh.put("tenant " + n, source);
      }
      byTenant = fresh;
    }

    int size() { return byTenant.size(); }
  }

  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("com.mchange").setLevel(Level.OFF);
    Sources sources = new Sources();
    Rounds.run(round -> {
      for (int i = 0; i < 4; i++) sources.read(60);
    });
  }
}
