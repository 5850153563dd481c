//! The largest nodes by a number: heap-top.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heap_base::Result;
use heap_record::{Declaration, Heap, Metadata, Node, Sink, Str, Value, Wants};

use crate::context::Context;
use crate::field::{Content, Field, bracketed};
use crate::held::Held;
use crate::judge::Judge;
use crate::select::Selection;

/// One of the largest nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// Its identifier.
    pub id: Value,
    /// The source's number, as in `@N`.
    pub number: u64,
    /// Its subtype.
    pub subtype: String,
    /// Its type name.
    pub class: String,
    /// Its own name.
    pub name: Option<String>,
    /// The numbers that every virtual machine tells.
    pub heap: Heap<'static>,
    /// The number it was ranked by.
    pub key: f64,
}

/// Keeps the `limit` nodes with the largest `key`; equal ones by identifier, smaller first.
///
/// Memory: the stream's strings and one entry per node kept.
#[derive(Debug)]
pub struct Top {
    key: Field,
    limit: usize,
    judge: Judge,
    best: BinaryHeap<Reverse<Candidate>>,
    done: Vec<Row>,
    late: Held,
    plain: bool,
    /// Whether any node was asked for the key, and whether one had it.
    asked: (bool, bool),
}

#[derive(Clone, Debug)]
struct Candidate {
    key: f64,
    id: Value,
    subtype: u32,
    number: u64,
    heap: Heap<'static>,
}

impl Candidate {
    /// Larger keys first, then smaller identifiers.
    fn rank(&self, other: &Self) -> std::cmp::Ordering {
        self.key.total_cmp(&other.key).then_with(|| other.id.cmp(&self.id))
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
    pub fn new(key: &str, limit: usize, selection: Selection) -> Self {
        Self {
            plain: selection.is_all() && matches!(key, "size" | "heap.size"),
            key: Field::new(key),
            limit,
            judge: Judge::new(selection),
            best: BinaryHeap::new(),
            done: Vec::new(),
            late: Held::default(),
            asked: (false, false),
        }
    }

    /// The nodes kept, largest first, snapshot by snapshot; call after [`Sink::finish`].
    pub fn rows(&self) -> &[Row] {
        &self.done
    }

    /// Warnings about fields that no node had and no declaration names. Call after [`Sink::finish`].
    pub fn missing(&self) -> Vec<String> {
        let (asked, met) = self.asked;
        let missing = asked && !met && !self.key.is_known(&self.judge.context.types);
        let key = missing.then(|| self.key.missing());
        key.into_iter().chain(self.judge.missing()).collect()
    }

    fn take(&mut self, node: &Node<'_>) -> Result {
        let key = if self.plain {
            node.heap.size.unwrap_or(0) as f64
        } else {
            if !self.judge.selects(node)? {
                return Ok(());
            }
            let content = self.key.of(node, &self.judge.context.types, &self.judge.context.strings)?;
            self.asked = (true, self.asked.1 || content.is_some());
            let Some(key) = content.as_ref().and_then(Content::number) else { return Ok(()) };
            key
        };
        if self.best.len() >= self.limit {
            match self.best.peek() {
                Some(Reverse(least)) if key >= least.key => {}
                _ => return Ok(()),
            }
        }
        let heap = Heap { rest: b"", ..node.heap };
        let number = match crate::field::source_number(node) {
            Some(number) => number,
            None => self.judge.context.rule.number(node.id),
        };
        self.best.push(Reverse(Candidate { key, id: node.id, subtype: node.subtype, number, heap }));
        if self.best.len() > self.limit {
            self.best.pop();
        }
        Ok(())
    }

    fn fold(&mut self) -> Result {
        std::mem::take(&mut self.late).nodes(|node| self.take(node))?;
        let mut best: Vec<_> = std::mem::take(&mut self.best).into_iter().map(|Reverse(c)| c).collect();
        best.sort_by(|a, b| b.cmp(a));
        for c in best {
            let subtype = self.judge.context.types.node_name(c.subtype).into_owned();
            let class = match c.heap.class {
                Some(id) => self.judge.context.strings.text_or_number(id)?,
                None => bracketed(&subtype),
            };
            let name = c.heap.name.map(|id| self.judge.context.strings.text_or_number(id)).transpose()?;
            let snapshot = self.judge.context.snapshot.clone();
            let (id, number, heap, key) = (c.id, c.number, c.heap, c.key);
            self.done.push(Row { snapshot, id, number, subtype, class, name, heap, key });
        }
        Ok(())
    }
}

impl Sink for Top {
    fn wants(&self) -> Wants {
        let usual =
            matches!(self.key.name().trim_start_matches("heap."), "size" | "external" | "count" | "retained");
        Wants { details: !usual || self.judge.selection().needs_details(), ..Wants::NODES }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if Context::begins(record).is_some() {
            self.fold()?;
        }
        self.judge.metadata(record);
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.judge.declare(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.judge.context.string(record)
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        if self.plain || self.judge.ready(node) { self.take(node) } else { self.late.node(node) }
    }

    fn finish(&mut self, _whole: bool) -> Result {
        self.fold()
    }
}
