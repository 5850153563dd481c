import java.util.*;

/** A cache with a window and a main part, both bounded; traffic moves on, and what is popular changes. */
class OkWindowCache {
  static class Page { final String path; final byte[] html = new byte[300]; Page(String path) { this.path = path; } }
  static class Bounded extends LinkedHashMap<String, Page> {
    final int limit;
    Bounded(int limit) { super(16, 0.75f, true); this.limit = limit; }
    @Override protected boolean removeEldestEntry(Map.Entry<String, Page> e) { return size() > limit; }
  }
  static class PageCache {
    final Bounded window = new Bounded(200), main = new Bounded(1800);
    Page get(String path) {
      Page page = main.get(path);
      if (page != null) return page;
      page = window.remove(path);
      if (page != null) { main.put(path, page); return page; }
      window.put(path, page = new Page(path));
      return page;
    }
  }
  static final PageCache PAGES = new PageCache();
  public static void main(String[] args) throws Exception {
    int[] load = {9000, 14000, 8000, 17000};
    Random random = new Random(5);
    Rounds.run(n -> { for (int i = 0; i < load[n]; i++) PAGES.get("/p/" + (n * 300 + random.nextInt(2600))); });
  }
}
