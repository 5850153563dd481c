import java.util.*;
/** Records: each version keeps the previous. */
public class VersionChain {
  record Version(Version previous, String author, List<String> lines) { }
  static final class Document { private Version head; void edit(String author, String line) { head = new Version(head, author, List.of(line, "end")); } }
  public static void main(String[] a) throws Exception { Document document = new Document(); int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 500; i++) document.edit("author " + n[0] % 7, "line " + n[0]++); }); if (document.head == null) throw new Error(); }
}
