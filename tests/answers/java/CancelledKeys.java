import java.io.IOException;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;
import java.util.*;

/** Conversations by datagrams register with a selector and are closed. The thread that would select is gone, and the selector lets go of nothing before it selects again. */
class CancelledKeys {
  static class Conversation {
    final String peer;
    final List<String> lines = new ArrayList<>();
    Conversation(String peer) {
      this.peer = peer;
      for (int n = 0; n < 12; n++) lines.add("line " + n + " to " + peer);
    }
  }
  static class Switchboard {
    private final Selector selector;
    Switchboard() throws IOException { selector = Selector.open(); }
    void talk(String peer) throws IOException {
      try (DatagramChannel channel = DatagramChannel.open()) {
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, new Conversation(peer));
      }
    }
  }
  public static void main(String[] args) throws Exception {
    Switchboard board = new Switchboard();
    Rounds.run(n -> { for (int i = 0; i < 300; i++) board.talk("peer-" + n + "-" + i); });
    System.err.println(board.selector.isOpen());
  }
}
