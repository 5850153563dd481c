import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.*;

/** Each login of a tenant puts a path of its own into the server of the JDK; paths of logins that ended are not taken out. */
class TenantPaths {
  static class TenantHandler implements HttpHandler {
    private final String tenant;
    private final Map<String, String> rights = new HashMap<>();
    TenantHandler(String tenant) {
      this.tenant = tenant;
      for (String right : List.of("read", "write", "share")) rights.put(right, tenant + "-" + right);
    }
    @Override public void handle(HttpExchange exchange) throws IOException { exchange.sendResponseHeaders(rights.isEmpty() ? 403 : 204, -1); }
  }
  static class Gateway {
    private final HttpServer server;
    private int logins;
    Gateway() throws IOException { server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5); }
    void login(String tenant) { server.createContext("/" + tenant + "/" + logins++, new TenantHandler(tenant)); }
  }
  public static void main(String[] args) throws Exception {
    Gateway gateway = new Gateway();
    Rounds.run(n -> {
      for (int i = 0; i < 600; i++) gateway.login("tenant-" + i % 50);
    });
    System.err.println(gateway.logins);
  }
}
