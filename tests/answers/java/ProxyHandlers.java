import java.lang.reflect.*;
import java.util.*;

/** Services are wrapped in proxies that measure, and all proxies are kept for a list that an operator may ask for. */
class ProxyHandlers {
  interface Orders { String find(int id); }
  static class Measuring implements InvocationHandler {
    private final Orders target;
    private final long[] times = new long[24];
    private int calls;
    Measuring(Orders target) { this.target = target; }
    @Override public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
      times[calls++ % times.length]++;
      return method.invoke(target, args);
    }
  }
  static class Registry {
    private static final Registry INSTANCE = new Registry();
    private final Set<Object> wrapped = Collections.newSetFromMap(new IdentityHashMap<>());
    Orders wrap(Orders orders) {
      Object proxy = Proxy.newProxyInstance(Orders.class.getClassLoader(), new Class<?>[] {Orders.class}, new Measuring(orders));
      wrapped.add(proxy);
      return (Orders) proxy;
    }
  }

  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 1500; i++) {
        String prefix = "order " + n + "/" + i;
        Registry.INSTANCE.wrap(id -> prefix + id).find(i);
      }
    });
  }
}
