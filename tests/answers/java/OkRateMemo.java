import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Rates are computed once for each pair of 40 currencies; rare pairs come late. Transfers are in a ring of 400. */
public class OkRateMemo {
  record Pair(String from, String to) { }

  static final class Rate {
    final BigDecimal factor;
    final String shown;

    Rate(Pair pair) {
      factor = BigDecimal.valueOf(Math.abs(pair.from().hashCode() % 977) + 1).divide(BigDecimal.valueOf(Math.abs(pair.to().hashCode() % 877) + 1), 12, RoundingMode.HALF_UP);
      shown = pair.from() + "/" + pair.to() + " " + factor;
    }
  }

  private final Map<Pair, Rate> rates = new ConcurrentHashMap<>();
  private final String[] ring = new String[400];
  private int transfers;

  void transfer(String from, String to, long cents) {
    Rate rate = rates.computeIfAbsent(new Pair(from, to), Rate::new);
    ring[transfers++ % ring.length] = rate.factor.multiply(BigDecimal.valueOf(cents)).toPlainString();
  }

  public static void main(String[] arguments) throws Exception {
    OkRateMemo bank = new OkRateMemo();
    Random random = new Random(11);
    int[] known = {18, 26, 33, 39};
    Rounds.run(round -> {
      for (int n = 0; n < 5_000; n++) {
        bank.transfer("C" + random.nextInt(known[round]), "C" + random.nextInt(known[round]), 100 + n);
      }
    });
  }
}
