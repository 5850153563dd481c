import java.io.*;
import java.util.*;

/** A journal writes its entries to one stream of objects, which is never reset: the stream remembers each that was written. */
class ObjectStreamHandles {
  static class Entry implements Serializable {
    final String account;
    final long[] amounts = new long[10];
    final String text;
    Entry(String account, int n) { this.account = account; this.amounts[0] = n; this.text = "entry " + n + " of " + account; }
  }
  static class NullFile extends OutputStream {
    long written;
    @Override public void write(int b) { written++; }
    @Override public void write(byte[] bytes, int from, int count) { written += count; }
  }
  static class Journal {
    private final NullFile file = new NullFile();
    private final ObjectOutputStream out;
    Journal() throws IOException { out = new ObjectOutputStream(file); }
    void append(Entry entry) throws IOException { out.writeObject(entry); out.flush(); }
  }
  static class Bookkeeping {
    final Journal journal;
    final Map<String, Long> balances = new HashMap<>();
    Bookkeeping(Journal journal) { this.journal = journal; }
    void book(String account, int n) throws IOException { journal.append(new Entry(account, n)); balances.merge(account, (long) n, Long::sum); }
  }
  public static void main(String[] args) throws Exception {
    Bookkeeping books = new Bookkeeping(new Journal());
    Rounds.run(n -> { for (int i = 0; i < 2000; i++) books.book("account-" + i % 50, n * 2000 + i); });
    System.err.println(books.balances.size());
  }
}
