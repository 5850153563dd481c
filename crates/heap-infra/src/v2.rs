//! The member `heaps_v2`: dictionaries and rows of own values.

use heap_base::Result;

use crate::dict::{Dict, is_number};
use crate::heap::{Format, Heap, ROOT, Slots};
use crate::ids::Key;
use crate::rows::{NO_COUNT, Row, Rows, set};
use crate::scan::{Number, Scanner};
use crate::texts::{NONE, Texts};

/// What reading one `heaps_v2` came to.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// False if a row refers to something that neither this dump nor an earlier one read so far defines.
    pub(crate) complete: bool,
    /// The version, if it is not the only one known.
    pub(crate) strange_version: Option<u64>,
}

/// Applies only the dictionaries of a dump.
pub(crate) fn read_maps(scanner: &mut Scanner, dict: &mut Dict, texts: &mut Texts) -> Result {
    if !scanner.enter(b'{')? {
        return Ok(());
    }
    let mut first = true;
    while let Some(member) = scanner.member(&mut first, &["maps"])? {
        if member == "maps" {
            dict.read_maps(scanner, texts)?;
        } else {
            scanner.skip()?;
        }
    }
    Ok(())
}

/// Reads the object `heaps_v2`: applies its dictionaries and appends its heaps.
pub(crate) fn read_heaps(
    scanner: &mut Scanner,
    dict: &mut Dict,
    slots: &mut Slots,
    texts: &mut Texts,
    heaps: &mut Vec<Heap>,
) -> Result<Outcome> {
    let mut outcome = Outcome { complete: true, strange_version: None };
    if scanner.next_token()? != b'{' {
        scanner.skip()?;
        return Ok(outcome);
    }
    scanner.expect(b'{', "an object")?;
    let start = heaps.len();
    let mut first = true;
    while let Some(member) = scanner.member(&mut first, &["allocators", "maps", "version"])? {
        match member {
            "maps" => dict.read_maps(scanner, texts)?,
            "allocators" if scanner.next_token()? == b'{' => read_allocators(scanner, dict, texts, heaps)?,
            "version" if is_number(scanner)? => {
                let version = scanner.number()?.id();
                outcome.strange_version = (version != 1).then_some(version);
            }
            _ => scanner.skip()?,
        }
    }
    // Rows are resolved last: the dictionaries may come after them.
    for i in start..heaps.len() {
        let (before, from) = heaps.split_at_mut(i);
        if !slots.begin(dict, before.last()) {
            heaps.truncate(i);
            return Err(scanner.damage("more heaps than the frames of one process can serve"));
        }
        outcome.complete &= resolve(&mut from[0], dict, slots, texts);
    }
    Ok(outcome)
}

fn read_allocators(
    scanner: &mut Scanner,
    dict: &mut Dict,
    texts: &mut Texts,
    heaps: &mut Vec<Heap>,
) -> Result {
    scanner.expect(b'{', "an object")?;
    let mut first = true;
    while let Some(name) = scanner.key(&mut first)? {
        let mut heap = Heap::new(texts.id_of_bytes(name), Format::V2);
        if !scanner.enter(b'{')? {
            continue;
        }
        let Table { mut rows, nodes, sizes, counts, negative } = Table::read(scanner, dict)?;
        // Arrays of unequal length: a row needs a node and a size, the rest is what it has.
        let n_rows = nodes.min(sizes);
        heap.skipped = (rows.len() - n_rows) as u64;
        if counts > 0 {
            heap.skipped += n_rows.saturating_sub(counts) as u64;
        }
        rows.level(n_rows);
        (heap.rows, heap.inconsistent) = (rows, negative);
        heaps.push(heap);
    }
    Ok(())
}

/// The rows of an allocator as the file has them.
#[derive(Debug, Default)]
struct Table {
    rows: Rows,
    /// How far the columns of nodes and of sizes reach.
    nodes: usize,
    sizes: usize,
    /// How far that of counts does.
    counts: usize,
    /// Sizes and counts below zero.
    negative: u64,
}

/// A row that nothing has been read of.
const EMPTY: Row = Row { size: 0, count: NO_COUNT, slot: NONE, class: NONE };

impl Table {
    /// Reads the rest of an object whose brace was taken.
    fn read(scanner: &mut Scanner, dict: &mut Dict) -> Result<Self> {
        let mut this = Self::default();
        let mut first = true;
        let names = ["counts", "nodes", "sizes", "types", "bytes", "objects"];
        while let Some(column) = scanner.member(&mut first, &names)? {
            if !scanner.enter_if(!column.is_empty(), b'[')? {
                continue;
            }
            match column {
                "nodes" | "types" => this.read_ids(column, scanner, dict)?,
                _ => this.read_amounts(column, scanner)?,
            }
        }
        Ok(this)
    }

    /// Reads an array of nodes or types; one of nodes may hold whole rows, an object each.
    fn read_ids(&mut self, column: &str, scanner: &mut Scanner, dict: &mut Dict) -> Result {
        let rows = &mut self.rows;
        if column == "types" {
            fill(scanner, |i, n| set(&mut rows.classes, i, dict.type_(Key::Number(n.id()))))?;
        } else if scanner.next_token()? == b'{' {
            let n = read_row_objects(scanner, dict, rows)?;
            (self.nodes, self.sizes) = (n, n);
        } else {
            self.nodes = fill(scanner, |i, n| set(&mut rows.slots, i, dict.frame(Key::Number(n.id()))))?;
        }
        Ok(())
    }

    /// Reads an array of sizes or counts.
    fn read_amounts(&mut self, column: &str, scanner: &mut Scanner) -> Result {
        let rows = &mut self.rows;
        if matches!(column, "counts" | "objects") {
            let mut negative = 0;
            self.counts = fill(scanner, |i, n| {
                let count = n.amount();
                negative += u64::from(count.is_none());
                rows.counts.set(i, count.unwrap_or(NO_COUNT));
            })?;
            self.negative += negative;
            return Ok(());
        }
        let mut negative = 0;
        self.sizes = fill(scanner, |i, n| {
            let size = n.amount();
            negative += u64::from(size.is_none());
            rows.sizes.set(i, size.unwrap_or(0));
        })?;
        self.negative += negative;
        Ok(())
    }
}

/// Takes a column of numbers, each with its place, and says how far it reaches.
#[inline]
fn fill(scanner: &mut Scanner, mut set: impl FnMut(usize, Number)) -> Result<usize> {
    let mut i = 0;
    scanner.numbers(|n| {
        set(i, n);
        i += 1;
    })?;
    Ok(i)
}

/// The variant that has one object per row.
fn read_row_objects(scanner: &mut Scanner, dict: &mut Dict, rows: &mut Rows) -> Result<usize> {
    *rows = Rows::default();
    let mut first = true;
    while scanner.element(&mut first, b']')? {
        if !scanner.enter(b'{')? {
            continue;
        }
        let mut row = EMPTY;
        let mut first = true;
        let names = ["node_id", "type_id", "size", "count", "bytes", "objects"];
        while let Some(member) = scanner.member(&mut first, &names)? {
            if member.is_empty() || !is_number(scanner)? {
                scanner.skip()?;
                continue;
            }
            let n = scanner.number()?;
            match member {
                "node_id" => row.slot = dict.frame(Key::Number(n.id())),
                "type_id" => row.class = dict.type_(Key::Number(n.id())),
                "size" | "bytes" => row.size = n.amount().unwrap_or(0),
                _ => row.count = n.amount().unwrap_or(NO_COUNT),
            }
        }
        rows.push(row);
    }
    Ok(rows.len())
}

/// Turns frames into slots. False if something is not defined that an earlier dump may have defined.
fn resolve(heap: &mut Heap, dict: &Dict, slots: &mut Slots, texts: &Texts) -> bool {
    let mut complete = true;
    let mut places = std::mem::take(&mut heap.rows.slots);
    for place in &mut places {
        let frame = *place;
        *place = slots.slot(frame, dict, texts, heap);
        if *place == ROOT && !dict.frame_defined(frame) {
            let key = dict.frame_key(frame);
            // −1 is how the out-of-process writer says "empty stack", 0 is how others do.
            complete &= key == Some(Key::Number(u64::MAX));
            heap.unresolved += u64::from(!matches!(key, Some(Key::Number(0 | u64::MAX))));
        }
    }
    heap.rows.slots = places;
    for (&frame, &parent) in heap.frames.iter().zip(&heap.parents) {
        let named = dict.frame_name(frame) != NONE;
        let (mut known, mut no_parent) = (named, false);
        if parent == ROOT {
            let parent = dict.frame_parent(frame);
            known &= parent == NONE || dict.frame_defined(parent);
            // So do some writers say that there is no parent.
            no_parent = matches!(dict.frame_key(parent), Some(Key::Number(0 | u64::MAX)));
        }
        complete &= known;
        heap.unresolved += u64::from(!(known || named && no_parent));
    }
    // 0 and −1 say that there is no type.
    let unknown = |class: u32| {
        class != NONE
            && !dict.type_defined(class)
            && !matches!(dict.type_key(class), Some(Key::Number(0 | u64::MAX)))
    };
    heap.unresolved += heap.rows.classes.iter().filter(|&&class| unknown(class)).count() as u64;
    complete
}
