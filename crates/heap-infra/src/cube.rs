//! Own values by frame and type, out of the cumulative cells of v1.
//!
//! Cells say what a frame and all that it calls have in all (`*`), and of some types. What a cell has more than the next
//! cells of its type below lies at its frame, or below it where no cell says more:
//!
//! ```text
//!   cells:  /  * 100  T 70        /  T 70 - 60 = 10, its own * 100 - 90 = 10
//!           /a *  90  T 60        /a T 60, <other> 30
//! ```
//!
//! Such a rest is put at its frame. If a frame has less of its own than these rests (both of T 15 and of V 5 have to
//! go into the own 10 of the root), then some of them is in frames below whose cells of that type were cut off. Which
//! frames the dump does not say; the first ones in the order of the stacks that have room get it, and are marked. So
//! the sums by stack, by type and over all are those of the dump, and what no cell gives a type is [`OTHER`].
//!
//! Deeper rests go first, since fewer frames can take them. Without cells of one type in the way it then does not
//! matter which frames do: a rest further up can have what is left anywhere below.

use std::cmp::Reverse;

use heap_base::{Map, Plus, sort_by_key};

use crate::heap::{Cell, OTHER};
use crate::rows::{NO_COUNT, Row};
use crate::texts::NONE;

/// Bytes and allocations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Amount {
    pub(crate) size: u64,
    pub(crate) count: u64,
}

/// What became of the cells of a heap.
#[derive(Debug, Default)]
pub(crate) struct Split {
    /// At most one for each frame and type, in the order of frames; the root comes first.
    pub(crate) rows: Vec<Row>,
    /// Rows of which some may belong to other frames.
    pub(crate) inexact: Vec<u32>,
    /// Bytes that may.
    pub(crate) unplaced: u64,
    /// Cells that are more than their frame has in all; what is too much is left out.
    pub(crate) inconsistent: u64,
}

/// Splits what frames have of their own by type. `parents` is by slot, `own` has the root and then every slot. Without
/// `counted` counts are not known.
pub(crate) fn split(parents: &[u32], own: &[Amount], cells: &[Cell], counted: bool) -> Split {
    let order = Order::new(parents);
    let mut splitter = Splitter::new(&order, own, cells);
    splitter.place();
    splitter.finish(counted)
}

/// Frames in preorder, the root first: what a frame calls has the numbers from its own to its end.
struct Order {
    /// By slot + 1.
    numbers: Vec<u32>,
    /// By number.
    ends: Vec<u32>,
    /// By number: slot + 1.
    places: Vec<u32>,
}

impl Order {
    /// Parents come before their children.
    fn new(parents: &[u32]) -> Self {
        let n = parents.len() + 1;
        let parent = |at: usize| parents[at - 1].wrapping_add(1) as usize;
        let mut sizes = vec![1u32; n];
        for at in (1..n).rev() {
            sizes[parent(at)] += sizes[at];
        }
        let (mut numbers, mut next) = (vec![0u32; n], vec![1u32; n]);
        let (mut ends, mut places) = (vec![n as u32; n], vec![0; n]);
        for at in 1..n {
            let number = next[parent(at)];
            next[parent(at)] += sizes[at];
            (numbers[at], next[at]) = (number, number + 1);
            ends[number as usize] = number + sizes[at];
            places[number as usize] = at as u32;
        }
        Self { numbers, ends, places }
    }

    fn end(&self, number: u32) -> u32 {
        self.ends[number as usize]
    }
}

/// What frames have left, by number. Finds the next that has any in no time, and sums in logarithmic time.
struct Space {
    left: Vec<u64>,
    /// The frame itself, or one nearer to the next that has any.
    next: Vec<u32>,
    /// A Fenwick tree. Sums beyond 64 bits wrap: they only say who chooses first.
    sums: Vec<u64>,
}

impl Space {
    fn new(left: Vec<u64>) -> Self {
        let n = left.len();
        let mut sums = vec![0u64; n + 1];
        for at in 1..=n {
            sums[at] = sums[at].wrapping_add(left[at - 1]);
            let above = at + (at & at.wrapping_neg());
            if above <= n {
                sums[above] = sums[above].wrapping_add(sums[at]);
            }
        }
        let next = (0..=n as u32).map(|at| if left.get(at as usize) == Some(&0) { at + 1 } else { at });
        Self { next: next.collect(), left, sums }
    }

    /// Takes up to `wanted` from a frame.
    fn take(&mut self, number: u32, wanted: u64) -> u64 {
        let left = &mut self.left[number as usize];
        let taken = wanted.min(*left);
        *left -= taken;
        if *left == 0 {
            self.next[number as usize] = number + 1;
        }
        let mut at = number as usize + 1;
        while taken > 0 && at < self.sums.len() {
            self.sums[at] = self.sums[at].wrapping_sub(taken);
            at += at & at.wrapping_neg();
        }
        taken
    }

    /// The first frame from `number` on that has any left; their number if none has.
    fn seek(&mut self, mut number: u32) -> u32 {
        while self.next[number as usize] != number {
            let next = self.next[number as usize];
            self.next[number as usize] = self.next[next as usize];
            number = next;
        }
        number
    }

    fn sum(&self, from: u32, to: u32) -> u64 {
        let upto = |number: u32| {
            let (mut at, mut sum) = (number as usize, 0u64);
            while at > 0 {
                sum = sum.wrapping_add(self.sums[at]);
                at &= at - 1;
            }
            sum
        };
        upto(to).wrapping_sub(upto(from))
    }
}

/// A cell of one type.
struct Typed {
    /// Which type of the heap's cells, in their order: that of a dictionary may differ between traces of equal dumps.
    class: u32,
    number: u32,
    /// The next cell of the type that is not below this one.
    after: usize,
    value: Amount,
    /// What it has more than the next ones of its type below.
    rest: Amount,
}

/// A part of a rest, and where it is put.
struct Piece {
    number: u32,
    class: u32,
    value: Amount,
    exact: bool,
}

struct Splitter<'o> {
    order: &'o Order,
    /// By type, then by number.
    cells: Vec<Typed>,
    /// What the types are called in the dictionary.
    classes: Vec<u32>,
    sizes: Space,
    counts: Space,
    pieces: Vec<Piece>,
    inconsistent: u64,
}

impl<'o> Splitter<'o> {
    fn new(order: &'o Order, own: &[Amount], cells: &[Cell]) -> Self {
        let by_number = |of: fn(&Amount) -> u64| {
            Space::new(order.places.iter().map(|&at| of(&own[at as usize])).collect())
        };
        let (sizes, counts) = (by_number(|own| own.size), by_number(|own| own.count));
        let (cells, classes) = typed(order, cells);
        let mut this = Self { order, cells, classes, sizes, counts, pieces: Vec::new(), inconsistent: 0 };
        this.subtract();
        this
    }

    /// Makes rests of cells.
    fn subtract(&mut self) {
        for at in (0..self.cells.len()).rev() {
            let cell = &self.cells[at];
            let (end, class) = (self.order.end(cell.number), cell.class);
            let (mut below, mut next) = (Amount::default(), at + 1);
            while let Some(child) = self.cells.get(next).filter(|c| c.class == class && c.number < end) {
                below.size = below.size.plus(child.value.size);
                below.count = below.count.plus(child.value.count);
                next = child.after;
            }
            let cell = &mut self.cells[at];
            cell.after = next;
            self.inconsistent += u64::from(below.size > cell.value.size);
            cell.rest.size = cell.value.size.saturating_sub(below.size);
            cell.rest.count = cell.value.count.saturating_sub(below.count);
        }
    }

    /// Puts all rests somewhere.
    fn place(&mut self) {
        let mut list: Vec<(u32, usize)> =
            (0..).zip(&self.cells).map(|(at, cell)| (cell.number, at)).collect();
        sort_by_key(&mut list, |&(number, cell)| (Reverse(number), cell));
        for group in list.chunk_by(|a, b| a.0 == b.0) {
            // Who has least room below takes first what the frame has itself.
            let mut group: Vec<_> = group.iter().map(|&(_, cell)| (self.room(cell), cell)).collect();
            sort_by_key(&mut group, |&(room, cell)| (room, Reverse(self.cells[cell].rest.size), cell));
            for (_, cell) in group {
                self.place_one(cell);
            }
        }
    }

    /// Frames below a cell that have no cell of its type above them, as ranges.
    fn gaps(&self, cell: usize) -> impl Iterator<Item = (u32, u32)> + use<'_, 'o> {
        let Typed { number, after, .. } = self.cells[cell];
        let (mut from, mut next) = (number + 1, Some(cell + 1));
        std::iter::from_fn(move || {
            let start = from;
            let at = next?;
            if at < after {
                let child = &self.cells[at];
                (from, next) = (self.order.end(child.number), Some(child.after));
                Some((start, child.number))
            } else {
                next = None;
                Some((start, self.order.end(number)))
            }
        })
    }

    fn room(&self, cell: usize) -> u64 {
        self.gaps(cell).fold(0, |sum: u64, (from, to)| sum.plus(self.sizes.sum(from, to)))
    }

    fn place_one(&mut self, cell: usize) {
        let Typed { class, number, rest, .. } = self.cells[cell];
        let mut gaps: Vec<_> = self.gaps(cell).filter(|(from, to)| from < to).collect();
        // What the cells below say is kept to if that can be.
        gaps.push((number + 1, self.order.end(number)));
        gaps.insert(0, (number, number + 1));
        let first = self.pieces.len();
        let mut pieces = std::mem::take(&mut self.pieces);
        let left = fill(&mut self.sizes, &gaps, rest.size, |at, size| {
            let value = Amount { size, count: 0 };
            pieces.push(Piece { number: at, class, value, exact: at == number });
        });
        self.inconsistent += u64::from(left > 0);
        // Allocations go with their bytes as far as they can.
        let with: Vec<_> = pieces[first..].iter().map(|piece| (piece.number, piece.number + 1)).collect();
        gaps.splice(0..0, with);
        fill(&mut self.counts, &gaps, rest.count, |at, count| {
            let value = Amount { size: 0, count };
            pieces.push(Piece { number: at, class, value, exact: at == number });
        });
        self.pieces = pieces;
    }

    /// Makes rows of the pieces and of what no type has taken.
    fn finish(self, counted: bool) -> Split {
        let Self { order, classes, sizes, counts, mut pieces, inconsistent, .. } = self;
        for (number, (&size, &count)) in (0..).zip(sizes.left.iter().zip(&counts.left)) {
            if size > 0 || count > 0 {
                pieces.push(Piece { number, class: OTHER, value: Amount { size, count }, exact: true });
            }
        }
        sort_by_key(&mut pieces, |piece| (order.places[piece.number as usize], piece.class));
        let mut split = Split { inconsistent, ..Split::default() };
        for same in pieces.chunk_by(|a, b| (a.number, a.class) == (b.number, b.class)) {
            let mut value = Amount::default();
            for piece in same {
                value.size = value.size.plus(piece.value.size);
                value.count = value.count.plus(piece.value.count);
                if !piece.exact {
                    split.unplaced = split.unplaced.plus(piece.value.size);
                }
            }
            if same.iter().any(|piece| !piece.exact) {
                split.inexact.push(split.rows.len() as u32);
            }
            let slot = order.places[same[0].number as usize].wrapping_sub(1);
            let count = if counted { value.count.min(NO_COUNT - 1) } else { NO_COUNT };
            let class = classes.get(same[0].class as usize).copied().unwrap_or(OTHER);
            split.rows.push(Row { size: value.size, count, slot, class });
        }
        split
    }
}

/// Takes `left` out of ranges of frames, in their order; what is still left after that.
fn fill(space: &mut Space, ranges: &[(u32, u32)], mut left: u64, mut put: impl FnMut(u32, u64)) -> u64 {
    for &(from, to) in ranges {
        let mut at = from;
        while left > 0 {
            at = space.seek(at);
            if at >= to {
                break;
            }
            let taken = space.take(at, left);
            left -= taken;
            put(at, taken);
        }
    }
    left
}

/// The cells of types, and what these are called; cells that are given twice are added up.
fn typed(order: &Order, cells: &[Cell]) -> (Vec<Typed>, Vec<u32>) {
    let (mut numbers, mut classes) = (Map::default(), Vec::new());
    let mut number = |class: u32| {
        *numbers.entry(class).or_insert_with(|| {
            classes.push(class);
            classes.len() as u32 - 1
        })
    };
    let typed = cells.iter().filter(|cell| cell.class != NONE).map(|cell| Typed {
        class: number(cell.class),
        number: order.numbers[cell.slot.wrapping_add(1) as usize],
        after: 0,
        value: Amount { size: cell.size, count: if cell.count == NO_COUNT { 0 } else { cell.count } },
        rest: Amount::default(),
    });
    let mut typed: Vec<_> = typed.collect();
    sort_by_key(&mut typed, |cell| (cell.class, cell.number));
    typed.dedup_by(|cell, before| {
        let same = (cell.class, cell.number) == (before.class, before.number);
        if same {
            before.value.size = before.value.size.plus(cell.value.size);
            before.value.count = before.value.count.plus(cell.value.count);
        }
        same
    });
    (typed, classes)
}
