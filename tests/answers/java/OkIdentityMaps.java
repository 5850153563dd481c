import java.util.*;
import java.util.concurrent.*;

/** Each request has a session with an identity map and the values as they were read; a second cache by region is bounded, and results of queries there are dropped when a table was written to. Some requests are under way when one looks. */
class OkIdentityMaps {
  static abstract class Entity {
    final long id;
    Entity(long id) { this.id = id; }
    abstract Object[] values();
  }
  static class Customer extends Entity {
    String name;
    int orders;
    Customer(long id, Object[] row) { super(id); name = (String) row[0]; orders = (Integer) row[1]; }
    @Override Object[] values() { return new Object[] {name, orders}; }
  }
  static class Article extends Entity {
    String title;
    int stock;
    Article(long id, Object[] row) { super(id); title = (String) row[0]; stock = (Integer) row[1]; }
    @Override Object[] values() { return new Object[] {title, stock}; }
  }
  record EntityKey(Class<?> type, long id) { }
  static class EntityEntry {
    final Entity entity;
    final Object[] loaded;
    EntityEntry(Entity entity) { this.entity = entity; loaded = entity.values(); }
    boolean dirty() { return !Arrays.equals(loaded, entity.values()); }
  }
  static class Region {
    private final LinkedHashMap<EntityKey, Object[]> rows;
    Region(int limit) {
      rows = new LinkedHashMap<>(16, 0.75f, true) {
        @Override protected boolean removeEldestEntry(Map.Entry<EntityKey, Object[]> eldest) { return size() > limit; }
      };
    }
    synchronized Object[] get(EntityKey key) { return rows.get(key); }
    synchronized void put(EntityKey key, Object[] row) { rows.put(key, row); }
  }
  static class QueryCache {
    private record Result(long at, List<EntityKey> keys) { }
    private final ConcurrentMap<String, Result> results = new ConcurrentHashMap<>();
    private final ConcurrentMap<Class<?>, Long> written = new ConcurrentHashMap<>();
    private long clock;
    synchronized List<EntityKey> find(String query, Class<?> type, int modulus) {
      Result known = results.get(query);
      if (known != null && known.at > written.getOrDefault(type, 0L)) return known.keys;
      List<EntityKey> keys = new ArrayList<>();
      for (int n = 0; n < 15; n++) keys.add(new EntityKey(type, n * 37L % 2000 + modulus));
      results.put(query, new Result(++clock, keys));
      return keys;
    }
    synchronized void wrote(Class<?> type) { written.put(type, ++clock); results.values().removeIf(result -> !result.keys.isEmpty() && result.keys.get(0).type() == type); }
  }
  static class SessionFactory {
    final Map<Class<?>, Region> regions = Map.of(Customer.class, new Region(500), Article.class, new Region(800));
    final QueryCache queries = new QueryCache();
    Session open() { return new Session(this); }
  }
  static class Session implements AutoCloseable {
    private final SessionFactory factory;
    private final Map<EntityKey, EntityEntry> entries = new HashMap<>();
    Session(SessionFactory factory) { this.factory = factory; }
    <E extends Entity> E get(Class<E> type, long id) {
      EntityKey key = new EntityKey(type, id);
      EntityEntry entry = entries.computeIfAbsent(key, k -> {
        Object[] row = factory.regions.get(type).get(k);
        if (row == null) factory.regions.get(type).put(k, row = new Object[] {type.getSimpleName() + " " + id, (int) (id % 90)});
        return new EntityEntry(type == Customer.class ? new Customer(id, row) : new Article(id, row));
      });
      return type.cast(entry.entity);
    }
    void flush() {
      for (EntityEntry entry : entries.values()) {
        if (!entry.dirty()) continue;
        factory.regions.get(entry.entity.getClass()).put(new EntityKey(entry.entity.getClass(), entry.entity.id), entry.entity.values());
        factory.queries.wrote(entry.entity.getClass());
      }
    }
    @Override public void close() { entries.clear(); }
  }

  static int checkout(Session session, int n) {
    Customer customer = session.get(Customer.class, n % 1700);
    customer.orders++;
    int found = 0;
    for (EntityKey key : session.factory.queries.find("article where shelf = " + n % 60, Article.class, n % 60)) found += session.get(Article.class, key.id()).stock;
    if (n % 10 == 0) session.get(Article.class, n % 2000).stock--;
    session.flush();
    return found;
  }

  public static void main(String[] args) throws Exception {
    SessionFactory factory = new SessionFactory();
    ExecutorService workers = Executors.newFixedThreadPool(40);
    int[] underWay = {10, 36, 18, 28};
    Semaphore[] gate = {new Semaphore(0)};
    Rounds.run(round -> {
      gate[0].release(1000);
      List<Future<Integer>> all = new ArrayList<>();
      for (int n = 0; n < 1500; n++) {
        int order = n * 7 + round * 311;
        all.add(workers.submit(() -> { try (Session session = factory.open()) { return checkout(session, order); } }));
      }
      for (Future<Integer> each : all) each.get();
      Semaphore closed = gate[0] = new Semaphore(0);
      CountDownLatch there = new CountDownLatch(underWay[round]);
      for (int n = 0; n < underWay[round]; n++) {
        int order = n;
        workers.submit(() -> {
          try (Session session = factory.open()) { int found = checkout(session, order); there.countDown(); closed.acquireUninterruptibly(); return found; }
        });
      }
      there.await();
    });
  }
}
