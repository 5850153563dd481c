import java.util.*;

/** A container makes a bean for each request, and notes each that can be closed, for the end of the application. */
class DisposableBeans {
  interface Disposable { void destroy(); }
  static class ReportExporter implements Disposable {
    final StringBuilder page = new StringBuilder(200);
    final Map<String, Object> model = new LinkedHashMap<>();
    ReportExporter() { model.put("rows", new int[20]); }
    public void destroy() { page.setLength(0); }
  }
  static class DisposableAdapter {
    final Object bean;
    final String name;
    DisposableAdapter(Object bean, String name) { this.bean = bean; this.name = name; }
  }
  static class BeanFactory {
    private final Map<String, Object> disposableBeans = new LinkedHashMap<>();
    private int made;
    ReportExporter exporter() {
      ReportExporter bean = new ReportExporter();
      String name = "reportExporter#" + made++;
      disposableBeans.put(name, new DisposableAdapter(bean, name));
      return bean;
    }
  }
  static class Application {
    final BeanFactory beanFactory = new BeanFactory();
    int export() { return beanFactory.exporter().model.size(); }
  }
  public static void main(String[] args) throws Exception {
    Application application = new Application();
    Rounds.run(n -> { for (int i = 0; i < 2000; i++) application.export(); });
  }
}
