import java.io.*;

/** A trace is written to memory, and nobody takes it out. */
class TraceBuffer {
  static class Tracer {
    private final ByteArrayOutputStream trace = new ByteArrayOutputStream();
    void line(String text) { byte[] bytes = text.getBytes(); trace.write(bytes, 0, bytes.length); }
  }
  private static final Tracer TRACER = new Tracer();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 6000 * (n + 1); i++) TRACER.line("enter method " + i + " of round " + n + "\n"); });
  }
}
