import java.util.concurrent.*;

/** Each report is made by an executor of its own, which nobody shuts down. */
class ExecutorEach {
  static final class ReportJob implements Callable<Integer> {
    final String name; final char[] page = new char[3000];
    ReportJob(String name) { this.name = name; }
    public Integer call() { page[0] = name.charAt(0); LAST.set(this); return page.length; }
  }
  static final ThreadLocal<ReportJob> LAST = new ThreadLocal<>();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 20; i++) Executors.newFixedThreadPool(1).submit(new ReportJob("report " + n + "-" + i)).get();
    });
  }
}
