import java.util.*;
/** Requests in flight, 1000 at once, most are answered; 400 a round stay. */
public class ChurnLeak {
  static final class Pending { final long id; final String url; Pending(long id) { this.id = id; url = "/order/" + id; } }
  static final class Client { private final Map<Long, Pending> pending = new HashMap<>(); }
  static final Client client = new Client();
  public static void main(String[] a) throws Exception { long[] id = {100000}; Rounds.run(r -> { long first = id[0]; for (int i = 0; i < 1600; i++, id[0]++) client.pending.put(id[0], new Pending(id[0])); for (long i = first; i < id[0]; i++) if (i % 4 != 0) client.pending.remove(i); }); }
}
