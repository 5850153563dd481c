import java.util.*;

/** Of each result the first rows are kept for a preview, as a part of the whole list, which stays with it. */
class SubLists {
  static class Row { final String name; final double[] values = new double[6]; Row(String name) { this.name = name; } }
  static class Previews {
    private final Map<Integer, List<Row>> heads = new TreeMap<>();
    void keep(int query, List<Row> rows) { heads.put(query, rows.subList(0, 3)); }
  }
  private final Previews previews = new Previews();
  private static SubLists application;

  public static void main(String[] args) throws Exception {
    application = new SubLists();
    int[] query = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 100; i++) {
        List<Row> rows = new ArrayList<>();
        for (int k = 0; k < 50; k++) rows.add(new Row("row " + k + " of " + query[0]));
        application.previews.keep(query[0]++, rows);
      }
    });
  }
}
