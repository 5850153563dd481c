// Nodes that were removed stay as neighbours of hubs.
const rounds = require('./rounds');
class GraphNode { constructor(name) { this.name = name; this.edges = new Set(); this.weight = name.length; } }
class DependencyGraph {
  constructor() { this.nodes = new Map(); }
  add(name, ...to) { const node = new GraphNode(name); this.nodes.set(name, node); for (const other of to) { const t = this.nodes.get(other); t.edges.add(node); node.edges.add(t); } return node; }
  remove(name) { this.nodes.delete(name); }
}
const graph = new DependencyGraph();
for (let i = 0; i < 20; i++) graph.add(`hub${i}`);
let n = 0;
rounds(async () => { for (let i = 0; i < 500; i++, n++) { graph.add(`task${n}`, `hub${n % 20}`); graph.remove(`task${n}`); } });
