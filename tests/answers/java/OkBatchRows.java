import java.util.*;
/** A batch dumped in its middle; more rows each time. */
public class OkBatchRows {
  static final class Row { final long n; final String[] cols; Row(long n) { this.n = n; cols = new String[] {"a" + n, "b" + n}; } }
  static final class Job { List<Row> rows = new ArrayList<>(); final Map<String, long[]> totals = new HashMap<>(); }
  static final Job job = new Job();
  public static void main(String[] a) throws Exception { long[] n = {5000}; Rounds.run(r -> { job.rows = new ArrayList<>(); for (int i = 0; i < 300 + 300 * r; i++) { Row x = new Row(n[0]++); job.rows.add(x); job.totals.computeIfAbsent("k" + x.n % 50, k -> new long[1])[0]++; } }); }
}
