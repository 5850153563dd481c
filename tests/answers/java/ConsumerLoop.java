import java.util.*;
import java.util.concurrent.*;

/** A thread takes events and collects those that could not be written, in a variable of its own. */
class ConsumerLoop {
  static class Event {
    final long id;
    final String body;
    Event(long id) { this.id = id; body = "event " + id; }
  }
  static class EventWriter implements Runnable {
    private final BlockingQueue<Event> queue;
    EventWriter(BlockingQueue<Event> queue) { this.queue = queue; }
    private boolean write(Event event) { return event.id % 3 == 0; }
    @Override public void run() {
      List<Event> retry = new ArrayList<>();
      try {
        while (true) {
          Event event = queue.take();
          if (!write(event)) retry.add(event);
          if (retry.size() > 1_000_000) retry.clear();
        }
      } catch (InterruptedException e) { }
    }
  }
  public static void main(String[] args) throws Exception {
    BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
    Thread thread = new Thread(new EventWriter(queue), "event-writer");
    thread.setDaemon(true);
    thread.start();
    long[] id = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 9000; i++) queue.add(new Event(id[0]++));
      while (!queue.isEmpty()) Thread.sleep(5);
      Thread.sleep(20);
    });
  }
}
