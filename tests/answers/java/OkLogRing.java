/** The last 2000 events are kept, and were there from the beginning. */
class OkLogRing {
  static final class Event { final long at; final String text; Event(long at, String text) { this.at = at; this.text = text; } }
  static final class LogRing {
    private final Event[] ring = new Event[2000]; private long next;
    void add(String text) { ring[(int) (next++ % ring.length)] = new Event(next, text); }
  }
  static final LogRing RECENT = new LogRing();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 2500; i++) RECENT.add("event " + i + " of round " + n); });
  }
}
