import java.util.Timer;
import java.util.TimerTask;

/** Every session has a reminder in an hour; sessions end, reminders are not cancelled. */
class TimerTasks {
  static class UserSession {
    final long[] history = new long[40];
  }

  static class Reminder extends TimerTask {
    final UserSession session;
    Reminder(UserSession session) { this.session = session; }
    @Override public void run() { session.history[0]++; }
  }

  static final Timer REMINDERS = new Timer("reminders", true);

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 800; i++) REMINDERS.schedule(new Reminder(new UserSession()), 3_600_000);
    });
  }
}
