import java.util.*;
/** Newest first: addFirst on a LinkedList / ArrayDeque, never trimmed. */
public class DequeFirst {
  static final class Activity { final String who; final long[] what = new long[4]; Activity(int n) { who = "user" + n; what[0] = n; } }
  static final class Feed { private final Deque<Activity> recent = new LinkedList<>(); void add(Activity x) { recent.addFirst(x); } }
  private static final Feed feed = new Feed();
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 600; i++) feed.add(new Activity(n[0]++)); }); }
}
