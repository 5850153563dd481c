import java.nio.ByteBuffer;
import java.util.*;

/** Off-heap pages of tables are reached by handles in an array that grows. */
class MappedFiles {
  static class Page { final ByteBuffer data; final String table; Page(String table) { this.table = table; data = ByteBuffer.allocateDirect(8192); } }
  static class PageStore {
    private Page[] pages = new Page[16];
    private int used;
    int load(String table) { if (used == pages.length) pages = Arrays.copyOf(pages, used * 2); pages[used] = new Page(table); return used++; }
  }
  static class Engine { final PageStore store = new PageStore(); private static final Engine DEFAULT = new Engine(); }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 500; i++) Engine.DEFAULT.store.load("orders-" + n + "-" + i); });
  }
}
