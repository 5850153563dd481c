import java.lang.ref.Cleaner;

/** What cleans up after a block refers to the block, so that its time never comes. */
class CleanerSelf {
  private static final Cleaner CLEANER = Cleaner.create();
  static final class NativeBlock {
    final long address; final byte[] head = new byte[300];
    NativeBlock(long address) { this.address = address; CLEANER.register(this, this::free); }
    void free() { head[0] = 1; }
  }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 700; i++) new NativeBlock(n * 700L + i); });
  }
}
