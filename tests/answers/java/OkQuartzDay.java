import com.google.common.collect.EvictingQueue;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.ThreadContext;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobListener;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.listeners.JobListenerSupport;

/** Jobs of a day: many run once and go, a few stay and run again; the last results are in a ring. */
public class OkQuartzDay {
  private static final Logger LOG = LogManager.getLogger(OkQuartzDay.class);

  record Result(String job, long took, String text) { }

  static final EvictingQueue<Result> LAST = EvictingQueue.create(400);
  static volatile CountDownLatch done = new CountDownLatch(0);

  public static class MailJob implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      ThreadContext.put("job", context.getJobDetail().getKey().getName());
      try {
        LOG.debug("mail to {}", context.getMergedJobDataMap().getString("to"));
        context.setResult("sent to " + context.getMergedJobDataMap().getString("to"));
      } finally {
        ThreadContext.clearAll();
      }
    }
  }

  static class Results extends JobListenerSupport {
    @Override
    public String getName() { return "results"; }

    @Override
    public void jobWasExecuted(JobExecutionContext context, JobExecutionException failed) {
      synchronized (LAST) {
        LAST.add(new Result(context.getJobDetail().getKey().getName(), context.getJobRunTime(), (String) context.getResult()));
      }
      done.countDown();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    properties.put("org.quartz.threadPool.threadCount", "4");
    properties.put("org.quartz.scheduler.skipUpdateCheck", "true");
    Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
    scheduler.getListenerManager().addJobListener(new Results());
    for (int i = 0; i < 20; i++) {
      scheduler.scheduleJob(JobBuilder.newJob(MailJob.class).withIdentity("digest-" + i).usingJobData("to", "team" + i).build(),
          TriggerBuilder.newTrigger().withSchedule(SimpleScheduleBuilder.repeatHourlyForever()).build());
    }
    scheduler.start();
    int[] n = {0};
    Rounds.run(round -> {
      int jobs = 300 + 150 * round;
      done = new CountDownLatch(jobs);
      for (int i = 0; i < jobs; i++) {
        String name = "welcome-" + n[0]++;
        scheduler.scheduleJob(JobBuilder.newJob(MailJob.class).withIdentity(name).usingJobData("to", "customer" + n[0]).build(),
            TriggerBuilder.newTrigger().withIdentity(name).startNow().build());
      }
      done.await();
    });
  }
}
