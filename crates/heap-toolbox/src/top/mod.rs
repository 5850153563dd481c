//! The largest nodes by a number: heap-top.

mod options;
mod retained;
pub mod rows;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heap_base::{Result, sort_by};
use heap_record::wants::Nodes;
use heap_record::{Heap, Node, Value, Wants};

use heap_ops::place::Source;
use heap_ops::report::{OnePass, Report};
use heap_ops::select::condition::Number;
use heap_ops::select::field::{Field, bracketed, source_number};
use heap_ops::select::{Selection, Selector};
use heap_ops::stream::Context;

pub use options::TOOL;
pub use retained::RetainedTop;

/// One of the largest nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct TopNode {
    /// The input, where there are several.
    pub file: Option<String>,
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// Its identifier.
    pub id: Value,
    /// The source's number, as in `@N`.
    pub number: i64,
    /// Its subtype.
    pub subtype: String,
    /// Its type name.
    pub class: String,
    /// Its own name.
    pub name: Option<String>,
    /// Of a function or call where it stands in its source, if the graph is known.
    pub source: Option<Source>,
    /// The fields of `heap`.
    pub heap: Heap<'static>,
    /// The number it was ranked by.
    pub key: Number,
    /// Where it hangs, if the graph is known and a root reaches it.
    pub held_by: Option<String>,
}

/// Keeps the `limit` nodes with the largest `key`; equal ones by identifier, smaller first.
///
/// Memory: the stream's strings and one entry per node kept.
#[derive(Debug)]
pub struct Top {
    key: Field,
    limit: usize,
    best: BinaryHeap<Reverse<Candidate>>,
    rows: Vec<TopNode>,
    plain: bool,
    /// Whether any node was asked for the key, whether one had it, and whether as a number.
    asked: [bool; 3],
}

#[derive(Clone, Debug)]
struct Candidate {
    key: Number,
    id: Value,
    subtype: u32,
    /// The source's own number, where it is not made into the identifier.
    number: Option<i64>,
    heap: Heap<'static>,
}

impl Candidate {
    /// Larger keys first, then smaller identifiers.
    fn rank(&self, other: &Self) -> std::cmp::Ordering {
        self.key.rank(other.key).then_with(|| other.id.cmp(&self.id))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.rank(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank(other)
    }
}

impl Top {
    /// Keeps the `limit` selected nodes with the largest `key`, any numeric field.
    pub fn new(key: &str, limit: usize, selection: Selection) -> OnePass<Self> {
        let top = Self {
            plain: selection.is_all() && matches!(key, "size" | "heap.size"),
            key: Field::new(key),
            limit,
            best: BinaryHeap::new(),
            rows: Vec::new(),
            asked: [false; 3],
        };
        OnePass::new(top, selection)
    }

    /// The rows that have come since the last call are of this input.
    pub fn of_file(&mut self, file: &str) {
        let unnamed = self.rows.iter_mut().filter(|row| row.file.is_none());
        unnamed.for_each(|row| row.file = Some(file.to_owned()));
    }

    /// The nodes kept of all inputs and snapshots, largest first.
    pub fn rows(&self) -> &[TopNode] {
        &self.rows
    }
}

/// Keeps the largest `limit` nodes of all inputs and snapshots, largest first; equal ones in the order in which they came.
fn keep_largest(rows: &mut Vec<TopNode>, limit: usize) {
    sort_by(rows, |a, b| b.key.rank(a.key));
    rows.truncate(limit);
}

impl Report for Top {
    fn wants(&self, selection: &Selection) -> Wants {
        let usual =
            matches!(self.key.name().trim_start_matches("heap."), "size" | "external" | "count" | "retained");
        let full = !usual || selection.needs_details();
        Wants { nodes: if full { Nodes::Full } else { Nodes::Brief }, ..Wants::NODES }
    }

    fn begin_stream(&mut self) {}

    #[inline]
    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        self.plain || selector.ready(node)
    }

    fn fold(&mut self, node: &Node<'_>, _number: u32, selector: &mut Selector) -> Result {
        let key = if self.plain {
            Number::Int(node.heap.size.unwrap_or(0).into())
        } else {
            if !selector.selects(node)? {
                return Ok(());
            }
            let content = self.key.of(node, &selector.context)?;
            let key = content.as_ref().and_then(Number::of);
            self.asked = [true, self.asked[1] || content.is_some(), self.asked[2] || key.is_some()];
            let Some(key) = key else { return Ok(()) };
            key
        };
        if self.best.len() >= self.limit {
            match self.best.peek() {
                Some(Reverse(least)) if key.rank(least.key).is_ge() => {}
                _ => return Ok(()),
            }
        }
        let heap = Heap { rest: b"", ..node.heap };
        let number = source_number(node);
        self.best.push(Reverse(Candidate { key, id: node.id, subtype: node.subtype, number, heap }));
        if self.best.len() > self.limit {
            self.best.pop();
        }
        Ok(())
    }

    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        let Context { types, strings, snapshot, rule, .. } = &selector.context;
        let mut best: Vec<_> = std::mem::take(&mut self.best).into_iter().map(|Reverse(c)| c).collect();
        sort_by(&mut best, |a, b| b.cmp(a));
        for Candidate { key, id, subtype, number, heap } in best {
            let subtype = types.node_name(subtype).into_owned();
            let class = match heap.class {
                Some(id) => strings.text_or_number(id)?,
                None => bracketed(&subtype),
            };
            let name = heap.name.map(|id| strings.text_or_number(id)).transpose()?;
            self.rows.push(TopNode {
                file: None,
                snapshot: snapshot.clone(),
                id,
                number: number.unwrap_or_else(|| rule.number(id)),
                subtype,
                class,
                name,
                source: None,
                heap,
                key,
                held_by: None,
            });
        }
        keep_largest(&mut self.rows, self.limit);
        Ok(())
    }

    fn missing(&self, context: &Context) -> Vec<String> {
        let [asked, met, ranks] = self.asked;
        let what = || {
            let known = self.key.is_known(context);
            let name = self.key.name();
            match met {
                true => format!("the field '{name}' is no number in any of these nodes"),
                false if known => format!("none of these nodes has a field '{name}'"),
                false => self.key.missing(),
            }
        };
        (asked && !ranks).then(what).into_iter().collect()
    }
}
