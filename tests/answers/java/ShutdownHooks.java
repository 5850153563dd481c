/** Each export job adds a hook for the end of the process, and none takes it away. */
class ShutdownHooks {
  static class ExportJob {
    final StringBuilder text = new StringBuilder(600);
    final String file;
    ExportJob(int n) {
      file = "export-" + n + ".csv";
      Runtime.getRuntime().addShutdownHook(new Thread(this::cleanUp, "cleanup-" + n));
    }
    void cleanUp() { text.setLength(0); }
  }
  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 400; i++) new ExportJob(count[0]++); });
  }
}
