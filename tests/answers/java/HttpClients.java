import java.net.http.*;
import java.util.*;
/** 60 java.net.http.HttpClient a round, kept by tenants; each has a selector thread. */
public class HttpClients {
  static final class Tenants { private final Map<String, HttpClient> clients = new HashMap<>(); HttpClient open(String n) { HttpClient c = HttpClient.newBuilder().build(); clients.put(n, c); return c; } }
  static final Tenants tenants = new Tenants();
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 60; i++) tenants.open("tenant " + n[0]++); }); }
}
