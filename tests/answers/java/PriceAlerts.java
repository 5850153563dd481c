import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Alerts wait in a sorted map for their price. Those that fired are marked as such, and stay. */
public class PriceAlerts {
  static final class Alert {
    final long id;
    final String user;
    final double price;
    final Instant since;
    boolean fired;

    Alert(long id, String user, double price) {
      this.id = id;
      this.user = user;
      this.price = price;
      since = Instant.ofEpochSecond(id);
    }
  }

  static final class AlertBook {
    private final String symbol;
    private final ConcurrentSkipListMap<Double, List<Alert>> byPrice = new ConcurrentSkipListMap<>();

    AlertBook(String symbol) {
      this.symbol = symbol;
    }

    void add(Alert alert) {
      byPrice.computeIfAbsent(alert.price, price -> new CopyOnWriteArrayList<>()).add(alert);
    }

    int tick(double price) {
      int fired = 0;
      for (List<Alert> alerts : byPrice.headMap(price, true).values()) {
        for (Alert alert : alerts) {
          if (alert.fired) continue;
          alert.fired = true;
          fired++;
        }
      }
      return fired;
    }
  }

  final AlertBook[] books = new AlertBook[8];
  long last;

  PriceAlerts() {
    for (int n = 0; n < books.length; n++) books[n] = new AlertBook("SYM" + n);
  }

  public static void main(String[] arguments) throws Exception {
    PriceAlerts service = new PriceAlerts();
    Rounds.run(round -> {
      for (int n = 0; n < 2_400; n++) {
        AlertBook book = service.books[n % service.books.length];
        book.add(new Alert(service.last, "user " + service.last % 300, 50 + service.last++ * 37 % 1000 / 10.0));
        if (n % 100 == 0) book.tick(200);
      }
    });
  }
}
