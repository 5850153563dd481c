//! The cheapest ways to objects.
//!
//! The shortest way to an object often leads through the virtual machine's own lists. Each reference has a cost instead:
//! little for what a program writes down (variables, fields, elements), much for what the machine adds (handles, shapes,
//! tables of modules), so the cheapest way is one that people can follow. Costs are small whole numbers, so nodes wait in
//! one bucket for each (Dial's variant of Dijkstra's search): O(N + E).

use heap_base::{BitSet, Result, stage};
use heap_graph::NONE;

use super::Naming;
use super::clues::Word;
use super::regions::Regions;
use super::ways::Way;
use super::whose::Sort;

/// The mark of a way that begins at the node.
pub(super) const START: u32 = NONE - 1;

/// Room that a bucket keeps.
const KEPT: usize = 1 << 10;

/// Nodes that are fetched together.
const FETCHED: usize = 32;

/// Of so many references the ends are fetched, too: most nodes have no more.
const ENDS: u32 = 4;

/// The highest cost of one reference.
const HIGHEST: u32 = 2000;

/// What a way to a thread of the runtime's own kind costs more: what such a thread works on is named by the program elsewhere.
const HELPER: u32 = 100;

/// What a way out of a group of threads costs more. Each thread leads to its group, which has all others: what any thread is
/// named by would name what all threads have. Beside that a thread is its own name, but for one that something of the program's
/// leads to, even over the class of all objects.
const GROUP: u32 = 700;

/// What a way from a text costs more: what holds a text that others are pieces of says more of it, above all the script whose source
/// it is, than what has one of the pieces.
const PIECE: u32 = 1200;
/// What a thread's reference to a loader of classes costs beside: all threads have one to the loader of the program, with all that its
/// classes have.
const LOADER: u32 = 2000;

/// What nodes cost their references beside the way they are.
#[derive(Clone, Copy, Debug)]
enum From {
    Usual,
    /// A scope of the runtime's: its variables name nothing of the program.
    RuntimeScope,
    /// A class of the runtime's: its static fields likewise.
    RuntimeClass,
    Loader,
    /// A thread: which of them leads to the loader of the program is an accident.
    Thread,
    Threads,
    /// A text: it leads to those that it is a piece of, or has as its pieces.
    Text,
    /// What describes code, or what an error remembers of a call: they lead to functions that have nothing to do with it.
    Code,
    /// A root or a group of roots.
    Root(u32),
}

/// The references that a search goes over.
pub(super) trait References {
    /// Nodes of equal cost come in ascending order: those of a file are read in its order.
    const IN_ORDER: bool;
    /// The graph has few edges: only nodes that have a [place](heap_graph::Graph::place) are met.
    const FEW: bool = false;

    /// Calls `each` for each reference of a node that retains, with a mark, what it is and its end. Marks of a node that comes
    /// first are lower, and so are those of a reference that comes first.
    fn each(&mut self, node: u32, each: impl FnMut(u32, Way, u32)) -> Result;

    /// Fetches what [`each`](Self::each) reads of some nodes, and what is known of the ends of their references: waiting for all of
    /// them takes hardly longer than for one.
    fn fetch(&self, _: &[u32], _: &Costs) {}
}

/// Those of a graph in memory, which may have `FEW`. Marks are numbers of references.
pub(super) struct InMemory<'a, const FEW: bool>(pub(super) &'a Naming<'a>);

impl<const FEW: bool> References for InMemory<'_, FEW> {
    const IN_ORDER: bool = false;
    const FEW: bool = FEW;

    #[inline]
    fn each(&mut self, node: u32, mut each: impl FnMut(u32, Way, u32)) -> Result {
        let Naming { loaded, rules, .. } = self.0;
        let (graph, gate) = (&loaded.heap.graph, rules.gate(node));
        let edges = graph.range(node);
        for (edge, link) in (edges.start as u32..).zip(graph.links_at(edges)) {
            if gate.retains(link) {
                each(edge, self.0.way(edge), link.end());
            }
        }
        Ok(())
    }

    fn fetch(&self, nodes: &[u32], costs: &Costs) {
        let graph = &self.0.loaded.heap.graph;
        let Some(last) = graph.edges().checked_sub(1).filter(|_| !FEW) else { return };
        // Nothing here depends on what is read but where to read next, so that no wait is for another one's end.
        let mut starts = [0; FETCHED];
        for (start, &node) in starts.iter_mut().zip(nodes) {
            *start = graph.range(node).start as u32;
        }
        let mut seen = 0;
        for &start in &starts[..nodes.len()] {
            let first = start.min(last);
            seen ^= graph.link(first).end() ^ self.0.way(first) as u32;
        }
        for &start in &starts[..nodes.len()] {
            for edge in start..start + ENDS {
                seen ^= u32::from(costs.0[graph.link(edge.min(last)).end() as usize]);
            }
        }
        std::hint::black_box(seen);
    }
}

/// The mark of the last reference of each node's way, by place. What no way is known to is zero, in memory that the system maps
/// when it is written: a search that meets few nodes takes little.
pub(super) struct Marks(Vec<u32>);

impl Marks {
    fn new(places: usize) -> Self {
        Self(vec![0; places])
    }

    /// The mark of a node; [`NONE`] if there is no way.
    #[inline]
    pub(super) fn get(&self, place: usize) -> u32 {
        self.0.get(place).map_or(NONE, |mark| !mark)
    }

    #[inline]
    fn set(&mut self, place: usize, mark: u32) {
        self.0[place] = !mark;
    }
}

/// The cheapest way to each of `targets`. Of equally cheap ones it is the one with the lowest mark.
pub(super) fn search<R: References>(
    naming: &Naming<'_>,
    targets: &BitSet,
    references: &mut R,
) -> Result<Marks> {
    stage::begin("names of places");
    // Graphs whose edges are in a file have only some of them in memory.
    let graph = &naming.loaded.heap.graph;
    let places = if R::FEW { graph.places() } else { graph.nodes() } as usize;
    let place = |node: u32| {
        if R::FEW { graph.place(node).map_or(usize::MAX, |place| place as usize) } else { node as usize }
    };
    let (mut via, mut costs) = (Marks::new(places), Costs::new(places));
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); HIGHEST as usize + 1];
    let mut waiting = 0usize;
    for &root in naming.rules.roots().iter().filter(|&&root| place(root) < places) {
        via.set(place(root), START);
        costs.lower(place(root), 0, 0);
        buckets[0].push(root);
        waiting += 1;
    }
    for class in naming.own.seeds()? {
        if place(class) < places && costs.lower(place(class), 1, 0) {
            via.set(place(class), START);
            buckets[1].push(class);
            waiting += 1;
        }
    }
    let mut left = targets.count();
    let mut regions = Regions::new(naming.tree, targets);
    let mut now = 0u32;
    while waiting > 0 && left > 0 {
        let at = (now % (HIGHEST + 1)) as usize;
        // No reference costs nothing, so none of those who follow comes here.
        let mut bucket = std::mem::take(&mut buckets[at]);
        waiting -= bucket.len();
        if R::IN_ORDER {
            bucket.sort_unstable();
        }
        regions.narrow(|node| costs.is_settled(place(node)));
        for nodes in bucket.chunks_mut(FETCHED) {
            let mut due = 0;
            for at in 0..nodes.len() {
                let node = nodes[at];
                if costs.settle(place(node), now) {
                    regions.count();
                    left -= u64::from(targets.contains(node));
                    if regions.may_lead_on(node) {
                        nodes[due] = node;
                        due += 1;
                    }
                }
            }
            references.fetch(&nodes[..due], &costs);
            for &node in &nodes[..due] {
                let from = kind_of(naming, node)?;
                references.each(node, |mark, way, end| {
                    let price = now.saturating_add(price(naming, from, way, end));
                    let at = place(end);
                    if costs.lower(at, price, now) {
                        via.set(at, mark);
                        buckets[(price % (HIGHEST + 1)) as usize].push(end);
                        waiting += 1;
                    } else if costs.is(at, price) && via.get(at) != START {
                        via.set(at, mark.min(via.get(at)));
                    }
                })?;
            }
        }
        // It comes up again, but mostly with fewer.
        bucket.clear();
        bucket.shrink_to(KEPT);
        buckets[at] = bucket;
        now = now.saturating_add(1);
        if now == u32::MAX {
            break;
        }
    }
    Ok(via)
}

/// What the cheapest way to each node costs that is known so far. The ways to all nodes that wait cost as much as the
/// present one or at most [`HIGHEST`] more, so two bytes say which of them is cheaper, whatever a way costs in all.
pub(super) struct Costs(Vec<u16>);

impl Costs {
    /// No way is known: zero, as for [`Marks`].
    const UNKNOWN: u16 = 0;
    /// The way is the cheapest.
    const SETTLED: u16 = 1;
    /// What costs something begins here.
    const FIRST: u32 = 2;
    /// Costs are kept modulo this number.
    const ROUND: u32 = 1 << 15;

    fn new(nodes: usize) -> Self {
        Self(vec![Self::UNKNOWN; nodes])
    }

    /// A cost as it is kept.
    #[inline]
    fn kept(price: u32) -> u32 {
        price % Self::ROUND + Self::FIRST
    }

    /// Takes a way that costs `price`, where ways of `now` have their turn, if it is cheaper than the one that is known.
    #[inline]
    fn lower(&mut self, place: usize, price: u32, now: u32) -> bool {
        let slot = &mut self.0[place];
        let more = |cost: u16| (u32::from(cost) - Self::FIRST).wrapping_sub(now) % Self::ROUND;
        let cheaper = match *slot {
            Self::UNKNOWN => true,
            Self::SETTLED => false,
            known => price.wrapping_sub(now) < more(known),
        };
        if cheaper {
            *slot = Self::kept(price) as u16;
        }
        cheaper
    }

    /// Whether the cheapest way that is known to a node that waits costs `price`.
    #[inline]
    fn is(&self, place: usize, price: u32) -> bool {
        u32::from(self.0[place]) == Self::kept(price)
    }

    /// Whether a node had its turn.
    fn is_settled(&self, place: usize) -> bool {
        self.0.get(place).is_some_and(|&cost| cost == Self::SETTLED)
    }

    /// The turn of a node that waits among those whose way costs `now`: true if its way still does.
    #[inline]
    fn settle(&mut self, place: usize, now: u32) -> bool {
        let slot = &mut self.0[place];
        let is_due = u32::from(*slot) == Self::kept(now);
        if is_due {
            *slot = Self::SETTLED;
        }
        is_due
    }
}

fn price(naming: &Naming<'_>, from: From, way: Way, end: u32) -> u32 {
    match (from, way) {
        (From::Root(cost), _) => {
            if naming.loaded.heap.policy.user_roots.contains(&end) {
                1
            } else if naming.own.sort(end) == Sort::Synthetic {
                2
            } else if naming.own.is_helper(end) {
                cost + HELPER
            } else {
                cost
            }
        }
        (From::Code, _) => 300,
        (From::Loader, _) => 500,
        (From::Thread, way) if naming.own.is_loader(end) => way.cost() + LOADER,
        (From::Threads, way) => way.cost() + GROUP,
        (From::Text, way) => way.cost() + PIECE,
        (From::RuntimeScope, Way::Variable) | (From::RuntimeClass, Way::Static) => 200,
        // Nor does the list of all threads name it.
        (_, Way::Element) if naming.own.is_helper(end) => Way::Element.cost() + HELPER,
        (_, way) => way.cost(),
    }
}

fn kind_of(naming: &Naming<'_>, node: u32) -> Result<From> {
    let own = &naming.own;
    Ok(match own.sort(node) {
        Sort::Synthetic => {
            let name = match naming.loaded.name(node)?.filter(|name| !name.is_empty()) {
                Some(name) => name,
                None => naming.loaded.class(node)?,
            };
            From::Root(cost_of_root(&name, !naming.loaded.heap.policy.user_roots.is_empty()))
        }
        Sort::Code => From::Code,
        Sort::Text => From::Text,
        _ if own.is_group_of_threads(node) => From::Threads,
        Sort::Array if is_call_site(naming, node) => From::Code,
        _ if naming.rules.is_root(node) => From::Root(700),
        Sort::Object if own.is_scope(node) && !own.is_own_scope(node) => From::RuntimeScope,
        Sort::Object if own.is_class(node) && !own.is_own_class(node) => From::RuntimeClass,
        Sort::Object if own.is_loader(node) => From::Loader,
        Sort::Object if own.is_thread(node) => From::Thread,
        _ => From::Usual,
    })
}

/// Whether a node is what an error remembers of a call that it was made in.
fn is_call_site(naming: &Naming<'_>, node: u32) -> bool {
    let name = naming.loaded.heap.name(node);
    name.is_some_and(|name| naming.clues.word(name) == Some(Word::CallSite))
}

/// What references from a group of roots cost: the less a group says of the program, the more. Where globals are no roots of
/// their own, the stack is what programs name things by.
fn cost_of_root(name: &str, globals: bool) -> u32 {
    let name = name.to_ascii_lowercase();
    let has = |word| name.contains(word);
    match () {
        () if has("environment") => 500,
        () if has("eternal") => 2000,
        // Registers have no names.
        () if has("register") || has("machine") => 1500,
        () if !globals && (has("stack") || has("frame") || has("local")) => 150,
        () if has("stack") || has("handle scope") || has("frame") || has("local") => 1500,
        () if has("global handle") => 1000,
        () if has("thread") => 150,
        () if has("jni") => 600,
        () => 700,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways over a list whose links cost so much that the costs pass the round many times, with dearer and cheaper ways
    /// beside: two bytes give what four give.
    #[test]
    fn costs_of_two_bytes_find_the_ways_that_whole_ones_find() {
        let nodes = 2000u32;
        let edge = |node: u32| {
            let mix = |n: u32| n.wrapping_mul(0x9e37_79b9) >> 16;
            (0..4).map(move |n| {
                let end = if n == 0 { node + 1 } else { node.saturating_sub(3) + mix(node * 4 + n) % 7 };
                (end % nodes, 1 + mix(node * 7 + n) % HIGHEST)
            })
        };
        let mut costs = Costs::new(nodes as usize);
        let mut wholes = vec![u32::MAX; nodes as usize];
        let mut waiting = std::collections::BTreeSet::from([(0, 0)]);
        costs.lower(0, 0, 0);
        wholes[0] = 0;
        let mut last = 0;
        while let Some((now, node)) = waiting.pop_first() {
            assert_eq!(costs.settle(node as usize, now), wholes[node as usize] == now);
            assert!(!costs.settle(node as usize, now), "a node has one turn");
            if wholes[node as usize] != now {
                continue;
            }
            last = now;
            for (end, cost) in edge(node) {
                let lower = now + cost < wholes[end as usize];
                assert_eq!(costs.lower(end as usize, now + cost, now), lower);
                if lower {
                    wholes[end as usize] = now + cost;
                    waiting.insert((now + cost, end));
                }
            }
        }
        assert!(last > Costs::ROUND, "{last}");
    }
}
