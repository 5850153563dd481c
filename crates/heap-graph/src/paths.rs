//! Why is it alive: shortest retaining paths, and paths that share no node between root and target.

use std::collections::VecDeque;

use crate::graph::{Graph, Link, NONE};
use crate::rules::Rules;
use heap_base::{BitSet, Map, Set, sort_by};

/// A way from a root to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The root it starts from.
    pub root: u32,
    /// Numbers of its edges, in order; none if the root itself is the target.
    pub edges: Vec<u32>,
}

/// Where a search starts.
const START: u32 = NONE - 1;
/// Against the flow through a node.
const INSIDE: u32 = NONE - 2;

/// Shortest retaining paths from the roots to every node.
#[derive(Clone, Debug)]
pub struct Paths<'a> {
    graph: &'a Graph,
    /// The last edge on the way to each node; [`START`] for roots, [`NONE`] where there is no way.
    via: Vec<u32>,
}

impl<'a> Paths<'a> {
    /// Searches breadth first, not beyond nodes in `avoid`; stops early once it has found all of `targets`.
    /// Of several shortest paths it takes the one whose edges come first. O(N + E) time, 8·N bytes
    /// at most.
    pub fn new(graph: &'a Graph, rules: &Rules, avoid: &BitSet, targets: Option<&BitSet>) -> Self {
        if graph.has_few() {
            // What a search meets has a place.
            let place = |node| graph.place(node).map_or(usize::MAX, |place| place as usize);
            Self::search(graph, rules, avoid, targets, (place, |edge| graph.link(edge)))
        } else {
            let link = |edge| graph.links[edge as usize].into();
            Self::search(graph, rules, avoid, targets, (|node| node as usize, link))
        }
    }

    fn search(
        graph: &'a Graph,
        rules: &Rules,
        avoid: &BitSet,
        targets: Option<&BitSet>,
        (place, link): (impl Fn(u32) -> usize, impl Fn(u32) -> Link),
    ) -> Self {
        let mut via = vec![NONE; graph.places() as usize];
        let mut queue: VecDeque<u32> = VecDeque::new();
        let mut left = targets.map_or(u64::MAX, BitSet::count);
        let mut meet = |node: u32, edge: u32, via: &mut [u32], queue: &mut VecDeque<u32>| {
            let Some(slot) = via.get_mut(place(node)).filter(|slot| **slot == NONE) else { return false };
            *slot = edge;
            if !avoid.contains(node) {
                queue.push_back(node);
            }
            if targets.is_some_and(|targets| targets.contains(node)) {
                left -= 1;
            }
            left == 0
        };
        for &root in rules.roots() {
            if meet(root, START, &mut via, &mut queue) {
                return Self { graph, via };
            }
        }
        while let Some(node) = queue.pop_front() {
            let gate = rules.gate(node);
            for edge in graph.range(node).map(|edge| edge as u32) {
                let link = link(edge);
                if gate.retains(link) && meet(link.end(), edge, &mut via, &mut queue) {
                    return Self { graph, via };
                }
            }
        }
        Self { graph, via }
    }

    fn via(&self, node: u32) -> u32 {
        let place = self.graph.place(node);
        place.and_then(|place| self.via.get(place as usize)).copied().unwrap_or(NONE)
    }

    /// The last edge on the shortest way to `target`.
    pub fn last(&self, target: u32) -> Option<u32> {
        Some(self.via(target)).filter(|&edge| edge < INSIDE)
    }

    /// The shortest way to `target`, if there is one.
    pub fn path(&self, target: u32) -> Option<Path> {
        if self.via(target) == NONE {
            return None;
        }
        let mut edges = Vec::new();
        let mut node = target;
        while let Some(edge) = self.last(node) {
            edges.push(edge);
            node = self.graph.source(edge);
        }
        edges.reverse();
        Some(Path { root: node, edges })
    }
}

/// Paths of [`disjoint`], and why there are not more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disjoint {
    /// Shortest first.
    pub paths: Vec<Path>,
    /// Nodes, one on each of the paths, through which all others lead: why there are no more. Empty if as many
    /// were found as asked for. A path from a root straight to its target has none.
    pub through: Vec<u32>,
}

/// Up to `k` retaining paths from the roots to `target` that share no node between their root and `target`,
/// shortest first; none of them goes through a node in `avoid`.
///
/// Each is the shortest that touches none before it, as a reader expects. Where that leaves fewer than there
/// are, those found are rerouted by augmentation (Menger, Ford and Fulkerson), so the number of paths is always the
/// smaller of `k` and the largest possible. Several edges from one root straight to `target` count as one
/// path. O(k·(N + E)) time, 8·N bytes.
///
/// `hubs` are nodes that stand for the roots, such as the sections into which a dump sorts them. Paths may share them: each
/// is looked for from a hub on, and is then lengthened by the shortest way there.
pub fn disjoint(
    graph: &Graph,
    rules: &Rules,
    avoid: &BitSet,
    hubs: &BitSet,
    target: u32,
    k: usize,
) -> Disjoint {
    if k == 0 || target >= graph.nodes() {
        return Disjoint::default();
    }
    let none = BitSet::default();
    let hubs = if hubs.contains(target) { &none } else { hubs };
    if rules.is_root(target) {
        return Disjoint { paths: vec![Path { root: target, edges: Vec::new() }], through: Vec::new() };
    }
    let mut flow = Flow {
        graph,
        rules,
        avoid,
        hubs,
        target,
        first: Set::default(),
        next: Map::default(),
        into: Map::default(),
        left: Set::default(),
        via: Vec::new(),
    };
    for _ in 0..k {
        if !flow.augment(false) && !flow.augment(true) {
            let paths = flow.paths();
            let through = paths.iter().filter_map(|path| flow.narrow(path)).collect();
            return Disjoint { through, paths: flow.whole(paths) };
        }
    }
    Disjoint { paths: flow.whole(flow.paths()), through: Vec::new() }
}

/// Paths found so far, as the edges they use.
struct Flow<'a> {
    graph: &'a Graph,
    rules: &'a Rules,
    avoid: &'a BitSet,
    hubs: &'a BitSet,
    target: u32,
    /// Edges out of roots, and out of hubs to what is none.
    first: Set<u32>,
    /// Edge out of each node between a root and the target.
    next: Map<u32, u32>,
    /// Edge into each node between a root and the target.
    into: Map<u32, u32>,
    /// What the last search that found no path reached: entries of nodes, and nodes on paths that it left.
    via: Vec<u32>,
    left: Set<u32>,
}

/// A place in the search: a node where it was entered, or, for nodes on a path, where it is left.
#[derive(Clone, Copy)]
enum Place {
    In(u32),
    Out(u32),
}

impl Flow<'_> {
    /// Whether paths may share a node, and begin there.
    fn begins(&self, node: u32) -> bool {
        self.rules.is_root(node) || self.hubs.contains(node)
    }

    /// Looks for one more path; with `reroute` those found so far may change.
    fn augment(&mut self, reroute: bool) -> bool {
        let graph = self.graph;
        // How the entry of each node was reached: by this edge, or `START`, or `INSIDE`.
        let mut via = vec![NONE; graph.nodes() as usize];
        let mut left: Set<u32> = Set::default();
        let mut queue: Vec<Place> = Vec::new();
        for &root in self.rules.roots() {
            via[root as usize] = START;
            if !self.avoid.contains(root) {
                queue.push(Place::In(root));
            }
        }
        let mut at = 0;
        while let Some(&place) = queue.get(at) {
            at += 1;
            let (node, used) = match place {
                Place::In(node) => match self.into.get(&node) {
                    // The node is taken; only the way back along its path is open.
                    Some(&edge) => {
                        let before = graph.source(edge);
                        if !self.begins(before) && left.insert(before) {
                            queue.push(Place::Out(before));
                        }
                        continue;
                    }
                    None => (node, None),
                },
                Place::Out(node) => {
                    if via[node as usize] == NONE {
                        via[node as usize] = INSIDE;
                        queue.push(Place::In(node));
                    }
                    (node, self.next.get(&node).copied())
                }
            };
            let gate = self.rules.gate(node);
            let straight = self.begins(node) && self.straight(node);
            for edge in graph.range(node) {
                let link = graph.links[edge];
                let (edge, child) = (edge as u32, link.end());
                if !gate.retains(link) || used == Some(edge) {
                    continue;
                }
                if child == self.target {
                    if straight {
                        continue;
                    }
                    self.apply(&via, place, edge);
                    return true;
                }
                if via[child as usize] != NONE
                    || self.avoid.contains(child)
                    || (!reroute && self.into.contains_key(&child))
                    || self.first.contains(&edge)
                {
                    continue;
                }
                via[child as usize] = if self.hubs.contains(child) { START } else { edge };
                queue.push(Place::In(child));
            }
        }
        (self.via, self.left) = (via, left);
        false
    }

    /// The node on a path beyond which the last search did not come.
    fn narrow(&self, path: &Path) -> Option<u32> {
        let inner = path.edges.iter().map(|&edge| self.graph.link(edge).end());
        let mut last = None;
        for node in inner.filter(|&node| node != self.target) {
            if last.is_some() && self.via.get(node as usize).is_none_or(|&via| via == NONE) {
                break;
            }
            last = Some(node);
            if !self.left.contains(&node) {
                break;
            }
        }
        last
    }

    /// True if a path goes from `root` straight to the target.
    fn straight(&self, root: u32) -> bool {
        self.first
            .iter()
            .any(|&edge| self.graph.link(edge).end() == self.target && self.graph.source(edge) == root)
    }

    /// Adds the path that leaves `place` by `last`, and takes away what it goes back over.
    fn apply(&mut self, via: &[u32], mut place: Place, last: u32) {
        let mut added = vec![last];
        let mut removed = Vec::new();
        loop {
            match place {
                Place::In(node) => match via[node as usize] {
                    START => break,
                    INSIDE => place = Place::Out(node),
                    edge => {
                        added.push(edge);
                        let source = self.graph.source(edge);
                        place = if self.next.contains_key(&source) {
                            Place::Out(source)
                        } else {
                            Place::In(source)
                        };
                    }
                },
                Place::Out(node) => {
                    let Some(&edge) = self.next.get(&node) else { break };
                    removed.push(edge);
                    place = Place::In(self.graph.link(edge).end());
                }
            }
        }
        for edge in removed {
            self.next.remove(&self.graph.source(edge));
            self.into.remove(&self.graph.link(edge).end());
        }
        for edge in added {
            let (source, dest) = (self.graph.source(edge), self.graph.link(edge).end());
            if self.begins(source) {
                self.first.insert(edge);
            } else {
                self.next.insert(source, edge);
            }
            if dest != self.target {
                self.into.insert(dest, edge);
            }
        }
    }

    /// The paths with the ways from their roots to the hubs where they begin.
    fn whole(&self, mut paths: Vec<Path>) -> Vec<Path> {
        if paths.iter().all(|path| self.rules.is_root(path.root)) {
            return paths;
        }
        let beyond = |node| !self.begins(node) || self.avoid.contains(node);
        let closed: BitSet = (0..self.graph.nodes()).filter(|&node| beyond(node)).collect();
        let ways = Paths::new(self.graph, self.rules, &closed, None);
        for path in &mut paths {
            if let Some(mut way) = ways.path(path.root) {
                way.edges.append(&mut path.edges);
                *path = way;
            }
        }
        sort_by(&mut paths, |a, b| (a.edges.len(), &a.edges).cmp(&(b.edges.len(), &b.edges)));
        paths
    }

    /// The paths, shortest first, equal ones in the order of their edges.
    fn paths(&self) -> Vec<Path> {
        let mut paths: Vec<Path> = self
            .first
            .iter()
            .map(|&first| {
                let mut edges = vec![first];
                let mut node = self.graph.link(first).end();
                while node != self.target {
                    let Some(&edge) = self.next.get(&node) else { break };
                    edges.push(edge);
                    node = self.graph.link(edge).end();
                }
                Path { root: self.graph.source(first), edges }
            })
            .collect();
        sort_by(&mut paths, |a, b| (a.edges.len(), &a.edges).cmp(&(b.edges.len(), &b.edges)));
        paths
    }
}
