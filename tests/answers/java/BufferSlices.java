import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Heads of messages are slices of whole receive buffers. */
class BufferSlices {
  static class Inbox {
    private final ConcurrentLinkedQueue<ByteBuffer> heads = new ConcurrentLinkedQueue<>();
    void receive(int n) {
      ByteBuffer whole = ByteBuffer.allocate(16384);
      whole.putInt(n);
      whole.flip();
      heads.add(whole.slice());
    }
  }
  static final Inbox INBOX = new Inbox();
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> { for (int i = 0; i < 60; i++) INBOX.receive(i); });
  }
}
