import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Parallel streams, formats, text and time zones warm up the runtime, a little more in each round. */
class OkParallelWarm {
  record Sale(int id, double amount, java.time.LocalDate day) { }
  public static void main(String[] args) throws Exception {
    String[] zones = {"Europe/Berlin", "Asia/Tokyo", "America/Lima", "Africa/Cairo"};
    Rounds.run(n -> {
      Map<Integer, Double> sums = IntStream.range(0, 20000).parallel()
          .mapToObj(i -> new Sale(i, i / 3.0, java.time.LocalDate.of(2024, 1 + i % 12, 1 + i % 28)))
          .collect(Collectors.groupingByConcurrent(s -> s.day().getMonthValue(), Collectors.summingDouble(Sale::amount)));
      String text = sums.entrySet().stream().map(e -> String.format(new Locale[] {Locale.GERMANY, Locale.JAPAN, Locale.FRANCE, Locale.US}[n], "%d %,.2f", e.getKey(), e.getValue())).collect(Collectors.joining(";"));
      java.time.ZonedDateTime.now(java.time.ZoneId.of(zones[n])).format(java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME);
      if (text.matches("never" + n)) throw new IllegalStateException();
    });
  }
}
