//! Version 3: columns of integers, each its own zstd frame.

use heap_base::{Blob, Error, Result};
use heap_record::{Fact, Facts, Info, Sink, SnapshotSelector};
use serde_json::Value;

use crate::bytes::Order;
use crate::container::{self, Block, Container, Group};
use crate::emit::{Emitter, MAX_STRING};
use crate::frame::{Column, Frame};
use crate::rows::{BATCH, Columns, Refs, Rows, Snapshot, Source, totals};
use crate::{choose, plan};

/// A row with references has a start of its own, which takes about a byte of the best zstd; 64 rows a byte are
/// more than any level packs. Without the limit a few hundred bytes could claim gigabytes of rows.
const ROWS_PER_BYTE: u64 = 64;
/// Rows with references that any file may have.
const FREE_ROWS: u64 = 1 << 16;

/// Emits the picked snapshots.
pub(crate) fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let mut container = Container::open(blob)?;
    let snapshots: Vec<usize> =
        (0..container.groups.len()).filter(|&i| container.groups[i].is_snapshot()).collect();
    let intact: Vec<bool> = snapshots.iter().map(|&i| container.groups[i].intact).collect();
    let chosen = choose(pick, &intact)?;
    let mut emitter = Emitter::new(sink);
    // An intact snapshot that was asked for by number is no error, whatever the rest of the file is like.
    if !matches!(pick, SnapshotSelector::Number(n) if intact.get(n as usize) == Some(&true)) {
        emitter.damage.note(container.damage.take());
    }
    plan(blob, chosen.clone().map(|n| needed(&container.groups[snapshots[n]], &emitter)).sum());
    let mut reader =
        Reader { blob, container: &container, orders: Vec::new(), per_order: 0, next: 0, broken: [false; 3] };

    emitter.head(pick, "3")?;
    reader.filemeta(&mut emitter)?;
    if pick != SnapshotSelector::All
        && let Some(&group) = snapshots.get(chosen.start)
    {
        emitter.snapshot(pick, chosen.start, snapshots.len())?;
        reader.snapmeta(&mut emitter, &container.groups[group])?;
    }
    emitter.declare()?;
    for n in chosen.clone() {
        let group = &container.groups[snapshots[n]];
        if pick == SnapshotSelector::All {
            emitter.snapshot(pick, n, snapshots.len())?;
            reader.snapmeta(&mut emitter, group)?;
        }
        // What a closing table of contents adds belongs to the last snapshot.
        let last = n + 1 == snapshots.len();
        let until = if last { container.groups.len() } else { snapshots[n] + 1 };
        reader.tables(&mut emitter, until)?;
        emitter.graph(n as u64, &V3 { blob, container: &container, group })?;
        emitter.tables()?;
        reader.highscores(&mut emitter, group)?;
    }
    emitter.damage.result()
}

/// Compressed bytes that will be read of a group, for the progress bar; the small tables do not count.
fn needed(group: &Group, emitter: &Emitter<'_>) -> u64 {
    let wants = emitter.wants();
    let read = |block: &&Block| match &block.name {
        b"colkind\0" => wants.any_nodes() || wants.any_edges(),
        b"colsize\0" | b"coltofi\0" | b"colusize" => wants.any_nodes(),
        b"colrfcnt" | b"colrfstr" | b"refdescr" | b"reftrget" => wants.any_edges(),
        _ => false,
    };
    group.blocks.iter().filter(read).map(|b| b.end - b.start).sum()
}

/// Facts about the file and its snapshots, from the table of contents, the JSON blocks and the columns of collectables.
///
/// # Errors
/// Failures of reading.
pub(crate) fn info(blob: &Blob) -> Result<Info> {
    let container = Container::open(blob)?;
    let mut info = Info {
        format: "moarvm.mvmheap",
        version: Some("3".into()),
        producer: Some("MoarVM 2019.11 or later".into()),
        series: true,
        ..Info::default()
    };
    let mut start_time = None;
    if let Some(Ok((_, value))) = container.filemeta.map(|b| parsed(blob, &container, b)).transpose()? {
        start_time = value["start_time"].as_i64();
        for key in ["subversion", "start_time", "pid"] {
            info.facts.extend(value[key].as_i64().map(|n| (key, Fact::Int(n))));
        }
    }
    let index = if container.by_toc { "table of contents" } else { "none" };
    info.facts.push(("index", Fact::Text(index.into())));
    if container.order == Order::Big {
        info.facts.push(("byte_order", Fact::Text("big".into())));
    }
    info.facts.extend(container.damage.as_ref().map(|e| ("damage", Fact::Text(e.to_string()))));
    if container.damage.is_none() && container.groups.last().is_some_and(Group::is_snapshot) {
        // A process that ends in its own time closes the file with a table that belongs to no snapshot.
        info.facts.push(("complete", Fact::Flag(false)));
    }
    for group in container.groups.iter().filter(|g| g.is_snapshot()) {
        let mut facts = Facts::new();
        if let Some(Ok((_, value))) =
            group.find(*b"snapmeta").map(|b| parsed(blob, &container, b)).transpose()?
        {
            let time = value["snap_time"].as_i64();
            let elapsed = time.zip(start_time).and_then(|(t, s)| t.checked_sub(s));
            facts.extend(elapsed.map(|us| ("elapsed_us", Fact::Int(us))));
            facts.extend(value["total_heap_size"].as_u64().map(|n| ("total_heap_size", Fact::Bytes(n))));
            for key in [
                "gc_seq_num",
                "total_objects",
                "total_typeobjects",
                "total_stables",
                "total_frames",
                "total_refs",
            ] {
                facts.extend(value[key].as_i64().map(|n| (key, Fact::Int(n))));
            }
        }
        if group.intact {
            let edges = facts.iter().find_map(|(key, fact)| match fact {
                Fact::Int(n) if *key == "total_refs" => u64::try_from(*n).ok(),
                _ => None,
            });
            facts.extend(totals(&V3 { blob, container: &container, group }, edges)?);
        } else {
            facts.push(("whole", Fact::Flag(false)));
        }
        info.snapshots.push(facts);
    }
    Ok(info)
}

/// What is read besides the two big tables.
struct Reader<'a> {
    blob: &'a Blob,
    container: &'a Container,
    /// Names of the high scores' orders, and entries in each.
    orders: Vec<String>,
    per_order: u64,
    /// The next group whose tables are to be read.
    next: usize,
    /// Strings, types, frames: once a piece is damaged, the numbers of what follows are not known.
    broken: [bool; 3],
}

impl<'a> Reader<'a> {
    fn open(&self, emitter: &mut Emitter<'_>, block: Block, name: &'a str) -> Result<Option<Column<'a>>> {
        open(self.blob, self.container, block, name, &mut |e| emitter.damage.note(Some(e)))
    }

    fn json(&self, emitter: &mut Emitter<'_>, block: Option<Block>) -> Result<Option<(String, Value)>> {
        let Some(block) = block else { return Ok(None) };
        match parsed(self.blob, self.container, block)? {
            Ok(found) => Ok(Some(found)),
            Err(error) => {
                emitter.damage.note(Some(error));
                Ok(None)
            }
        }
    }

    fn filemeta(&mut self, emitter: &mut Emitter<'_>) -> Result {
        let Some((text, value)) = self.json(emitter, self.container.filemeta)? else { return Ok(()) };
        scalars(emitter, &value)?;
        let scores = &value["highscore_structure"];
        self.per_order = scores["entry_count"].as_u64().unwrap_or(0);
        if let Some(orders) = scores["data_order"].as_array() {
            self.orders = orders.iter().filter_map(|o| o.as_str().map(str::to_owned)).collect();
        }
        emitter.metadata("moar.filemeta", &text)
    }

    fn snapmeta(&self, emitter: &mut Emitter<'_>, group: &Group) -> Result {
        let Some((text, value)) = self.json(emitter, group.find(*b"snapmeta"))? else { return Ok(()) };
        scalars(emitter, &value)?;
        emitter.metadata("moar.snapmeta", &text)
    }

    /// Strings, types and static frames of all groups before `until` that were not read yet.
    fn tables(&mut self, emitter: &mut Emitter<'_>, until: usize) -> Result {
        if !emitter.wants_tables() {
            return Ok(());
        }
        let container = self.container;
        for group in &container.groups[self.next..until] {
            for block in group.blocks.iter().filter(|b| b.name == *b"strings\0") {
                if !self.broken[0] {
                    self.broken[0] = !self.strings(emitter, *block)?;
                }
            }
            if group.find(*b"typename").is_some() && !self.broken[1] {
                let names = [(*b"reprname", "column reprname"), (*b"typename", "column typename")];
                let damage = self.table(group, names, |row| emitter.add_type(row))?;
                self.broken[1] = damage.is_some();
                emitter.damage.note(damage);
            }
            if group.find(*b"sfname\0\0").is_some() && !self.broken[2] {
                let names = [
                    (*b"sfname\0\0", "column sfname"),
                    (*b"sfcuid\0\0", "column sfcuid"),
                    (*b"sfline\0\0", "column sfline"),
                    (*b"sffile\0\0", "column sffile"),
                ];
                let damage = self.table(group, names, |row| emitter.add_frame(row))?;
                self.broken[2] = damage.is_some();
                emitter.damage.note(damage);
            }
        }
        self.next = until;
        Ok(())
    }

    /// A block of strings; false if it is damaged.
    fn strings(&self, emitter: &mut Emitter<'_>, block: Block) -> Result<bool> {
        let mut strings = Strings {
            frame: Frame::new(
                self.blob,
                &self.container.decoders,
                block.start + 16,
                block.end,
                "block strings",
            )?,
            buf: vec![0; 64 << 10],
            from: 0,
            to: 0,
        };
        let mut long = Vec::new();
        while strings.ahead(4)? {
            let Some(&length) = strings.buf[strings.from..strings.to].first_chunk() else { break };
            let length = self.container.order.u32(length) as usize;
            if length <= strings.buf.len() - 4 {
                if !strings.ahead(4 + length)? {
                    break;
                }
                strings.from += 4;
                emitter.string(&strings.buf[strings.from..strings.from + length])?;
                strings.from += length;
            } else {
                if length > MAX_STRING || !strings.long(length, &mut long)? {
                    break;
                }
                emitter.string(&long[4..])?;
            }
        }
        // Each way out of the loop but the right one leaves something unread.
        let rest = strings.from < strings.to;
        let damage = strings.frame.damage();
        let damage = damage.or_else(|| rest.then(|| Error::at_byte(block.start, "block strings is damaged")));
        let intact = damage.is_none();
        emitter.damage.note(damage);
        Ok(intact)
    }

    /// Columns of a small table, side by side. Returns what is wrong with it.
    fn table<const N: usize>(
        &self,
        group: &Group,
        names: [([u8; 8], &'static str); N],
        mut add: impl FnMut([u64; N]) -> bool,
    ) -> Result<Option<Error>> {
        let mut damage = None;
        let mut columns = Vec::with_capacity(N);
        for (name, title) in names {
            let Some(block) = group.find(name) else {
                return Ok(Some(Error::input(format!("{title} is missing"))));
            };
            columns.extend(open(self.blob, self.container, block, title, &mut |e| damage = Some(e))?);
            if damage.is_some() {
                return Ok(damage);
            }
        }
        let mut values: [Vec<u64>; N] = std::array::from_fn(|_| Vec::new());
        loop {
            for (column, values) in columns.iter_mut().zip(&mut values) {
                column.fill(values, BATCH)?;
            }
            let rows = values.iter().map(Vec::len).min().unwrap_or(0);
            let row = |row: usize| std::array::from_fn(|column| values[column][row]);
            for row in (0..rows).map(row) {
                if !add(row) {
                    return Ok(Some(Error::input(format!("{} has too many rows", names[0].1))));
                }
            }
            let uneven = values.iter().any(|v| v.len() != rows);
            if rows < BATCH || uneven {
                let damage = columns.iter_mut().find_map(Column::damage);
                let what = || Error::input(format!("{} and its neighbours differ in length", names[0].1));
                return Ok(damage.or_else(|| uneven.then(what)));
            }
        }
    }

    fn highscores(&self, emitter: &mut Emitter<'_>, group: &Group) -> Result {
        let (Some(ids), Some(scores)) = (group.find(*b"topIDs\0\0"), group.find(*b"topscore")) else {
            return Ok(());
        };
        if !emitter.wants().extensions {
            return Ok(());
        }
        let (Some(mut ids), Some(mut scores)) =
            (self.open(emitter, ids, "column topIDs")?, self.open(emitter, scores, "column topscore")?)
        else {
            return Ok(());
        };
        let (mut id, mut score) = (Vec::new(), Vec::new());
        let mut n = 0u64;
        loop {
            ids.fill(&mut id, BATCH)?;
            scores.fill(&mut score, BATCH)?;
            for (&id, &score) in id.iter().zip(&score) {
                let list = n.checked_div(self.per_order).and_then(|list| usize::try_from(list).ok());
                let order = list.and_then(|list| self.orders.get(list));
                // Past the lists that the file describes the rank goes on counting.
                let rank = order.map_or(n, |_| n % self.per_order);
                emitter.highscore(order.map(String::as_str), rank, id, score)?;
                n += 1;
            }
            if id.len() < BATCH || score.len() < BATCH {
                break;
            }
        }
        emitter.damage.note(ids.damage());
        emitter.damage.note(scores.damage());
        Ok(())
    }
}

/// A block of strings, read ahead.
struct Strings<'a> {
    frame: Frame<'a>,
    buf: Vec<u8>,
    from: usize,
    to: usize,
}

impl Strings<'_> {
    /// Reads until `n` bytes, at most the buffer's length, are ahead; false if there are fewer.
    fn ahead(&mut self, n: usize) -> Result<bool> {
        if self.to - self.from < n {
            self.buf.copy_within(self.from..self.to, 0);
            (self.from, self.to) = (0, self.to - self.from);
            self.to += self.frame.read(&mut self.buf[self.to..])?;
        }
        Ok(self.to - self.from >= n)
    }

    /// Reads a string longer than the buffer, with the length before it. Memory is taken as bytes come, not as
    /// the length says. If it ends early the last bytes stay unread.
    fn long(&mut self, length: usize, text: &mut Vec<u8>) -> Result<bool> {
        text.clear();
        while text.len() < 4 + length {
            let n = (4 + length - text.len()).min(self.buf.len());
            if !self.ahead(n)? {
                self.from = self.from.min(self.to.saturating_sub(1));
                return Ok(false);
            }
            text.extend_from_slice(&self.buf[self.from..self.from + n]);
            self.from += n;
        }
        Ok(true)
    }
}

/// Every member of a JSON object that is not nested, as metadata `moar.<key>`.
fn scalars(emitter: &mut Emitter<'_>, value: &Value) -> Result {
    for (key, value) in value.as_object().into_iter().flatten() {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => continue,
        };
        emitter.metadata(&format!("moar.{key}"), &text)?;
    }
    Ok(())
}

fn parsed(blob: &Blob, container: &Container, block: Block) -> Result<Result<(String, Value)>> {
    Ok(container::json(blob, container.order, block)?.and_then(|text| match serde_json::from_str(&text) {
        Ok(value) => Ok((text, value)),
        Err(_) => Err(Error::at_byte(block.start + 16, format!("{} is not JSON", block.title()))),
    }))
}

fn open<'a>(
    blob: &'a Blob,
    container: &'a Container,
    block: Block,
    name: &'a str,
    damage: &mut dyn FnMut(Error),
) -> Result<Option<Column<'a>>> {
    if block.end < block.start + 18 {
        return Ok(None);
    }
    match container::column(blob, container.order, block)? {
        Ok((width, data)) => {
            let frame = Frame::new(blob, &container.decoders, data, block.end, name)?;
            Ok(Some(Column::new(frame, width, container.order)))
        }
        Err(error) => {
            damage(error);
            Ok(None)
        }
    }
}

/// One snapshot's big tables.
struct V3<'a> {
    blob: &'a Blob,
    container: &'a Container,
    group: &'a Group,
}

/// A column of a table, or why there is none.
struct Slot<'a> {
    column: Option<Column<'a>>,
    name: &'static str,
    /// Numbers handed out.
    filled: u64,
    /// True if a cut file explains that it is shorter than its table.
    cut: bool,
    damage: Option<Error>,
}

impl<'a> V3<'a> {
    fn slot(&self, name: [u8; 8], title: &'static str) -> Result<Slot<'a>> {
        let mut slot = Slot { column: None, name: title, filled: 0, cut: !self.group.intact, damage: None };
        match self.group.find(name) {
            Some(block) => {
                slot.column = open(self.blob, self.container, block, title, &mut |e| slot.damage = Some(e))?;
            }
            None if self.group.intact => slot.damage = Some(Error::input(format!("{title} is missing"))),
            // What a cut file lacks at its end goes without saying.
            None => {}
        }
        Ok(slot)
    }
}

impl Slot<'_> {
    fn fill(&mut self, out: &mut Vec<u64>, n: usize) -> Result {
        out.clear();
        if let Some(column) = &mut self.column {
            column.fill(out, n)?;
            self.filled += out.len() as u64;
        }
        Ok(())
    }

    /// What was wrong, or that its length is not that of the table.
    fn damage(&mut self, rows: u64) -> Option<Error> {
        let damage = self.column.as_mut().and_then(Column::damage);
        let uneven = self.column.is_some() && self.filled != rows && !self.cut;
        self.damage.take().or(damage).or_else(|| {
            uneven.then(|| Error::input(format!("{} has not as many rows as its table", self.name)))
        })
    }
}

impl Snapshot for V3<'_> {
    fn rows(&self, columns: Columns) -> Result<Box<dyn Source<Rows> + '_>> {
        let when = |wanted: bool, name, title| wanted.then(|| self.slot(name, title)).transpose();
        Ok(Box::new(RowColumns {
            rows: 0,
            kind: self.slot(*b"colkind\0", "column colkind")?,
            size: when(columns.facts, *b"colsize\0", "column colsize")?,
            owner: when(columns.facts, *b"coltofi\0", "column coltofi")?,
            external: when(columns.facts, *b"colusize", "column colusize")?,
            count: when(columns.ranges, *b"colrfcnt", "column colrfcnt")?,
            start: when(columns.ranges, *b"colrfstr", "column colrfstr")?,
        }))
    }

    fn refs(&self) -> Result<Box<dyn Source<Refs> + '_>> {
        Ok(Box::new(RefColumns {
            rows: 0,
            descr: self.slot(*b"refdescr", "column refdescr")?,
            target: self.slot(*b"reftrget", "column reftrget")?,
        }))
    }

    fn plausible(&self) -> u64 {
        let bytes = |name| self.group.find(name).map_or(0, |b| b.end - b.start);
        let bytes = bytes(*b"colrfcnt") + bytes(*b"colrfstr") + bytes(*b"refdescr") + bytes(*b"reftrget");
        FREE_ROWS.saturating_add(bytes.saturating_mul(ROWS_PER_BYTE))
    }
}

struct RowColumns<'a> {
    rows: u64,
    kind: Slot<'a>,
    size: Option<Slot<'a>>,
    owner: Option<Slot<'a>>,
    external: Option<Slot<'a>>,
    count: Option<Slot<'a>>,
    start: Option<Slot<'a>>,
}

impl Source<Rows> for RowColumns<'_> {
    fn next(&mut self, batch: &mut Rows) -> Result {
        self.kind.fill(&mut batch.kind, BATCH)?;
        let n = batch.kind.len();
        self.rows += n as u64;
        // One more at the end shows a column that is too long.
        let n = n.max(1);
        for (slot, out) in [
            (&mut self.size, &mut batch.size),
            (&mut self.owner, &mut batch.owner),
            (&mut self.external, &mut batch.external),
            (&mut self.count, &mut batch.count),
            (&mut self.start, &mut batch.start),
        ] {
            match slot {
                Some(slot) => slot.fill(out, n)?,
                None => out.clear(),
            }
        }
        Ok(())
    }

    fn damage(&mut self) -> Option<Error> {
        let others = [&mut self.size, &mut self.owner, &mut self.external, &mut self.count, &mut self.start];
        let rows = self.rows;
        let first = self.kind.damage(rows);
        others.into_iter().flatten().fold(first, |found, slot| found.or_else(|| slot.damage(rows)))
    }
}

struct RefColumns<'a> {
    rows: u64,
    descr: Slot<'a>,
    target: Slot<'a>,
}

impl Source<Refs> for RefColumns<'_> {
    fn next(&mut self, batch: &mut Refs) -> Result {
        self.target.fill(&mut batch.target, BATCH)?;
        self.rows += batch.target.len() as u64;
        self.descr.fill(&mut batch.descr, batch.target.len().max(1))
    }

    fn damage(&mut self) -> Option<Error> {
        self.descr.damage(self.rows).or_else(|| self.target.damage(self.rows))
    }
}
