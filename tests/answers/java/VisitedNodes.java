import java.util.*;

/** A walker of graphs remembers what it has seen by identity, and is kept between walks. */
class VisitedNodes {
  static class GraphNode { final String name; GraphNode next; GraphNode(String name) { this.name = name; } }
  static class Walker {
    private final Set<GraphNode> visited = Collections.newSetFromMap(new IdentityHashMap<>());
    int walk(GraphNode node) { int n = 0; for (; node != null && visited.add(node); node = node.next) n++; return n; }
  }
  public static void main(String[] args) throws Exception {
    Walker walker = new Walker();
    Rounds.run(n -> {
      for (int i = 0; i < 400; i++) {
        GraphNode first = new GraphNode("start " + n + "-" + i);
        GraphNode last = first;
        for (int k = 0; k < 9; k++) last = last.next = new GraphNode("node " + k);
        walker.walk(first);
      }
    });
  }
}
