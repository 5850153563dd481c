import java.net.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

/** Many threads, many loaders, arrays of every type, deep inheritance, garbage; with `full` until memory ends. */
public class Crowd {
  static class A { byte a; Object one; }
  static class B extends A { long b; short c; Object two; }
  static class C extends B { boolean d; char e; int f; float g; double h; String three; }
  public static class Guest { static final List<Object> SEEN = new ArrayList<>(); byte[] luggage = new byte[7]; { SEEN.add(this); } }
  static class Loader extends URLClassLoader {
    Loader(URL[] urls) { super(urls, null); }
    @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
      return name.startsWith("Crowd") ? super.findClass(name) : ClassLoader.getSystemClassLoader().loadClass(name);
    }
  }
  static final List<Object> KEPT = new ArrayList<>();

  static void deep(int n, Object[] held, CountDownLatch ready) throws Exception {
    if (n > 0) { deep(n - 1, new Object[] { held }, ready); return; }
    ready.countDown();
    Thread.sleep(Long.MAX_VALUE);
  }

  public static void main(String[] args) throws Exception {
    URL[] here = { Paths.get(args[0]).toUri().toURL() };
    for (int i = 0; i < 40; i++) {
      var made = new Loader(here).loadClass("Crowd$Guest").getDeclaredConstructor();
      KEPT.add(made.newInstance());
    }
    for (int i = 0; i < 3000; i++) {
      C c = new C(); c.a = (byte) i; c.b = i; c.e = 'x'; c.one = new A(); c.two = new B();
      c.three = (i % 3 == 0 ? "\u017elu\u0165 " : "text ") + i;
      KEPT.add(c);
      KEPT.add(new Object[][] { new boolean[i % 5][], { new char[i % 7], new float[i % 4], new double[i % 3] },
        { new byte[i % 17], new short[i % 9], new int[i % 6], new long[i % 4] }, { (Runnable) () -> KEPT.add(c) } });
    }
    CountDownLatch ready = new CountDownLatch(60);
    for (int i = 0; i < 60; i++) {
      Object[] held = { new byte[100 + i] };
      int depth = i % 9;
      Thread thread = new Thread(() -> { try { deep(depth, held, ready); } catch (Exception e) { throw new Error(e); } }, "guest " + i);
      thread.setDaemon(true);
      thread.start();
    }
    ready.await();
    for (int i = 0; i < 20000; i++) new ArrayList<Object>(List.of(i, "garbage " + i)).add(new C());
    System.out.println("READY");
    if (args.length > 1) for (List<Object> full = new ArrayList<>(); ; ) full.add(new String[100]);
    Thread.sleep(Long.MAX_VALUE);
  }
}
