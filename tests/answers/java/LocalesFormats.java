import java.text.MessageFormat;
import java.util.*;
/** Static cache of MessageFormat by text with the number in it. */
public class LocalesFormats {
  static final class Texts { private static final Map<String, MessageFormat> FORMATS = new HashMap<>(); static String say(String pattern, Object... values) { return FORMATS.computeIfAbsent(pattern, MessageFormat::new).format(values); } }
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 200; i++) { int k = n[0]++; Texts.say("Order " + k + " of {0} was {1}", "user", "sent"); } }); }
}
