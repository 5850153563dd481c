//! The member `heaps`: cumulative cells with cut-offs (v1), or own sizes (the previous format).
//!
//! Both become a tree of frames with rows of own bytes by type; see [`cube`](crate::cube) for v1, which gives sums. The
//! cells themselves are kept beside the tree.

use heap_base::Result;

use crate::cube::{self, Amount};
use crate::dict::{Dict, id_value, is_number, is_string};
use crate::heap::{Cell, Format, Heap, OTHER, ROOT, SELF, Slots};
use crate::ids::Key;
use crate::names::hex;
use crate::rows::{NO_COUNT, Row};
use crate::scan::Scanner;
use crate::texts::{NONE, TextId, Texts};

/// What an entry says of its backtrace.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Backtrace {
    /// There is no `bt`.
    Absent,
    /// `bt` is empty: the root.
    Empty,
    /// A frame.
    Frame(Key),
}

/// An entry as read.
#[derive(Clone, Copy, Debug)]
struct Entry {
    bt: Backtrace,
    /// `None` = all types.
    ty: Option<Key>,
    size: Option<u64>,
    count: u64,
}

/// Reads the object `heaps`, appends its heaps and says which allocators were passed over for want of entries. Types
/// are numbered in `dict` even without a name, if the process has no list of types at all.
pub(crate) fn read_heaps(
    scanner: &mut Scanner,
    dict: &mut Dict,
    slots: &mut Slots,
    texts: &mut Texts,
    heaps: &mut Vec<Heap>,
) -> Result<Vec<TextId>> {
    let mut empty = Vec::new();
    if !scanner.enter(b'{')? {
        return Ok(empty);
    }
    let mut first = true;
    while let Some(name) = scanner.key(&mut first)? {
        let allocator = texts.id_of_bytes(name);
        if !scanner.enter(b'{')? {
            continue;
        }
        let mut builder = None;
        let mut first = true;
        while let Some(member) = scanner.member(&mut first, &["entries"])? {
            if !scanner.enter_if(!member.is_empty(), b'[')? {
                continue;
            }
            let mut first = true;
            while scanner.element(&mut first, b']')? {
                let Some(entry) = read_entry(scanner, texts)? else { continue };
                if builder.is_none() {
                    if !slots.begin(dict, heaps.last()) {
                        return Err(scanner.damage("more heaps than the frames of one process can serve"));
                    }
                    // Only its first entry distinguishes the previous format from v1.
                    let old = entry.bt == Backtrace::Absent;
                    let format = if old { Format::Previous } else { Format::V1 };
                    builder = Some(Builder::new(Heap::new(allocator, format)));
                }
                if let Some(builder) = &mut builder {
                    builder.take(entry, dict, slots, texts);
                }
            }
        }
        match builder {
            Some(builder) => heaps.push(builder.finish()),
            None => empty.push(allocator),
        }
    }
    Ok(empty)
}

/// Takes an element of `entries`; `None` if it is no object.
fn read_entry(scanner: &mut Scanner, texts: &mut Texts) -> Result<Option<Entry>> {
    if !scanner.enter(b'{')? {
        return Ok(None);
    }
    let mut entry = Entry { bt: Backtrace::Absent, ty: None, size: None, count: NO_COUNT };
    let mut first = true;
    while let Some(member) = scanner.member(&mut first, &["bt", "size", "count", "type"])? {
        match member {
            "bt" => {
                entry.bt = match id_value(scanner, texts)? {
                    Some(Key::Text(text)) if texts.get(text).is_empty() => Backtrace::Empty,
                    Some(key) => Backtrace::Frame(key),
                    None => Backtrace::Absent,
                }
            }
            "type" => entry.ty = id_value(scanner, texts)?,
            "size" => entry.size = hex_value(scanner)?,
            "count" => entry.count = hex_value(scanner)?.unwrap_or(NO_COUNT),
            _ => scanner.skip()?,
        }
    }
    Ok(Some(entry))
}

/// Takes a number written as hexadecimal text. `None` for anything else.
fn hex_value(scanner: &mut Scanner) -> Result<Option<u64>> {
    if is_string(scanner)? {
        return Ok(std::str::from_utf8(scanner.string()?).ok().and_then(hex));
    }
    if is_number(scanner)? {
        return Ok(scanner.number()?.amount());
    }
    scanner.skip().map(|()| None)
}

/// What is known of a frame's total, over all types.
#[derive(Clone, Copy, Debug, Default)]
struct FrameTotal {
    /// From an entry without type.
    given: Option<u64>,
    /// The count of such entries, as long as all have one.
    count: u64,
    /// Sum of the entries with a type.
    typed: u64,
    /// The sum of their counts, as long as all have one.
    typed_count: u64,
}

struct Builder {
    heap: Heap,
    /// The root, then every slot.
    totals: Vec<FrameTotal>,
    /// Previous format: by slot + 1 of a frame, the slot of its `<self>`.
    selves: Vec<u32>,
}

impl Builder {
    fn new(heap: Heap) -> Self {
        Self { heap, totals: vec![FrameTotal::default()], selves: Vec::new() }
    }

    fn take(&mut self, entry: Entry, dict: &mut Dict, slots: &mut Slots, texts: &Texts) {
        if self.try_take(entry, dict, slots, texts).is_none() {
            self.heap.skipped += 1;
        }
    }

    /// `None` if the entry has to be left out.
    fn try_take(&mut self, entry: Entry, dict: &mut Dict, slots: &mut Slots, texts: &Texts) -> Option<()> {
        let old = self.heap.format == Format::Previous;
        let size = entry.size?;
        let class = match entry.ty {
            None => NONE,
            Some(key) => {
                let known = dict.find_type(key).filter(|&ty| dict.type_defined(ty));
                match known {
                    Some(ty) => ty,
                    // Without any list of types nothing but the names is lost in v1.
                    None if !dict.has_types && !old => dict.type_(key),
                    None => return None,
                }
            }
        };
        let mut slot = match entry.bt {
            Backtrace::Absent if old => ROOT,
            Backtrace::Absent => return None,
            Backtrace::Empty => ROOT,
            Backtrace::Frame(key) => {
                let frame = dict.find_frame(key).filter(|&f| dict.frame_defined(f))?;
                slots.slot(frame, dict, texts, &mut self.heap)
            }
        };
        if old && entry.bt != Backtrace::Absent {
            slot = self.self_of(slot);
        }
        self.heap.cells.push(Cell { size, count: entry.count, slot, class });
        self.totals.resize(self.heap.frames.len() + 1, FrameTotal::default());
        let total = &mut self.totals[slot.wrapping_add(1) as usize];
        if class != NONE {
            total.typed = total.typed.saturating_add(size);
            total.typed_count = add_counts(total.typed_count, entry.count);
        } else if let Some(given) = &mut total.given {
            *given = given.saturating_add(size);
            total.count = add_counts(total.count, entry.count);
        } else {
            total.given = Some(size);
            total.count = entry.count;
        }
        Some(())
    }

    /// The `<self>` below a frame.
    fn self_of(&mut self, slot: u32) -> u32 {
        let at = slot.wrapping_add(1) as usize;
        if at >= self.selves.len() {
            self.selves.resize(at + 1, NONE);
        }
        if self.selves[at] == NONE {
            self.selves[at] = self.heap.push_self(slot);
        }
        self.selves[at]
    }

    /// Own bytes of every frame: its total less those of its children. Where the file gives no total, the larger of
    /// its children's and its types' sum replaces it, a lower bound.
    fn finish(mut self) -> Heap {
        self.totals.resize(self.heap.frames.len() + 1, FrameTotal::default());
        if self.heap.format == Format::Previous {
            self.finish_previous();
        } else {
            self.finish_v1();
        }
        self.heap
    }

    fn finish_v1(&mut self) {
        let heap = &mut self.heap;
        let counted = heap.cells.iter().all(|cell| cell.count != NO_COUNT);
        let mut own = vec![Amount::default(); self.totals.len()];
        // Sums over the children, by slot + 1; children come after their parents.
        let mut below = vec![Amount::default(); self.totals.len()];
        for at in (0..self.totals.len()).rev() {
            let (total, children) = (self.totals[at], below[at]);
            let whole = match total.given {
                Some(size) => Amount { size, count: total.count },
                None => Amount {
                    size: children.size.max(total.typed),
                    count: children.count.max(total.typed_count),
                },
            };
            match total.given {
                Some(_) => {}
                None if at == 0 => heap.root_inexact = true,
                None => heap.inexact.push(at as u32 - 1),
            }
            heap.inconsistent += u64::from(children.size > whole.size || total.typed > whole.size);
            if at > 0 {
                let sum = &mut below[heap.parents[at - 1].wrapping_add(1) as usize];
                sum.size = sum.size.saturating_add(whole.size);
                sum.count = sum.count.saturating_add(whole.count);
            }
            own[at].size = whole.size.saturating_sub(children.size);
            if counted {
                own[at].count = whole.count.saturating_sub(children.count);
            }
        }
        heap.inexact.reverse();
        let split = cube::split(&heap.parents, &own, &heap.cells, counted);
        heap.rows = split.rows.into_iter().collect();
        (heap.inexact_rows, heap.unplaced) = (split.inexact, split.unplaced);
        heap.inconsistent = heap.inconsistent.max(split.inconsistent);
    }

    /// In the previous format sums are exact: it leaves nothing out.
    fn finish_previous(&mut self) {
        let heap = &mut self.heap;
        let mut below = vec![(0u64, 0u64); self.totals.len()];
        let mut rows = Vec::new();
        for at in (0..self.totals.len()).rev() {
            let total = self.totals[at];
            let (children, children_count) = below[at];
            let is_self = at > 0 && heap.frames[at - 1] == SELF;
            let slot = (at as u32).wrapping_sub(1);
            let size = total.given.unwrap_or_else(|| children.max(total.typed));
            let count = if total.given.is_some() { total.count } else { NO_COUNT };
            heap.inconsistent += u64::from(children > size || (total.given.is_some() && total.typed > size));
            if at > 0 {
                let parent = heap.parents[at - 1].wrapping_add(1) as usize;
                let sum = &mut below[parent];
                *sum = (sum.0.saturating_add(size), add_counts(sum.1, count));
            }
            let own = size.saturating_sub(children);
            let own_count = if count == NO_COUNT || children_count == NO_COUNT || children_count > count {
                NO_COUNT
            } else {
                count - children_count
            };
            if is_self {
                // Its types, if given, come from its cells.
                let rest = own.saturating_sub(total.typed);
                if rest > 0 || (total.typed == 0 && has_count(own_count)) {
                    let count = if total.typed == 0 { own_count } else { NO_COUNT };
                    rows.push(Row { size: rest, count, slot, class: OTHER });
                }
            } else if own > 0 || has_count(own_count) {
                rows.push(Row { size: own, count: own_count, slot, class: OTHER });
            }
        }
        rows.reverse();
        let typed = |cell: &&Cell| cell.class != NONE && cell.slot != ROOT;
        rows.extend(heap.cells.iter().filter(typed).map(|cell| Row {
            size: cell.size,
            count: cell.count,
            slot: cell.slot,
            class: cell.class,
        }));
        heap.rows = rows.into_iter().collect();
    }
}

/// True if a count is known and not zero.
fn has_count(count: u64) -> bool {
    count != NO_COUNT && count != 0
}

/// The sum of two counts; unknown if either is.
fn add_counts(a: u64, b: u64) -> u64 {
    if a == NO_COUNT || b == NO_COUNT { NO_COUNT } else { a.saturating_add(b).min(NO_COUNT - 1) }
}
