import java.util.*;
/** One connection's unacked list grows by 500 a round; 80 others hold the last 15 frames each, exchanged (flat). */
public class LeakyConnection {
  static final class Frame { final long n; final String body; Frame(long n) { this.n = n; body = "frame number " + n; } }
  static final class Connection { final int id; final ArrayList<Frame> unacked = new ArrayList<>(); Connection(int id) { this.id = id; } void ack(int keep) { if (unacked.size() > keep) unacked.subList(0, unacked.size() - keep).clear(); } }
  static final class Server { final List<Connection> connections = new ArrayList<>(); }
  static final Server server = new Server();
  public static void main(String[] a) throws Exception { for (int i = 0; i < 81; i++) server.connections.add(new Connection(i)); long[] n = {5000}; Rounds.run(r -> { for (int i = 0; i < 500; i++) server.connections.get(7).unacked.add(new Frame(n[0]++)); for (Connection c : server.connections) if (c.id != 7) { for (int i = 0; i < 20; i++) c.unacked.add(new Frame(n[0]++)); c.ack(15); } }); }
}
