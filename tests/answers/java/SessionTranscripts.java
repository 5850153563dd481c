import java.util.*;

/** Forty lines of a call centre write down what is said, into one text a line that is never begun anew. */
class SessionTranscripts {
  static class CallLine {
    final int number;
    private final StringBuilder transcript = new StringBuilder();
    private int calls;
    CallLine(int number) { this.number = number; }
    void said(String who, String words) { transcript.append(who).append(": ").append(words).append('\n'); }
    void hungUp() { calls++; transcript.append("--\n"); }
  }
  static class CallCenter {
    private final CallLine[] lines = new CallLine[40];
    CallCenter() { for (int n = 0; n < lines.length; n++) lines[n] = new CallLine(n); }
    void call(int n, int round) {
      CallLine line = lines[n % lines.length];
      for (int i = 0; i < 5; i++) line.said(i % 2 == 0 ? "agent" : "caller", "sentence " + i + " of call " + n + " on day " + round);
      line.hungUp();
    }
  }
  static final CallCenter CENTER = new CallCenter();
  public static void main(String[] args) throws Exception {
    Rounds.run(round -> { for (int n = 0; n < 4000; n++) CENTER.call(n, round); });
  }
}
