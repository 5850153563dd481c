//! Records that came too early, held back as lines until what they wait for has come.

use std::fs::File;
use std::io::{Cursor, Read, Seek, Write};

use heap_base::{Error, Result};
use heap_record::write::{edge_line, extension_line, node_line};
use heap_record::{Edge, Extension, Node, Sink, SnapshotSelector};

/// Lines held in memory; what comes beyond goes to an unlinked file in `TMPDIR`.
const IN_MEMORY: usize = 16 << 20;

/// Records held back. Memory: 16 MiB at most.
#[derive(Debug, Default)]
pub struct Held {
    lines: Vec<u8>,
    file: Option<File>,
}

impl Held {
    /// True if nothing is held back.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.file.is_none()
    }

    /// Holds a node back.
    pub fn node(&mut self, node: &Node<'_>) -> Result {
        self.push(node.line.bytes, |out| node_line(out, node))
    }

    /// Holds an edge back.
    pub fn edge(&mut self, edge: &Edge<'_>) -> Result {
        self.push(edge.line.bytes, |out| edge_line(out, edge))
    }

    /// Holds an extension record back.
    pub fn extension(&mut self, other: &Extension<'_>) -> Result {
        self.push(other.line.bytes, |out| extension_line(out, other))
    }

    fn push(&mut self, line: &[u8], write: impl FnOnce(&mut Vec<u8>)) -> Result {
        if line.is_empty() {
            write(&mut self.lines);
        } else {
            self.lines.extend_from_slice(line);
        }
        self.lines.push(b'\n');
        if self.lines.len() >= IN_MEMORY {
            let mut file = match self.file.take() {
                Some(file) => file,
                None => tempfile::tempfile().map_err(Error::write)?,
            };
            file.write_all(&self.lines).map_err(Error::write)?;
            self.file = Some(file);
            self.lines.clear();
        }
        Ok(())
    }

    /// Lets nodes go, in the order they came; nothing else is held back here.
    pub fn nodes(self, each: impl FnMut(&Node<'_>) -> Result) -> Result {
        self.replay(&mut Nodes(each))
    }

    /// Lets everything go, in the order it came.
    pub fn replay(self, sink: &mut dyn Sink) -> Result {
        if self.is_empty() {
            return Ok(());
        }
        let lines = Cursor::new(self.lines);
        match self.file {
            None => heap_record::read::read(lines, SnapshotSelector::All, sink),
            Some(mut file) => {
                file.rewind().map_err(Error::read)?;
                heap_record::read::read(file.chain(lines), SnapshotSelector::All, sink)
            }
        }
    }
}

/// Nodes held back, each with its number among all nodes. Memory: that of [`Held`], and 4 bytes each.
#[derive(Debug, Default)]
pub(crate) struct Numbered {
    held: Held,
    numbers: Vec<u32>,
}

impl Numbered {
    /// Holds a node back.
    pub(crate) fn node(&mut self, node: &Node<'_>, number: u32) -> Result {
        self.numbers.push(number);
        self.held.node(node)
    }

    /// Lets the nodes go, in the order they came.
    pub(crate) fn nodes(self, mut each: impl FnMut(&Node<'_>, u32) -> Result) -> Result {
        let mut numbers = self.numbers.into_iter();
        self.held.nodes(|node| numbers.next().map_or(Ok(()), |number| each(node, number)))
    }
}

/// Hears nodes.
struct Nodes<F>(F);

impl<F: FnMut(&Node<'_>) -> Result> Sink for Nodes<F> {
    fn node(&mut self, node: &Node<'_>) -> Result {
        (self.0)(node)
    }
}
