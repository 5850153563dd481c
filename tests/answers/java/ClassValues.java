import java.lang.reflect.*;
import java.util.*;

/** Descriptions of classes are kept with the classes; those of the runtime's own classes collect each script's view of them. */
class ClassValues {
  static class PropertyView {
    final String script, name;
    final String[] words;
    PropertyView(String script, String name) { this.script = script; this.name = name; words = new String[] {script, name, script + "." + name}; }
  }
  static class TypeDescription {
    final Map<String, List<PropertyView>> viewsByScript = new HashMap<>();
  }
  static final ClassValue<TypeDescription> DESCRIPTIONS = new ClassValue<>() {
    @Override protected TypeDescription computeValue(Class<?> type) { return new TypeDescription(); }
  };
  static List<PropertyView> view(Class<?> type, String script) {
    return DESCRIPTIONS.get(type).viewsByScript.computeIfAbsent(script, s -> {
      List<PropertyView> views = new ArrayList<>();
      for (String name : new String[] {"year", "month", "day", "hour"}) views.add(new PropertyView(s, name));
      return views;
    });
  }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 1500; i++) view(java.time.LocalDateTime.class, "script-" + n + "-" + i); });
  }
}
