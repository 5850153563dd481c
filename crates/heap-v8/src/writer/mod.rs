//! The writer: any stream as a V8 heap snapshot that Chrome DevTools and memlab load.
//!
//! A stream that was made from a snapshot gives that snapshot again: the same graph, ids, strings, traces and
//! white space, in the layout that `v8.snapshot` and its companions in the metadata describe. From any other stream, and
//! from a part of one, a sound snapshot is made: one root, held by which all nodes are, and counts that are true.
//!
//! A snapshot has its nodes before its edges, its edges before its strings, and with each node its number of edges;
//! the stream has strings first and edges last. So all three go to spools and are joined at the end. Usually edges come in the order of their sources, after all nodes; those that do not are
//! kept with their identifiers and sorted at the end, a few million at a time.
//!
//! Memory: 12 to 24 bytes a node (identifier, number of edges, ordinal by identifier), and for each string 12 unless
//! string ids count up from 0 as in a whole snapshot. Where the graph has to be made sound, 4 bytes an edge and 12 a
//! node on top. In `TMPDIR`: 10 bytes an edge, 16 a node, and the strings.
//!
//! What is lost is counted: small integers and floats in fields, `heap.count`, other sources' own fields.

mod emit;
mod graph;
mod head;
mod ids;
mod kinds;
mod lists;
mod reach;
mod rows;
mod texts;
mod wide;

use std::io::Write;

use heap_base::{Error, Result, Set};
use heap_record::{
    Declaration, EdgeBatch, Extension, LeftOut, Metadata, NodeBatch, Sink, Str, Target, Types, Value, Wants,
};

use heap_spool::too_late;

use graph::Graph;
use head::{Original, Shape};

/// Which fields, types and white space a snapshot has that was a snapshot before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Those that it had.
    #[default]
    Original,
    /// Those that the newest V8 writes, for tools that know no other. Mends a `trace_function_count` that is too
    /// small for Chrome DevTools.
    Newest,
}

/// Writes a V8 heap snapshot. See the module's description.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    layout: Layout,
    original: Original,
    roots: Vec<Value>,
    types: Types,
    began: bool,
    snapshots: u32,
    /// Once the first record has come.
    graph: Option<Graph>,
    left_out: LeftOut,
    notes: Vec<String>,
}

/// Writes a snapshot to `out`, which needs no buffer.
pub fn writer<W: Write>(out: W, layout: Layout) -> Writer<W> {
    Writer {
        out,
        layout,
        original: Original::default(),
        roots: Vec::new(),
        types: Types::default(),
        began: false,
        snapshots: 0,
        graph: None,
        left_out: LeftOut::new(),
        notes: Vec::new(),
    }
}

impl<W: Write> Writer<W> {
    /// The graph, which the first record begins.
    #[inline]
    fn graph(&mut self) -> Result<&mut Graph> {
        if self.graph.is_none() {
            self.graph = Some(Graph::new(Shape::new(&self.original, self.layout)?)?);
        }
        self.graph.as_mut().ok_or_else(Error::stop)
    }
}

impl<W: Write> Sink for Writer<W> {
    fn wants(&self) -> Wants {
        Wants::IN_ORDER
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match record.key {
            "version_major" if self.began => {
                return Err(Error::refused("a V8 snapshot holds one heap, and this is another one"));
            }
            "version_major" => {}
            "heap.snapshot" => {
                self.snapshots += 1;
                if self.snapshots > 1 {
                    return Err(Error::refused(
                        "a V8 snapshot holds one heap, and there are several: --snapshot N picks one",
                    ));
                }
            }
            "heap.root" => self.roots.extend(record.value.parse::<Value>()),
            _ => {
                let own = self.original.metadata(record);
                let shapes = record.key == "target_source" || record.key.starts_with("v8.");
                if own && shapes && self.graph.is_some() {
                    return Err(too_late(record));
                }
                if !own {
                    self.left_out.add("metadata of other sources", 1);
                }
            }
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.began = true;
        self.types.declare(record);
        if let Some(graph) = &mut self.graph {
            graph.node_kinds.clear();
            graph.edge_kinds.clear();
        }
        Ok(())
    }

    #[inline]
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.began = true;
        if !self.graph()?.texts.add(record)? {
            self.left_out.add("text that is not Unicode", 1);
        }
        Ok(())
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.began = true;
        self.graph()?;
        let Self { graph: Some(graph), types, roots, left_out, .. } = self else { return Ok(()) };
        let root = roots.first().copied();
        batch.try_for_each(|node| graph.node(node, types, root, left_out))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.began = true;
        self.graph()?;
        let Self { graph: Some(graph), types, roots, left_out, .. } = self else { return Ok(()) };
        let root = roots.first().copied();
        batch.try_for_each(|edge| graph.edge(edge, types, root, left_out))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.began = true;
        let graph = self.graph()?;
        if !lists::take(&mut graph.lists, &graph.texts, record)? {
            self.left_out.add(&format!("{} records", record.kind), 1);
        }
        Ok(())
    }

    fn finish(&mut self, intact: bool) -> Result {
        if intact {
            self.graph()?;
        }
        let Some(graph) = self.graph.take() else { return Ok(()) };
        let mut roots = std::mem::take(&mut self.roots);
        let mut seen = Set::default();
        roots.retain(|&root| seen.insert(root));
        let extra = std::mem::take(&mut self.original.extra);
        emit::emit(graph, &roots, &extra, &mut self.out, &mut self.left_out, &mut self.notes)?;
        self.out.flush().map_err(Error::write)
    }
}

impl<W: Write> Target for Writer<W> {
    fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}
