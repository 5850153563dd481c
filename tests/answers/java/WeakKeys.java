import java.util.Map;
import java.util.WeakHashMap;

/** A map with weak keys whose values refer to their keys: nothing ever goes. */
class WeakKeys {
  static class Document { final byte[] text = new byte[200]; }

  static class Index {
    final Document of;
    final int[] words = new int[60];
    Index(Document of) { this.of = of; }
  }

  static final Map<Document, Index> INDEXES = new WeakHashMap<>();

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 700; i++) {
        Document document = new Document();
        INDEXES.put(document, new Index(document));
      }
    });
  }
}
