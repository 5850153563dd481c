import java.util.*;
/** Segments of 700 entries, 500 a round, kept. */
public class SegmentFiles {
  record Entry(long n, String message) { }
  static final class Segment { final long base; final ArrayList<Entry> entries = new ArrayList<>(); Segment(long b) { base = b; } }
  static final class Wal { private final List<Segment> segments = new ArrayList<>(); long next; void append(String m) { if (segments.isEmpty() || segments.get(segments.size() - 1).entries.size() == 700) segments.add(new Segment(next)); segments.get(segments.size() - 1).entries.add(new Entry(next++, m)); } }
  static final Wal wal = new Wal();
  public static void main(String[] a) throws Exception { Rounds.run(r -> { for (int i = 0; i < 500; i++) wal.append("message " + wal.next); }); }
}
