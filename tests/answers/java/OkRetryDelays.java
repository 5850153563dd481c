import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** Webhooks that fail are tried again after a while, at most three times; the other side is down more often from round to round. */
public class OkRetryDelays {
  static long clock;

  static final class Delivery implements Delayed {
    final String id;
    final String payload;
    final List<String> answers = new ArrayList<>();
    long due;

    Delivery(long number) {
      id = "delivery-" + number;
      payload = "{\"order\": " + number + ", \"state\": \"paid\"}";
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(due - clock, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(due, ((Delivery) other).due);
    }
  }

  static final class Webhooks {
    private final DelayQueue<Delivery> retries = new DelayQueue<>();
    private long delivered;

    void send(Delivery delivery, int failing) {
      if (delivery.answers.size() < 3 && Math.abs(delivery.id.hashCode() % 100) < failing) {
        delivery.answers.add("503 at " + clock);
        delivery.due = clock + 300;
        retries.put(delivery);
      } else {
        delivered++;
      }
    }

    void again(int failing) {
      for (Delivery due = retries.poll(); due != null; due = retries.poll()) send(due, failing);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Webhooks webhooks = new Webhooks();
    int[] failing = {15, 35, 55, 75};
    long[] last = {0};
    Rounds.run(round -> {
      for (int n = 0; n < 2_000; n++) {
        clock++;
        webhooks.send(new Delivery(last[0]++), failing[round]);
        webhooks.again(failing[round]);
      }
    });
  }
}
