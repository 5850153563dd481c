//! Writers that turn each node and each edge into text as it comes.

use std::io::Write;

use heap_base::{Error, Result};
use heap_ops::select::{Selection, Selector};
use heap_ops::stream::{Context, Owner};
use heap_ops::{OnePass, Report};
use heap_record::{Declaration, Declared, Edge, Extension, LeftOut, Metadata, Node, Sink, Target, Wants};

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 16;

/// How nodes and edges become text.
pub(crate) trait Lines {
    /// What it asks for.
    fn wants(&self) -> Wants;
    /// Appends what comes first. Declarations have come.
    fn head(&mut self, out: &mut Vec<u8>, context: &Context);
    /// Whether what came first would have been another with this declaration.
    fn changes_head(&self, _declared: &Declared<'_>) -> bool {
        false
    }
    /// Appends a node.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    fn node(&mut self, out: &mut Vec<u8>, node: &Node<'_>, context: &Context) -> Result;
    /// Appends an edge. What it cannot hold it counts.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    fn edge(
        &mut self,
        out: &mut Vec<u8>,
        edge: &Edge<'_>,
        context: &Context,
        left_out: &mut LeftOut,
    ) -> Result;
    /// Appends what comes last.
    fn end(&mut self, out: &mut Vec<u8>);
}

/// Writes what [`Lines`] makes of a stream. Records that come before their strings are deferred.
pub(crate) struct LineWriter<W, L>(OnePass<Text<W, L>>);

impl<W: Write, L: Lines> LineWriter<W, L> {
    pub(crate) fn new(out: W, lines: L) -> Self {
        let (buffer, left_out) = (Vec::with_capacity(BUFFER), LeftOut::new());
        let text = Text { out, lines, buffer, left_out, begun: false, ended: false };
        Self(OnePass::new(text, Selection::default()))
    }
}

struct Text<W, L> {
    out: W,
    lines: L,
    buffer: Vec<u8>,
    left_out: LeftOut,
    /// Whether the head was written, and the snapshot is complete.
    begun: bool,
    ended: bool,
}

impl<W: Write, L: Lines> Text<W, L> {
    fn begin(&mut self, context: &Context) -> Result {
        if self.ended {
            return Err(Error::refused("several snapshots or streams: --snapshot N chooses one"));
        }
        if !self.begun {
            self.begun = true;
            self.lines.head(&mut self.buffer, context);
        }
        Ok(())
    }

    fn drain(&mut self, least: usize) -> Result {
        if self.buffer.len() >= least {
            self.out.write_all(&self.buffer).map_err(Error::write)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

impl<W: Write, L: Lines> Report for Text<W, L> {
    fn wants(&self, _: &Selection) -> Wants {
        self.lines.wants()
    }

    /// There is no second one.
    fn begin_stream(&mut self) {}

    /// Numbers as in `@N` are written at once, so the rule for them cannot come later.
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if self.begun && !self.ended && record.key == "heap.identifier" {
            let what = format!("{} comes after the first record that it is about", record.key);
            return Err(Error::at_line(record.line.number, what));
        }
        Ok(())
    }

    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        selector.context.has_strings_of(node)
    }

    fn fold(&mut self, node: &Node<'_>, _: u32, selector: &mut Selector) -> Result {
        self.begin(&selector.context)?;
        self.lines.node(&mut self.buffer, node, &selector.context)?;
        self.drain(BUFFER)
    }

    fn fold_edge(&mut self, edge: &Edge<'_>, complete: bool, selector: &Selector) -> Result<bool> {
        let context = &selector.context;
        if !(complete || context.has(edge.label) && context.has_strings(Owner::Record("edge"), edge.rest)) {
            return Ok(false);
        }
        self.begin(context)?;
        self.lines.edge(&mut self.buffer, edge, context, &mut self.left_out)?;
        self.drain(BUFFER)?;
        Ok(true)
    }

    fn extension(&mut self, record: &Extension<'_>, _: &mut Selector) -> Result {
        self.left_out.add(&format!("{} records", record.kind), 1);
        Ok(())
    }

    /// A stream begins with the end of none.
    fn end_snapshot(&mut self, _: &mut Selector) -> Result {
        self.ended |= self.begun;
        Ok(())
    }
}

impl<W: Write, L: Lines> Sink for LineWriter<W, L> {
    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        let text = self.0.report();
        if text.begun && !text.ended && text.lines.changes_head(&record.what) {
            return Err(Error::at_line(record.line.number, "this declares columns after the first row"));
        }
        self.0.declare(record)
    }
    fn flush(&mut self) -> Result {
        let text = self.0.report_mut();
        text.drain(1)?;
        text.out.flush().map_err(Error::write)
    }
    fn finish(&mut self, intact: bool) -> Result {
        self.0.finish(intact)?;
        if !self.0.report().begun {
            let mut head = Vec::new();
            let context = Context::default();
            self.0.report_mut().lines.head(&mut head, &context);
            self.0.report_mut().buffer.extend(head);
        }
        let text = self.0.report_mut();
        text.lines.end(&mut text.buffer);
        self.flush()
    }

    heap_record::pass_on!(0: wants metadata string nodes edges extension);
}

impl<W: Write, L: Lines> Target for LineWriter<W, L> {
    fn left_out(&self) -> &LeftOut {
        &self.0.report().left_out
    }
}
