import java.beans.*;
import java.util.*;

/** Panels listen to one model, and are closed without taking their listeners away. */
class PropertyListeners {
  static class PriceModel {
    private final PropertyChangeSupport changes = new PropertyChangeSupport(this);
    private int price;
    void addListener(PropertyChangeListener listener) { changes.addPropertyChangeListener("price", listener); }
    void set(int value) { changes.firePropertyChange("price", price, price = value); }
  }
  static class PricePanel {
    private final String title;
    private final List<String> lines = new ArrayList<>();
    PricePanel(String title, PriceModel model) {
      this.title = title;
      for (int i = 0; i < 12; i++) lines.add(title + " line " + i);
      model.addListener(change -> lines.set(0, this.title + change.getNewValue()));
    }
  }

  public static void main(String[] args) throws Exception {
    PriceModel model = new PriceModel();
    int[] count = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 400; i++) new PricePanel("panel " + count[0]++, model);
      model.set(n);
    });
  }
}
