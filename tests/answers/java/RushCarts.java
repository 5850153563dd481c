import java.util.*;

/** Sessions end, and so do their tokens; the cart of a session stays under its number if nobody bought it. */
class RushCarts {
  record Line(String article, int count, long price) { }
  static class Cart { final List<Line> lines = new ArrayList<>(); void add(Line line) { lines.add(line); } }
  static class Session { final String id; final Map<String, Object> attributes = new HashMap<>(); Session(String id) { this.id = id; } }
  static class Shop {
    private final LinkedHashMap<String, Session> sessions = new LinkedHashMap<>();
    private final Map<String, Cart> carts = new HashMap<>();
    void visit(String id, Random random, int most) {
      Session session = new Session(id);
      session.attributes.put("locale", "de-" + random.nextInt(1000));
      sessions.put(id, session);
      Cart cart = carts.computeIfAbsent(id, key -> new Cart());
      for (int i = 0; i < 2; i++) cart.add(new Line("article " + random.nextInt(), 1, 100));
      while (sessions.size() > most) end(sessions.keySet().iterator().next(), random);
    }
    private void end(String id, Random random) {
      sessions.remove(id);
      if (random.nextInt(3) == 0) carts.remove(id);
    }
  }
  static final Shop SHOP = new Shop();

  public static void main(String[] args) throws Exception {
    Random random = new Random(4);
    int[] load = {1200, 1700, 2300, 3100};
    int[] most = {300, 500, 900, 1200};
    Rounds.run(n -> { for (int i = 0; i < load[n]; i++) SHOP.visit(Long.toString(random.nextLong(), 36), random, most[n]); });
  }
}
