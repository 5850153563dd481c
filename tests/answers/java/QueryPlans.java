import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Plans of queries are kept by their text, and the text has the numbers that are looked for. */
class QueryPlans {
  static final class QueryPlan {
    final String sql; final List<String> columns = new ArrayList<>(); final Map<String, Integer> parameters = new HashMap<>();
    QueryPlan(String sql) {
      this.sql = sql;
      for (int i = 0; i < 10; i++) { columns.add("column_" + i + "_of_" + sql.hashCode()); parameters.put("p" + i, i); }
    }
  }
  static final class QueryPlanCache {
    private final ConcurrentHashMap<String, QueryPlan> plans = new ConcurrentHashMap<>();
    QueryPlan get(String sql) { return plans.computeIfAbsent(sql, QueryPlan::new); }
  }
  static final class SessionFactory {
    final QueryPlanCache planCache = new QueryPlanCache();
    int find(String ids) { return planCache.get("select * from orders where id in (" + ids + ")").columns.size(); }
  }
  public static void main(String[] args) throws Exception {
    SessionFactory factory = new SessionFactory();
    Rounds.run(n -> { for (int i = 0; i < 400; i++) factory.find(n + ", " + i + ", " + (i * 7)); });
  }
}
