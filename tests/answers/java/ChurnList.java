import java.util.*;
/** A list of jobs; a round adds 1500, most are removed (removeIf), 300 stay. */
public class ChurnList {
  static final class Job { final long id; final String name; Job(long id) { this.id = id; name = "job " + id; } }
  static final class Runner { private final List<Job> jobs = new ArrayList<>(); }
  static final Runner runner = new Runner();
  public static void main(String[] a) throws Exception { long[] id = {100000}; Rounds.run(r -> { for (int i = 0; i < 1500; i++) runner.jobs.add(new Job(id[0]++)); runner.jobs.removeIf(j -> j.id % 5 != 0); }); }
}
