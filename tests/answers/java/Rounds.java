import java.io.IOException;

/** Calls the work four times. Before each line "dump" that it writes, a round is over; it waits until a line comes. */
class Rounds {
  interface Work {
    void round(int n) throws Exception;
  }

  static void run(Work work) throws Exception {
    for (int n = 0; n < 4; n++) {
      work.round(n);
      if (n == 0) continue;
      System.out.println("dump");
      while (System.in.read() != '\n') { }
    }
    Runtime.getRuntime().halt(0);
  }
}
