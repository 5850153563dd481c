import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayDeque;

/** Documents are cached by Caffeine up to 30,000; a fifth is there at the last dump. Readers come and go, more of them with the load. */
public class OkCaffeineFilling {
  record Document(String id, String title, byte[] text) { }

  record Reader(String name, Document document) { }

  final Cache<String, Document> documents = Caffeine.newBuilder().maximumSize(30_000).build();
  final ArrayDeque<Reader> readers = new ArrayDeque<>();

  void read(String reader, String id, int most) {
    readers.add(new Reader(reader, documents.get(id, key -> new Document(key, "title of " + key, new byte[40]))));
    while (readers.size() > most) readers.poll();
  }

  public static void main(String[] arguments) throws Exception {
    OkCaffeineFilling library = new OkCaffeineFilling();
    int[] last = {0};
    Rounds.run(round -> {
      for (int n = 0; n < 2_400; n++) library.read("reader " + last[0], "doc-" + (n % 3 == 0 ? n % 300 : last[0]++), 30 + 30 * round);
    });
  }
}
