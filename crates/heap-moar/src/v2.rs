//! Version 2: tagged tables without compression, in three dialects under one magic.
//!
//! | written by MoarVM | strings, types, frames | number after `strs` | type and frame rows |
//! |---|---|---|---|
//! | 2017.09 to 2017.11 | after each snapshot | strings in the block | u64 |
//! | 2017.12 to 2019.10 | once, at the end | strings in the block | u64 |
//! | 2019.11 on, without libzstd | after each snapshot | strings before the block | u32, the other half is garbage |

use heap_base::{Blob, Error, Result};
use heap_record::{Fact, Info, Sink, SnapshotSelector};

use crate::bytes::{Cursor, Order};
use crate::emit::{Emitter, MAX_STRING};
use crate::rows::{BATCH, Columns, Refs, Rows, Snapshot, Source, totals};
use crate::{choose, plan};

const START: u64 = 16;
/// Bytes of a row of collectables. The file has this number too, which shows its byte order.
const ROW: u64 = 28;
/// Bytes of the index for each snapshot, and after them.
const INDEX_ROW: u64 = 32;

/// Which of the writers it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// 2017.09: tables after each snapshot.
    Each,
    /// 2017.12: tables once.
    Once,
    /// 2019.11: tables after each snapshot, with half-width rows.
    Halves,
}

impl Dialect {
    fn since(self) -> &'static str {
        match self {
            Self::Each => "2017.09",
            Self::Once => "2017.12",
            Self::Halves => "2019.11",
        }
    }

    fn producer(self) -> &'static str {
        match self {
            Self::Each => "MoarVM 2017.09 to 2017.11",
            Self::Once => "MoarVM 2017.12 to 2019.10",
            Self::Halves => "MoarVM 2019.11 or later, built without libzstd",
        }
    }
}

/// A table: where its rows lie and how many there are, as far as the file goes.
#[derive(Clone, Copy, Debug)]
struct Table {
    tag: [u8; 4],
    start: u64,
    end: u64,
    rows: u64,
}

/// A snapshot and the tables after it.
#[derive(Clone, Debug, Default)]
struct Group {
    coll: Option<Table>,
    refs: Option<Table>,
    names: Vec<Table>,
    intact: bool,
}

/// All tables of a file.
#[derive(Debug)]
struct Layout {
    order: Order,
    dialect: Dialect,
    groups: Vec<Group>,
    damage: Option<Error>,
}

/// Finds the tables. The index at the end is used for one thing only: the length of the reference tables, whose
/// rows vary in length. Its other numbers are wrong in the newest dialect.
fn layout(blob: &Blob) -> Result<Layout> {
    let order = byte_order(blob)?;
    let (index, count) = index(blob, order)?.unzip();
    let mut cursor = Cursor::new(blob, START, blob.len(), 64 << 10);
    let mut layout = Layout { order, dialect: Dialect::Each, groups: Vec::new(), damage: None };
    let mut halves = None;
    let mut frame_tables = 0;
    let mut snapshots = 0;
    loop {
        let at = cursor.position();
        if Some(at) == index {
            if let Some(last) = layout.groups.last_mut() {
                last.intact = true;
            }
            if count != Some(snapshots) {
                layout.damage = Some(Error::at_byte(at, "the index has another number of snapshots"));
            }
            break;
        }
        if cursor.left() == 0 {
            layout.damage = Some(Error::at_byte(at, "the index is missing"));
            break;
        }
        let (Some(tag), Some(number)) = (cursor.take::<4>()?, cursor.take::<8>()?) else {
            layout.damage = Some(Error::at_byte(blob.len(), "a table ends early"));
            break;
        };
        let number = order.u64(number);
        if tag == *b"coll" {
            if let Some(last) = layout.groups.last_mut() {
                last.intact |= last.refs.is_some();
            }
            layout.groups.push(Group::default());
            snapshots += 1;
        } else if layout.groups.is_empty() {
            layout.damage = Some(Error::at_byte(at, "expected a table of collectables"));
            break;
        }
        let found = match &tag {
            b"coll" | b"type" | b"fram" => {
                let size = if tag == *b"coll" { ROW } else { 8 * words(tag) };
                fixed(&mut cursor, order, tag, number, size)?
            }
            b"refs" => {
                let hint = index.map(|i| i + (snapshots - 1) * INDEX_ROW + 8);
                references(blob, &mut cursor, order, number, at, hint.zip(index))?
            }
            b"strs" => {
                let (found, half) = strings(&mut cursor, order, number, halves)?;
                halves = halves.or(half);
                found
            }
            _ => {
                layout.damage = Some(Error::at_byte(at, "expected a table"));
                break;
            }
        };
        let (table, trouble) = found;
        if let (Some(table), Some(group)) = (table, layout.groups.last_mut()) {
            match &tag {
                b"coll" => group.coll = Some(table),
                b"refs" => group.refs = Some(table),
                _ => group.names.push(table),
            }
            frame_tables += u64::from(tag == *b"fram");
            group.intact |= tag == *b"fram" && trouble.is_none();
        }
        if trouble.is_some() {
            layout.damage = trouble;
            break;
        }
    }
    layout.dialect = match (halves, frame_tables) {
        (Some(true), _) => Dialect::Halves,
        (_, 1) => Dialect::Once,
        _ => Dialect::Each,
    };
    Ok(layout)
}

/// Words in a row of types or frames.
fn words(tag: [u8; 4]) -> u64 {
    if tag == *b"type" { 2 } else { 4 }
}

fn byte_order(blob: &Blob) -> Result<Order> {
    let mut size = [0; 8];
    let n = blob.read_at(&mut size, START + 12)?;
    Ok(if n == 8 && u64::from_be_bytes(size) == ROW { Order::Big } else { Order::Little })
}

/// Where the index starts and of how many snapshots, if the number at the very end can be one.
fn index(blob: &Blob, order: Order) -> Result<Option<(u64, u64)>> {
    let mut count = [0; 8];
    if blob.len() < START + INDEX_ROW || blob.read_at(&mut count, blob.len() - 8)? < 8 {
        return Ok(None);
    }
    let count = order.u64(count);
    let size = count.checked_mul(INDEX_ROW).and_then(|n| n.checked_add(INDEX_ROW));
    Ok(size.and_then(|n| blob.len().checked_sub(n)).filter(|&at| at > START).map(|at| (at, count)))
}

type Found = (Option<Table>, Option<Error>);

/// A table of rows of one size.
fn fixed(cursor: &mut Cursor<'_>, order: Order, tag: [u8; 4], count: u64, size: u64) -> Result<Found> {
    let name = String::from_utf8_lossy(&tag);
    let at = cursor.position();
    let Some(row) = cursor.take::<8>()? else {
        return Ok((None, Some(Error::at_byte(at, format!("table {name} ends early")))));
    };
    if order.u64(row) != size {
        let what = format!("table {name} has rows of {} bytes, not {size}", order.u64(row));
        return Ok((None, Some(Error::at_byte(at, what))));
    }
    let start = cursor.position();
    let rows = count.min(cursor.left() / size);
    let table = Table { tag, start, end: start + rows * size, rows };
    let cut = rows < count;
    let end = start + cursor.left();
    cursor.seek(table.end);
    Ok((Some(table), cut.then(|| Error::at_byte(end, format!("table {name} ends early")))))
}

/// The table of references that begins at `at`. `hint` is where its length may be, and where the index starts.
fn references(
    blob: &Blob,
    cursor: &mut Cursor<'_>,
    order: Order,
    count: u64,
    at: u64,
    hint: Option<(u64, u64)>,
) -> Result<Found> {
    cursor.skip(8);
    let start = cursor.position();
    if let Some((hint, index)) = hint {
        let mut bytes = [0; 8];
        blob.read_at(&mut bytes, hint)?;
        let end = at.saturating_add(order.u64(bytes));
        let mut tag = [0; 4];
        blob.read_at(&mut tag, end)?;
        let follows = end == index || matches!(&tag, b"coll" | b"strs");
        if end >= start && end <= index && follows && (end - start) / 4 >= count {
            cursor.seek(end);
            return Ok((Some(Table { tag: *b"refs", start, end, rows: count }), None));
        }
    }
    let mut rows = 0;
    let mut trouble = None;
    while rows < count {
        let at = cursor.position();
        match reference(cursor.peek(LONGEST)?, order) {
            Row::Is { length, .. } => cursor.advance(length),
            Row::Cut => trouble = Some(Error::at_byte(blob.len(), "table refs ends early")),
            Row::Bad => trouble = Some(Error::at_byte(at, "expected a reference")),
        }
        if trouble.is_some() {
            break;
        }
        rows += 1;
    }
    Ok((Some(Table { tag: *b"refs", start, end: cursor.position(), rows }), trouble))
}

/// The longest row of references.
const LONGEST: usize = 18;

enum Row {
    Is { descr: u64, target: u64, length: usize },
    Cut,
    Bad,
}

/// The reference at the start of `bytes`.
#[inline]
fn reference(bytes: &[u8], order: Order) -> Row {
    let &[letter, kind, ref rest @ ..] = bytes else { return Row::Cut };
    let (width, numbers) = match letter {
        b'0' => (1, rest.first_chunk().map(|&[a, b]| (u64::from(a), u64::from(b)))),
        b'1' => (2, two(rest, |b| u64::from(order.u16(b)))),
        b'3' => (4, two(rest, |b| u64::from(order.u32(b)))),
        b'6' => (8, two(rest, |b| order.u64(b))),
        _ => return Row::Bad,
    };
    let Some((index, target)) = numbers else { return Row::Cut };
    if kind > 3 || index >> 62 != 0 {
        return Row::Bad;
    }
    Row::Is { descr: index << 2 | u64::from(kind), target, length: 2 + 2 * width }
}

#[inline]
fn two<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> u64) -> Option<(u64, u64)> {
    let (a, rest) = bytes.split_first_chunk::<N>()?;
    Some((number(*a), number(*rest.first_chunk::<N>()?)))
}

/// A table of strings. `halves` is whether the number before it counts the strings of earlier blocks, where known;
/// the second part of the answer is what was found out about that.
fn strings(
    cursor: &mut Cursor<'_>,
    order: Order,
    number: u64,
    halves: Option<bool>,
) -> Result<(Found, Option<bool>)> {
    let start = cursor.position();
    let table = |end, rows| Some(Table { tag: *b"strs", start, end, rows });
    if halves != Some(true) {
        let rows = skip_strings(cursor, order, Some(number))?;
        let next = cursor.peek(4)?.first_chunk::<4>() == Some(b"type");
        if rows == number && (next || halves == Some(false)) {
            // Nothing in the block says nothing about the dialect.
            return Ok(((table(cursor.position(), rows), None), (rows > 0).then_some(false)));
        }
        if halves == Some(false) {
            let cut = Error::at_byte(cursor.position(), "table strs ends early");
            return Ok(((table(cursor.position(), rows), Some(cut)), None));
        }
        let tried = cursor.position();
        cursor.seek(start);
        let rows = skip_strings(cursor, order, None)?;
        let next = cursor.peek(4)?.first_chunk::<4>() == Some(b"type");
        // A file cut in its first block of strings: no count of strings can be 0 with strings after it.
        if !next && number > 0 {
            let cut = Error::at_byte(tried, "table strs ends early");
            return Ok(((table(cursor.position(), rows.min(number)), Some(cut)), None));
        }
        cursor.seek(start);
    }
    let rows = skip_strings(cursor, order, None)?;
    let end = cursor.position();
    let intact = cursor.peek(4)?.first_chunk::<4>() == Some(b"type");
    let cut = (!intact).then(|| Error::at_byte(end, "table strs ends early"));
    Ok(((table(end, rows), cut), Some(true)))
}

/// Skips `count` strings, or all before the next table. Returns how many there were.
fn skip_strings(cursor: &mut Cursor<'_>, order: Order, count: Option<u64>) -> Result<u64> {
    let mut rows = 0;
    while count.is_none_or(|n| rows < n) {
        let bytes = cursor.peek(8)?;
        // A length that begins with these letters would be above 1.7 GB.
        if count.is_none() && bytes.starts_with(b"type") {
            break;
        }
        let Some(&length) = bytes.first_chunk() else { break };
        let length = order.u64(length);
        if length > cursor.left() - 8 {
            break;
        }
        cursor.skip(8 + length);
        rows += 1;
    }
    Ok(rows)
}

/// Emits the picked snapshots.
pub(crate) fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let mut layout = layout(blob)?;
    let intact: Vec<bool> = layout.groups.iter().map(|g| g.intact).collect();
    let chosen = choose(pick, &intact)?;
    let mut emitter = Emitter::new(sink);
    if !matches!(pick, SnapshotSelector::Number(n) if intact.get(n as usize) == Some(&true)) {
        emitter.damage.note(layout.damage.take());
    }
    let bytes = |g: &Group| [g.coll, g.refs].into_iter().flatten().map(|t| t.end - t.start).sum::<u64>();
    plan(blob, layout.groups[chosen.clone()].iter().map(bytes).sum());

    emitter.head(pick, "2")?;
    emitter.metadata("moar.dialect", layout.dialect.since())?;
    if pick != SnapshotSelector::All && !chosen.is_empty() {
        emitter.snapshot(pick, chosen.start, layout.groups.len())?;
    }
    emitter.declare()?;
    let mut next = 0;
    for n in chosen {
        let group = &layout.groups[n];
        if pick == SnapshotSelector::All {
            emitter.snapshot(pick, n, layout.groups.len())?;
        }
        // The dialect that writes names once writes them at the end.
        let until = if group.names.is_empty() { layout.groups.len() } else { n + 1 };
        if emitter.wants_tables() {
            for table in layout.groups[next.min(until)..until].iter().flat_map(|g| &g.names) {
                names(blob, &layout, *table, &mut emitter)?;
            }
            next = next.max(until);
        }
        emitter.graph(n as u64, &V2 { blob, order: layout.order, group })?;
        emitter.tables()?;
    }
    emitter.damage.result()
}

/// Takes in a table of strings, types or frames.
fn names(blob: &Blob, layout: &Layout, table: Table, emitter: &mut Emitter<'_>) -> Result {
    let order = layout.order;
    let mut cursor = Cursor::new(blob, table.start, table.end, 64 << 10);
    if table.tag == *b"strs" {
        let mut long = Vec::new();
        for _ in 0..table.rows {
            let at = cursor.position();
            let Some(length) = cursor.take::<8>()? else { break };
            let length = order.u64(length).min(cursor.left());
            let short = usize::try_from(length).ok().filter(|&n| n <= 64 << 10);
            if let Some(n) = short {
                emitter.string(&cursor.peek(n)?[..n])?;
            } else if length > MAX_STRING as u64 {
                let what = format!("string of {length} bytes");
                emitter.damage.note(Some(Error::at_byte(at, what)));
                emitter.string(b"")?;
            } else {
                long.resize(length as usize, 0);
                blob.read_exact_at(&mut long, at + 8, "a string")?;
                emitter.string(&long)?;
            }
            cursor.skip(length);
        }
        return Ok(());
    }
    let number = |bytes: [u8; 8]| match (layout.dialect, order) {
        // The writer copies eight bytes from a four-byte field: the other half is the next field.
        (Dialect::Halves, Order::Little) => order.u64(bytes) & 0xffff_ffff,
        (Dialect::Halves, Order::Big) => order.u64(bytes) >> 32,
        _ => order.u64(bytes),
    };
    let mut room = true;
    for _ in 0..table.rows {
        let mut row = [0; 4];
        for word in row.iter_mut().take(words(table.tag) as usize) {
            *word = cursor.take()?.map_or(u64::MAX, number);
        }
        room &=
            if table.tag == *b"type" { emitter.add_type([row[0], row[1]]) } else { emitter.add_frame(row) };
    }
    if !room {
        emitter.damage.note(Some(Error::at_byte(table.start, "a table has too many rows")));
    }
    Ok(())
}

/// Facts about the file and its snapshots, from the headers of tables and the rows of collectables.
///
/// # Errors
/// Failures of reading.
pub(crate) fn info(blob: &Blob) -> Result<Info> {
    let layout = layout(blob)?;
    let mut info = Info {
        format: "moarvm.mvmheap",
        version: Some(format!("2 ({})", layout.dialect.since())),
        producer: Some(layout.dialect.producer().into()),
        series: true,
        ..Info::default()
    };
    for (tag, key) in [(b"strs", "strings"), (b"type", "types"), (b"fram", "static_frames")] {
        let tables = layout.groups.iter().flat_map(|g| &g.names).filter(|t| t.tag == *tag);
        info.facts.push((key, Fact::Int(tables.map(|t| t.rows as i64).sum())));
    }
    if layout.order == Order::Big {
        info.facts.push(("byte_order", Fact::Text("big".into())));
    }
    info.facts.extend(layout.damage.as_ref().map(|e| ("damage", Fact::Text(e.to_string()))));
    for group in &layout.groups {
        let rows = |table: Option<Table>| Fact::Int(table.map_or(0, |t| t.rows as i64));
        let mut facts = vec![("collectables", rows(group.coll)), ("total_refs", rows(group.refs))];
        if group.intact {
            let edges = group.refs.map_or(0, |t| t.rows);
            facts.extend(totals(&V2 { blob, order: layout.order, group }, Some(edges))?);
        } else {
            facts.push(("whole", Fact::Flag(false)));
        }
        info.snapshots.push(facts);
    }
    Ok(info)
}

struct V2<'a> {
    blob: &'a Blob,
    order: Order,
    group: &'a Group,
}

impl Snapshot for V2<'_> {
    fn rows(&self, columns: Columns) -> Result<Box<dyn Source<Rows> + '_>> {
        let (start, end) = self.group.coll.map_or((0, 0), |t| (t.start, t.end));
        let cursor = Cursor::new(self.blob, start, end, BATCH * ROW as usize);
        Ok(Box::new(RowTable { cursor, order: self.order, columns }))
    }

    fn refs(&self) -> Result<Box<dyn Source<Refs> + '_>> {
        let (start, end, left) = self.group.refs.map_or((0, 0, 0), |t| (t.start, t.end, t.rows));
        let cursor = Cursor::new(self.blob, start, end, 64 << 10);
        Ok(Box::new(RefTable { cursor, order: self.order, left, damage: None }))
    }

    fn plausible(&self) -> u64 {
        u64::MAX
    }
}

struct RowTable<'a> {
    cursor: Cursor<'a>,
    order: Order,
    columns: Columns,
}

impl Source<Rows> for RowTable<'_> {
    fn next(&mut self, batch: &mut Rows) -> Result {
        batch.clear();
        let order = self.order;
        let Columns { facts, ranges } = self.columns;
        let rows = self.cursor.peek(BATCH * ROW as usize)?.as_chunks::<{ ROW as usize }>().0;
        for row in rows {
            batch.kind.push(order.u16([row[0], row[1]]).into());
            let number = |at: usize| order.u64_at(row, at);
            if facts {
                batch.owner.push(order.u32([row[2], row[3], row[4], row[5]]).into());
                batch.size.push(order.u16([row[6], row[7]]).into());
                batch.external.push(number(8));
            }
            if ranges {
                batch.start.push(number(16));
                batch.count.push(order.u32([row[24], row[25], row[26], row[27]]).into());
            }
        }
        let read = size_of_val(rows);
        self.cursor.advance(read);
        Ok(())
    }

    fn damage(&mut self) -> Option<Error> {
        None
    }
}

struct RefTable<'a> {
    cursor: Cursor<'a>,
    order: Order,
    left: u64,
    damage: Option<Error>,
}

impl Source<Refs> for RefTable<'_> {
    fn next(&mut self, batch: &mut Refs) -> Result {
        batch.clear();
        while batch.target.len() < BATCH && self.left > 0 && self.damage.is_none() {
            let at = self.cursor.position();
            let mut bytes = self.cursor.peek(LONGEST)?;
            let all = bytes.len();
            loop {
                match reference(bytes, self.order) {
                    Row::Is { descr, target, length } => {
                        batch.descr.push(descr);
                        batch.target.push(target);
                        bytes = &bytes[length..];
                        self.left -= 1;
                    }
                    // At the end of what is read ahead; an error only if nothing could be read.
                    Row::Cut if bytes.len() < all => break,
                    Row::Cut => self.damage = Some(Error::at_byte(at, "table refs ends early")),
                    Row::Bad => {
                        let at = at + (all - bytes.len()) as u64;
                        self.damage = Some(Error::at_byte(at, "expected a reference"));
                    }
                }
                if self.damage.is_some() || self.left == 0 || batch.target.len() == BATCH {
                    break;
                }
            }
            let read = all - bytes.len();
            self.cursor.advance(read);
        }
        Ok(())
    }

    fn damage(&mut self) -> Option<Error> {
        self.damage.take()
    }
}
