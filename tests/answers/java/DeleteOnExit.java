import java.io.File;

/** Temporary files are deleted by the program, and registered to be deleted at its end too. */
class DeleteOnExit {
  static void convert(int n) {
    File file = new File("/tmp/none/conversion-" + n + "-" + "x".repeat(40) + ".tmp");
    file.deleteOnExit();
    file.delete();
  }
  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 4000; i++) convert(count[0]++); });
  }
}
