import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Sessions of a small server never expire, because a health check makes one each time. */
class HttpSessions {
  static class StandardSession {
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final String id;
    StandardSession(String id) { this.id = id; }
    void setAttribute(String name, Object value) { attributes.put(name, value); }
  }
  static class SessionManager {
    private final Map<String, StandardSession> sessions = new ConcurrentHashMap<>();
    StandardSession create() {
      StandardSession session = new StandardSession(UUID.randomUUID().toString());
      sessions.put(session.id, session);
      return session;
    }
  }
  static class ShoppingCart { final List<String> lines = new ArrayList<>(List.of("a", "b")); final long[] totals = new long[20]; }
  static class WebServer {
    private final SessionManager manager = new SessionManager();
    void handle() {
      StandardSession session = manager.create();
      session.setAttribute("cart", new ShoppingCart());
      session.setAttribute("locale", Locale.GERMANY);
    }
  }
  public static void main(String[] args) throws Exception {
    WebServer server = new WebServer();
    Rounds.run(n -> { for (int i = 0; i < 700; i++) server.handle(); });
  }
}
