import java.util.*;
import java.util.logging.*;

/** Each tenant gets levels of logging of its own; the JDK keeps all levels that were ever made. */
class LogLevels {
  static class TenantLevel extends Level {
    private final String tenant;
    private final String[] words;
    TenantLevel(String tenant, int value) {
      super("AUDIT-" + tenant, value);
      this.tenant = tenant;
      this.words = new String[] {"audit of " + tenant, "notice of " + tenant, "alarm of " + tenant};
    }
  }
  static class AuditLog {
    private final Level level;
    private int lines;
    AuditLog(String tenant) { level = new TenantLevel(tenant, Level.INFO.intValue() + 10); }
    void say(String text) { if (level.intValue() > 800) lines += text.length(); }
  }
  static class Imports {
    int done;
    void run(String tenant) {
      AuditLog log = new AuditLog(tenant);
      log.say("begins");
      log.say("ends");
      done++;
    }
  }
  public static void main(String[] args) throws Exception {
    Imports imports = new Imports();
    Rounds.run(n -> { for (int i = 0; i < 1500; i++) imports.run("tenant-" + n + "-" + i); });
    System.err.println(imports.done);
  }
}
