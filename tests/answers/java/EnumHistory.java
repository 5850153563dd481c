import java.util.*;

/** Each kind of message remembers what was sent by it. */
class EnumHistory {
  static final class Delivery {
    final String to; final long at; final byte[] receipt = new byte[64];
    Delivery(String to, long at) { this.to = to; this.at = at; }
  }
  enum Channel {
    EMAIL, SMS, LETTER;
    private final Deque<Delivery> history = new ArrayDeque<>();
    void send(String to) { history.add(new Delivery(to, System.nanoTime())); }
  }
  public static void main(String[] args) throws Exception {
    Map<Channel, Integer> sent = new EnumMap<>(Channel.class);
    Rounds.run(n -> {
      for (int i = 0; i < 1500; i++) {
        Channel channel = i % 50 == 0 ? Channel.LETTER : Channel.SMS;
        channel.send("customer " + n + "-" + i);
        sent.merge(channel, 1, Integer::sum);
      }
    });
  }
}
