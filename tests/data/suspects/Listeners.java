import java.util.*;

/** Views that listen to a model and are never taken away. */
public class Listeners {
  interface Listener { void changed(Model model); }
  static class Model {
    private final List<Listener> listeners = new ArrayList<>();
    void add(Listener listener) { listeners.add(listener); }
  }
  static class View implements Listener {
    final int id; final char[] pixels = new char[600];
    View(int id) { this.id = id; }
    public void changed(Model model) { pixels[0]++; }
  }
  static final Model MODEL = new Model();

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 1000; i++) MODEL.add(new View(i));
    System.out.println("READY"); Thread.sleep(Long.MAX_VALUE);
  }
}
