import java.util.concurrent.*;

/** Each quote has a day to be answered. Those that are answered by another way wait on. */
class DelayedTimeouts {
  static final class Quote extends CompletableFuture<String> {
    final String number; final byte[] document = new byte[400];
    Quote(String number) { this.number = number; orTimeout(1, TimeUnit.DAYS); }
  }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 500; i++) new Quote(n + "/" + i); });
  }
}
