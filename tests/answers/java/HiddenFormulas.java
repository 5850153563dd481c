import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;

/** Formulas of a sheet become hidden classes that are defined STRONG, and so stay with their loader; each has a table of what it has read. Open sheets become more. */
public class HiddenFormulas {
  /** What all formulas are made of. */
  public static class Formula {
    static final double[] CELLS = new double[64];
    static final Object[] NAMES = new Object[8];

    public static double value(double cell) {
      CELLS[(int) cell % CELLS.length] = cell;
      NAMES[(int) cell % NAMES.length] = "cell " + cell;
      return cell * 2;
    }
  }

  static class Sheet {
    final String name;
    final MethodHandle formula;

    Sheet(String name, MethodHandle formula) {
      this.name = name;
      this.formula = formula;
    }
  }

  static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  final byte[] code;
  final ArrayDeque<Sheet> open = new ArrayDeque<>();
  int last;

  HiddenFormulas() throws Exception {
    try (InputStream in = HiddenFormulas.class.getResourceAsStream("HiddenFormulas$Formula.class")) {
      code = in.readAllBytes();
    }
  }

  MethodHandle compile() throws Exception {
    MethodHandles.Lookup made = LOOKUP.defineHiddenClass(code, true, MethodHandles.Lookup.ClassOption.STRONG);
    return made.findStatic(made.lookupClass(), "value", MethodType.methodType(double.class, double.class));
  }

  void open(int most) throws Exception {
    Sheet sheet = new Sheet("sheet " + last++, compile());
    try {
      for (int n = 0; n < 70; n++) sheet.formula.invoke((double) n);
    } catch (Throwable failed) {
      throw new IllegalStateException(failed);
    }
    open.add(sheet);
    while (open.size() > most) open.poll();
  }

  public static void main(String[] arguments) throws Exception {
    HiddenFormulas desk = new HiddenFormulas();
    int[] together = {10, 20, 30, 40};
    Rounds.run(round -> {
      for (int n = 0; n < 300; n++) desk.open(together[round]);
    });
  }
}
