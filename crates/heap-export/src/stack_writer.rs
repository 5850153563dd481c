//! The dominator tree as stacks, written when all records have come.

use std::io::Write;

use heap_base::{Error, Result};
use heap_ops::select::Selection;
use heap_ops::tree::{Axis, TableSpec, TreeLoader};
use heap_pprof::Gather;
use heap_record::{
    Declaration, EdgeBatch, Extension, LeftOut, Metadata, NodeBatch, Sharded, Sink, Str, Target, Wants, wants,
};

use crate::stacks::{Config, Stacks, Weight};
use crate::{folded, pprof};

/// How stacks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One a line, with bytes or objects.
    Folded,
    /// As a profile, with both.
    Pprof,
}

/// Writes the dominator tree as stacks. Memory: that of the graph, and 28 bytes for each position of the tree.
pub struct StackWriter<W> {
    out: W,
    form: Form,
    config: Config,
    tree: TreeLoader,
    /// The sum over all nodes.
    all: Weight,
    /// For a stream that came from a profile, and goes back to one.
    profile: Option<Gather>,
    notes: Vec<String>,
    left_out: LeftOut,
}

impl<W: Write> StackWriter<W> {
    /// Writes to `out` when all records have come.
    pub fn new(out: W, form: Form, config: Config) -> Self {
        let profile = (form == Form::Pprof).then(Gather::new);
        Self {
            out,
            form,
            config,
            tree: loader(config),
            all: Weight::default(),
            profile,
            notes: Vec::new(),
            left_out: LeftOut::new(),
        }
    }

    /// What it writes to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    fn write(&mut self) -> Result {
        if self.gathers().is_some_and(|profile| profile.lacks_a_side()) {
            self.notes.push(
                "one side of the difference of two profiles is written, the other is left out".to_owned(),
            );
        }
        if let Some((profile, left_out)) = self.profile.take().and_then(Gather::finish) {
            self.left_out = left_out;
            return self.out.write_all(&profile.encode()).map_err(Error::write);
        }
        let table = std::mem::replace(&mut self.tree, loader(self.config)).build()?;
        let stacks = Stacks { table, all: self.all, config: self.config };
        if stacks.uncounted() && (self.form == Form::Pprof || self.config.count) {
            self.notes.push("the source does not say how many objects there are: such count 0".to_owned());
        }
        match self.form {
            Form::Folded => folded::write(&stacks, self.config.count, &mut self.out),
            Form::Pprof => {
                let profile = pprof::profile(&stacks)?;
                self.out.write_all(&profile.encode()).map_err(Error::write)
            }
        }
    }

    /// The profile that is gathered, if the stream came from one.
    fn gathers(&mut self) -> Option<&mut Gather> {
        self.profile.as_mut().filter(|profile| profile.is_profile())
    }
}

fn loader(config: Config) -> TreeLoader {
    // One level more, to know what lies deeper. What is cut off must be there, to go to `<other>`.
    let depth = config.depth.saturating_add(1);
    let axis = if config.frames { Axis::Frame } else { Axis::Dom };
    let spec = TableSpec { axis, depth, stacks: true, ..TableSpec::default() };
    TreeLoader::new(spec, Selection::default())
}

impl<W: Write> Sink for StackWriter<W> {
    fn wants(&self) -> Wants {
        let tree = self.tree.wants();
        if self.profile.is_none() {
            return tree;
        }
        // A profile goes back whole; whether it is one only its metadata say.
        Wants { edges: wants::Edges::ById, nodes: wants::Nodes::Full, extensions: true, ..tree }
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        if self.profile.is_none() { self.tree.sharded() } else { None }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if let Some(profile) = &mut self.profile {
            profile.metadata(record)?;
            // A difference has two snapshots and goes back whole.
            if profile.is_profile() && record.key == "heap.snapshot" {
                return Ok(());
            }
        }
        self.tree.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.tree.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        match self.gathers() {
            Some(profile) => {
                profile.string(record);
                Ok(())
            }
            None => self.tree.string(record),
        }
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if let Some(profile) = &mut self.profile {
            profile.nodes(batch)?;
        }
        for node in batch.iter() {
            let (size, count) = (node.heap.size.unwrap_or(0), node.heap.count.unwrap_or(1));
            self.all = self.all.plus(Weight { size, count });
        }
        if self.gathers().is_some() { Ok(()) } else { self.tree.nodes(batch) }
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        match self.gathers() {
            Some(profile) => profile.edges(batch),
            None => self.tree.edges(batch),
        }
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        if let Some(profile) = self.gathers() {
            profile.extension(record);
        }
        self.tree.extension(record)
    }

    fn finish(&mut self, _intact: bool) -> Result {
        self.write()?;
        self.out.flush().map_err(Error::write)
    }
}

impl<W: Write> Target for StackWriter<W> {
    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn left_out(&self) -> &LeftOut {
        &self.left_out
    }
}
