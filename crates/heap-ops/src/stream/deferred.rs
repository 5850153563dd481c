//! Records that came before what they refer to, kept until the end of the snapshot.
//!
//! All tools but a few get records in any order. A node that comes before the strings it is judged by, or an edge that
//! comes before its nodes, is deferred here. At the end of the snapshot [`Deferred::deliver`] hands it out again: then
//! everything has come that will come.

use std::fs::File;
use std::io::{Cursor, Read, Seek, Write};

use heap_base::{Error, Result};
use heap_record::write::{edge_line, extension_line, node_line};
use heap_record::{Edge, EdgeBatch, Extension, Node, NodeBatch, Sink, SnapshotSelector, Wants};

/// Bytes of lines in memory; what comes beyond goes to an unlinked file in `TMPDIR`.
const IN_MEMORY: usize = 16 << 20;

/// Takes deferred records: all nodes first, then edges and extension records in the order in which they came.
pub trait TakeDeferred {
    /// A deferred node, with the number it was deferred with.
    ///
    /// # Errors
    /// Those of the tool.
    fn deferred_node(&mut self, node: &Node<'_>, number: u32) -> Result;
    /// A deferred edge.
    ///
    /// # Errors
    /// Those of the tool.
    fn deferred_edge(&mut self, _edge: &Edge<'_>) -> Result {
        Ok(())
    }
    /// A deferred extension record.
    ///
    /// # Errors
    /// Those of the tool.
    fn deferred_extension(&mut self, _record: &Extension<'_>) -> Result {
        Ok(())
    }
}

/// Deferred records. Memory: twice 16 MiB at most, and 4 bytes for each node.
#[derive(Debug, Default)]
pub struct Deferred {
    nodes: Lines,
    numbers: Vec<u32>,
    others: Lines,
}

impl Deferred {
    /// True if nothing is deferred.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.others.is_empty()
    }

    /// Defers a node. `number` comes back with it.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn node(&mut self, node: &Node<'_>, number: u32) -> Result {
        self.numbers.push(number);
        self.nodes.push(node.line.bytes, |out| node_line(out, node))
    }

    /// Defers an edge.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn edge(&mut self, edge: &Edge<'_>) -> Result {
        self.others.push(edge.line.bytes, |out| edge_line(out, edge))
    }

    /// Defers an extension record.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.others.push(record.line.bytes, |out| extension_line(out, record))
    }

    /// Hands everything out.
    ///
    /// # Errors
    /// The temporary file cannot be read, or that of `to`.
    pub fn deliver(self, to: &mut dyn TakeDeferred) -> Result {
        let mut replay = Replay { to, numbers: self.numbers.into_iter() };
        self.nodes.read(&mut replay)?;
        self.others.read(&mut replay)
    }
}

/// Records as lines.
#[derive(Debug, Default)]
struct Lines {
    bytes: Vec<u8>,
    file: Option<File>,
}

impl Lines {
    fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.file.is_none()
    }

    fn push(&mut self, line: &[u8], write: impl FnOnce(&mut Vec<u8>)) -> Result {
        if line.is_empty() {
            write(&mut self.bytes);
        } else {
            self.bytes.extend_from_slice(line);
        }
        self.bytes.push(b'\n');
        if self.bytes.len() >= IN_MEMORY {
            let mut file = match self.file.take() {
                Some(file) => file,
                None => tempfile::tempfile().map_err(Error::write)?,
            };
            file.write_all(&self.bytes).map_err(Error::write)?;
            self.file = Some(file);
            self.bytes.clear();
        }
        Ok(())
    }

    fn read(self, sink: &mut dyn Sink) -> Result {
        if self.is_empty() {
            return Ok(());
        }
        let bytes = Cursor::new(self.bytes);
        match self.file {
            None => heap_record::read::read(bytes, SnapshotSelector::All, sink),
            Some(mut file) => {
                file.rewind().map_err(Error::read)?;
                heap_record::read::read(file.chain(bytes), SnapshotSelector::All, sink)
            }
        }
    }
}

/// Reads the lines back.
struct Replay<'a> {
    to: &'a mut dyn TakeDeferred,
    numbers: std::vec::IntoIter<u32>,
}

impl Sink for Replay<'_> {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| match self.numbers.next() {
            Some(number) => self.to.deferred_node(node, number),
            None => Ok(()),
        })
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| self.to.deferred_edge(edge))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.to.deferred_extension(record)
    }
}
