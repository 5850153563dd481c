import java.util.*;

/** A bean of a container, one for the process, keeps all results of its calls in a field. */
class BeanHistory {
  static class BeanFactory {
    private final Map<String, Object> singletonObjects = new HashMap<>();
    <T> T add(String name, T bean) { singletonObjects.put(name, bean); return bean; }
    Object getBean(String name) { return singletonObjects.get(name); }
  }
  static class ApplicationContext { final BeanFactory beanFactory = new BeanFactory(); }
  static class Decision {
    final String rule; final Map<String, String> facts = new TreeMap<>();
    Decision(int n) { rule = "rule-" + n; facts.put("country", "NO"); facts.put("amount", "" + n); }
  }
  static class RuleEngine {
    private final Deque<Decision> decisions = new LinkedList<>();
    void decide(int n) { decisions.addFirst(new Decision(n)); }
  }
  static class OrderService {
    private final RuleEngine rules;
    OrderService(RuleEngine rules) { this.rules = rules; }
    void order(int n) { rules.decide(n); }
  }
  public static void main(String[] args) throws Exception {
    ApplicationContext context = new ApplicationContext();
    RuleEngine rules = context.beanFactory.add("ruleEngine", new RuleEngine());
    context.beanFactory.add("orderService", new OrderService(rules));
    int[] count = {0};
    Rounds.run(n -> { for (int i = 0; i < 900; i++) ((OrderService) context.beanFactory.getBean("orderService")).order(count[0]++); });
  }
}
