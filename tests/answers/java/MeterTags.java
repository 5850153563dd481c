import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.LongAdder;

/** A counter is made for each path that is asked for, and the paths have numbers of orders in them. */
class MeterTags {
  record Tag(String key, String value) { }
  record MeterId(String name, List<Tag> tags) { }
  static class Counter { final MeterId id; final LongAdder count = new LongAdder(); Counter(MeterId id) { this.id = id; } }
  static class MeterRegistry {
    private final Map<MeterId, Counter> meterMap = new ConcurrentHashMap<>();
    Counter counter(String name, Tag... tags) { return meterMap.computeIfAbsent(new MeterId(name, List.of(tags)), Counter::new); }
  }
  static class OrderController {
    final MeterRegistry registry;
    OrderController(MeterRegistry registry) { this.registry = registry; }
    void get(String path) { registry.counter("http.requests", new Tag("uri", path), new Tag("status", "200")).count.increment(); }
  }
  public static void main(String[] args) throws Exception {
    OrderController orders = new OrderController(new MeterRegistry());
    Rounds.run(n -> { for (int i = 0; i < 2500; i++) orders.get("/orders/" + n + "-" + i); });
  }
}
