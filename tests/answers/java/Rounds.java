import java.io.IOException;

/** Calls the work four times (or one more than ROUNDS says). Before each line "dump" that it writes, a round is over; it waits until a line comes. */
class Rounds {
  interface Work {
    void round(int n) throws Exception;
  }

  static void run(Work work) throws Exception {
    int last = Integer.parseInt(System.getenv().getOrDefault("ROUNDS", "3"));
    for (int n = 0; n <= last; n++) {
      work.round(n);
      if (n == 0) continue;
      System.out.println("dump");
      while (System.in.read() != '\n') { }
    }
    Runtime.getRuntime().halt(0);
  }
}
