import java.util.*;
import java.util.concurrent.*;
/** Each order adds thenAccept to one future that is never completed (market open). */
public class LateJoinFutures {
  static final class Order { final long id; final int[] lots = new int[6]; boolean sent; Order(long id) { this.id = id; } }
  static final class Market { final CompletableFuture<String> open = new CompletableFuture<>(); void place(Order o) { open.thenAccept(day -> o.sent = true); } }
  static final Market MARKET = new Market();
  public static void main(String[] a) throws Exception { long[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 400; i++) MARKET.place(new Order(n[0]++)); }); }
}
