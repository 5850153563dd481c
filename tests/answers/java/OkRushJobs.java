import java.util.*;
import java.util.concurrent.*;

/** Workers drain a queue of mails with some lag; towards the evening more mails wait. */
class OkRushJobs {
  record Mail(String recipient, String subject, int template, long at) { }
  static class Outbox {
    private final BlockingQueue<Mail> queue = new LinkedBlockingQueue<>();
    private long sent;
    void post(Mail mail) { queue.add(mail); }
    void work(int lag) { while (queue.size() > lag) { queue.poll(); sent++; } }
  }
  static final Outbox OUTBOX = new Outbox();

  public static void main(String[] args) throws Exception {
    int[] lag = {600, 1200, 2600, 3900};
    int[] serial = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 12000; i++) {
        int number = serial[0]++;
        OUTBOX.post(new Mail("customer" + number + "@example.org", "Your order " + number + " is on its way", i % 5, i));
        if (i % 50 == 0) OUTBOX.work(lag[n]);
      }
      OUTBOX.work(lag[n]);
    });
  }
}
