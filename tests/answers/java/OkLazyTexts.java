import java.text.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.regex.*;

/** A server of texts: languages are loaded when the first reader asks for them, patterns are compiled once, answers are kept softly in a table that is swept, and counts of the last minutes are in a ring. */
class OkLazyTexts {
  static class Language {
    final Locale locale;
    final Map<String, String> texts = new HashMap<>();
    final ThreadLocal<MessageFormat> greeting;
    final Pattern variables = Pattern.compile("\\{(\\w+)}");
    Language(String tag) {
      locale = Locale.forLanguageTag(tag);
      for (int n = 0; n < 250; n++) texts.put("text." + n, "{name}, this is text " + n + " in " + locale.getDisplayLanguage(Locale.ENGLISH) + ", {count} times");
      greeting = ThreadLocal.withInitial(() -> new MessageFormat("{0}: {1,number} {2,date}", locale));
    }
    String fill(String key, Map<String, String> values) {
      return variables.matcher(texts.get(key)).replaceAll(found -> values.getOrDefault(found.group(1), ""));
    }
  }
  static class Minutes {
    private final Map<String, Integer>[] slots;
    private int at;
    @SuppressWarnings("unchecked") Minutes(int length) { slots = new Map[length]; Arrays.setAll(slots, n -> new HashMap<>()); }
    synchronized void count(String what) { slots[at].merge(what, 1, Integer::sum); }
    synchronized void turn() { at = (at + 1) % slots.length; slots[at] = new HashMap<>(); }
  }
  static class Rendered {
    private final java.lang.ref.SoftReference<String> text;
    private final long at;
    Rendered(String text, long at) { this.text = new java.lang.ref.SoftReference<>(text); this.at = at; }
  }
  static class TextServer {
    private final ConcurrentMap<String, Language> languages = new ConcurrentHashMap<>();
    private final Map<String, Rendered> rendered = new ConcurrentHashMap<>();
    private final Minutes minutes = new Minutes(15);
    private long clock;
    String text(String tag, String key, String name) {
      Language language = languages.computeIfAbsent(tag, Language::new);
      String page = tag + "/" + key + "/" + name;
      Rendered known = rendered.get(page);
      String text = known == null ? null : known.text.get();
      if (text == null) {
        text = language.greeting.get().format(new Object[] {name, clock, new Date(0)}) + language.fill(key, Map.of("name", name, "count", "3"));
        rendered.put(page, new Rendered(text, clock));
      }
      minutes.count(tag);
      return text;
    }
    void minute() {
      clock++;
      minutes.turn();
      rendered.values().removeIf(each -> each.at < clock - 5);
    }
  }

  public static void main(String[] args) throws Exception {
    TextServer server = new TextServer();
    String[] tags = {"en", "de", "fr", "es", "it", "pl", "nl", "sv", "da", "fi", "cs", "hu"};
    int[] known = {6, 8, 9, 10};
    int[] readers = {60, 140, 90, 170};
    ExecutorService threads = Executors.newFixedThreadPool(4);
    Rounds.run(round -> {
      for (int minute = 0; minute < 8; minute++) {
        List<Callable<Integer>> all = new ArrayList<>();
        for (int n = 0; n < readers[round]; n++) {
          int reader = n, at = minute;
          all.add(() -> server.text(tags[reader % known[round]], "text." + (reader * 7 + at) % 250, "reader " + round + "." + reader).length());
        }
        for (Future<Integer> each : threads.invokeAll(all)) each.get();
        server.minute();
      }
    });
  }
}
