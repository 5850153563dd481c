import java.util.*;

/** The spans of the last moments in a ring, which is made larger when traffic needs it. Old spans are overwritten. */
class OkRushTraceRing {
  static class Span {
    final String trace, name; final long begin; final Map<String, String> tags = new HashMap<>(4);
    Span(String trace, String name, long begin) { this.trace = trace; this.name = name; this.begin = begin; tags.put("peer.service", "stock"); tags.put("http.url", "/items/" + trace); }
  }
  static class Ring {
    private Span[] spans;
    private long next;
    Ring(int size) { spans = new Span[size]; }
    void add(Span span) { spans[(int) (next++ % spans.length)] = span; }
    void resize(int size) {
      Span[] larger = new Span[size];
      int kept = Math.min(spans.length, size);
      for (int i = 0; i < kept; i++) larger[i] = spans[(int) ((next - kept + i + spans.length) % spans.length)];
      spans = larger;
      next = kept;
    }
  }
  public static void main(String[] args) throws Exception {
    Ring recent = new Ring(500);
    Random random = new Random(9);
    int[] size = {500, 800, 1700, 2500};
    String[] names = {"GET", "POST", "query", "render"};
    Rounds.run(n -> {
      if (n > 0) recent.resize(size[n]);
      for (int i = 0; i < 10_000; i++)
        recent.add(new Span(Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong()), names[i % 4], i));
    });
  }
}
