import java.util.concurrent.*;

/** A poll is scheduled for each device that was ever seen, and never cancelled. */
class ScheduledPolls {
  static class Device {
    final String address;
    final byte[] firmware = new byte[500];
    long last;
    Device(int n) { address = "10.0.0." + n; }
    void poll() { last = System.nanoTime(); }
  }
  public static void main(String[] args) throws Exception {
    ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
    int[] count = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 500; i++) {
        Device device = new Device(count[0]++);
        scheduler.scheduleAtFixedRate(device::poll, 1, 3600, TimeUnit.SECONDS);
      }
    });
  }
}
