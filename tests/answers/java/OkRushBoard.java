import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Players are at tables and leave; tables are nested maps by room and number. More play from round to round. Names come again, since players come back; scores of the last games stand in a window. */
public class OkRushBoard {
  static class Player {
    final String name;
    final long joined;
    int points;

    Player(String name, long joined) {
      this.name = name;
      this.joined = joined;
    }
  }

  static class Table {
    final int number;
    final List<Player> players = new ArrayList<>();

    Table(int number) { this.number = number; }
  }

  static class Lounge {
    final Map<String, Map<Integer, Table>> rooms = new HashMap<>();
    final LinkedHashMap<Long, String> scores = new LinkedHashMap<>();
    final List<long[]> order = new ArrayList<>();
    long games;

    void join(int room, int number, String name) {
      Table table = rooms.computeIfAbsent("room " + room, key -> new HashMap<>()).computeIfAbsent(number, Table::new);
      table.players.add(new Player(name, games));
      order.add(new long[] {room, number});
      games++;
    }

    void leave() {
      long[] first = order.remove(0);
      Map<Integer, Table> tables = rooms.get("room " + first[0]);
      Table table = tables.get((int) first[1]);
      Player player = table.players.remove(0);
      player.points += 3;
      scores.put(games, player.name + " won");
      if (scores.size() > 300) scores.remove(scores.keySet().iterator().next());
      if (table.players.isEmpty()) tables.remove(table.number);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Lounge lounge = new Lounge();
    int[] together = {300, 600, 900, 1_200};
    Rounds.run(round -> {
      for (int n = 0; n < 5_000; n++) {
        lounge.join(n % 12, n % 150, "player " + (n * 7 + round * 13) % 4_000);
        while (lounge.order.size() > together[round]) lounge.leave();
      }
    });
  }
}
