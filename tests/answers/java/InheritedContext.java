import java.util.*;

/** A context that threads inherit. Threads of a pool that grows inherit what the request that made them had, and keep it. */
class InheritedContext {
  static class Attachment {
    final byte[] content = new byte[8000];
  }
  static class RequestContext {
    final String user;
    final List<Attachment> attachments = new ArrayList<>();
    RequestContext(String user) { this.user = user; for (int i = 0; i < 6; i++) attachments.add(new Attachment()); }
  }
  static final InheritableThreadLocal<RequestContext> CONTEXT = new InheritableThreadLocal<>();

  static void handle(String user) throws Exception {
    CONTEXT.set(new RequestContext(user));
    try {
      Thread watcher = new Thread(() -> { try { Thread.sleep(3600_000); } catch (InterruptedException e) { } }, "watcher-" + user);
      watcher.setDaemon(true);
      watcher.start();
    } finally {
      CONTEXT.remove();
    }
  }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 30; i++) handle("u" + n + "-" + i); });
  }
}
