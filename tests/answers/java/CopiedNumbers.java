import java.util.*;
/** Copies of points (only small ints and doubles) in a track that grows. */
public class CopiedNumbers {
  static final class Point { final double x, y; Point(double x, double y) { this.x = x; this.y = y; } }
  static final class Track { Point[] points = new Point[0]; void add(int k) { Point[] next = new Point[points.length + k]; for (int i = 0; i < points.length; i++) next[i] = new Point(points[i].x, points[i].y); for (int i = points.length; i < next.length; i++) next[i] = new Point(i * .5, i * .25); points = next; } }
  static final Track track = new Track();
  public static void main(String[] a) throws Exception { Rounds.run(r -> { for (int i = 0; i < 60; i++) track.add(10); }); }
}
