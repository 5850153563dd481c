import java.util.*;
/** Twelve catalogues of messages, loaded when first asked: 3 a round, each 500 messages. */
public class OkLazyCatalogs {
  record Message(String key, String text) { }
  static final class Catalogs { private final Map<String, Map<String, Message>> loaded = new HashMap<>(); Map<String, Message> of(String lang) { return loaded.computeIfAbsent(lang, l -> { Map<String, Message> m = new HashMap<>(); for (int i = 0; i < 500; i++) m.put("msg." + i, new Message("msg." + i, l + " text " + i)); return m; }); } }
  static final Catalogs catalogs = new Catalogs();
  public static void main(String[] a) throws Exception { String[] langs = {"de", "fr", "it", "es", "pt", "nl", "pl", "cs", "sv", "da", "fi", "ja"}; Rounds.run(r -> { for (int i = 0; i < 3 * (r + 1); i++) catalogs.of(langs[i]).get("msg.1"); }); }
}
