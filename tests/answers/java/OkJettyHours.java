import java.io.IOException;
import java.util.ArrayDeque;
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

/** People come, look at some pages and go; a session of who has gone ends, and more people are there from round to round. */
public class OkJettyHours {
  record Visit(String path, long number) { }

  public static class ShopServlet extends HttpServlet {
    private long number;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      HttpSession session = request.getSession(true);
      if (request.getRequestURI().equals("/bye")) {
        session.invalidate();
        response.getWriter().write("bye");
        return;
      }
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
    ArrayDeque<String> here = new ArrayDeque<>();
    int[] together = {60, 140, 220, 300};
    Rounds.run(round -> {
      for (int n = 0; n < 700; n++) {
        String answer = get(connector, "/article/" + n % 90, null);
        String cookie = answer.split("Set-Cookie: ")[1].split(";")[0];
        for (int i = 0; i < 2; i++) get(connector, "/article/" + (n * 7 + i) % 90, cookie);
        here.add(cookie);
        while (here.size() > together[round]) get(connector, "/bye", here.poll());
      }
    });
  }
}
