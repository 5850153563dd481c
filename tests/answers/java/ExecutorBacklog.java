import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.CountDownLatch;

/** Two threads send mails, which hang; all further tasks wait in the queue of the executor, which has no bound. */
class ExecutorBacklog {
  static class Mail {
    final String to;
    final byte[] body = new byte[400];
    Mail(int n) { to = "customer" + n + "@example.org"; }
  }
  static class Mailer {
    private final ExecutorService senders = Executors.newFixedThreadPool(2);
    private final CountDownLatch never = new CountDownLatch(1);
    void send(Mail mail) {
      senders.submit(() -> { never.await(); return mail.to; });
    }
  }
  public static void main(String[] args) throws Exception {
    Mailer mailer = new Mailer();
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 1500; i++) mailer.send(new Mail(count[0]++)); });
  }
}
