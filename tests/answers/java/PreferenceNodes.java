import java.util.*;
import java.util.prefs.*;

/** What a visitor chose is kept as a node of preferences, below one of the shop. Visitors without a name get a node for each visit. */
class PreferenceNodes {
  /** Preferences in memory, as programs without a store for them have it. */
  static class MemoryPreferences extends AbstractPreferences {
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, MemoryPreferences> children = new HashMap<>();
    MemoryPreferences(AbstractPreferences parent, String name) { super(parent, name); newNode = true; }
    @Override protected void putSpi(String key, String value) { values.put(key, value); }
    @Override protected String getSpi(String key) { return values.get(key); }
    @Override protected void removeSpi(String key) { values.remove(key); }
    @Override protected void removeNodeSpi() { values.clear(); }
    @Override protected String[] keysSpi() { return values.keySet().toArray(new String[0]); }
    @Override protected String[] childrenNamesSpi() { return children.keySet().toArray(new String[0]); }
    @Override protected AbstractPreferences childSpi(String name) { return new MemoryPreferences(this, name); }
    @Override protected void syncSpi() { }
    @Override protected void flushSpi() { }
  }
  static class Shop {
    static final Preferences PREFERENCES = new MemoryPreferences(null, "");
    int visits;
    void visit(String theme) {
      Preferences node = PREFERENCES.node("visitors").node("visit-" + visits++);
      node.put("theme", theme);
      node.put("language", visits % 2 == 0 ? "de" : "en");
      node.putInt("columns", visits % 5);
    }
  }
  public static void main(String[] args) throws Exception {
    Shop shop = new Shop();
    Rounds.run(n -> { for (int i = 0; i < 1200; i++) shop.visit("theme " + i % 7); });
    System.err.println(shop.visits);
  }
}
