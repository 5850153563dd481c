import java.util.*;

/** Events of a ring are made once and filled anew; what they carry is new each time. */
class OkRingBuffer {
  static class Event { long sequence; byte[] payload = new byte[0]; List<String> tags = List.of(); }
  static class Ring {
    final Event[] events = new Event[2048];
    long next;
    Ring() { Arrays.setAll(events, i -> new Event()); }
    void publish(String text) {
      Event event = events[(int) (next & 2047)];
      event.sequence = next++;
      event.payload = text.getBytes();
      event.tags = List.of(text, "seen");
    }
  }
  public static void main(String[] args) throws Exception {
    Ring ring = new Ring();
    Rounds.run(n -> { for (int i = 0; i < 5000; i++) ring.publish("event " + n + "-" + i + " of the line of products"); });
  }
}
