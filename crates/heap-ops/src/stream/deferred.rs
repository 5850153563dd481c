//! Records that came before what they refer to, kept until the end of the snapshot.
//!
//! All tools but a few get records in any order. A node that comes before the strings it is judged by, or an edge that
//! comes before its nodes, is deferred here. At the end of the snapshot [`Deferred::deliver`] hands it out again: then
//! everything has come that will come.

use std::fs::File;
use std::io::{Cursor, Read, Seek, Write};

use heap_base::spool::{no_room, temporary};
use heap_base::{Error, Reader, Result, Spool, push_varint};
use heap_record::write::{edge_line, extension_line, node_line};
use heap_record::{Edge, EdgeBatch, Extension, Line, Node, NodeBatch, Sink, SnapshotSelector, Wants};

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
        self.nodes.push(node.line, |out| node_line(out, node))
    }

    /// Defers an edge.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn edge(&mut self, edge: &Edge<'_>) -> Result {
        self.others.push(edge.line, |out| edge_line(out, edge))
    }

    /// Defers an extension record.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.others.push(record.line, |out| extension_line(out, record))
    }

    /// Hands everything out.
    ///
    /// # Errors
    /// The temporary file cannot be read, or that of `to`.
    pub fn deliver(self, to: &mut dyn TakeDeferred) -> Result {
        let mut numbers = self.numbers.into_iter();
        self.nodes.read(to, &mut numbers)?;
        self.others.read(to, &mut numbers)
    }
}

/// Records as canonical lines, and beside them the lines that they came from where these are others: names in a line mean
/// numbers that only the reader of the stream knew.
#[derive(Debug, Default)]
struct Lines {
    bytes: Vec<u8>,
    file: Option<File>,
    /// Number, length and bytes of each line that a record came from; no bytes where it was canonical.
    origins: Spool,
}

impl Lines {
    fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.file.is_none()
    }

    fn push(&mut self, line: Line<'_>, write: impl FnOnce(&mut Vec<u8>)) -> Result {
        let canonical = line.canonical && !line.bytes.is_empty();
        if canonical {
            self.bytes.extend_from_slice(line.bytes);
        } else {
            write(&mut self.bytes);
        }
        self.bytes.push(b'\n');
        self.origins.build(|buf| {
            let origin = if canonical { &[] } else { line.bytes };
            push_varint(buf, line.number);
            push_varint(buf, origin.len() as u64);
            buf.extend_from_slice(origin);
        })?;
        if self.bytes.len() >= IN_MEMORY {
            let mut file = match self.file.take() {
                Some(file) => file,
                None => temporary().map_err(Error::write)?,
            };
            file.write_all(&self.bytes).map_err(no_room)?;
            self.file = Some(file);
            self.bytes.clear();
        }
        Ok(())
    }

    fn read(self, to: &mut dyn TakeDeferred, numbers: &mut std::vec::IntoIter<u32>) -> Result {
        if self.is_empty() {
            return Ok(());
        }
        let bytes = Cursor::new(self.bytes);
        let mut replay = Replay { to, numbers, origins: self.origins.reader() };
        match self.file {
            None => heap_record::read::read(bytes, SnapshotSelector::All, &mut replay),
            Some(mut file) => {
                file.rewind().map_err(Error::read)?;
                heap_record::read::read(file.chain(bytes), SnapshotSelector::All, &mut replay)
            }
        }
    }
}

/// Reads the lines back.
struct Replay<'a> {
    to: &'a mut dyn TakeDeferred,
    numbers: &'a mut std::vec::IntoIter<u32>,
    origins: Reader<'a>,
}

/// The line that the next record came from; `canonical` is the one it was kept as.
fn origin<'a>(origins: &'a mut Reader<'_>, canonical: Line<'a>) -> Result<Line<'a>> {
    let number = origins.varint()?;
    let length = origins.varint()? as usize;
    let bytes = origins.bytes(length)?;
    Ok(if bytes.is_empty() { Line { number, ..canonical } } else { Line { bytes, canonical: false, number } })
}

impl Sink for Replay<'_> {
    /// Declarations came before.
    fn wants(&self) -> Wants {
        Wants { any_order: true, ..Wants::ALL }
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| {
            let line = origin(&mut self.origins, node.line)?;
            match self.numbers.next() {
                Some(number) => self.to.deferred_node(&Node { line, ..*node }, number),
                None => Ok(()),
            }
        })
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| {
            let line = origin(&mut self.origins, edge.line)?;
            self.to.deferred_edge(&Edge { line, ..*edge })
        })
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        let line = origin(&mut self.origins, record.line)?;
        self.to.deferred_extension(&Extension { line, ..*record })
    }
}
