import java.lang.ref.WeakReference;
import java.util.*;

/** Equal names are made one by a weak table; each round has other names. */
class OkWeakCanon {
  record Name(String first, String last) { }
  static final Map<Name, WeakReference<Name>> KNOWN = new WeakHashMap<>();
  static Name canonical(Name name) {
    WeakReference<Name> known = KNOWN.get(name);
    Name found = known == null ? null : known.get();
    if (found == null) KNOWN.put(found = name, new WeakReference<>(name));
    return found;
  }
  public static void main(String[] args) throws Exception {
    List<Name> guests = new ArrayList<>();
    Rounds.run(n -> {
      guests.clear();
      for (int i = 0; i < 3000; i++) guests.add(canonical(new Name("guest " + i % 700, "of day " + n)));
    });
  }
}
