import java.util.*;
/** A window of 60 minutes keyed by user numbers; traffic rises; 80 minutes a round. */
public class OkWindowNumbers {
  static final class Sum { long hits, first; }
  static final class Window { private final TreeMap<Long, Map<Integer, Sum>> minutes = new TreeMap<>(); Sum at(long m, int user) { return minutes.computeIfAbsent(m, k -> new HashMap<>()).computeIfAbsent(user, k -> new Sum()); } void trim(long m) { minutes.headMap(m - 59).clear(); } }
  static final Window window = new Window();
  public static void main(String[] a) throws Exception { long[] m = {29_000_000}; Rounds.run(r -> { for (int k = 0; k < 80; k++, m[0]++) { for (int i = 0; i < 20 + 5 * r; i++) { Sum s = window.at(m[0], (int) (1000 + (m[0] * 37 + i * 11) % 900)); s.hits++; s.first = m[0]; } window.trim(m[0]); } }); }
}
