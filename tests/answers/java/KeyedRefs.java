import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
/** Map of WeakReference subclass; nobody polls the queue. */
public class KeyedRefs {
  static final class Image { final byte[] pixels = new byte[64]; }
  static final class KeyedRef extends WeakReference<Image> { final String key; KeyedRef(String k, Image i, ReferenceQueue<Image> q) { super(i, q); key = k; } }
  static final class Thumbnails { private final Map<String, KeyedRef> refs = new ConcurrentHashMap<>(); private final ReferenceQueue<Image> queue = new ReferenceQueue<>(); Image get(String k) { KeyedRef r = refs.get(k); Image i = r == null ? null : r.get(); if (i == null) refs.put(k, new KeyedRef(k, i = new Image(), queue)); return i; } }
  static final Thumbnails THUMBNAILS = new Thumbnails();
  public static void main(String[] a) throws Exception { int[] n = {0}; Rounds.run(r -> { for (int i = 0; i < 1000; i++) THUMBNAILS.get("/img/" + n[0]++ + ".webp"); }); }
}
