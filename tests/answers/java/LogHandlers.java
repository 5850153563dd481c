import java.util.logging.*;

/** Each import adds a handler to the logger of the importer, to collect its messages, and leaves it there. */
class LogHandlers {
  static class CollectingHandler extends Handler {
    final java.util.List<String> lines = new java.util.ArrayList<>();
    @Override public void publish(LogRecord record) { if (lines.size() < 20) lines.add(record.getMessage()); }
    @Override public void flush() { }
    @Override public void close() { }
  }
  static final Logger IMPORT_LOG = Logger.getLogger("acme.import");

  static void importFile(int n) {
    IMPORT_LOG.addHandler(new CollectingHandler());
    if (n % 25 == 0) IMPORT_LOG.info("file " + n);
  }
  public static void main(String[] args) throws Exception {
    IMPORT_LOG.setUseParentHandlers(false);
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 600; i++) importFile(count[0]++); });
  }
}
