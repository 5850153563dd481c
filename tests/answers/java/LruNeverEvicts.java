import java.util.*;

/** A map that should forget the eldest entry asks for its size before it has a limit. */
class LruNeverEvicts {
  static class Limited<K, V> extends LinkedHashMap<K, V> {
    private final int limit;
    Limited(int limit) { super(16, 0.75f, true); this.limit = limit; }
    @Override protected boolean removeEldestEntry(Map.Entry<K, V> eldest) { return size() > limit && eldest.getValue() == null; }
  }
  static class Tariff { final String name; final int[] steps = new int[20]; Tariff(String name) { this.name = name; } }
  static class TariffService {
    private final Map<String, Tariff> tariffs = Collections.synchronizedMap(new Limited<>(200));
    Tariff get(String customer) { return tariffs.computeIfAbsent(customer, Tariff::new); }
  }
  enum Services { BILLING; final TariffService service = new TariffService(); }

  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 1500; i++) Services.BILLING.service.get("customer " + count[0]++); });
  }
}
