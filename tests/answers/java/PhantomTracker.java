import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;

/** Handles are tracked by phantom references, which keep a description. Nobody reads the queue. */
class PhantomTracker {
  static class Handle { final int number; Handle(int number) { this.number = number; } }
  static class Tracked extends PhantomReference<Handle> {
    final String description;
    final StackTraceElement[] opened = new Throwable().getStackTrace();
    final byte[] state = new byte[200];
    Tracked(Handle handle, ReferenceQueue<Handle> queue) { super(handle, queue); description = "handle " + handle.number; }
  }
  static class HandleTracker {
    final ReferenceQueue<Handle> gone = new ReferenceQueue<>();
    final Set<Tracked> open = ConcurrentHashMap.newKeySet();
    void track(Handle handle) { open.add(new Tracked(handle, gone)); }
  }
  static final HandleTracker TRACKER = new HandleTracker();

  public static void main(String[] args) throws Exception {
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 800; i++) TRACKER.track(new Handle(count[0]++)); });
  }
}
