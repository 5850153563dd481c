//! What equal strings hang on: the field of the program that most of them are reached by.

use heap_base::{BitSet, Map, Result};
use heap_graph::Keep;
use heap_record::{Declaration, EdgeBatch, Extension, Metadata, NodeBatch, Role, Sink, Str, Wants};

use super::arrays::OwnArrays;
use super::{DuplicateStrings, KeepNodes};
use crate::memory::limit;
use heap_ops::graph::NamedGraph;
use heap_ops::place::{ClueLoader, Names, Naming, Ownership, Sort, Wanted};
use heap_ops::report::OnePass;

/// A field, and how many of some nodes hang on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Type name of the object that has it.
    pub class: String,
    /// Label of the edge.
    pub label: String,
    /// What the edge is to the program.
    pub role: Role,
    /// Nodes that it leads to.
    pub count: u64,
}

/// Bytes a node and an edge that the search for owners takes.
const IN_MEMORY: (u64, u64) = (40, 6);

/// Finds equal strings of one heap with their owners.
///
/// Memory: that of [`DuplicateStrings`], the graph, 4 bytes a string node, 8 bytes a node and one an edge. A graph that takes
/// more than a limit goes through files.
#[derive(Debug)]
pub struct HeldStrings {
    strings: OnePass<DuplicateStrings>,
    load: ClueLoader,
}

impl HeldStrings {
    /// Adds owners to what `strings` finds. The graph may take so many bytes of memory; by default that is three quarters of
    /// what is free.
    pub fn new(mut strings: OnePass<DuplicateStrings>, memory: Option<u64>) -> Self {
        strings.report_mut().keep = KeepNodes::Rows;
        let keep = Keep { strong_only: true, ..Keep::default() };
        Self { strings, load: ClueLoader::beside_strings(keep).with_limit(limit(memory), IN_MEMORY) }
    }

    /// The strings with their owners, and warnings about fields in conditions that no node had. Call when no more records
    /// come.
    ///
    /// # Errors
    /// The records are no graph, or a temporary file cannot be read.
    pub fn build(mut self) -> Result<(DuplicateStrings, Vec<String>)> {
        let (graph, clues, mut large) = self.load.build_within()?;
        let types = &self.strings.context().types;
        let arrays = match &mut large {
            Some(large) => OwnArrays::of_large(&graph.heap, types, large)?,
            None => OwnArrays::new(&graph.heap, types),
        };
        self.strings.report_mut().set_arrays(arrays);
        self.strings.finish(true)?;
        let missing = self.strings.missing();
        let (mut report, context) = self.strings.into_parts();
        let mut loaded = NamedGraph::new(graph.heap, context, Vec::new());
        let nodes: BitSet = report.rows.iter().flat_map(|row| &row.nodes).copied().collect();
        if let Some(large) = large {
            loaded.thin(&clues, large, Wanted { targets: &nodes, names: true, paths: None })?;
        }
        let graph = &loaded.heap.graph;
        let rules = loaded.rules();
        let naming = Naming::new(&loaded, &clues, &rules)?;
        let names = Names::new(&naming, &nodes)?;
        for row in &mut report.rows {
            let mut counts: Map<(String, i64, u32), u64> = Map::default();
            for &node in &row.nodes {
                if let Some(edge) = named_edge(&loaded, &naming.own, &names, node)?
                    && let (Some(label), Some(kind)) = (loaded.heap.label(edge)?, loaded.heap.kind(edge)?)
                {
                    *counts.entry((loaded.class(graph.source(edge))?, label, kind)).or_default() += 1;
                }
            }
            let most = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
            if let Some(((class, label, kind), count)) = most {
                let label = loaded.context.strings.text_or_number(label)?;
                let role = loaded.context.types.role(kind);
                row.owner = Some(Owner { class, label, role, count });
            }
        }
        loaded.check()?;
        clues.check()?;
        Ok((report, missing))
    }
}

/// The last edge on the cheapest way to a node that a name of the program belongs to, from a function or an object with a
/// class; elements of arrays have none.
fn named_edge(
    loaded: &NamedGraph,
    own: &Ownership<'_>,
    names: &Names<'_>,
    mut node: u32,
) -> Result<Option<u32>> {
    let named = |edge: u32| -> Result<bool> {
        let named = matches!(loaded.role(edge)?, Role::Member | Role::Variable | Role::Static);
        let label = loaded.heap.label(edge)?;
        Ok(named && label.is_some_and(|label| label >= 0))
    };
    loop {
        let Some(edge) = names.last(node) else { return Ok(None) };
        let source = loaded.heap.graph.source(edge);
        if named(edge)? && (loaded.heap.class(source).is_some() || own.sort(source) == Sort::Closure) {
            return Ok(Some(edge));
        }
        node = source;
    }
}

impl Sink for HeldStrings {
    fn wants(&self) -> Wants {
        self.strings.wants().union(self.load.wants())
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.load.metadata(record)?;
        self.strings.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.load.declare(record)?;
        self.strings.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.load.string(record)?;
        self.strings.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.load.nodes(batch)?;
        self.strings.nodes(batch)
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.load.edges(batch)
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.load.extension(record)?;
        self.strings.extension(record)
    }
}
