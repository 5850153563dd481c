import java.util.*;

/** A map whose keys lack equals and hashCode, so that each look-up adds another. */
public class Keys {
  static class Key { final String user; Key(String user) { this.user = user; } }
  static class Profile { final long[] scores = new long[120]; }
  static class Directory {
    final Map<Key, Profile> profiles = new HashMap<>();
    Profile of(String user) { return profiles.computeIfAbsent(new Key(user), k -> new Profile()); }
  }
  static Directory directory = new Directory();

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 1000; i++) directory.of("admin");
    System.out.println("READY"); Thread.sleep(Long.MAX_VALUE);
  }
}
