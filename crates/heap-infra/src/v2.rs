//! The member `heaps_v2`: dictionaries and rows of own values.

use heap_base::{Result, join};

use crate::dict::{Dict, is_number};
use crate::heap::{Format, Heap, NO_COUNT, ROOT, Slots};
use crate::ids::Key;
use crate::rows::{Row, Rows, set};
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
    let two = std::thread::available_parallelism().is_ok_and(|n| n.get() > 1);
    scanner.expect(b'{', "an object")?;
    let mut first = true;
    while let Some(name) = scanner.key(&mut first)? {
        let mut heap = Heap::new(texts.id_of_bytes(name), Format::V2);
        if !scanner.enter(b'{')? {
            continue;
        }
        let fork = || scanner.fork(THREAD_FROM).filter(|_| two);
        let forks = (fork(), fork());
        let Table { mut rows, nodes, sizes, negative, .. } = match forks {
            (Some(second), Some(again)) => Table::read_in_two(scanner, second, again, dict)?,
            _ => Table::read(scanner, Some(dict), true)?,
        };
        // Arrays of unequal length: a row needs a node and a size, the rest is what it has.
        let n_rows = nodes.min(sizes);
        heap.skipped = (rows.len() - n_rows) as u64;
        rows.level(n_rows);
        (heap.rows, heap.inconsistent) = (rows, negative);
        heaps.push(heap);
    }
    Ok(())
}

/// With fewer bytes to come a second thread does not pay. Tests have both.
const THREAD_FROM: u64 = if cfg!(test) { 1 << 10 } else { 4 << 20 };

/// The rows of an allocator as the file has them.
#[derive(Debug, Default)]
struct Table {
    rows: Rows,
    /// How far the columns of nodes and of sizes reach.
    nodes: usize,
    sizes: usize,
    /// Sizes below zero.
    negative: u64,
    /// The nodes came as rows, an object each, that say all.
    objects: bool,
}

/// A row that nothing has been read of.
const EMPTY: Row = Row { size: 0, count: NO_COUNT, slot: NONE, class: NONE };

impl Table {
    /// Reads the rest of an object whose brace was taken: nodes and types if there is a dictionary to look them up in, and
    /// sizes and counts if these are asked for. Ends at rows that are objects if only a part is.
    fn read(scanner: &mut Scanner, mut dict: Option<&mut Dict>, amounts: bool) -> Result<Self> {
        let mut this = Self::default();
        let mut first = true;
        let names = ["counts", "nodes", "sizes", "types", "bytes", "objects"];
        while let Some(column) = scanner.member(&mut first, &names)? {
            let array = !column.is_empty() && scanner.next_token()? == b'[';
            match (column, &mut dict) {
                ("nodes" | "types", Some(dict)) if array => {
                    this.objects |= this.read_places(column, scanner, dict, amounts)?;
                    if this.objects && !amounts {
                        break;
                    }
                }
                ("nodes" | "types", _) => scanner.skip()?,
                _ if array && amounts => this.read_amounts(column, scanner)?,
                _ => scanner.skip()?,
            }
        }
        Ok(this)
    }

    /// The same by two threads, of which the second takes sizes and counts from a scanner of its own. What is damaged or
    /// has rows as objects is read again by one of them.
    fn read_in_two(
        scanner: &mut Scanner,
        mut second: Scanner,
        again: Scanner,
        dict: &mut Dict,
    ) -> Result<Self> {
        let (places, amounts) =
            join(true, || Self::read(scanner, Some(dict), false), || Self::read(&mut second, None, true));
        if let (Ok(places), Ok(amounts)) = (places, amounts)
            && !places.objects
        {
            let Rows { sizes, counts, .. } = amounts.rows;
            return Ok(Self { rows: Rows { sizes, counts, ..places.rows }, nodes: places.nodes, ..amounts });
        }
        *scanner = again;
        Self::read(scanner, Some(dict), true)
    }

    /// Reads an array of nodes or types. True if these are rows, an object each, which are only read if `objects` says so.
    fn read_places(
        &mut self,
        column: &str,
        scanner: &mut Scanner,
        dict: &mut Dict,
        objects: bool,
    ) -> Result<bool> {
        let rows = &mut self.rows;
        scanner.expect(b'[', "an array")?;
        if column == "types" {
            fill(scanner, |i, n| set(&mut rows.classes, i, dict.type_(Key::Number(n.id()))))?;
            return Ok(false);
        }
        if scanner.next_token()? != b'{' {
            self.nodes = fill(scanner, |i, n| set(&mut rows.slots, i, dict.frame(Key::Number(n.id()))))?;
            return Ok(false);
        }
        if objects {
            let n = read_row_objects(scanner, dict, rows)?;
            (self.nodes, self.sizes) = (n, n);
        }
        Ok(true)
    }

    /// Reads an array of sizes or counts.
    fn read_amounts(&mut self, column: &str, scanner: &mut Scanner) -> Result {
        let rows = &mut self.rows;
        scanner.expect(b'[', "an array")?;
        if matches!(column, "counts" | "objects") {
            fill(scanner, |i, n| rows.counts.set(i, n.amount().unwrap_or(NO_COUNT)))?;
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
        complete &= dict.frame_name(frame) != NONE;
        if parent == ROOT {
            let parent = dict.frame_parent(frame);
            complete &= parent == NONE || dict.frame_defined(parent);
        }
    }
    complete
}

#[cfg(test)]
mod tests {
    use heap_base::Blob;

    use super::*;

    /// What one thread reads of an allocator, or two, and where the scanner stands then.
    fn table(text: &str, two: bool) -> std::result::Result<(String, u64), String> {
        let mut scanner = Scanner::new(&Blob::from_bytes(text.as_bytes()), 0, text.len() as u64);
        let mut dict = Dict::v2();
        let table = match (scanner.fork(0), scanner.fork(0)) {
            (Some(second), Some(again)) if two => Table::read_in_two(&mut scanner, second, again, &mut dict),
            _ => Table::read(&mut scanner, Some(&mut dict), true),
        };
        // Which part saw rows that are objects says nothing of what was read.
        let table = table.map(|table| Table { objects: false, ..table });
        table.map(|table| (format!("{table:?}"), scanner.offset())).map_err(|error| error.to_string())
    }

    #[test]
    fn two_threads_read_what_one_does() {
        let (mut whole, mut damaged, mut negative) = (0, 0, 0);
        arbtest::arbtest(|u| {
            let mut members = Vec::new();
            for _ in 0..u.int_in_range(0..=6)? {
                let name = *u.choose(&["nodes", "types", "sizes", "counts", "bytes", "objects", "other"])?;
                let value = match u.int_in_range(0..=15)? {
                    0 => "{\"a\":[1,\"]\"]}".to_owned(),
                    1 => "[{\"node_id\":3,\"size\":-5,\"count\":2},{\"node_id\":4},7]".to_owned(),
                    _ => {
                        let odd = *u.choose(&[5, 50, 1000])?;
                        let mut list = Vec::new();
                        for _ in 0..u.int_in_range(0..=30)? {
                            let n = u.int_in_range(0..=2000)?;
                            list.push(if u.ratio(1, odd)? { format!("-{n}") } else { n.to_string() });
                        }
                        format!("[{}]", list.join(","))
                    }
                };
                members.push(format!("\"{name}\":{value}"));
            }
            let mut text = members.join(",") + "} behind";
            if u.ratio(1, 4)? {
                let at = u.int_in_range(0..=text.len() - 1)?;
                text.replace_range(at..=at, u.choose(&["]", "[", "x", "\"", ""])?);
            }
            let one = table(&text, false);
            assert_eq!(table(&text, true), one, "{text}");
            negative += usize::from(one.as_ref().is_ok_and(|(table, _)| !table.contains("negative: 0")));
            (whole, damaged) = (whole + usize::from(one.is_ok()), damaged + usize::from(one.is_err()));
            Ok(())
        })
        .budget_ms(1000);
        assert!(whole > 100 && damaged > 20 && negative > 20, "{whole} {damaged} {negative}");
    }
}
