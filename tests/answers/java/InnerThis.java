import java.util.ArrayList;
import java.util.List;

/** A handle of 16 bytes is kept; as an inner class it keeps the whole import around it. */
class InnerThis {
  static class ImportJob {
    final byte[] text = new byte[2000];
    class Handle { int id; }
    Handle handle() { return new Handle(); }
  }

  static class JobMonitor {
    final List<Object> handles = new ArrayList<>();
  }

  public static void main(String[] args) throws Exception {
    JobMonitor monitor = new JobMonitor();
    Rounds.run(n -> {
      for (int i = 0; i < 150; i++) monitor.handles.add(new ImportJob().handle());
    });
  }
}
