//! Entries of weak tables: what such an entry holds goes when its key or its table goes.
//!
//! A dominator tree gives each node one parent, so in it an entry hangs on one of the two; here it is the one that is
//! itself further down, since that goes first when something above it is let go. How far down they are is known only from a
//! dominator tree, so [`Ephemerons::settle`] takes one and says what it makes wrong; a few rounds do. Which nodes an object
//! really holds says [`Ephemerons::alive`], which removes it and needs both, key and table; that is never less than the tree
//! says, and may be more.

use heap_base::{BitSet, Map, Result, Set};

use crate::graph::{Class, Graph, NONE};
use crate::large::LargeGraph;
use crate::outline::Outline;
use crate::rules::Rules;

/// What an entry hangs on in the dominator tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Key,
    Table,
    /// Neither: key or table is dead.
    Off,
}

/// An entry of a weak table.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u32,
    table: u32,
    value: u32,
    /// Numbers of the edges from the key and from the table to the value.
    from_key: u32,
    from_table: Option<u32>,
    /// Whether the key holds the value by an edge of its own, too: the entry holds nothing that would go without it.
    held: bool,
    side: Side,
}

/// The entries of all weak tables of a graph.
#[derive(Clone, Debug, Default)]
pub struct Ephemerons {
    entries: Vec<Entry>,
    /// Places in `entries`, by key and by table.
    by_key: Vec<(u32, u32)>,
    by_table: Vec<(u32, u32)>,
}

impl Ephemerons {
    /// The entries of `graph`, each on its key, as the graph has them.
    pub fn of(graph: &Graph) -> Self {
        let (mut entries, mut tables) = (Vec::new(), Vec::new());
        let mut last = None;
        for &(source, _) in &graph.partners {
            if last.replace(source) == Some(source) {
                continue;
            }
            let mut partners = graph.partners(source);
            let from = entries.len();
            for edge in graph.range(source) {
                let link = graph.links[edge];
                if !link.class().has_partner() {
                    continue;
                }
                let Some(partner) = partners.next().filter(|&partner| partner < graph.nodes()) else {
                    continue;
                };
                let (edge, value) = (edge as u32, link.end());
                if link.class() == Class::Table {
                    tables.push(((partner, source, value), edge));
                } else {
                    let (key, table, from_key) = (source, partner, edge);
                    let (from_table, held) = (None, false);
                    entries.push(Entry { key, table, value, from_key, from_table, held, side: Side::Key });
                }
            }
            let Some(of_key) = entries.get_mut(from..).filter(|of: &&mut [Entry]| !of.is_empty()) else {
                continue;
            };
            let links = graph.links(source).iter().filter(|link| link.class().is_strong());
            let strong: Set<u32> = links.map(|link| link.end()).collect();
            for entry in of_key {
                entry.held = strong.contains(&entry.value);
            }
        }
        tables.sort_unstable();
        heap_base::sort_by_key(&mut entries, |e| (e.key, e.table, e.value, e.from_key));
        for entry in &mut entries {
            let at = tables.binary_search_by_key(&(entry.key, entry.table, entry.value), |&(key, _)| key);
            entry.from_table = at.ok().map(|at| tables[at].1);
        }
        Self::with(entries)
    }

    /// The same of a graph whose edges are in a file, which have no numbers.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub fn of_large(graph: &mut LargeGraph) -> Result<Self> {
        let entry = |([table, key, value], has_table): ([u32; 3], bool)| {
            let from_table = has_table.then_some(NONE);
            Entry { key, table, value, from_key: NONE, from_table, held: false, side: Side::Key }
        };
        let mut entries: Vec<Entry> = graph.ephemerons().map(entry).collect();
        heap_base::sort_by_key(&mut entries, |e| (e.key, e.table, e.value));
        if !entries.is_empty() {
            let keys: BitSet = entries.iter().map(|of| of.key).collect();
            let pairs: Set<(u32, u32)> = entries.iter().map(|of| (of.key, of.value)).collect();
            let mut held: Set<(u32, u32)> = Set::default();
            graph.each_strong(|source, end| {
                if keys.contains(source) && pairs.contains(&(source, end)) {
                    held.insert((source, end));
                }
            })?;
            for entry in &mut entries {
                entry.held = held.contains(&(entry.key, entry.value));
            }
        }
        Ok(Self::with(entries))
    }

    fn with(entries: Vec<Entry>) -> Self {
        let places = |of: fn(&Entry) -> u32| {
            let mut places: Vec<(u32, u32)> =
                (0..).zip(&entries).map(|(at, entry)| (of(entry), at)).collect();
            places.sort_unstable();
            places
        };
        let (by_key, by_table) = (places(|entry| entry.key), places(|entry| entry.table));
        Self { entries, by_key, by_table }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Makes the edges of `graph` such that each entry hangs on its side alone.
    pub fn apply(&self, graph: &mut Graph) {
        for entry in &self.entries {
            let mut set = |edge: Option<u32>, holds: bool| {
                if let Some(link) = edge.and_then(|edge| graph.links.get_mut(edge as usize)) {
                    *link = link.of_class(if holds { Class::Key } else { Class::Table });
                }
            };
            set(Some(entry.from_key), entry.side == Side::Key);
            set(entry.from_table, entry.side == Side::Table);
        }
    }

    /// The same of a graph whose edges are in a file. Of several entries with the same ends one holds if any does.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn apply_large(&self, graph: &mut LargeGraph) -> Result {
        let mut holds: Map<(u32, u32), bool> = Map::default();
        for entry in &self.entries {
            *holds.entry((entry.key, entry.value)).or_default() |= entry.side == Side::Key;
            if entry.from_table.is_some() {
                *holds.entry((entry.table, entry.value)).or_default() |= entry.side == Side::Table;
            }
        }
        let class = |holds: &bool| if *holds { Class::Key } else { Class::Table };
        graph.set_halves(|source, end| holds.get(&(source, end)).map(class))
    }

    /// As [`alive`](Self::alive); `reach` adds what some nodes reach without entries to a set, along paths that avoid it.
    ///
    /// # Errors
    /// Those of `reach`.
    pub fn alive_by(
        &self,
        roots: &[u32],
        removed: &BitSet,
        mut reach: impl FnMut(&[u32], &mut BitSet) -> Result,
    ) -> Result<BitSet> {
        let mut alive = removed.clone();
        let mut starts = roots.to_vec();
        while !starts.is_empty() {
            reach(&starts, &mut alive)?;
            let lives = |node| alive.contains(node) && !removed.contains(node);
            let opened = self.entries.iter().filter(|of| lives(of.key) && lives(of.table));
            starts = opened.map(|of| of.value).filter(|&value| !alive.contains(value)).collect();
        }
        Ok(alive.iter().filter(|&node| !removed.contains(node)).collect())
    }

    /// As [`dependent`](Self::dependent); `reach` as in [`alive_by`](Self::alive_by).
    ///
    /// # Errors
    /// Those of `reach`.
    pub fn dependent_by(
        &self,
        roots: &[u32],
        removed: &BitSet,
        reach: impl FnOnce(&[u32], &mut BitSet) -> Result,
    ) -> Result<BitSet> {
        let mut reached = removed.clone();
        reach(roots, &mut reached)?;
        let ends = self.live().flat_map(|entry| [entry.key, entry.table]);
        Ok(ends.filter(|&node| !reached.contains(node) || removed.contains(node)).collect())
    }

    /// As [`has_live_tables`](Self::has_live_tables), by what the roots reach without entries.
    pub fn has_tables_in(&self, reached: &BitSet) -> bool {
        self.by_table.iter().all(|&(table, _)| reached.contains(table))
    }

    /// The places of the entries of a node, in a list by key or by table.
    fn at(list: &[(u32, u32)], node: u32) -> impl Iterator<Item = usize> + '_ {
        let from = list.partition_point(|&(of, _)| of < node);
        list[from..].iter().take_while(move |&&(of, _)| of == node).map(|&(_, at)| at as usize)
    }

    /// What the roots reach without the nodes `removed`, where an entry leads to its value if its key and its table are
    /// reached both. O(N + E).
    pub fn alive(&self, graph: &Graph, rules: &Rules, removed: &BitSet) -> BitSet {
        let mut alive = BitSet::new(graph.nodes());
        let mut stack = Vec::new();
        let meet = |node: u32, alive: &mut BitSet, stack: &mut Vec<u32>| {
            if !removed.contains(node) && alive.insert(node) {
                stack.push(node);
            }
        };
        for &root in rules.roots() {
            meet(root, &mut alive, &mut stack);
        }
        while let Some(node) = stack.pop() {
            let gate = rules.gate(node);
            for &link in graph.links(node) {
                if gate.retains(link) && link.class() != Class::Key {
                    meet(link.end(), &mut alive, &mut stack);
                }
            }
            if self.entries.is_empty() {
                continue;
            }
            for at in Self::at(&self.by_key, node).chain(Self::at(&self.by_table, node)) {
                let Entry { key, table, value, .. } = self.entries[at];
                if alive.contains(key) && alive.contains(table) {
                    meet(value, &mut alive, &mut stack);
                }
            }
        }
        alive
    }

    /// Keys and tables that live only as long as some entry does or one of `removed`: all that the roots do not reach without
    /// entries and without these nodes. O(N + E).
    pub fn dependent(&self, graph: &Graph, rules: &Rules, removed: &BitSet) -> BitSet {
        let reached = without_entries(graph, rules, removed, |_| false);
        let ends = self.live().flat_map(|entry| [entry.key, entry.table]);
        ends.filter(|&node| !reached.contains(node)).collect()
    }

    /// Whether the dominator tree has all that goes with some nodes: `gone` says what that is in the tree, `dependent` which
    /// keys and tables may go without being in it, as [`dependent`](Self::dependent) finds them. False where it may be more.
    ///
    /// A node outside of `gone` has a way from the roots in the tree's graph, on which each entry leads from its key or from
    /// its table alone. It lives if the other end of each such entry does. An end in `gone` does not; one outside that is not
    /// `dependent` does, since it needs no entry.
    pub fn is_whole(&self, gone: impl Fn(u32) -> bool, dependent: &BitSet) -> bool {
        let lives = |node| !gone(node) && !dependent.contains(node);
        self.live().all(|entry| gone(entry.value) || lives(entry.key) && lives(entry.table))
    }

    /// The entries whose key and table live.
    fn live(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.side != Side::Off)
    }

    /// Whether all tables live without any entry. If so, what the keys alone lead to is alive indeed. Ends when the last
    /// table is reached; O(N + E) at most.
    pub fn has_live_tables(&self, graph: &Graph, rules: &Rules) -> bool {
        let mut tables = BitSet::new(graph.nodes());
        for &(table, _) in &self.by_table {
            tables.insert(table);
        }
        let mut left = tables.count();
        if left > 0 {
            without_entries(graph, rules, &BitSet::default(), |node| {
                left -= u64::from(tables.contains(node));
                left == 0
            });
        }
        left == 0
    }

    /// Turns off the entries of which key or table is not `alive`; true if one was on.
    pub fn bury(&mut self, alive: &BitSet) -> bool {
        let mut changed = false;
        for entry in &mut self.entries {
            if !(alive.contains(entry.key) && alive.contains(entry.table)) {
                changed |= std::mem::replace(&mut entry.side, Side::Off) != Side::Off;
            }
        }
        changed
    }

    /// Hangs each entry on the one of key and table that is further down in `tree`, if values that retain `floor` bytes
    /// together would hang elsewhere then; true if so. Else all stay where they were in `tree`. What the key holds by itself stays
    /// with it: at the table it would have two parents.
    pub fn settle(&mut self, tree: &Outline, floor: u64) -> bool {
        if self.entries.iter().all(|entry| entry.side == Side::Off) {
            return false;
        }
        let ends = self.entries.iter().flat_map(|entry| [entry.key, entry.table]);
        let mut ranks: Vec<u32> = ends.filter_map(|node| tree.rank(node)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let depths: Vec<u32> = tree.places(&ranks).map(|of| of.depth).collect();
        let depth = |node| {
            let at = ranks.binary_search(&tree.rank(node)?).ok()?;
            Some(depths[at])
        };
        // An entry whose key or table is in no tree holds nothing, and stays on the side that nothing reaches.
        let side = |entry: &Entry| match (entry.side, depth(entry.key), depth(entry.table)) {
            (Side::Off, ..) => Side::Off,
            (_, Some(key), Some(table)) if entry.from_table.is_some() && !entry.held && table > key => {
                Side::Table
            }
            (_, Some(_), Some(_)) => Side::Key,
            (side, ..) => side,
        };
        let sides: Vec<Side> = self.entries.iter().map(side).collect();
        let moves = self.entries.iter().zip(&sides).filter(|(entry, side)| entry.side != **side);
        let bytes = |value| tree.rank(value).map_or(0, |rank| tree.retained(rank));
        let moved = moves.fold(0u64, |sum, (entry, _)| sum.saturating_add(bytes(entry.value)));
        if moved < floor {
            return false;
        }
        for (entry, side) in self.entries.iter_mut().zip(sides) {
            entry.side = side;
        }
        true
    }
}

/// What the roots reach without entries of weak tables and without the nodes `removed`. Ends early where `is_last`, which is
/// asked once for each node, says so.
fn without_entries(
    graph: &Graph,
    rules: &Rules,
    removed: &BitSet,
    mut is_last: impl FnMut(u32) -> bool,
) -> BitSet {
    let mut reached = BitSet::new(graph.nodes());
    let mut stack = Vec::new();
    let mut meet = |node: u32, stack: &mut Vec<u32>| {
        let is_new = !removed.contains(node) && reached.insert(node);
        if is_new {
            stack.push(node);
        }
        is_new && is_last(node)
    };
    let mut ended = rules.roots().iter().any(|&root| meet(root, &mut stack));
    while let Some(node) = stack.pop().filter(|_| !ended) {
        let gate = rules.gate(node);
        let mut links = graph.links(node).iter().filter(|link| link.class() != Class::Key);
        ended = links.any(|&link| gate.retains(link) && meet(link.end(), &mut stack));
    }
    reached
}
