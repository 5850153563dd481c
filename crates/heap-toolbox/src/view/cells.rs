//! The dominator tree in a few thousand cells.

use std::collections::BinaryHeap;

use heap_base::{Map, Plus, Result, sort_by};
use heap_graph::{Column, NONE, Outline, Place};

use super::classes::ClassRow;
use super::labels::label;
use super::whose::{Whose, with_source};
use heap_ops::graph::NamedGraph;
use heap_ops::place::Ownership;

/// How large a tree becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Cells, about.
    pub cells: usize,
    /// Children of a cell at most, without `<other>`.
    pub children: usize,
    /// Levels below the top.
    pub depth: u32,
    /// The least part of the whole that a cell is made for: 1/`grain`.
    pub grain: u64,
}

/// What a cell stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Objects of one type below one parent, or one stack frame.
    Named,
    /// What the children shown leave over.
    Other,
}

/// A cell of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The cell above; [`NONE`] at the top.
    pub parent: u32,
    /// What it stands for.
    pub kind: CellKind,
    /// Number of its name in [`CellTree::names`].
    pub name: u32,
    /// Of a single object: the label by which its parent refers to it, or its own name.
    pub label: Option<String>,
    /// Of a single object: the source's number, as in `@N`.
    pub number: Option<i64>,
    /// Objects that it stands for; those below it are not counted.
    pub count: u64,
    /// Bytes of these and of all that hangs below.
    pub size: u64,
    /// Bytes of these alone. `size` is this and the sizes of its children, unless the cell is closed.
    pub own: u64,
    /// Levels below the top.
    pub depth: u32,
    /// True if what hangs below it has no cells.
    pub closed: bool,
}

/// A tree of cells. Parents come before their children, and children in descending order of size, `<other>` last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellTree {
    /// The cells; the first is the whole.
    pub cells: Vec<Cell>,
    /// Names of cells.
    pub names: Vec<String>,
    /// Whose the objects of these names are.
    pub kinds: Vec<Whose>,
    /// True if they are backtraces of allocations; else the dominator tree.
    pub allocations: bool,
}

impl CellTree {
    /// The children of each cell, in order.
    pub fn children(&self) -> Vec<Vec<u32>> {
        let mut children = vec![Vec::new(); self.cells.len()];
        for (i, cell) in (0..).zip(&self.cells) {
            if let Some(list) = children.get_mut(cell.parent as usize) {
                list.push(i);
            }
        }
        children
    }

    /// Whose the objects of a cell are.
    pub fn whose(&self, cell: &Cell) -> Whose {
        self.kinds.get(cell.name as usize).copied().unwrap_or_default()
    }

    /// Name of a cell.
    pub fn name(&self, cell: &Cell) -> &str {
        self.names.get(cell.name as usize).map_or("", String::as_str)
    }
}

/// Names of cells by group.
#[derive(Default)]
pub(super) struct Names {
    pub(super) texts: Vec<String>,
    numbers: Map<String, u32>,
}

impl Names {
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let new = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), new);
        new
    }
}

pub(super) const OTHER: &str = "<other>";

/// So many levels of one type are shown; what is deeper counts with the last of them. So a linked list is a few cells.
const RUN: u32 = 3;

/// An object that retains this part of the whole, 1/`LARGE`, has a cell of its own, apart from others of its type.
const LARGE: u64 = 200;

/// A cell whose children are not made yet. Larger ones come first, of equal ones the one that was made first.
#[derive(PartialEq, Eq)]
struct Open {
    size: u64,
    cell: std::cmp::Reverse<u32>,
    /// Ranks of its objects.
    members: Vec<u32>,
    group: u32,
    run: u32,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.size, self.cell).cmp(&(other.size, other.cell))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Clone, Copy)]
struct Child {
    /// Its number among the children before they were sorted.
    place: u32,
    group: u32,
    /// The first of them in the dump.
    first: u32,
    count: u64,
    size: u64,
}

/// The dominator tree with siblings of one type in one cell, apart from large ones. The largest cells are broken down first.
/// Types are given with one more than the number of each rank's.
///
/// The cells that are open, the largest first, are the border between what is drawn and what is not. Breaking one down
/// takes the children of all its members in the dominator tree:
///
/// ```text
///   cell Map ×2            members: ranks 4, 9
///     children of 4: Array, Entry, Entry      groups:  Array ×1  Entry ×3  String ×1, by size
///     children of 9: Entry, String            cells:   the first that are large enough, then <other> for the rest
/// ```
///
/// Invariants: a cell's size is that of its objects' subtrees, so own + children = size unless the cell is closed. Every
/// object is a member of one open cell at most. `places` is all [`NONE`] between two cells. So the time is that of the
/// objects visited, and each is visited when the cell above it is broken down: once.
pub(super) fn build(
    sizes: &Column,
    tree: &Outline,
    (types, groups): (&[ClassRow], &Column),
    shape: Shape,
) -> Unlabelled {
    let root = if tree.is_empty() { None } else { Some(Outline::ROOT) };
    let group_of =
        |rank: u32| if groups.is_empty() { NONE } else { (groups.get(rank) as u32).wrapping_sub(1) };
    let whole = root.map_or(0, |root| tree.retained(root));
    let floor = (whole / shape.grain.max(1)).max(1);
    let large = (whole / LARGE).max(1);
    let mut names = Names::default();
    let other = names.number(OTHER);
    let mut cells = vec![Cell {
        parent: NONE,
        kind: CellKind::Named,
        name: names.number("(heap)"),
        label: None,
        number: None,
        count: 1,
        size: whole,
        own: 0,
        depth: 0,
        closed: true,
    }];
    let mut open = BinaryHeap::from([Open {
        size: whole,
        cell: std::cmp::Reverse(0),
        members: root.into_iter().collect(),
        group: root.map_or(NONE, group_of),
        run: 1,
    }]);
    // Place of each group among the children of the cell at hand.
    let mut places = vec![NONE; types.len()];
    let mut children: Vec<Child> = Vec::new();
    // Places of those that are large, in the order in which they are met.
    let mut alone: Vec<u32> = Vec::new();
    let mut singles = Vec::new();
    while let Some(Open { cell: std::cmp::Reverse(at), mut members, group, run, .. }) = open.pop() {
        let depth = cells[at as usize].depth;
        if cells.len() >= shape.cells || depth >= shape.depth {
            // What is left stays closed; its own bytes are known all the same.
            cells[at as usize].own = own(sizes, tree, &members);
            continue;
        }
        // Groups. A chain of one type ends after `RUN` cells: what is deeper becomes a member of the cell itself, so the
        // list of members grows while it is read.
        children.clear();
        alone.clear();
        let mut next = 0;
        while let Some(&member) = members.get(next) {
            next += 1;
            for child in tree.children(member) {
                let of = group_of(child);
                if of == group && run >= RUN {
                    members.push(child);
                    continue;
                }
                let size = tree.retained(child);
                let new = children.len() as u32;
                let place = if size >= large { new } else { places[of as usize] };
                let place = if place == NONE { new } else { place };
                if place == new {
                    children.push(Child { place, group: of, first: tree.node(child), count: 0, size: 0 });
                    if size < large {
                        places[of as usize] = place;
                    } else {
                        alone.push(place);
                    }
                }
                let sum = &mut children[place as usize];
                sum.first = sum.first.min(tree.node(child));
                sum.count += 1;
                sum.size = sum.size.plus(size);
            }
        }
        // The cell itself is complete now. Its children are sorted and cut off; then each that stays gets its members.
        let of_children: Vec<u32> = children.iter().map(|child| child.group).collect();
        let cell = &mut cells[at as usize];
        cell.count = cell.count.max(members.len() as u64);
        cell.own = own(sizes, tree, &members);
        cell.closed = false;
        children.retain(|child| child.size > 0);
        sort_by(&mut children, |a, b| {
            let by_name = || types[a.group as usize].class.cmp(&types[b.group as usize].class);
            b.size.cmp(&a.size).then_with(by_name).then(a.first.cmp(&b.first))
        });
        let kept = children.iter().take(shape.children).take_while(|child| child.size >= floor).count();
        let mut lists: Vec<Option<Vec<u32>>> = vec![None; of_children.len()];
        for child in &children[..kept] {
            lists[child.place as usize] = Some(Vec::with_capacity(child.count as usize));
        }
        // They are met again as before: a list of all of them with their places would be larger than all else.
        let mut alone = alone.iter();
        for child in members.iter().flat_map(|&member| tree.children(member)).filter(|_| kept > 0) {
            let of = group_of(child);
            if of == group && run >= RUN {
                continue;
            }
            let place = if tree.retained(child) >= large { alone.next() } else { Some(&places[of as usize]) };
            if let Some(list) = place.and_then(|&place| lists[place as usize].as_mut()) {
                list.push(child);
            }
        }
        for of in of_children {
            places[of as usize] = NONE;
        }
        for child in &children[..kept] {
            let members = lists[child.place as usize].take().unwrap_or_default();
            let new = cells.len() as u32;
            if child.count == 1 {
                singles.push((new, child.first));
            }
            cells.push(Cell {
                parent: at,
                kind: CellKind::Named,
                name: names.number(&types[child.group as usize].class),
                label: None,
                number: None,
                count: child.count,
                size: child.size,
                own: 0,
                depth: depth + 1,
                closed: true,
            });
            let run = if child.group == group { run + 1 } else { 1 };
            open.push(Open {
                size: child.size,
                cell: std::cmp::Reverse(new),
                members,
                group: child.group,
                run,
            });
        }
        if let Some(rest) = children.get(kept..).filter(|rest| !rest.is_empty()) {
            cells.push(Cell {
                parent: at,
                kind: CellKind::Other,
                name: other,
                label: None,
                number: None,
                count: crate::cells::sum(rest.iter().map(|child| child.count)),
                size: rest.iter().map(|child| child.size).fold(0, u64::plus),
                own: 0,
                depth: depth + 1,
                closed: true,
            });
        }
    }
    Unlabelled {
        tree: CellTree { cells, names: names.texts, kinds: Vec::new(), allocations: false },
        singles: below(tree, singles),
    }
}

/// Cells of single objects with what dominates these.
fn below(tree: &Outline, singles: Vec<(u32, u32)>) -> Vec<Single> {
    let ranks = singles.iter().filter_map(|&(_, node)| tree.rank(node));
    let ranks = ranks.collect::<std::collections::BTreeSet<u32>>().into_iter().collect::<Vec<u32>>();
    let places: Vec<Place> = tree.places(&ranks).collect();
    let single = |(cell, node)| {
        let rank = tree.rank(node).unwrap_or(NONE);
        let place = places.binary_search_by_key(&rank, |place| place.rank).ok().map(|at| places[at]);
        let above = place.filter(|place| place.above != NONE).map_or(NONE, |place| tree.node(place.above));
        Single { cell, node, above }
    };
    singles.into_iter().map(single).collect()
}

fn own(sizes: &Column, tree: &Outline, members: &[u32]) -> u64 {
    let known = members.iter().map(|&rank| tree.node(rank)).filter(|&node| (node as usize) < sizes.len());
    known.map(|node| sizes.get(node)).fold(0, u64::plus)
}

/// A tree, and which node each cell of a single object stands for.
pub(super) struct Unlabelled {
    tree: CellTree,
    singles: Vec<Single>,
}

/// The cell of a single object.
struct Single {
    cell: u32,
    node: u32,
    /// What dominates the node; [`NONE`] if nothing does, or its edges say nothing of the node.
    above: u32,
}

impl Unlabelled {
    /// The edges that may label single objects, by what dominates these: ascending. There are so many `nodes`.
    pub(super) fn edges(&self, nodes: u32) -> Vec<(u32, u32)> {
        let edges = self.singles.iter().filter(|single| single.above < nodes);
        let mut edges: Vec<(u32, u32)> = edges.map(|single| (single.above, single.node)).collect();
        heap_base::sort(&mut edges);
        edges
    }

    /// Of these edges no others than `known` label anything.
    pub(super) fn keep(&mut self, known: &[(u32, u32)]) {
        for single in &mut self.singles {
            if known.binary_search(&(single.above, single.node)).is_err() {
                single.above = NONE;
            }
        }
    }

    /// The tree with labels and numbers of single objects.
    pub(super) fn labelled(self, loaded: &NamedGraph, own: &Ownership<'_>) -> Result<CellTree> {
        let Self { mut tree, singles } = self;
        for Single { cell, node, above } in singles {
            let cell = &mut tree.cells[cell as usize];
            let label = label(loaded, above, node)?;
            cell.label = with_source(loaded, own, node, label)?;
            cell.number = Some(loaded.number(node));
        }
        Ok(tree)
    }
}
