import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;

/** Views leave a topic with a method reference, which is another one than that they came with. */
class MethodRefs {
  static class Topics {
    final ConcurrentMap<String, List<Consumer<String>>> consumers = new ConcurrentHashMap<>();
    void join(String topic, Consumer<String> consumer) { consumers.computeIfAbsent(topic, t -> new CopyOnWriteArrayList<>()).add(consumer); }
    void leave(String topic, Consumer<String> consumer) { consumers.getOrDefault(topic, List.of()).remove(consumer); }
  }
  static class StockView {
    final int id;
    final int[] prices = new int[64];
    StockView(int id) { this.id = id; }
    void show(String price) { prices[id % 64] = price.length(); }
    void opened() { TOPICS.join("stocks", this::show); }
    void closed() { TOPICS.leave("stocks", this::show); }
  }
  static final Topics TOPICS = new Topics();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 900; i++) { StockView view = new StockView(i); view.opened(); view.closed(); }
    });
  }
}
