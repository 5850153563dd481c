import java.util.*;

/** Clients by number. All of them get each message and show the last one; those that have gone are never taken out. */
class RushPresence {
  static class Client {
    final long id; final int[] screen = new int[24]; String shown = "";
    Client(long id) { this.id = id; }
    void show(String text) { shown = text + " for " + id; }
  }
  static class Hub {
    private final Map<Long, Client> clients = new HashMap<>();
    void join(long id) { clients.put(id, new Client(id)); }
    void broadcast(String text) { for (Client client : clients.values()) client.show(text); }
  }
  static final Hub HUB = new Hub();

  public static void main(String[] args) throws Exception {
    int[] load = {900, 1300, 1800, 2500};
    long[] id = {0};
    Rounds.run(n -> {
      for (int i = 0; i < load[n]; i++) HUB.join(id[0]++);
      HUB.broadcast("news of round " + n);
    });
  }
}
