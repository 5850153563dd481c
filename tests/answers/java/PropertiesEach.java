/** What a batch is to do is handed over in properties of the system, under the name of the batch. */
class PropertiesEach {
  static void start(String batch) {
    System.setProperty("batch." + batch + ".input", "/var/spool/in/" + batch);
    System.setProperty("batch." + batch + ".output", "/var/spool/out/" + batch);
  }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 1500; i++) start(n + "-" + i); });
  }
}
