import java.util.*;

/** A report that main builds line by line is never written: its rows hang on a variable of a method that runs. */
class ReportRows {
  static class ReportRow { final String text; final Map<String, Integer> cells = new TreeMap<>(); ReportRow(int n) { text = "row " + n; for (int i = 0; i < 6; i++) cells.put("cell" + i, n); } }

  public static void main(String[] args) throws Exception {
    LinkedList<ReportRow> rows = new LinkedList<>();
    Rounds.run(n -> { for (int i = 0; i < 900; i++) rows.addFirst(new ReportRow(rows.size())); });
  }
}
