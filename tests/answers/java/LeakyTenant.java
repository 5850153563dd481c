import java.util.*;
/** One tenant's recent map is never trimmed, 40 tenants keep 25 each, always new ones. */
public class LeakyTenant {
  static final class Visit { final long n; final String page; Visit(long n) { this.n = n; page = "/page/" + n; } }
  static final class Tenant { final String name; final int keep; final LinkedHashMap<Long, Visit> recent = new LinkedHashMap<>(); Tenant(String s, int k) { name = s; keep = k; } void visit(long n) { recent.put(n, new Visit(n)); if (recent.size() > keep) recent.remove(recent.keySet().iterator().next()); } }
  static final Map<String, Tenant> tenants = new HashMap<>();
  public static void main(String[] a) throws Exception { for (int i = 0; i < 40; i++) tenants.put("t" + i, new Tenant("t" + i, 25)); tenants.put("acme", new Tenant("acme", 1 << 30)); long[] n = {5000}; Rounds.run(r -> { for (int i = 0; i < 400; i++) tenants.get("acme").visit(n[0]++); for (int i = 0; i < 1600; i++, n[0]++) tenants.get("t" + n[0] % 40).visit(n[0]); }); }
}
