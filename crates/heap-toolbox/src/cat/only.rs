//! Some record types and no others: heap-cat --only.

use heap_base::Result;
use heap_record::wants::{Edges, Nodes, Strings};
use heap_record::{
    Declaration, Declared, EdgeBatch, EdgeFilter, Extension, Metadata, NodeBatch, Sharded, Sink, Str, Wants,
};

/// The record types that are no extensions.
const HEAD: &[&str] = &["metadata", "type", "node_type", "edge_type", "string", "node", "edge"];

/// The record types to keep.
#[derive(Clone, Debug, Default)]
pub struct Only {
    types: Vec<String>,
}

impl Only {
    /// Adds types, parted by commas: `node,edge,v8.location`.
    ///
    /// # Errors
    /// The first word that is no record type. Extension types have a dot.
    pub fn add(&mut self, types: &str) -> Result<(), String> {
        for name in types.split(',').map(str::trim).filter(|t| !t.is_empty()) {
            if !HEAD.contains(&name) && !name.contains('.') {
                return Err(name.to_owned());
            }
            self.types.push(name.to_owned());
        }
        Ok(())
    }

    /// A sink that passes these types on to `out`.
    pub fn to<S: Sink>(self, out: S) -> OnlySink<S> {
        OnlySink { only: self, out }
    }

    fn has(&self, name: &str) -> bool {
        self.types.iter().any(|t| t == name)
    }
}

/// Passes on records of some types. Without metadata among them it writes no end mark either.
#[derive(Debug)]
pub struct OnlySink<S> {
    only: Only,
    out: S,
}

impl<S: Sink> Sink for OnlySink<S> {
    fn wants(&self) -> Wants {
        let wants = self.out.wants();
        let extensions = self.only.types.iter().any(|t| !HEAD.contains(&t.as_str()));
        Wants {
            strings: if self.only.has("string") { wants.strings } else { Strings::None },
            nodes: if self.only.has("node") { wants.nodes } else { Nodes::None },
            edges: if self.only.has("edge") { wants.edges } else { Edges::None },
            extensions: wants.extensions && extensions,
            any_order: wants.any_order,
            after_strings: wants.after_strings && self.only.has("string"),
            references: false,
            numbers: false,
            memory: wants.memory,
        }
    }

    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        self.out.edge_filter()
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        if self.only.has("edge") { self.out.sharded() } else { None }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if self.only.has("metadata") { self.out.metadata(record) } else { Ok(()) }
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        let name = match record.what {
            Declared::Record { .. } => "type",
            Declared::Node { .. } => "node_type",
            Declared::Edge { .. } => "edge_type",
        };
        if self.only.has(name) { self.out.declare(record) } else { Ok(()) }
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        if self.only.has("string") { self.out.string(record) } else { Ok(()) }
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if self.only.has("node") { self.out.nodes(batch) } else { Ok(()) }
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        if self.only.has("edge") { self.out.edges(batch) } else { Ok(()) }
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        if self.only.has(record.kind) { self.out.extension(record) } else { Ok(()) }
    }

    fn flush(&mut self) -> Result {
        self.out.flush()
    }

    fn finish(&mut self, intact: bool) -> Result {
        // Without metadata there is no mark, and none is missing.
        self.out.finish(intact || !self.only.has("metadata"))
    }
}
