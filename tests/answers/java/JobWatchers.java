import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.matchers.KeyMatcher;
import org.quartz.listeners.JobListenerSupport;

/** Reports run as jobs of Quartz; the page that waits for one listens for its end, and the listener stays. */
public class JobWatchers {
  public static class ReportJob implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      int rows = context.getMergedJobDataMap().getInt("rows");
      StringBuilder report = new StringBuilder();
      for (int i = 0; i < rows; i++) report.append("row ").append(i).append('\n');
      context.setResult(report.toString());
    }
  }

  static class ReportWatcher extends JobListenerSupport {
    final String name;
    final CountDownLatch done;
    String report;

    ReportWatcher(String name, CountDownLatch done) {
      this.name = name;
      this.done = done;
    }

    @Override
    public String getName() { return name; }

    @Override
    public void jobWasExecuted(JobExecutionContext context, JobExecutionException failed) {
      report = (String) context.getResult();
      done.countDown();
    }
  }

  static class Reports {
    private final Scheduler scheduler;
    private int last;

    Reports(Scheduler scheduler) { this.scheduler = scheduler; }

    void start(int rows, CountDownLatch done) throws Exception {
      String name = "report-" + last++;
      JobDetail job = JobBuilder.newJob(ReportJob.class).withIdentity(name).usingJobData("rows", rows).build();
      scheduler.getListenerManager().addJobListener(new ReportWatcher(name, done), KeyMatcher.keyEquals(job.getKey()));
      scheduler.scheduleJob(job, TriggerBuilder.newTrigger().withIdentity(name).startNow().build());
    }
  }

  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    properties.put("org.quartz.threadPool.threadCount", "3");
    properties.put("org.quartz.scheduler.skipUpdateCheck", "true");
    Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
    scheduler.start();
    Reports reports = new Reports(scheduler);
    Rounds.run(round -> {
      CountDownLatch done = new CountDownLatch(400);
      for (int i = 0; i < 400; i++) reports.start(100 + i % 60, done);
      done.await();
    });
  }
}
