import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leaks a session each millisecond, and answers requests; prints PORT N, READY, and each second the longest pause in milliseconds.
 * Leak N: with N megabytes of ballast; Leak N still: leaks none.
 */
public class Leak {
  static class Session {
    final int id;
    final String text;
    Session(int id) { this.id = id; this.text = "session " + id; }
  }

  static class Registry {
    final Map<Integer, Session> sessions = new HashMap<>();
    final List<byte[]> ballast = new ArrayList<>();
  }

  static final Registry REGISTRY = new Registry();

  static void serve() throws Exception {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    System.out.println("PORT " + server.getLocalPort());
    Thread thread = new Thread(() -> {
      byte[] request = new byte[4096];
      byte[] answer = "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n".getBytes();
      while (true) {
        try (Socket socket = server.accept()) {
          socket.getInputStream().read(request);
          socket.getOutputStream().write(answer);
        } catch (Exception e) {
          System.out.println(e);
        }
      }
    });
    thread.setDaemon(true);
    thread.start();
  }

  public static void main(String[] args) throws Exception {
    serve();
    int n = 0;
    for (; n < 50_000; n++) REGISTRY.sessions.put(n, new Session(n));
    for (int i = 0; i < Integer.parseInt(args[0]); i++) REGISTRY.ballast.add(new byte[1 << 20]);
    System.out.println("READY");
    long last = System.nanoTime();
    long worst = 0;
    long shown = last;
    while (true) {
      if (args.length == 1) { REGISTRY.sessions.put(n, new Session(n)); n++; }
      Thread.sleep(1);
      long now = System.nanoTime();
      worst = Math.max(worst, now - last);
      last = now;
      if (now - shown > 1_000_000_000L) {
        System.out.println("WORST " + worst / 1_000_000);
        worst = 0;
        shown = now;
      }
    }
  }
}
