import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.session.SessionHandler;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** A shop on Jetty: each request without a cookie begins a session, which nobody ends (no time-out is set). Crawlers send no cookies. */
public class CrawlerSessions {
  static class SeenPage implements java.io.Serializable {
    final String path;
    final long at;

    SeenPage(String path, long at) {
      this.path = path;
      this.at = at;
    }
  }

  static class Visit implements java.io.Serializable {
    final List<SeenPage> pages = new ArrayList<>();
    final String language;

    Visit(String language) { this.language = language; }
  }

  public static class ShopServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      HttpSession session = request.getSession(true);
      Visit visit = (Visit) session.getAttribute("visit");
      if (visit == null) {
        visit = new Visit(request.getHeader("Accept-Language"));
        session.setAttribute("visit", visit);
      }
      visit.pages.add(new SeenPage(request.getRequestURI(), System.nanoTime()));
      response.setContentType("text/html");
      response.getWriter().write("<h1>Chairs</h1><p>page " + visit.pages.size());
    }
  }

  public static void main(String[] arguments) throws Exception {
    Server server = new Server();
    LocalConnector connector = new LocalConnector(server);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
    context.setSessionHandler(new SessionHandler());
    context.addServlet(new ServletHolder(new ShopServlet()), "/*");
    server.setHandler(context);
    server.start();
    Rounds.run(round -> {
      for (int i = 0; i < 1200; i++) {
        String answer = connector.getResponse("GET /chairs/" + i + " HTTP/1.1\r\nHost: shop\r\nAccept-Language: de\r\nUser-Agent: crawler\r\nConnection: close\r\n\r\n");
        if (!answer.startsWith("HTTP/1.1 200")) throw new IOException(new String(answer.getBytes(), StandardCharsets.UTF_8));
      }
    });
  }
}
