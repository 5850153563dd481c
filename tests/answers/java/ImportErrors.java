import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A service that lives as long as the process collects what went wrong in its imports, and nobody takes it out. */
public class ImportErrors {
  record Line(int number, String text) { }

  static final class ImportException extends Exception {
    final Line line;

    ImportException(Line line, IOException cause) {
      super("line " + line.number() + " cannot be read", cause);
      this.line = line;
    }
  }

  static final class ImportService {
    private final ExecutorService workers = Executors.newFixedThreadPool(4);
    private final List<ImportException> problems = Collections.synchronizedList(new ArrayList<>());

    int importFile(String name, int lines) throws Exception {
      List<Callable<Integer>> parts = new ArrayList<>();
      for (int part = 0; part < 4; part++) {
        int first = part;
        parts.add(() -> importLines(name, first, lines));
      }
      int good = 0;
      for (Future<Integer> part : workers.invokeAll(parts)) good += part.get();
      return good;
    }

    private int importLines(String name, int first, int lines) {
      int good = 0;
      for (int n = first; n < lines; n += 4) {
        try {
          read(new Line(n, name + ";" + n + ";" + n * 7));
          good++;
        } catch (ImportException problem) {
          problems.add(problem);
        }
      }
      return good;
    }

    private void read(Line line) throws ImportException {
      try {
        if (line.number() % 20 == 7) throw new IOException("a field is missing in " + line.text());
      } catch (IOException missing) {
        throw new ImportException(line, missing);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    ImportService service = new ImportService();
    Rounds.run(round -> {
      for (int n = 0; n < 10; n++) service.importFile("file-" + round + "-" + n, 1_000);
    });
  }
}
