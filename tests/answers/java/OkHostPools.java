import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.conn.socket.ConnectionSocketFactory;
import org.apache.http.conn.socket.PlainConnectionSocketFactory;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.impl.conn.PoolingHttpClientConnectionManager;
import org.apache.http.util.EntityUtils;

/** Hooks of customers are called at hosts of their own; the pool of connections has a part for each host, and those without a connection are taken out after each round. */
public class OkHostPools {
  static class Hooks {
    private final CloseableHttpClient client;
    private final int port;
    private long answered;

    Hooks(PoolingHttpClientConnectionManager connections, int port) {
      this.client = HttpClients.custom().setConnectionManager(connections)
          .setDefaultRequestConfig(RequestConfig.custom().setConnectTimeout(5_000).build()).disableCookieManagement().build();
      this.port = port;
    }

    void call(String customer, int event) throws Exception {
      HttpGet get = new HttpGet("http://hooks." + customer + ".example:" + port + "/events/" + event);
      get.setHeader("Connection", "close");
      try (CloseableHttpResponse response = client.execute(get)) {
        answered += EntityUtils.toString(response.getEntity()).length();
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50);
    server.createContext("/", exchange -> {
      byte[] answer = "taken".getBytes();
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
    InetAddress here = InetAddress.getByName("127.0.0.1");
    PoolingHttpClientConnectionManager connections = new PoolingHttpClientConnectionManager(
        RegistryBuilder.<ConnectionSocketFactory>create().register("http", PlainConnectionSocketFactory.getSocketFactory()).build(),
        host -> new InetAddress[] {here});
    Hooks hooks = new Hooks(connections, server.getAddress().getPort());
    Rounds.run(round -> {
      for (int i = 0; i < 700; i++) hooks.call("customer-" + round + "-" + i, i);
      connections.closeExpiredConnections();
    });
  }
}
