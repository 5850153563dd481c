import java.util.*;

/** The threads of a job are in a group of their own, to stop them together. A group is to be destroyed when its job is done, and is not. */
class JobGroups {
  static class JobGroup extends ThreadGroup {
    private final List<String> log = new ArrayList<>();
    JobGroup(String job) { super(job); }
    @Override public void uncaughtException(Thread thread, Throwable failure) { note(thread.getName() + " failed: " + failure.getMessage()); }
    synchronized void note(String line) { log.add(line); }
  }
  static class Batch {
    private int done;
    void run(String job, int parts) throws InterruptedException {
      JobGroup group = new JobGroup(job);
      Thread[] threads = new Thread[parts];
      for (int part = 0; part < parts; part++) {
        int number = part;
        threads[part] = new Thread(group, () -> { for (int n = 0; n < 15; n++) group.note("part " + number + " of " + job + " did step " + n); });
        threads[part].start();
      }
      for (Thread thread : threads) thread.join();
      done++;
    }
  }
  public static void main(String[] args) throws Exception {
    Batch batch = new Batch();
    Rounds.run(n -> { for (int i = 0; i < 200; i++) batch.run("job-" + n + "-" + i, 2); });
    System.err.println(batch.done);
  }
}
