import java.util.ArrayList;
import java.util.List;

/** Batches of work that are done at the end of each round. */
class OkBatch {
  static class Invoice { final long[] lines = new long[20]; }

  static List<Invoice> open = new ArrayList<>();
  static long total;

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 5000; i++) open.add(new Invoice());
      for (Invoice invoice : open) total += invoice.lines.length;
      open = new ArrayList<>();
    });
  }
}
