//! What a page about a heap shows: suspects, the dominator tree in cells, classes, equal strings, growth: heap-view.
//!
//! [`ViewLoader`] takes the records of one dump in, once; [`Loaded::build`] makes everything of them. A tree of millions
//! of objects becomes a [`CellTree`] of a few thousand cells, whose bytes still add up to the heap's. What is left out is
//! counted where it is left out: a cell `<other>`, a last row `<other>`.
//!
//! Memory: the graph without the labels of its edges, which are in a file if there are many, retained sizes and groups, some
//! 40 bytes a node; the strings as [`Strings`](heap_ops::stream::Strings) holds them. A graph that takes more than a limit goes
//! through files.

mod allocations;
mod cells;
mod classes;
pub mod drawn;
mod far;
mod labels;
mod options;
mod texts;
mod whose;

use heap_base::{Result, Set, join};
use heap_graph::{HeapGraph, LargeGraph};
use heap_record::wants::Nodes;
use heap_record::{Sink, Wants};

use self::cells::Unlabelled;
use self::classes::Groups;
use crate::diff::{Census, Diff};
use crate::strings::DuplicateString;
use crate::strings::arrays::OwnArrays;
use crate::suspects::sites::Sites;
use crate::suspects::{
    Analysed, Earlier, Findings, Limits, Unreached, analyse, find, loader, remember_within,
};
use heap_ops::graph::NamedGraph;
use heap_ops::place::{ClueLoader, Clues, Naming, Ownership};
use heap_ops::stream::{Context, stacks::source_of};
use heap_ops::tree::Table;

pub use self::allocations::{allocation_cells, backtraces, is_allocations};
pub use self::cells::{Cell, CellKind, CellTree, Shape};
pub use self::classes::{ClassRow, ClassTable};
pub use self::whose::Whose;
pub use crate::suspects::sites::Function;
pub use options::TOOL;

/// How much of a heap a view shows.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Cells and depth of the tree.
    pub shape: Shape,
    /// Classes at most; the rest is one row.
    pub classes: usize,
    /// Equal strings at most; the rest is one row.
    pub strings: usize,
    /// True for the tree alone.
    pub picture: bool,
}

impl Default for Extent {
    /// A page of less than 3 MB.
    fn default() -> Self {
        let shape = Shape { cells: 8000, children: 120, depth: 80, grain: 20_000 };
        Self { shape, classes: 5000, strings: 500, picture: false }
    }
}

/// What a dump holds, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeapTotals {
    /// Nodes.
    pub nodes: u64,
    /// Edges that are kept: to nodes, weak ones left out.
    pub edges: u64,
    /// Shallow bytes of all nodes.
    pub size: u64,
    /// What no root reaches.
    pub unreached: Unreached,
}

/// Bytes a node and an edge that a view takes in memory.
const IN_MEMORY: (u64, u64) = (50, 5);

/// What a later dump's view needs of this one.
///
/// # Errors
/// The records are no graph, or a temporary file cannot be read.
pub fn remember(load: ClueLoader) -> Result<Earlier> {
    let (graph, clues, large) = load.build_within()?;
    remember_within((graph, large), &clues, Limits::default())
}

/// Equal strings, the most wasteful first, and what they leave over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StringTable {
    /// The rows.
    pub rows: Vec<DuplicateString>,
    /// How many texts have no row.
    pub others: u64,
    /// Bytes that these waste.
    pub others_wasted: u64,
}

/// One class over several dumps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Growth {
    /// The type name.
    pub class: String,
    /// Objects and shallow bytes in each dump.
    pub points: Vec<(u64, u64)>,
}

/// Everything that a page shows of a heap.
#[derive(Debug, Default)]
pub struct HeapView {
    /// Totals.
    pub totals: HeapTotals,
    /// The dominator tree, or the tree of backtraces.
    pub tree: CellTree,
    /// Classes.
    pub classes: ClassTable,
    /// Equal strings.
    pub strings: StringTable,
    /// Suspects and what they are judged by, as heap-suspects has them.
    pub findings: Findings,
    /// Of a profile its functions, those that allocated most themselves first.
    pub functions: Vec<Function>,
    /// The stacks at which objects were allocated, where a dump of objects has these.
    pub stacks: Option<StackTree>,
}

/// The stacks at which objects were allocated.
#[derive(Debug)]
pub struct StackTree {
    /// Their tree.
    pub tree: CellTree,
    /// Objects that have none, and their bytes.
    pub without: (u64, u64),
}

impl StackTree {
    /// The stacks of a [`Table`] by frames; `known` says whose functions are.
    pub fn new(table: &Table, known: &[(String, Whose)], extent: Extent) -> Self {
        let mut tree = allocation_cells(table, extent.shape);
        let known = known.iter().map(|(name, whose)| (name.as_str(), *whose));
        tree.kinds = whose::of_names(&tree.names, known, Whose::Runtime);
        let without = table.without_stack();
        Self { tree, without: (without.count().unwrap_or(0), without.size) }
    }
}

/// Takes one dump in.
///
/// Of several streams or snapshots there is no one tree: they are refused.
#[derive(Debug)]
pub struct ViewLoader {
    load: ClueLoader,
    picture: bool,
}

/// A dump, taken in.
#[derive(Debug)]
pub struct Loaded {
    graph: NamedGraph,
    clues: Clues,
    /// The edges, if they are in files.
    large: Option<LargeGraph>,
}

impl HeapView {
    /// The view of a dump of allocations: its backtraces, its functions, what was found of these, and its types as `census`
    /// has them.
    pub fn of_allocations(
        mut tree: CellTree,
        (findings, functions): (Findings, Vec<Function>),
        census: Census,
        extent: Extent,
    ) -> Self {
        let whose = |of: &Function| if of.runtime { Whose::Runtime } else { Whose::Program };
        let known = functions.iter().map(|of| (of.name.as_str(), whose(of)));
        tree.kinds = whose::of_names(&tree.names, known, Whose::Runtime);
        let names: Set<&str> = functions.iter().map(|of| of.name.as_str()).collect();
        let is_type = |class: &str| !names.contains(class) && !class.starts_with("(heap.");
        let rows = Diff::of(vec![census]).rows.into_iter().filter(|row| is_type(&row.class));
        let rows = rows.filter_map(|row| {
            let totals = row.totals.first()?;
            Some(ClassRow { class: row.class, count: totals.count, size: totals.size, retained: None })
        });
        let classes = ClassTable::new(rows.collect(), extent.classes);
        let totals =
            HeapTotals { size: tree.cells.first().map_or(0, |top| top.size), ..HeapTotals::default() };
        Self { totals, tree, classes, findings, functions, ..Self::default() }
    }
}

impl ViewLoader {
    /// Takes in what a view of this extent needs.
    pub fn new(extent: Extent) -> Self {
        Self { load: loader(), picture: extent.picture }
    }

    /// Puts edges into files where the dump takes more memory than so many bytes.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        Self { load: self.load.with_limit(bytes, IN_MEMORY), ..self }
    }

    /// The dump. Call when no more records come.
    ///
    /// # Errors
    /// The records are no graph, or a temporary file cannot be read.
    pub fn finish(self) -> Result<Loaded> {
        let (mut graph, clues, mut large) = self.load.build_within()?;
        if let Some(mut edges) = large.take_if(|_| is_allocations(&graph)) {
            // A profile is small.
            graph.heap.graph = edges.whole()?;
        }
        Ok(Loaded { graph, clues, large })
    }
}

impl Sink for ViewLoader {
    fn wants(&self) -> Wants {
        let wants = self.load.wants();
        if self.picture { Wants { nodes: Nodes::Brief, extensions: false, ..wants } } else { wants }
    }

    heap_record::pass_on!(load: metadata declare string nodes edges extension sharded);
}

impl Loaded {
    /// True if the dump says what was allocated where, and not what refers to what. Then its tree is that of the
    /// backtraces, see [`allocation_cells`].
    pub fn is_allocations(&self) -> bool {
        is_allocations(&self.graph)
    }

    /// The functions of a dump of allocations, and which of them hold much or have grown since `earlier` ones.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn functions(&self, earlier: &[Earlier]) -> Result<(Findings, Vec<Function>)> {
        let sites = Sites::new(&self.graph, &self.clues)?;
        Ok((sites.findings(earlier, Limits::default())?, sites.functions()))
    }

    /// The functions of the stacks at which objects were allocated, and whose they are; none if the dump has no stacks.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn allocating(&self) -> Result<Vec<(String, Whose)>> {
        let Context { stacks, strings, .. } = &self.graph.context;
        let mut names = Vec::new();
        for &function in stacks.functions() {
            let source = source_of(function, strings)?;
            let of_runtime = self.clues.is_runtimes_script(&source.script)
                || self.clues.is_runtimes_function(&source.function);
            let whose = if of_runtime { Whose::Runtime } else { Whose::Program };
            names.push((source.name().to_owned(), whose));
        }
        Ok(names)
    }

    /// The view; `earlier` dumps of the same process say what has grown.
    ///
    /// # Errors
    /// A temporary file cannot be read. Of a dump whose edges are in files: one cannot be written, or there is too little memory.
    pub fn build(self, extent: Extent, earlier: &[Earlier]) -> Result<HeapView> {
        let Self { graph: mut loaded, clues, large } = self;
        if let Some(large) = large {
            return far::build((loaded, &clues, large), extent, earlier);
        }
        let groups = Groups::of_nodes(&loaded)?;
        let arrays = OwnArrays::new(&loaded.heap, &loaded.context.types);
        let texts = |loaded: &NamedGraph| -> Result<_> {
            let (equal, arrays) = (loaded.context.strings.equal()?, arrays);
            let table = texts::table(loaded, &clues, &equal, &arrays, extent.strings)?;
            Ok((equal, table))
        };
        let group = |heap: &HeapGraph, node| groups.of(heap, node);
        let (analysed, texts) = analyse(&mut loaded, (groups.rows.len() as u32, group), texts)?;
        let HeapGraph { graph, sizes, .. } = &loaded.heap;
        let (equal, strings) = texts?;
        let found = || -> Result<_> {
            let naming = Naming::new(&loaded, &clues, &analysed.rules)?.within(&analysed.outline);
            let findings = if extent.picture {
                Findings::default()
            } else {
                find(&loaded, &analysed, (&clues, &naming, &equal), earlier, Limits::default())?
            };
            Ok((findings, naming.own))
        };
        let Analysed { outline, groups: of, size, unreached, .. } = &analysed;
        let weights = analysed.weights(&loaded.heap);
        let drawn = || {
            let cells = cells::build(weights, outline, (&groups.rows, of), extent.shape);
            let nodes = sizes.len() as u64;
            let totals =
                HeapTotals { nodes, edges: graph.edges().into(), size: *size, unreached: *unreached };
            (cells, totals)
        };
        let (found, (cells, totals)) = join(true, found, drawn);
        let (findings, own) = found?;
        Parts { totals, strings, findings, cells, groups }.named(&loaded, &own, &analysed.sums, extent)
    }
}

/// What a view is made of, before cells and classes are named.
struct Parts {
    totals: HeapTotals,
    strings: StringTable,
    findings: Findings,
    cells: Unlabelled,
    groups: Groups,
}

impl Parts {
    /// The view; `sums` are what each group retains.
    fn named(
        self,
        loaded: &NamedGraph,
        own: &Ownership<'_>,
        sums: &[u64],
        extent: Extent,
    ) -> Result<HeapView> {
        let Self { totals, strings, findings, cells, groups } = self;
        let mut tree = cells.labelled(loaded, own)?;
        let kinds = whose::of_classes(&loaded.heap, own, &groups);
        let known = groups.rows.iter().map(|row| row.class.as_str()).zip(kinds);
        tree.kinds = whose::of_names(&tree.names, known, Whose::Runtime);
        let classes = ClassTable::retaining(groups.rows, sums, extent.classes);
        Ok(HeapView { totals, tree, classes, strings, findings, ..HeapView::default() })
    }
}

/// Classes over several dumps, in the order of the dumps.
pub fn growth(dumps: Vec<Census>) -> Vec<Growth> {
    let row = |row: crate::diff::ClassChange| Growth {
        class: row.class,
        points: row.totals.iter().map(|totals| (totals.count, totals.size)).collect(),
    };
    // Frames of a profile allocate nothing themselves.
    let is_empty = |of: &Growth| of.points.iter().all(|&point| point == (0, 0));
    Diff::of(dumps).rows.into_iter().map(row).filter(|of| !is_empty(of)).collect()
}
