import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Dialogs listen to a theme and are never taken away. */
class Listeners {
  interface ThemeListener { void changed(String theme); }

  static class ThemeManager {
    private final List<ThemeListener> listeners = new CopyOnWriteArrayList<>();
    void add(ThemeListener listener) { listeners.add(listener); }
  }

  static class Dialog {
    final int[] pixels = new int[200];
    String theme;
    void open() { THEMES.add(theme -> this.theme = theme); }
  }

  static final ThemeManager THEMES = new ThemeManager();

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 400; i++) new Dialog().open();
    });
  }
}
