//! The dominator tree as stacks: each position with the names above it, and the bytes it has of its own.
//!
//! Of an allocation dump the dominator tree is the tree of backtraces, so one way serves both.

use std::io::Write;

use heap_base::{Cutoff, Error, Result};
use heap_ops::select::Selection;
use heap_ops::tools::tree::{Axis, Table, TableSpec, TreeLoader, Value};
use heap_pprof::Gather;
use heap_record::{
    Declaration, EdgeBatch, Extension, Metadata, NodeBatch, Sharded, Sink, Str, Target, Wants, wants,
};

use crate::{folded, pprof};

/// How stacks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One a line, with bytes or objects.
    Folded,
    /// As a profile, with both.
    Pprof,
}

/// Which stacks to write.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Which children of a position are kept; the rest goes to `<other>`.
    pub cut: Cutoff,
    /// How many names a stack has at most; what lies deeper goes to `<other>`.
    pub depth: u32,
    /// Numbers of objects in place of bytes, where there is one number only.
    pub count: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { cut: Cutoff::None, depth: 200, count: false }
    }
}

/// Bytes and objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Weight {
    pub(crate) size: u64,
    pub(crate) count: u64,
}

impl Weight {
    fn of(value: Value) -> Self {
        Self { size: value.size, count: value.count().unwrap_or(0) }
    }

    fn minus(self, other: Self) -> Self {
        let (size, count) = (self.size.saturating_sub(other.size), self.count.saturating_sub(other.count));
        Self { size, count }
    }

    fn plus(self, other: Self) -> Self {
        let (size, count) = (self.size.saturating_add(other.size), self.count.saturating_add(other.count));
        Self { size, count }
    }
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
}

impl<W: Write> StackWriter<W> {
    /// Writes to `out` when all records have come.
    pub fn new(out: W, form: Form, config: Config) -> Self {
        let profile = (form == Form::Pprof).then(Gather::new);
        Self { out, form, config, tree: loader(config), all: Weight::default(), profile }
    }

    /// What it writes to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    fn write(&mut self) -> Result {
        if let Some(profile) = self.profile.take().and_then(Gather::finish) {
            return self.out.write_all(&profile.encode()).map_err(Error::write);
        }
        let table = std::mem::replace(&mut self.tree, loader(self.config)).build()?;
        let stacks = Stacks { table, all: self.all, config: self.config };
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
    let spec = TableSpec { axis: Axis::Dom, depth: config.depth.saturating_add(1), ..TableSpec::default() };
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

impl<W: Write> Target for StackWriter<W> {}

/// The stacks of a tree.
pub(crate) struct Stacks {
    table: Table,
    all: Weight,
    config: Config,
}

impl Stacks {
    /// Calls `each` with every stack that has bytes or objects of its own, the outermost name first. Their sum is that
    /// of all nodes: what no root reaches has the stack `(unreachable)`.
    ///
    /// # Errors
    /// Those of `each`.
    pub(crate) fn each(&self, mut each: impl FnMut(&[&str], Weight) -> Result) -> Result {
        walk(&self.table, self.config, &mut each)?;
        let rest = self.all.minus(Weight::of(self.table.all(0)));
        if rest == Weight::default() { Ok(()) } else { each(&["(unreachable)"], rest) }
    }
}

/// Goes over the table from the top; children follow their parent, larger ones first.
fn walk(table: &Table, config: Config, each: &mut dyn FnMut(&[&str], Weight) -> Result) -> Result {
    if table.positions() == 0 {
        return Ok(());
    }
    let whole = table.all(0).size;
    let mut path: Vec<&str> = Vec::new();
    let mut tasks = vec![(0u32, 0usize)];
    while let Some((pos, depth)) = tasks.pop() {
        path.truncate(depth);
        let name = table.name(pos);
        path.push(if name.is_empty() && pos == 0 { "(root)" } else { name });
        let mut children: Vec<(u32, Weight)> =
            table.children(pos).map(|child| (child, Weight::of(table.all(child)))).collect();
        let below = children.iter().fold(Weight::default(), |sum, child| sum.plus(child.1));
        let value = Weight::of(table.all(pos));
        children.sort_by(|a, b| b.1.size.cmp(&a.1.size).then_with(|| table.name(a.0).cmp(table.name(b.0))));
        let kept = if path.len() < config.depth as usize {
            config.cut.keep(whole, value.size, children.iter().map(|child| child.1.size))
        } else {
            0
        };
        let other = children[kept..].iter().fold(Weight::default(), |sum, child| sum.plus(child.1));
        emit(&path, value.minus(below), each)?;
        if other != Weight::default() {
            path.push("<other>");
            emit(&path, other, each)?;
            path.pop();
        }
        let depth = path.len();
        tasks.extend(children[..kept].iter().rev().map(|child| (child.0, depth)));
    }
    Ok(())
}

fn emit(path: &[&str], value: Weight, each: &mut dyn FnMut(&[&str], Weight) -> Result) -> Result {
    if value == Weight::default() { Ok(()) } else { each(path, value) }
}
