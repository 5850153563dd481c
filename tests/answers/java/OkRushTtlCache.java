import java.util.*;

/** Pages stay in a cache for a while; some are asked for again and again, most of the long tail once. With more visitors it has more. */
class OkRushTtlCache {
  record Page(String title, String html, int status) { }
  record Cached(Page page, long until) { }
  static class PageCache {
    private final LinkedHashMap<String, Cached> pages = new LinkedHashMap<>();
    Page get(String url, long now) {
      Cached cached = pages.get(url);
      if (cached != null && cached.until() > now) return cached.page();
      pages.remove(url);
      Page page = new Page("Page of " + url, "<h1>" + url + "</h1>", 200);
      pages.put(url, new Cached(page, now + 1000));
      return page;
    }
    void sweep(long now) {
      for (Iterator<Cached> all = pages.values().iterator(); all.hasNext() && all.next().until() <= now; ) all.remove();
    }
  }
  private static final PageCache CACHE = new PageCache();

  public static void main(String[] args) throws Exception {
    Random random = new Random(3);
    int[] visitors = {1, 2, 4, 6};
    long[] now = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 4000; i++) {
        now[0]++;
        for (int k = 0; k < visitors[n]; k++) {
          boolean front = random.nextInt(4) == 0;
          CACHE.get(front ? "/front/" + random.nextInt(60) : "/search?q=" + Integer.toString(random.nextInt(1 << 30), 36), now[0]);
        }
        CACHE.sweep(now[0]);
      }
    });
  }
}
