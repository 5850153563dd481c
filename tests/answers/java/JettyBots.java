import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** A robot has no cookies, so that each of its requests opens a session, and sessions of the server never end (Jetty's default is no time). */
public class JettyBots {
  record Visit(String path, long number) { }

  public static class ShopServlet extends HttpServlet {
    private long number;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      HttpSession session = request.getSession(true);
      List<Visit> visits = (List<Visit>) session.getAttribute("visits");
      if (visits == null) session.setAttribute("visits", visits = new ArrayList<>());
      visits.add(new Visit(request.getRequestURI(), number++));
      session.setAttribute("language", request.getHeader("Accept-Language"));
      response.getWriter().write("seen " + visits.size());
    }
  }

  static String get(LocalConnector connector, String path, String cookie) throws Exception {
    return connector.getResponse("GET " + path + " HTTP/1.1\r\nHost: shop\r\nAccept-Language: en\r\nConnection: close\r\n" + (cookie == null ? "" : "Cookie: " + cookie + "\r\n") + "\r\n");
  }

  public static void main(String[] arguments) throws Exception {
    Server server = new Server();
    LocalConnector connector = new LocalConnector(server);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
    context.addServlet(new ServletHolder(new ShopServlet()), "/*");
    server.setHandler(context);
    server.start();
    Rounds.run(round -> {
      for (int n = 0; n < 500; n++) {
        String answer = get(connector, "/article/" + n % 90, null);
        if (n % 5 == 0) get(connector, "/basket", answer.split("Set-Cookie: ")[1].split(";")[0]);
      }
    });
  }
}
