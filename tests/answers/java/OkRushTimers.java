import java.util.*;

/** A wheel of timers: each packet sent has a timeout, cancelled or fired some ticks later. More peers come from look to look. */
class OkRushTimers {
  interface Task { void run(); }
  static class Timeout { final Integer peer; final int rounds; final Task task; Timeout(Integer peer, int rounds, Task task) { this.peer = peer; this.rounds = rounds; this.task = task; } }
  static class Wheel {
    private final List<List<Timeout>> slots = new ArrayList<>();
    private int tick;
    Wheel(int size) { for (int i = 0; i < size; i++) slots.add(new LinkedList<>()); }
    void add(Integer peer, int delay, Task task) {
      slots.get((tick + delay) % slots.size()).add(new Timeout(peer, delay / slots.size(), task));
    }
    void advance() {
      List<Timeout> due = slots.get(++tick % slots.size());
      slots.set(tick % slots.size(), new LinkedList<>());
      for (Timeout timeout : due) {
        if (timeout.rounds > 0) slots.get(tick % slots.size()).add(new Timeout(timeout.peer, timeout.rounds - 1, timeout.task));
        else timeout.task.run();
      }
    }
  }
  static int lost;

  public static void main(String[] args) throws Exception {
    Wheel wheel = new Wheel(64);
    int[] peers = {20, 30, 70, 105};
    int[] packet = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 400; i++) {
        for (int peer = 0; peer < peers[n]; peer++) {
          String nonce = "packet-" + packet[0]++;
          wheel.add(1000 + peer, 20 + peer % 20, () -> { if (nonce.length() > 20) lost++; });
        }
        wheel.advance();
      }
    });
  }
}
