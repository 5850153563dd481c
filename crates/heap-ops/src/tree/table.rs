//! The table that trees are cut from: positions × types, with cumulative values.

use std::ops::Range;

use heap_base::{Map, Plus};
use heap_graph::NONE;

use crate::labels::Labels;

/// All types.
pub(super) const ALL: u32 = u32::MAX;
/// The top of a tree under construction.
pub(super) const TOP: u32 = 0;
/// No count is known.
const NO_COUNT: u64 = u64::MAX;
/// Marks own values of what lies below a position and has none of its own.
const REST: u32 = 1 << 31;

/// Bytes and objects. Sums stay at the largest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// Bytes.
    pub size: u64,
    count: u64,
}

impl Value {
    /// Bytes, and objects where that is known.
    pub fn new(size: u64, count: Option<u64>) -> Self {
        Self { size, count: count.map_or(NO_COUNT, |n| n.min(NO_COUNT - 1)) }
    }

    /// How many objects; `None` if that is not known.
    pub fn count(self) -> Option<u64> {
        // A sum that stops below the mark is as large as a number can be.
        let count = if self.count == NO_COUNT - 1 { u64::MAX } else { self.count };
        (self.count != NO_COUNT).then_some(count)
    }

    /// True if there is nothing.
    pub fn is_empty(self) -> bool {
        self.size == 0 && matches!(self.count, 0 | NO_COUNT)
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let count = match (self.count(), other.count()) {
            (Some(a), Some(b)) => Some(a.plus(b)),
            _ => None,
        };
        Self::new(self.size.plus(other.size), count)
    }

    /// What is left of this without `other`; nothing where `other` is more.
    pub(super) fn minus(self, other: Self) -> Self {
        let count = self.count().zip(other.count()).and_then(|(a, b)| a.checked_sub(b));
        Self::new(self.size.saturating_sub(other.size), count)
    }
}

/// Names, each once.
#[derive(Debug, Default)]
pub(super) struct Names {
    texts: Vec<String>,
    numbers: Map<String, u32>,
}

impl Names {
    pub(super) fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", String::as_str)
    }

    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let new = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), new);
        new
    }
}

/// Own bytes of a position and a type (a name's number, or [`ALL`] where it is not known).
#[derive(Clone, Copy, Debug)]
struct Own {
    ty: u32,
    pos: u32,
    value: Value,
}

/// A cumulative cell as the source gave it.
#[derive(Clone, Copy, Debug)]
struct Given {
    pos: u32,
    ty: u32,
    value: Value,
}

/// Builds a table. Positions are numbered as they are added, parents before children; 0 is the top.
#[derive(Debug)]
pub(super) struct Builder {
    pub(super) names: Names,
    parents: Vec<u32>,
    labels: Vec<u32>,
    children: Map<(u32, u32), u32>,
    /// True if types are separate.
    typed: bool,
    own: Vec<Own>,
    /// Own values by position, if types are not separate.
    sums: Vec<Value>,
    /// The same of what lies below and has no position.
    rests: Vec<Value>,
    given: Vec<Given>,
    /// Given cells whose bytes are in own values too.
    marginal: Vec<Given>,
    /// What leads to a position, where that is known.
    pub(super) edges: Map<u32, Labels>,
}

impl Builder {
    pub(super) fn new(typed: bool) -> Self {
        Self {
            names: Names::default(),
            parents: vec![NONE],
            labels: vec![NONE],
            children: Map::default(),
            typed,
            own: Vec::new(),
            sums: vec![Value::default()],
            rests: vec![Value::default()],
            given: Vec::new(),
            marginal: Vec::new(),
            edges: Map::default(),
        }
    }

    /// A new position.
    pub(super) fn push(&mut self, parent: u32, label: u32) -> u32 {
        let pos = self.parents.len() as u32;
        self.parents.push(parent);
        self.labels.push(label);
        if !self.typed {
            self.sums.push(Value::default());
            self.rests.push(Value::default());
        }
        pos
    }

    /// The child of this name, a new one if need be.
    pub(super) fn child(&mut self, parent: u32, label: u32) -> u32 {
        if let Some(&known) = self.children.get(&(parent, label)) {
            return known;
        }
        let pos = self.push(parent, label);
        self.children.insert((parent, label), pos);
        pos
    }

    /// Adds to what a position has of its own, or (`rest`) to what lies below it without a position.
    pub(super) fn own(&mut self, pos: u32, ty: u32, value: Value, rest: bool) {
        if self.typed {
            self.own.push(Own { ty, pos: if rest { pos | REST } else { pos }, value });
            // Many nodes of few types at one position: keep the list near the number of cells.
            if self.own.len() == self.own.capacity() {
                compact(&mut self.own);
                self.own.reserve(self.own.len());
            }
        } else {
            let sums = if rest { &mut self.rests } else { &mut self.sums };
            let slot = &mut sums[pos as usize];
            *slot = slot.plus(value);
        }
    }

    /// A cumulative cell; `ty` may be [`ALL`].
    pub(super) fn given(&mut self, pos: u32, ty: u32, value: Value) {
        // Where types are not separate it still counts for what its position has at least.
        self.given.push(Given { pos, ty, value });
    }

    /// A cumulative cell with a type, of bytes that [`own`](Self::own) got without a type.
    pub(super) fn marginal(&mut self, pos: u32, ty: u32, value: Value) {
        if self.typed {
            self.marginal.push(Given { pos, ty, value });
        }
    }

    /// Moves own values of positions with children to a child `<self>`.
    fn split_self(&mut self) {
        let n = self.parents.len();
        let mut inner = vec![false; n];
        for &parent in &self.parents[1..] {
            inner[parent as usize] = true;
        }
        for own in &self.own {
            if own.pos & REST != 0 && !own.value.is_empty() {
                inner[(own.pos & !REST) as usize] = true;
            }
        }
        let label = self.names.number("<self>");
        if self.typed {
            let mut own = std::mem::take(&mut self.own);
            for own in &mut own {
                if own.pos & REST == 0 && inner[own.pos as usize] && !own.value.is_empty() {
                    own.pos = self.child(own.pos, label);
                }
            }
            self.own = own;
            return;
        }
        for (pos, &inner) in inner.iter().enumerate() {
            if !self.sums[pos].is_empty() && (inner || !self.rests[pos].is_empty()) {
                let value = std::mem::take(&mut self.sums[pos]);
                let child = self.child(pos as u32, label);
                let slot = &mut self.sums[child as usize];
                *slot = slot.plus(value);
            }
        }
    }

    /// The table: positions that have nothing at or below them go, the others are numbered in preorder, and what was added
    /// at positions becomes cumulative values. With `selves`, own values of positions with children move to a child `<self>`. A child of the top that
    /// has everything takes its place if `collapse` is true for it.
    pub(super) fn finish(mut self, selves: bool, collapse: impl Fn(u32) -> bool) -> Table {
        self.children = Map::default();
        if selves {
            self.split_self();
        }
        let n = self.parents.len();
        // Positions with a value of any sort, and then all that is above one: parents have lower numbers than children, so
        // one pass backwards is enough.
        let mut busy = vec![false; n];
        for own in &self.own {
            busy[(own.pos & !REST) as usize] |= !own.value.is_empty();
        }
        for (pos, (sum, rest)) in self.sums.iter().zip(&self.rests).enumerate() {
            busy[pos] |= !sum.is_empty() || !rest.is_empty();
        }
        for given in &self.given {
            busy[given.pos as usize] = true;
        }
        let top_is_busy = busy[TOP as usize];
        for pos in (1..n).rev() {
            busy[self.parents[pos] as usize] |= busy[pos];
        }
        let mut tops = (1..n as u32).filter(|&p| self.parents[p as usize] == TOP && busy[p as usize]);
        let start = match (tops.next(), tops.next()) {
            (Some(only), None) if !top_is_busy && collapse(only) => only,
            _ => TOP,
        };

        // In preorder the positions below p are those from p to `ends[p]`. `number` is NONE for what goes.
        let (number, order) = self.preorder(start);
        let mut table = Table {
            labels: order.iter().map(|&pos| self.labels[pos as usize]).collect(),
            parents: order
                .iter()
                .map(|&pos| if pos == start { NONE } else { number[self.parents[pos as usize] as usize] })
                .collect(),
            ..Table::default()
        };
        table.ends = (1..=order.len() as u32).collect();
        table.all = vec![Value::default(); order.len()];
        if !self.typed {
            for (new, &old) in order.iter().enumerate() {
                table.all[new] = self.sums[old as usize].plus(self.rests[old as usize]);
            }
        }
        drop((self.sums, self.rests, order));
        self.own.retain_mut(|own| {
            own.pos = number[(own.pos & !REST) as usize];
            own.pos != NONE
        });
        // Own values of one position and type are one; `all` has the own values of each position until the last step.
        let own = &mut self.own;
        compact(own);
        for own in &*own {
            let slot = &mut table.all[own.pos as usize];
            *slot = slot.plus(own.value);
        }
        let renumbered = |list: Vec<Given>| {
            let mut list: Vec<_> = list
                .into_iter()
                .map(|given| Given { pos: number[given.pos as usize], ..given })
                .filter(|given| given.pos != NONE)
                .collect();
            in_order(&mut list);
            list.dedup_by(|b, a| {
                let same = (a.pos, a.ty) == (b.pos, b.ty);
                if same {
                    a.value = a.value.plus(b.value);
                }
                same
            });
            list
        };
        let given = renumbered(self.given);
        table.add_given(&given);
        // The end of a position is that of its last descendant.
        for pos in (1..table.ends.len()).rev() {
            let parent = table.parents[pos] as usize;
            table.ends[parent] = table.ends[parent].max(table.ends[pos]);
        }
        if self.typed {
            let marginal = renumbered(self.marginal);
            table.given = given.into_iter().chain(marginal).filter(|given| given.ty != ALL).collect();
            in_order(&mut table.given);
            table.set_own(self.own);
        }
        table.names = self.names.texts;
        let placed = |(pos, labels)| (number[pos as usize], labels);
        table.edges = self.edges.into_iter().map(placed).filter(|entry| entry.0 != NONE).collect();
        table
    }

    /// New numbers by position, and the positions below `start` in preorder.
    fn preorder(&self, start: u32) -> (Vec<u32>, Vec<u32>) {
        let n = self.parents.len();
        let mut first = vec![NONE; n];
        let mut next = vec![NONE; n];
        for pos in (1..n).rev() {
            let slot = &mut first[self.parents[pos] as usize];
            next[pos] = *slot;
            *slot = pos as u32;
        }
        let mut number = vec![NONE; n];
        let mut order = Vec::with_capacity(n);
        let mut pos = start;
        loop {
            number[pos as usize] = order.len() as u32;
            order.push(pos);
            if first[pos as usize] != NONE {
                pos = first[pos as usize];
                continue;
            }
            while pos != start && next[pos as usize] == NONE {
                pos = self.parents[pos as usize];
            }
            if pos == start {
                return (number, order);
            }
            pos = next[pos as usize];
        }
    }
}

/// Sorts what is given by position and type: once for all of the builder's instances.
fn in_order(list: &mut [Given]) {
    list.sort_by_key(|given| (given.pos, given.ty));
}

/// Sorts by type and position and adds up what agrees in both.
fn compact(own: &mut Vec<Own>) {
    own.sort_unstable_by_key(|own| (own.ty, own.pos));
    own.dedup_by(|b, a| {
        let same = (a.ty, a.pos) == (b.ty, b.pos);
        if same {
            a.value = a.value.plus(b.value);
        }
        same
    });
}

/// Positions × types. Positions are numbered in preorder from 0, the top.
#[derive(Debug, Default)]
pub struct Table {
    names: Vec<String>,
    labels: Vec<u32>,
    parents: Vec<u32>,
    edges: Map<u32, Labels>,
    /// One past the last position below each.
    ends: Vec<u32>,
    /// Cumulative values over all types.
    all: Vec<Value>,
    /// Positions whose value is only a lower bound.
    bounds: Vec<u32>,
    /// Types, by the number of their name, ascending.
    types: Vec<u32>,
    /// By type: where its own values are.
    ranges: Vec<Range<u32>>,
    /// By type and position: the position, and the sum over the type up to it.
    own_pos: Vec<u32>,
    own_sum: Vec<Value>,
    /// Cumulative values as given, by position and type (its number in `types`).
    given: Vec<Given>,
    pub(super) without_stack: Value,
}

impl Table {
    /// What is in no tree of stacks: it was allocated where none was recorded.
    pub fn without_stack(&self) -> Value {
        self.without_stack
    }

    /// Labels of the edges that lead to a position from its parent; `None` where they were not asked for, or no edge does.
    pub fn edges(&self, pos: u32) -> Option<&Labels> {
        self.edges.get(&pos)
    }

    /// Adds cells as the source gave them, and where it left a position out the least that it must have: the sum
    /// over its children, or over its types if that is more.
    fn add_given(&mut self, given: &[Given]) {
        if given.is_empty() {
            for pos in (1..self.all.len()).rev() {
                let parent = self.parents[pos] as usize;
                self.all[parent] = self.all[parent].plus(self.all[pos]);
            }
            return;
        }
        let n = self.all.len();
        let mut below = vec![Value::default(); n];
        let mut rest = given;
        for pos in (0..n).rev() {
            let start = rest.partition_point(|given| (given.pos as usize) < pos);
            let here = &rest[start..];
            rest = &rest[..start];
            let cell = match here.last() {
                Some(last) if last.ty == ALL => last.value,
                _ => {
                    let zero = Value::default();
                    let typed = here.iter().fold(zero, |sum, given| sum.plus(given.value));
                    let value = if typed.size > below[pos].size { typed } else { below[pos] };
                    // No heap says the top of several: it is their sum.
                    let is_sum = pos == 0 && self.labels[0] == NONE;
                    let bound = |&pos: &u32| self.parents[pos as usize] == 0;
                    if !value.is_empty() && (!is_sum || self.bounds.iter().any(bound)) {
                        self.bounds.push(pos as u32);
                    }
                    value
                }
            };
            if pos > 0 {
                let parent = self.parents[pos] as usize;
                self.all[parent] = self.all[parent].plus(self.all[pos]);
                below[parent] = below[parent].plus(cell);
            }
            self.all[pos] = self.all[pos].plus(cell);
        }
        self.bounds.reverse();
    }

    fn set_own(&mut self, own: Vec<Own>) {
        let mut types: Vec<u32> = own.iter().map(|own| own.ty).collect();
        types.dedup();
        types.extend(self.given.iter().map(|given| given.ty));
        types.retain(|&ty| ty != ALL);
        types.sort_unstable();
        types.dedup();
        self.ranges = types
            .iter()
            .map(|&ty| {
                let start = own.partition_point(|own| own.ty < ty);
                let end = own.partition_point(|own| own.ty <= ty);
                start as u32..end as u32
            })
            .collect();
        for given in &mut self.given {
            given.ty = types.partition_point(|&ty| ty < given.ty) as u32;
        }
        self.types = types;
        self.own_pos.reserve_exact(own.len());
        self.own_sum.reserve_exact(own.len());
        let mut sum = Value::default();
        let mut ty = None;
        for own in own {
            if ty != Some(own.ty) {
                (ty, sum) = (Some(own.ty), Value::default());
            }
            sum = sum.plus(own.value);
            self.own_pos.push(own.pos);
            self.own_sum.push(sum);
        }
    }

    /// How many positions it has.
    pub fn positions(&self) -> u32 {
        self.labels.len() as u32
    }

    /// The children of a position.
    pub fn children(&self, pos: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.ends[pos as usize];
        std::iter::successors(Some(pos + 1).filter(|&child| child < end), move |&child| {
            Some(self.ends[child as usize]).filter(|&next| next < end)
        })
    }

    /// The position above; `None` at the top.
    pub fn parent(&self, pos: u32) -> Option<u32> {
        Some(self.parents[pos as usize]).filter(|&parent| parent != NONE)
    }

    /// Name of a position; empty for a top that is no node.
    pub fn name(&self, pos: u32) -> &str {
        self.names.get(self.labels[pos as usize] as usize).map_or("", String::as_str)
    }

    /// How many types it has.
    pub fn types(&self) -> u32 {
        self.types.len() as u32
    }

    /// Name of a type.
    pub fn type_name(&self, ty: u32) -> &str {
        self.names.get(self.types[ty as usize] as usize).map_or("", String::as_str)
    }

    /// The value of a position over all types.
    pub fn all(&self, pos: u32) -> Value {
        self.all[pos as usize]
    }

    /// True if the value over all types is only the least that it can be.
    pub fn is_bound(&self, pos: u32) -> bool {
        self.bounds.binary_search(&pos).is_ok()
    }

    /// True if any value is only the least that it can be.
    pub fn has_bounds(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// The value of a position and a type. Empty if there is nothing, or if the source does not say.
    pub fn cell(&self, pos: u32, ty: u32) -> Value {
        let range = &self.ranges[ty as usize];
        let places = &self.own_pos[range.start as usize..range.end as usize];
        let start = places.partition_point(|&p| p < pos);
        let end = places.partition_point(|&p| p < self.ends[pos as usize]);
        let sum = |upto: usize| {
            upto.checked_sub(1).map_or_else(Value::default, |i| self.own_sum[range.start as usize + i])
        };
        let mut value = if start < end { sum(end).minus(sum(start)) } else { Value::default() };
        for given in self.given_at(pos).filter(|given| given.ty == ty) {
            value = value.plus(given.value);
        }
        value
    }

    fn given_at(&self, pos: u32) -> impl Iterator<Item = &Given> {
        let start = self.given.partition_point(|given| given.pos < pos);
        self.given[start..].iter().take_while(move |given| given.pos == pos)
    }

    /// The types of a position, ascending; `among` are those of its parent, or all.
    pub(super) fn types_at(&self, pos: u32, among: Option<&[u32]>) -> Vec<u32> {
        let has = |ty: u32| {
            let range = &self.ranges[ty as usize];
            let places = &self.own_pos[range.start as usize..range.end as usize];
            let first = places.partition_point(|&p| p < pos);
            places.get(first).is_some_and(|&p| p < self.ends[pos as usize])
        };
        let mut types: Vec<u32> = match among {
            Some(among) => among.iter().copied().filter(|&ty| has(ty)).collect(),
            None => (0..self.types()).filter(|&ty| has(ty)).collect(),
        };
        types.extend(self.given_at(pos).map(|given| given.ty));
        types.sort_unstable();
        types.dedup();
        types
    }
}
