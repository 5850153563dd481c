import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** Requests run on virtual threads and wait for answers by number; those that are refused are answered, but their number is not taken out. Requests under way become more. */
public class RushScopes {
  static class Context {
    final UUID id = UUID.randomUUID();
    final int user;
    final List<String> steps = new ArrayList<>();

    Context(int user) { this.user = user; }
  }

  static class Gateway {
    private final Map<Long, CompletableFuture<Context>> awaited = new ConcurrentHashMap<>();
    private long last;

    synchronized long next() { return last++; }

    CompletableFuture<Context> ask(Context context, boolean refused) {
      long number = next();
      CompletableFuture<Context> answer = new CompletableFuture<>();
      awaited.put(number, answer);
      context.steps.add("asked " + number);
      if (refused) {
        answer.complete(context);
        return answer;
      }
      return answer.whenComplete((done, error) -> awaited.remove(number));
    }

    void answer(CompletableFuture<Context> future, Context context) {
      awaited.values().stream().filter(one -> !one.isDone()).findFirst().ifPresent(one -> one.complete(context));
    }
  }

  public static void main(String[] arguments) throws Exception {
    Gateway gateway = new Gateway();
    int[] together = {20, 60, 100, 140};
    List<CompletableFuture<Context>> open = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Rounds.run(round -> {
        for (int n = 0; n < 1_500; n++) {
          Context context = new Context(n % 90);
          boolean refused = n % 3 == 0;
          var asked = threads.submit(() -> gateway.ask(context, refused)).get();
          if (!refused) open.add(asked);
          while (open.size() > together[round]) {
            gateway.answer(open.remove(0), context);
          }
        }
      });
    }
  }
}
