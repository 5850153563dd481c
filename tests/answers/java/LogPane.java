import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import javax.swing.text.BadLocationException;
import javax.swing.text.DefaultStyledDocument;
import javax.swing.text.SimpleAttributeSet;
import javax.swing.text.StyleConstants;

/** The console of a desktop program shows lines of a document and never cuts it; jobs that run become more and go. */
public class LogPane {
  static class Job {
    final int number;
    final Map<String, String> settings = new HashMap<>();

    Job(int number) {
      this.number = number;
      settings.put("folder", "/data/job-" + number);
      settings.put("user", "user " + number % 50);
    }
  }

  static class Console {
    final DefaultStyledDocument document = new DefaultStyledDocument();

    void line(String text, boolean loud) throws BadLocationException {
      SimpleAttributeSet style = new SimpleAttributeSet();
      StyleConstants.setBold(style, loud);
      document.insertString(document.getLength(), text + "\n", style);
    }
  }

  final Console console = new Console();
  final ArrayDeque<Job> running = new ArrayDeque<>();
  int last;

  void start(int most) throws BadLocationException {
    Job job = new Job(last++);
    running.add(job);
    console.line("job " + job.number + " of " + job.settings.get("user") + " has started", false);
    while (running.size() > most) console.line("job " + running.poll().number + " has ended", true);
  }

  public static void main(String[] arguments) throws Exception {
    System.setProperty("java.awt.headless", "true");
    LogPane window = new LogPane();
    int[] together = {50, 100, 150, 200};
    Rounds.run(round -> {
      for (int n = 0; n < 1_200; n++) window.start(together[round]);
    });
  }
}
