import java.lang.ref.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.util.*;

/** A shop that forgets nothing: sessions that stay, equal strings, maps with hardly anything in them, one class in two
 *  loaders, a thread that holds a cart on its stack, every kind of reference. */
public class Shop {
  static class Session { int id; String user; String country; byte[] page = new byte[200]; Map<String, String> options = new HashMap<>(64); List<Object> log = new ArrayList<>(); }
  static class Cart { String name; Object[] items = new Object[20]; Cart(String name) { this.name = name; } }
  public static class Plugin { public Plugin() {} static Object held = new long[100]; String text = "plugin"; }
  static class Loader extends URLClassLoader {
    Loader(URL[] urls) { super(urls, null); }
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.startsWith("Shop")) return ClassLoader.getSystemClassLoader().loadClass(name);
      return super.findClass(name);
    }
  }
  static final Map<Integer, Session> SESSIONS = new LinkedHashMap<>();
  static final List<Object> PLUGINS = new ArrayList<>();
  static WeakReference<Object> weak; static SoftReference<Object> soft; static PhantomReference<Object> phantom;
  static ByteBuffer buffer;

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 500; i++) {
      Session s = new Session();
      s.id = i; s.user = "user " + i; s.country = new String("Curaçao".toCharArray());
      if (i % 50 == 0) s.options.put("theme", "dark");
      SESSIONS.put(i, s);
    }
    weak = new WeakReference<>(SESSIONS.get(7)); soft = new SoftReference<>(new byte[300]);
    phantom = new PhantomReference<>(SESSIONS.get(8), new ReferenceQueue<>());
    buffer = ByteBuffer.allocateDirect(4096);
    URL[] here = { Paths.get(args[0]).toUri().toURL() };
    for (int i = 0; i < 2; i++) { var c = new Loader(here).loadClass("Shop$Plugin").getDeclaredConstructor(); c.setAccessible(true); PLUGINS.add(c.newInstance()); };
    Thread clerk = new Thread(() -> serve(new Cart("žluť 🛒")), "clerk č. 1");
    clerk.setDaemon(true); clerk.start();
    System.out.println("READY"); Thread.sleep(Long.MAX_VALUE);
  }
  static void serve(Cart cart) { cart.items[3] = new String[] { "socks", null }; try { Thread.sleep(Long.MAX_VALUE); } catch (InterruptedException e) { } System.out.println(cart.name); }
}
