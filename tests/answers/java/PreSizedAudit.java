import java.util.*;
/** Audit list made with room for 100000 (new ArrayList<>(100000)); 800 a round for ever. */
public class PreSizedAudit {
  static final class Event { final long at; final String who; Event(long at) { this.at = at; who = "user " + at; } }
  static final class Audit { private final List<Event> events = new ArrayList<>(100_000); }
  static final Audit audit = new Audit();
  public static void main(String[] a) throws Exception { long[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 800; i++) audit.events.add(new Event(n[0]++)); }); }
}
