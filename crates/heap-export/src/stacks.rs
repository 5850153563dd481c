//! The dominator tree as stacks: each position with the names above it, and the bytes it has of its own.
//!
//! Of an allocation dump the dominator tree is the tree of backtraces, so one way serves both.

use heap_base::{Cutoff, Plus, Result, sort_by};
use heap_ops::tree::{Table, Value};

/// Which stacks to write.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Which children of a position are kept; the rest goes to `<other>`.
    pub cut: Cutoff,
    /// How many names a stack has at most; what lies deeper goes to `<other>`.
    pub depth: u32,
    /// Numbers of objects in place of bytes, where there is one number only.
    pub count: bool,
    /// The stacks at which things were allocated, in place of those of the dominator tree.
    pub frames: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { cut: Cutoff::None, depth: 200, count: false, frames: false }
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

    pub(crate) fn plus(self, other: Self) -> Self {
        let (size, count) = (self.size.plus(other.size), self.count.plus(other.count));
        Self { size, count }
    }
}

/// The stacks of a tree.
pub(crate) struct Stacks {
    pub(crate) table: Table,
    /// The sum over all nodes.
    pub(crate) all: Weight,
    pub(crate) config: Config,
}

impl Stacks {
    /// True if it is not known how many objects some nodes stand for.
    pub(crate) fn uncounted(&self) -> bool {
        self.table.positions() > 0 && self.table.all(0).count().is_none()
    }

    /// Calls `each` with every stack that has bytes or objects of its own, the outermost name first. Their sum is that
    /// of all nodes: what no root reaches has the stack `(unreachable)`, what was allocated where no stack was recorded
    /// `(no stack)`. Objects whose number is not known count 0.
    ///
    /// # Errors
    /// Those of `each`.
    pub(crate) fn each(&self, mut each: impl FnMut(&[&str], Weight) -> Result) -> Result {
        walk(&self.table, self.config, &mut each)?;
        let mut rest = self.all.minus(Weight::of(self.table.all(0)));
        if self.uncounted() {
            rest.count = 0;
        }
        let other = if self.config.frames { "(no stack)" } else { "(unreachable)" };
        if rest == Weight::default() { Ok(()) } else { each(&[other], rest) }
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
        sort_by(&mut children, |a, b| {
            b.1.size.cmp(&a.1.size).then_with(|| table.name(a.0).cmp(table.name(b.0)))
        });
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
