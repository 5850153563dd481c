import java.util.concurrent.CountDownLatch;

/** A thread for each mail waits for a server that never answers; each holds its mail in a local variable. */
class BlockedThreads {
  static class Mail {
    final byte[] body = new byte[4000];
  }

  static final CountDownLatch SERVER = new CountDownLatch(1);

  static void deliver(int n) {
    Mail mail = new Mail();
    try {
      SERVER.await();
    } catch (InterruptedException e) {
      return;
    }
    mail.body[0] = (byte) n;
  }

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 60; i++) {
        int mail = i;
        Thread thread = new Thread(null, () -> deliver(mail), "mail-" + n + "-" + i, 64 << 10);
        thread.setDaemon(true);
        thread.start();
      }
      Thread.sleep(200);
    });
  }
}
