import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.*;
import java.util.function.ToIntFunction;

/** Rules of prices are compiled to classes without a name, a class for each version of a rule. Versions that are out of use stay with the rule. */
public class CompiledRules {
  record Order(int amount, String customer) { }
  /** What a compiler would write for each rule. */
  public static class RuleTemplate implements ToIntFunction<Order> {
    private static final Map<String, Integer> HITS = new HashMap<>();
    private static final int[] STEPS = new int[120];
    @Override public int applyAsInt(Order order) {
      HITS.merge(order.customer(), 1, Integer::sum);
      return STEPS[order.amount() % STEPS.length] + order.amount();
    }
  }
  static class Rule {
    final String name;
    final List<ToIntFunction<Order>> versions = new ArrayList<>();
    Rule(String name) { this.name = name; }
    ToIntFunction<Order> newest() { return versions.get(versions.size() - 1); }
  }
  static class RuleBook {
    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private final byte[] code;
    RuleBook() throws Exception {
      try (InputStream in = RuleTemplate.class.getResourceAsStream("CompiledRules$RuleTemplate.class")) { code = in.readAllBytes(); }
    }
    @SuppressWarnings("unchecked") void change(String name) throws Exception {
      Class<?> compiled = MethodHandles.lookup().defineHiddenClass(code, true).lookupClass();
      rules.computeIfAbsent(name, Rule::new).versions.add((ToIntFunction<Order>) compiled.getDeclaredConstructor().newInstance());
    }
    int price(String name, Order order) { return rules.get(name).newest().applyAsInt(order); }
  }
  public static void main(String[] args) throws Exception {
    RuleBook book = new RuleBook();
    int[] sum = {0};
    Rounds.run(n -> {
      for (int i = 0; i < 250; i++) {
        book.change("rule-" + i % 25);
        for (int k = 0; k < 4; k++) sum[0] += book.price("rule-" + i % 25, new Order(i + k, "customer " + (i * 7 + k) % 300));
      }
    });
    System.err.println(sum[0]);
  }
}
