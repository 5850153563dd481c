//! Some record types and no others: heap-cat --only.

use heap_base::Result;
use heap_record::{Declaration, Declared, Edge, Extension, Line, Metadata, Node, Sink, Str, Wants};

/// The record types that are no extensions.
const HEAD: &[&str] = &["metadata", "type", "node_type", "edge_type", "string", "node", "edge"];

/// The record types to keep.
#[derive(Clone, Debug, Default)]
pub struct Only {
    types: Vec<String>,
}

impl Only {
    /// Adds types, parted by commas: `node,edge,v8.location`. Gives the first that is none: extension types
    /// have a dot.
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
        Wants {
            strings: self.only.has("string"),
            nodes: self.only.has("node"),
            details: self.only.has("node"),
            edges: self.only.has("edge"),
            indexes: self.only.has("string"),
            only_classes: false,
            others: self.only.types.iter().any(|t| !HEAD.contains(&t.as_str())),
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if self.only.has("metadata") { self.out.metadata(record) } else { Ok(()) }
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.declare_line(record, Line::default())
    }

    fn declare_line(&mut self, record: &Declaration<'_>, line: Line<'_>) -> Result {
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

    fn node(&mut self, record: &Node<'_>) -> Result {
        if self.only.has("node") { self.out.node(record) } else { Ok(()) }
    }

    fn edge(&mut self, record: &Edge<'_>) -> Result {
        if self.only.has("edge") { self.out.edge(record) } else { Ok(()) }
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        if self.only.has(record.kind) { self.out.extension(record) } else { Ok(()) }
    }

    fn flush(&mut self) -> Result {
        self.out.flush()
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.out.finish(whole && self.only.has("metadata"))
    }
}
