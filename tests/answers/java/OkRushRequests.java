import java.util.*;
import java.util.concurrent.*;

/** Requests to another service wait for their answers under a number; with more traffic more are under way. */
class OkRushRequests {
  static class Request {
    final long id; final String path; final byte[] body;
    Request(long id, String path, byte[] body) { this.id = id; this.path = path; this.body = body; }
  }
  static class Call {
    final Request request; final CompletableFuture<String> answer = new CompletableFuture<>(); final long deadline;
    Call(Request request, long deadline) { this.request = request; this.deadline = deadline; }
  }
  static class Upstream {
    private final ConcurrentMap<Long, Call> inFlight = new ConcurrentHashMap<>();
    private long next, answered;
    CompletableFuture<String> send(String path, byte[] body, long now) {
      Request request = new Request(next++, path, body);
      Call call = new Call(request, now + 500);
      inFlight.put(request.id, call);
      return call.answer;
    }
    void answer(int count) {
      for (int i = 0; i < count; i++) {
        Call call = inFlight.remove(answered++);
        if (call != null) call.answer.complete("200 " + call.request.path);
      }
    }
    int underWay() { return inFlight.size(); }
  }
  public static void main(String[] args) throws Exception {
    Upstream upstream = new Upstream();
    int[] waiting = {500, 900, 1900, 3100};
    Rounds.run(n -> {
      for (int i = 0; i < 9000; i++) {
        upstream.send("/stock/article/" + (i * 37 % 5003) + "?warehouse=" + n, new byte[90], i);
        upstream.answer(Math.max(0, upstream.underWay() - waiting[n]));
      }
    });
  }
}
