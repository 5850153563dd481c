import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;

/** Messages are written by codecs that are made by reflection when a kind of message first comes, and kept with its class. Each thread of a pool has a buffer and a stack of contexts that it uses again. */
class OkCodecs {
  record Money(long cents, String currency) { }
  record Line(String article, int count, Money price) { }
  record Order(String id, String customer, List<Line> lines, Map<String, String> notes) { }
  record Payment(String order, Money paid) { }
  record Parcel(String order, String number, double weight) { }
  record Complaint(String order, String text, int stars) { }
  record Answer(String complaint, String text) { }

  interface Codec { void write(Object value, Writing to) throws Throwable; }
  static class Writing {
    StringBuilder text = new StringBuilder(1 << 12);
    final Deque<String> path = new ArrayDeque<>();
    String taken() { String out = text.toString(); text.setLength(0); path.clear(); return out; }
  }
  static class RecordCodec implements Codec {
    private final String[] names;
    private final MethodHandle[] getters;
    RecordCodec(Class<?> type) throws IllegalAccessException {
      RecordComponent[] parts = type.getRecordComponents();
      names = new String[parts.length];
      getters = new MethodHandle[parts.length];
      for (int n = 0; n < parts.length; n++) {
        names[n] = parts[n].getName();
        getters[n] = MethodHandles.lookup().unreflect(parts[n].getAccessor()).asType(MethodType.methodType(Object.class, Object.class));
      }
    }
    @Override public void write(Object value, Writing to) throws Throwable {
      to.text.append('{');
      for (int n = 0; n < names.length; n++) {
        to.path.push(names[n]);
        to.text.append('"').append(names[n]).append("\":");
        any((Object) getters[n].invokeExact(value), to);
        to.text.append(',');
        to.path.pop();
      }
      to.text.append('}');
    }
  }
  static final ClassValue<Codec> CODECS = new ClassValue<>() {
    @Override protected Codec computeValue(Class<?> type) {
      try {
        if (type.isRecord()) return new RecordCodec(type);
        if (Collection.class.isAssignableFrom(type)) return (value, to) -> { to.text.append('['); for (Object each : (Collection<?>) value) any(each, to); to.text.append(']'); };
        if (Map.class.isAssignableFrom(type)) return (value, to) -> any(((Map<?, ?>) value).values(), to);
        return (value, to) -> to.text.append('"').append(value).append('"');
      } catch (IllegalAccessException e) {
        throw new IllegalArgumentException(e);
      }
    }
  };
  static void any(Object value, Writing to) throws Throwable { CODECS.get(value.getClass()).write(value, to); }

  static final ThreadLocal<Writing> WRITING = ThreadLocal.withInitial(Writing::new);
  static final ConcurrentMap<String, LongAdderByKind> SIZES = new ConcurrentHashMap<>();
  static class LongAdderByKind { final java.util.concurrent.atomic.LongAdder bytes = new java.util.concurrent.atomic.LongAdder(); final long[] buckets = new long[24]; }
  static int encode(Object message) {
    try {
      Writing writing = WRITING.get();
      any(message, writing);
      String text = writing.taken();
      LongAdderByKind sizes = SIZES.computeIfAbsent(message.getClass().getSimpleName(), kind -> new LongAdderByKind());
      sizes.bytes.add(text.length());
      sizes.buckets[Math.min(23, 32 - Integer.numberOfLeadingZeros(text.length()))]++;
      return text.length();
    } catch (Throwable t) {
      throw new IllegalStateException(t);
    }
  }

  static Object message(int round, int n) {
    int kinds = 2 + round;
    String id = round + "-" + n;
    return switch (n % kinds) {
      case 0 -> new Order(id, "customer " + n % 70, List.of(new Line("a" + n % 9, n, new Money(n, "EUR")), new Line("b", 1, new Money(2, "EUR"))), new TreeMap<>(Map.of("gift", "no")));
      case 1 -> new Payment(id, new Money(n * 3L, "EUR"));
      case 2 -> new Parcel(id, "P" + n, n / 7.0);
      case 3 -> new Complaint(id, "late by " + n + " days", n % 5);
      default -> new Answer(id, "we are sorry for " + n);
    };
  }

  public static void main(String[] args) throws Exception {
    ThreadPoolExecutor pool = new ThreadPoolExecutor(4, 12, 60, TimeUnit.SECONDS, new ArrayBlockingQueue<>(64), new ThreadPoolExecutor.CallerRunsPolicy());
    Rounds.run(round -> {
      List<Future<Integer>> all = new ArrayList<>();
      for (int n = 0; n < 3000; n++) {
        Object message = message(round, n);
        all.add(pool.submit(() -> encode(message)));
      }
      for (Future<Integer> each : all) each.get();
    });
  }
}
