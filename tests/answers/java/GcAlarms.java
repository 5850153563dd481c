import java.lang.management.ManagementFactory;
import javax.management.*;

/** A dashboard wants to know when memory is short, as long as it is open; it never says that it was closed. */
class GcAlarms {
  static class Dashboard {
    private final String user;
    private final double[] load = new double[64];
    private boolean alarm;
    Dashboard(String user) { this.user = user; }
    void open() {
      NotificationEmitter emitter = (NotificationEmitter) ManagementFactory.getMemoryMXBean();
      emitter.addNotificationListener(this::memoryShort, null, null);
    }
    void memoryShort(Notification notification, Object handback) { alarm = true; load[0]++; }
    void close() { alarm = false; }
  }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 600; i++) {
        Dashboard dashboard = new Dashboard("user-" + n + "-" + i);
        dashboard.open();
        dashboard.close();
      }
    });
  }
}
