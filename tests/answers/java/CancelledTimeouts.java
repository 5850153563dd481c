import java.util.concurrent.*;
/** Timeouts of 1 hour are cancelled but stay in the queue (no removeOnCancel). */
public class CancelledTimeouts {
  static final class Request { final String url; final byte[] body = new byte[80]; boolean late; Request(int n) { url = "/order/" + n; } }
  static final class Client { final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, r -> { Thread t = new Thread(r, "timeouts"); t.setDaemon(true); return t; }); void send(Request q) { ScheduledFuture<?> f = timer.schedule(() -> { q.late = true; }, 1, TimeUnit.HOURS); f.cancel(false); } }
  static final Client CLIENT = new Client();
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 500; i++) CLIENT.send(new Request(n[0]++)); }); }
}
