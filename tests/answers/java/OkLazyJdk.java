import java.text.*;
import java.time.*;
import java.time.format.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

/** Parts of the runtime are loaded when they are first used: zones, formats, patterns, streams, another part each time. */
class OkLazyJdk {
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 300; i++) {
        IntStream.range(0, 20).mapToObj(k -> "k" + k).collect(Collectors.groupingBy(String::length));
        if (n > 0) ZonedDateTime.now(ZoneId.of("Europe/Berlin")).format(DateTimeFormatter.ofPattern("EEEE d MMMM yyyy", Locale.GERMAN));
        if (n > 1) Pattern.compile("(?<day>\\p{Alpha}+) (\\d+)").matcher("Monday 12").find();
        if (n > 2) new MessageFormat("{0,number} of {1,date}", Locale.FRENCH).format(new Object[] {12, new Date()});
      }
    });
  }
}
