import java.util.*;
/** One actor of 50 does not read its mailbox: 600 a round. */
public class LeakyActor {
  static final class Letter { final long n; final String body; Letter(long n) { this.n = n; body = "letter " + n; } }
  static final class Actor { final String name; final ArrayDeque<Letter> mailbox = new ArrayDeque<>(); Actor(String s) { name = s; } }
  static final Map<String, Actor> actors = new TreeMap<>();
  public static void main(String[] a) throws Exception { for (int i = 0; i < 49; i++) actors.put("a" + i, new Actor("a" + i)); actors.put("mailer", new Actor("mailer")); long[] n = {7000}; Rounds.run(r -> { for (int i = 0; i < 1200; i++, n[0]++) { if (i % 2 == 0) actors.get("mailer").mailbox.add(new Letter(n[0])); else { Actor x = actors.get("a" + n[0] % 49); x.mailbox.add(new Letter(n[0])); if (x.mailbox.size() > 20) x.mailbox.poll(); } } }); }
}
