import java.util.*;
/** Tree by month, then day: TreeMap of TreeMap of ArrayList; a month per 1.3 rounds. */
public class MonthMaps {
  static final class Booking { final long id; final String text; Booking(long id) { this.id = id; text = "booking " + id; } }
  static final class Ledger { private final TreeMap<Integer, TreeMap<Integer, List<Booking>>> months = new TreeMap<>(); void add(int day, Booking b) { months.computeIfAbsent(day / 26, m -> new TreeMap<>()).computeIfAbsent(day % 26, d -> new ArrayList<>()).add(b); } }
  static final Ledger ledger = new Ledger();
  public static void main(String[] a) throws Exception { int[] day = {0}; long[] id = {0}; Rounds.run(r -> { for (int d = 0; d < 20; d++, day[0]++) for (int i = 0; i < 50; i++) ledger.add(day[0], new Booking(id[0]++)); }); }
}
