import java.util.*;
/** A window of 60 minutes of sums by user; traffic rises 25%; 80 minutes a round. */
public class OkWindowRising {
  static final class Sum { long hits; double seconds; }
  static final class Minute { final long at; final Map<String, Sum> users = new HashMap<>(); Minute(long at) { this.at = at; } }
  static final class Window { private final ArrayDeque<Minute> minutes = new ArrayDeque<>(); void add(Minute m) { minutes.addLast(m); if (minutes.size() > 60) minutes.removeFirst(); } }
  static final Window window = new Window();
  public static void main(String[] a) throws Exception { int[] m = {0}; Rounds.run(r -> { for (int k = 0; k < 80; k++, m[0]++) { Minute minute = new Minute(m[0]); for (int i = 0; i < 20 + 5 * r; i++) { Sum s = minute.users.computeIfAbsent("u" + (m[0] * 37 + i * 11) % 900, x -> new Sum()); s.hits++; } window.add(minute); } }); }
}
