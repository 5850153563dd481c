import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/** A client of a service: calls stand in a map by their number until the answer or the deadline comes, deadlines in a heap. More are under way from round to round, and the last 500 answers in a ring. */
public class OkRushCalls {
  static class Call {
    final long number;
    final byte[] request;
    final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    final long deadline;

    Call(long number, long deadline) {
      this.number = number;
      this.deadline = deadline;
      request = new byte[64 + (int) (number % 64)];
    }
  }

  final Map<Long, Call> calls = new HashMap<>();
  final PriorityQueue<Call> deadlines = new PriorityQueue<>((one, other) -> Long.compare(one.deadline, other.deadline));
  final ArrayDeque<Long> sent = new ArrayDeque<>();
  final long[] latest = new long[500];
  long clock;
  long done;

  void call() {
    Call call = new Call(clock, clock + 2_000);
    clock++;
    calls.put(call.number, call);
    deadlines.add(call);
    sent.add(call.number);
    call.answer.whenComplete((answer, failed) -> latest[(int) (done++ % latest.length)] = call.number);
  }

  void answer(int most) {
    while (sent.size() > most) {
      Call call = calls.remove(sent.poll());
      deadlines.remove(call);
      call.answer.complete(new byte[16]);
    }
    while (!deadlines.isEmpty() && deadlines.peek().deadline < clock) {
      Call late = deadlines.poll();
      calls.remove(late.number);
      late.answer.cancel(false);
    }
  }

  public static void main(String[] arguments) throws Exception {
    OkRushCalls client = new OkRushCalls();
    int[] together = {300, 700, 1_100, 1_500};
    Rounds.run(round -> {
      for (int n = 0; n < 6_000; n++) {
        client.call();
        client.answer(together[round]);
      }
    });
  }
}
