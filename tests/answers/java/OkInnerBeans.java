import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** A report is a bean of scope prototype, and has a formatter that is a bean inside it, as each report has its own. */
public class OkInnerBeans {
  public static class Formatter {
    private String pattern;

    public void setPattern(String pattern) { this.pattern = pattern; }

    String format(long cents) { return String.format(pattern, cents / 100.0); }
  }

  public static class Report {
    private Formatter formatter;
    private final StringBuilder lines = new StringBuilder();

    public void setFormatter(Formatter formatter) { this.formatter = formatter; }

    void add(long cents) { lines.append(formatter.format(cents)).append('\n'); }

    int length() { return lines.length(); }
  }

  static class Reports {
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private long characters;

    Reports() {
      beans.registerBeanDefinition("report", BeanDefinitionBuilder.genericBeanDefinition(Report.class)
          .setScope("prototype")
          .addPropertyValue("formatter", BeanDefinitionBuilder.genericBeanDefinition(Formatter.class)
              .addPropertyValue("pattern", "%.2f EUR").getBeanDefinition())
          .getBeanDefinition());
    }

    void make(int day) {
      Report report = beans.getBean("report", Report.class);
      for (int i = 0; i < 10; i++) report.add(day * 100L + i);
      characters += report.length();
    }
  }

  public static void main(String[] arguments) throws Exception {
    Reports reports = new Reports();
    Rounds.run(round -> {
      for (int i = 0; i < 2_000; i++) reports.make(i);
    });
  }
}
