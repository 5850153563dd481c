import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Devices connect and go, ever more of them. Their connections go with them; their entries in the registry stay. */
class RushRegistry {
  static class Connection { final String device; final byte[] buffer = new byte[512]; Connection(String device) { this.device = device; } }
  static class Device {
    final String serial, firmware; final int[] capabilities = new int[20];
    Device(String serial, String firmware) { this.serial = serial; this.firmware = firmware; }
  }
  static class Registry {
    private final Map<String, Device> devices = new ConcurrentHashMap<>();
    void register(Device device) { devices.put(device.serial, device); }
  }
  static class Gateway {
    private final Deque<Connection> open = new ArrayDeque<>();
    private final Registry registry = new Registry();
    void connect(String serial, int most) {
      registry.register(new Device(serial, "firmware 2." + serial.length()));
      open.add(new Connection(serial));
      while (open.size() > most) open.poll();
    }
  }
  static final Gateway GATEWAY = new Gateway();

  public static void main(String[] args) throws Exception {
    int[] load = {1000, 1500, 2200, 3000};
    int[] serial = {100_000};
    Rounds.run(n -> { for (int i = 0; i < load[n]; i++) GATEWAY.connect("SN-" + serial[0]++, load[n] / 5); });
  }
}
