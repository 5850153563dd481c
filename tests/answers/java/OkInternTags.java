import java.util.*;
/** An intern table of 2000 tags, 2000 random draws a round: ever more slowly. */
public class OkInternTags {
  record Tag(String name, String slug) { }
  static final Map<String, Tag> TAGS = new HashMap<>();
  public static void main(String[] a) throws Exception { Random rnd = new Random(3); Rounds.run(r -> { for (int i = 0; i < 2000; i++) TAGS.computeIfAbsent("Tag " + rnd.nextInt(2000), k -> new Tag(k, k.toLowerCase().replace(' ', '-'))); }); }
}
