import java.util.ArrayDeque;
import net.sf.ehcache.Cache;
import net.sf.ehcache.CacheManager;
import net.sf.ehcache.Element;
import net.sf.ehcache.config.CacheConfiguration;
import net.sf.ehcache.config.Configuration;

/** A shop with two caches of Ehcache that are bounded: one is full from the first round on, one is cleared each round. Load rises; open requests end. */
public class OkEhcacheWarm {
  record Article(String id, String title, long cents) {}

  record Fragment(String key, String html) {}

  record Request(String id, String path, Fragment fragment) {}

  static class Shop {
    private final Cache articles;
    private final Cache fragments;
    private final ArrayDeque<Request> open = new ArrayDeque<>();
    private long served;

    Shop(CacheManager manager) {
      manager.addCache(new Cache(new CacheConfiguration("articles", 800).eternal(true).statistics(false)));
      manager.addCache(new Cache(new CacheConfiguration("fragments", 400).eternal(true)));
      articles = manager.getCache("articles");
      fragments = manager.getCache("fragments");
    }

    Article article(String id) {
      Element found = articles.get(id);
      if (found != null) return (Article) found.getObjectValue();
      Article article = new Article(id, "Article " + id, id.hashCode() & 0xffff);
      articles.put(new Element(id, article));
      return article;
    }

    void serve(String id, int width, int together) {
      Article article = article(id);
      String key = id + "/" + width;
      Element found = fragments.get(key);
      Fragment fragment = found != null ? (Fragment) found.getObjectValue() : new Fragment(key, "<p>" + article + "</p>".repeat(10));
      if (found == null) fragments.put(new Element(key, fragment));
      open.add(new Request("request-" + served++, "/a/" + id, fragment));
      while (open.size() > together) open.poll();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = new Configuration();
    configuration.setUpdateCheck(false);
    Shop shop = new Shop(CacheManager.create(configuration));
    int[] together = {200, 300, 400, 500};
    Rounds.run(round -> {
      for (int i = 0; i < 6_000; i++) shop.serve("a" + (i * 31 + round * 7) % 1_500, i % 3, together[round]);
      shop.fragments.removeAll();
      for (int i = 0; i < 500; i++) shop.serve("a" + i, 1, together[round]);
    });
  }
}
