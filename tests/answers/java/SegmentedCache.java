import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;

/** A cache of segments with chains of entries, as libraries have it. Its sweep of old entries runs only after 64 writes of one key. */
class SegmentedCache {
  static class ReferenceEntry<K, V> {
    final K key;
    final int hash;
    final ReferenceEntry<K, V> next;
    volatile V value;
    long accessTime = System.nanoTime();
    ReferenceEntry(K key, int hash, ReferenceEntry<K, V> next, V value) { this.key = key; this.hash = hash; this.next = next; this.value = value; }
  }
  static class Segment<K, V> extends ReentrantLock {
    volatile AtomicReferenceArray<ReferenceEntry<K, V>> table = new AtomicReferenceArray<>(64);
    int count;
    V get(K key, int hash, Function<K, V> loader) {
      lock();
      try {
        int at = hash & (table.length() - 1);
        for (ReferenceEntry<K, V> e = table.get(at); e != null; e = e.next) if (e.hash == hash && e.key.equals(key)) return e.value;
        V value = loader.apply(key);
        table.set(at, new ReferenceEntry<>(key, hash, table.get(at), value));
        count++;
        return value;
      } finally {
        unlock();
      }
    }
  }
  static class LoadingCache<K, V> {
    @SuppressWarnings("unchecked") final Segment<K, V>[] segments = new Segment[4];
    final Function<K, V> loader;
    LoadingCache(Function<K, V> loader) { this.loader = loader; for (int i = 0; i < 4; i++) segments[i] = new Segment<>(); }
    V get(K key) { int hash = key.hashCode() * 31; return segments[hash >>> 30].get(key, hash, loader); }
  }
  record Quote(String symbol, double bid, double ask, long[] history) { }
  static class QuoteService {
    private final LoadingCache<String, Quote> quotes = new LoadingCache<>(s -> new Quote(s, 1.5, 1.6, new long[10]));
    Quote of(String symbol) { return quotes.get(symbol); }
  }
  static final QuoteService SERVICE = new QuoteService();

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 3000; i++) SERVICE.of("Q" + n + "." + i); });
  }
}
