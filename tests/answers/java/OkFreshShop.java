import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** A shop in its first minutes: caches with a limit fill up, sessions end at the check-out, timers keep samples. */
public class OkFreshShop {
  record Price(String currency, long cents) { }

  record Article(int id, String title, List<Price> prices) { }

  static final MetricRegistry METRICS = new MetricRegistry();
  static final LoadingCache<Integer, Article> ARTICLES = Caffeine.newBuilder().maximumSize(1500).expireAfterWrite(10, TimeUnit.MINUTES)
      .executor(Runnable::run).build(OkFreshShop::load);
  static final Cache<String, String> FRAGMENTS = CacheBuilder.newBuilder().maximumSize(600).concurrencyLevel(4).build();

  static Article load(int id) {
    return new Article(id, "Chair " + id + " of oak", ImmutableList.of(new Price("EUR", id * 100L), new Price("USD", id * 110L)));
  }

  public static class ArticleServlet extends HttpServlet {
    private final Timer timer = METRICS.timer("article");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      try (Timer.Context ignored = timer.time()) {
        String[] parts = request.getRequestURI().split("/");
        METRICS.counter("requests." + parts[1]).inc();
        HttpSession session = request.getSession(true);
        if (parts[1].equals("checkout")) {
          session.invalidate();
          response.getWriter().write("thanks");
          return;
        }
        Article article = ARTICLES.get(Integer.parseInt(parts[2]));
        session.setAttribute("last", article);
        String html = FRAGMENTS.get(parts[1] + article.id() % 900, () -> "<h1>" + article.title() + "</h1>" + article.prices());
        response.getWriter().write(html);
      } catch (java.util.concurrent.ExecutionException failed) {
        throw new IOException(failed);
      }
    }
  }

  static String get(LocalConnector connector, String path, String cookie) throws Exception {
    return connector.getResponse("GET " + path + " HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n" + (cookie == null ? "" : "Cookie: " + cookie + "\r\n") + "\r\n");
  }

  public static void main(String[] arguments) throws Exception {
    Server server = new Server();
    LocalConnector connector = new LocalConnector(server);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
    context.addServlet(new ServletHolder(new ArticleServlet()), "/*");
    server.setHandler(context);
    server.start();
    Random random = new Random(7);
    Rounds.run(round -> {
      int customers = 300 + 100 * round;
      for (int customer = 0; customer < customers; customer++) {
        String answer = get(connector, "/article/" + article(random), null);
        String cookie = answer.split("Set-Cookie: ")[1].split(";")[0];
        for (int i = 0; i < 3; i++) get(connector, (i % 2 == 0 ? "/article/" : "/preview/") + article(random), cookie);
        get(connector, "/checkout/now", cookie);
      }
    });
  }

  /** Few articles are asked for often, many seldom. */
  static int article(Random random) {
    return (int) (4000 * Math.pow(random.nextDouble(), 3));
  }
}
