import java.net.*;
import java.util.*;

/** A crawler keeps one manager of cookies for all sites; cookies that last for years come from each of them. */
class CrawledCookies {
  record Page(URI address, String title, List<String> links) { }
  static class Crawler {
    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final Deque<Page> recent = new ArrayDeque<>();
    private int visited;
    void visit(String host) throws Exception {
      URI address = URI.create("http://" + host + "/start");
      Map<String, List<String>> answer = Map.of("Set-Cookie", List.of(
          "visitor=" + host.hashCode() + "; Max-Age=63072000; Path=/",
          "consent=none-" + visited + "; Max-Age=63072000; Path=/start"));
      cookies.put(address, answer);
      recent.addLast(new Page(address, "title of " + host, List.of("/a", "/b")));
      if (recent.size() > 100) recent.removeFirst();
      visited++;
    }
  }
  public static void main(String[] args) throws Exception {
    Crawler crawler = new Crawler();
    Rounds.run(n -> { for (int i = 0; i < 700; i++) crawler.visit("shop-" + n + "-" + i + ".example.org"); });
    System.err.println(crawler.visited);
  }
}
