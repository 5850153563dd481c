import javax.management.*;
import java.util.*;
/** A broadcaster gets a listener from each dashboard that opens; closing does not remove it. */
public class NotificationListeners {
  static final class Station extends NotificationBroadcasterSupport { long sequence; void alarm(String text) { sendNotification(new Notification("alarm", "station", sequence++, text)); } }
  static final class Dashboard implements NotificationListener { final List<String> lines = new ArrayList<>(); final int id; Dashboard(int id, Station s) { this.id = id; s.addNotificationListener(this, null, "dash " + id); } public void handleNotification(Notification n, Object back) { lines.clear(); lines.add(n.getMessage()); } }
  static Station station = new Station();
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 200; i++) new Dashboard(n[0]++, station); station.alarm("hot"); }); }
}
