import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a mapper knows of each kind of message is worked out when the first such message comes; there are 70 kinds. */
public class OkKindMetadata {
  static final class Field {
    final String name;
    final String column;

    Field(String name) {
      this.name = name;
      column = "c_" + name;
    }
  }

  static final class Metadata {
    final String kind;
    final List<Field> fields = new ArrayList<>();
    final Map<String, String> statements = new LinkedHashMap<>();

    Metadata(String kind) {
      this.kind = kind;
      for (int n = 0; n < 25; n++) fields.add(new Field(kind + "_" + n));
      for (String verb : List.of("insert", "update", "delete", "select")) statements.put(verb, verb + " " + kind + " by " + fields.get(0).column);
    }
  }

  private final Map<String, Metadata> byKind = new ConcurrentHashMap<>();
  private final String[] lately = new String[300];
  private int mapped;

  void map(String kind) {
    lately[mapped++ % lately.length] = byKind.computeIfAbsent(kind, Metadata::new).statements.get("insert") + mapped;
  }

  public static void main(String[] arguments) throws Exception {
    OkKindMetadata mapper = new OkKindMetadata();
    int[] known = {25, 40, 52, 62};
    Rounds.run(round -> {
      for (int n = 0; n < 4_000; n++) mapper.map("kind" + n * 11 % known[round]);
    });
  }
}
