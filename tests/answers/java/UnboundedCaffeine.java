import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;

/** A loading cache as libraries have it, built without a bound, with nodes of its own. */
class UnboundedCaffeine {
  interface LoadingCache<K, V> { V get(K key); }
  static class BoundedNode<K, V> { final K key; final V value; volatile long access; BoundedNode<K, V> previous, next; BoundedNode(K k, V v) { key = k; value = v; } }
  static class AccessOrder<K, V> { BoundedNode<K, V> first, last; void add(BoundedNode<K, V> n) { n.previous = last; if (last != null) last.next = n; else first = n; last = n; } }
  static class LocalCache<K, V> implements LoadingCache<K, V> {
    private final ConcurrentHashMap<K, BoundedNode<K, V>> data = new ConcurrentHashMap<>();
    private final AccessOrder<K, V> order = new AccessOrder<>();
    private final Function<K, V> loader;
    LocalCache(Function<K, V> loader) { this.loader = loader; }
    public V get(K key) {
      return data.computeIfAbsent(key, k -> { BoundedNode<K, V> n = new BoundedNode<>(k, loader.apply(k)); order.add(n); return n; }).value;
    }
  }
  static class Customer { final String name; final List<String> orders = new ArrayList<>(List.of("a", "b", "c")); Customer(String name) { this.name = name; } }
  static class CustomerService {
    private final LoadingCache<String, Customer> customers = new LocalCache<>(Customer::new);
    Customer find(String name) { return customers.get(name); }
  }
  public static void main(String[] args) throws Exception {
    CustomerService service = new CustomerService();
    Rounds.run(n -> { for (int i = 0; i < 1500; i++) service.find("customer-" + n + "-" + i); });
  }
}
