//! The cells of a cumulative dump, chosen as Chromium's heap dump proposal has it: break the whole down by
//! backtrace and by type, keep the children that the cut-off lets through, go on with each of those.
//!
//! A cell is what one backtrace prefix and one type (or all types) have in all. Values are own values by frame and
//! type, or cells that the source gave. Nothing recurses; cells are not stored but are differences of prefix sums
//! over the frames in preorder: 40 bytes for each pair of a frame and a type with own values.

use heap_base::{Cutoff, Map, Plus, Set, sort_by_key};

use crate::texts::NONE;

/// Stands for all types.
pub(super) const ALL: u32 = NONE;

/// Bytes and objects; an unknown count makes every sum unknown that it is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) size: u64,
    /// Objects whose number is known.
    count: u64,
    /// How many parts have no count.
    unknown: u64,
}

impl Value {
    pub(super) fn new(size: u64, count: Option<u64>) -> Self {
        Self { size, count: count.unwrap_or(0), unknown: u64::from(count.is_none()) }
    }

    pub(super) fn count(self) -> Option<u64> {
        (self.unknown == 0).then_some(self.count)
    }

    fn is_empty(self) -> bool {
        self.size == 0 && self.count == 0
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            size: self.size.plus(other.size),
            count: self.count.plus(other.count),
            unknown: self.unknown + other.unknown,
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            size: self.size.saturating_sub(other.size),
            count: self.count.saturating_sub(other.count),
            unknown: self.unknown.saturating_sub(other.unknown),
        }
    }
}

/// Frames × types. Position 0 is the root, position i + 1 is frame i; parents come before children.
#[derive(Debug)]
pub(super) struct Table {
    /// Positions in preorder: number by position, and the end of what lies below.
    number: Vec<u32>,
    end: Vec<u32>,
    /// First child and next sibling by position.
    first: Vec<u32>,
    next: Vec<u32>,
    /// By type: preorder numbers with own values, and the sums up to each.
    own: Vec<Vec<(u32, Value)>>,
    /// The same over all types.
    all: Vec<(u32, Value)>,
    /// Cells as the source gave them, by position and type; they go before sums.
    given: Map<(u32, u32), Value>,
    given_types: Map<u32, Vec<u32>>,
    /// Positions whose value over all types the source does not give.
    bounds: Set<u32>,
}

impl Table {
    /// A table over frames whose parents are positions that come before them.
    pub(super) fn new(parents: &[u32], types: usize) -> Self {
        let n = parents.len() + 1;
        let (mut first, mut next) = (vec![NONE; n], vec![NONE; n]);
        for pos in (1..n).rev() {
            let slot = &mut first[parents[pos - 1] as usize];
            next[pos] = *slot;
            *slot = pos as u32;
        }
        let (mut number, mut end) = (vec![0; n], vec![0; n]);
        let (mut at, mut count) = (0usize, 0);
        'all: loop {
            number[at] = count;
            count += 1;
            if first[at] != NONE {
                at = first[at] as usize;
                continue;
            }
            loop {
                end[at] = count;
                if at == 0 {
                    break 'all;
                }
                if next[at] != NONE {
                    at = next[at] as usize;
                    break;
                }
                at = parents[at - 1] as usize;
            }
        }
        Self {
            number,
            end,
            first,
            next,
            own: vec![Vec::new(); types],
            all: Vec::new(),
            given: Map::default(),
            given_types: Map::default(),
            bounds: Set::default(),
        }
    }

    /// Adds own values of a position; `ty` may be [`ALL`] where the type is not known.
    pub(super) fn add(&mut self, pos: u32, ty: u32, value: Value) {
        let number = self.number[pos as usize];
        if ty != ALL {
            self.own[ty as usize].push((number, value));
        }
        self.all.push((number, value));
    }

    /// Says what a cell is.
    pub(super) fn give(&mut self, pos: u32, ty: u32, value: Value) {
        if self.given.insert((pos, ty), value).is_none() && ty != ALL {
            self.given_types.entry(pos).or_default().push(ty);
        }
    }

    /// Makes sums of what was added; where cells are given and one is missing, the least that it must be: what its
    /// children have in all, or its types.
    pub(super) fn finish(&mut self) {
        if self.all.is_empty() && !self.given.is_empty() {
            for pos in (0..self.number.len() as u32).rev() {
                if self.given.contains_key(&(pos, ALL)) {
                    continue;
                }
                let sum = |cells: &mut dyn Iterator<Item = (u32, u32)>| {
                    let values = cells.filter_map(|cell| self.given.get(&cell));
                    values.fold(Value::default(), |sum, value| sum.plus(*value))
                };
                let below = sum(&mut self.children(pos).map(|child| (child, ALL)));
                let types = self.given_types.get(&pos).map_or(&[][..], Vec::as_slice);
                let typed = sum(&mut types.iter().map(|&ty| (pos, ty)));
                let least = if typed.size > below.size { typed } else { below };
                self.given.insert((pos, ALL), least);
                self.bounds.insert(pos);
            }
        }
        for list in self.own.iter_mut().chain([&mut self.all]) {
            sort_by_key(list, |(number, _)| *number);
            let mut sum = Value::default();
            for (_, value) in list {
                sum = sum.plus(*value);
                *value = sum;
            }
        }
    }

    /// What a position has in all, of one type or of all.
    pub(super) fn cell(&self, pos: u32, ty: u32) -> Value {
        if let Some(&given) = self.given.get(&(pos, ty)) {
            return given;
        }
        let list = if ty == ALL { &self.all } else { &self.own[ty as usize] };
        let upto = |number: u32| {
            let at = list.partition_point(|(n, _)| *n < number);
            at.checked_sub(1).map_or_else(Value::default, |at| list[at].1)
        };
        upto(self.end[pos as usize]).minus(upto(self.number[pos as usize]))
    }

    fn children(&self, pos: u32) -> impl Iterator<Item = u32> + '_ {
        let some = |pos: u32| (pos != NONE).then_some(pos);
        std::iter::successors(some(self.first[pos as usize]), move |&at| some(self.next[at as usize]))
    }

    /// The cells that `cut` lets through, with the root: position, type, value, in the order of positions and types.
    pub(super) fn cells(&self, cut: Cutoff) -> Vec<(u32, u32, Value)> {
        let whole = self.cell(0, ALL);
        let mut found = Vec::new();
        let mut seen = Set::default();
        let every: std::rc::Rc<[u32]> = (0..self.own.len() as u32).collect();
        let mut tasks = vec![(0, ALL, whole, every)];
        while let Some((pos, ty, value, among)) = tasks.pop() {
            if ty != ALL && !seen.insert((pos, ty)) {
                continue;
            }
            if ty != ALL || !self.bounds.contains(&pos) {
                found.push((pos, ty, value));
            }
            let mut keep = |children: Vec<(u32, u32, Value)>, among: &std::rc::Rc<[u32]>| {
                let mut children: Vec<_> = children.into_iter().filter(|(.., v)| !v.is_empty()).collect();
                sort_by_key(&mut children, |&(pos, ty, v)| (std::cmp::Reverse(v.size), pos, ty));
                let kept = cut.keep(whole.size, value.size, children.iter().map(|(.., v)| v.size));
                tasks.extend(children.drain(..kept).map(|(pos, ty, v)| (pos, ty, v, among.clone())));
            };
            let mut types = among.clone();
            if ty == ALL {
                let mut here: Vec<u32> =
                    among.iter().copied().filter(|&ty| !self.cell(pos, ty).is_empty()).collect();
                here.extend(self.given_types.get(&pos).into_iter().flatten());
                heap_base::sort(&mut here);
                here.dedup();
                types = here.into();
                keep(types.iter().map(|&ty| (pos, ty, self.cell(pos, ty))).collect(), &types);
            }
            keep(self.children(pos).map(|pos| (pos, ty, self.cell(pos, ty))).collect(), &types);
        }
        // All types come before the first.
        sort_by_key(&mut found, |&(pos, ty, _)| (pos, ty.wrapping_add(1)));
        found
    }
}
