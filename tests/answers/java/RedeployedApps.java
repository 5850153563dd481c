import java.io.*;
import java.util.*;

/** Each redeployment of an application leaves its class loader behind, because of a thread local of a server's thread. */
class RedeployedApps {
  static class WebAppLoader extends ClassLoader {
    final String app;
    final byte[] resources = new byte[30_000];
    WebAppLoader(String app) { super(null); this.app = app; }
    @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
      try (InputStream in = RedeployedApps.class.getResourceAsStream(name + ".class")) {
        byte[] code = in.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) { throw new ClassNotFoundException(name); }
    }
  }
  public static class ShopContext {
    static final ThreadLocal<Object> CURRENT = new ThreadLocal<>();
    static final Map<String, String> SETTINGS = new HashMap<>();
    public static void start() {
      for (int i = 0; i < 60; i++) SETTINGS.put("key" + i, "value" + i);
      CURRENT.set(new ShopContext());
    }
  }
  public static void main(String[] args) throws Exception {
    Rounds.run(n -> {
      for (int i = 0; i < 12; i++) {
        Class<?> context = new WebAppLoader("shop-" + n + "-" + i).loadClass("RedeployedApps$ShopContext");
        context.getMethod("start").invoke(null);
      }
    });
  }
}
