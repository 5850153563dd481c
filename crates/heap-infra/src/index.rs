//! The first pass over a trace: where its memory dumps and dictionaries lie. Everything else is skipped unread.

use std::collections::BTreeMap;

use heap_base::{Blob, Error, Result};

use crate::scan::Scanner;
use crate::texts::{NONE, TextId, Texts};

/// What a trace holds of interest. About 64 bytes per memory-dump event.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// True for the array form, false for the object form.
    pub(crate) array: bool,
    /// Events of any kind.
    pub(crate) n_events: u64,
    /// Events with a memory dump, in file order, heaps or not.
    pub(crate) dumps: Vec<Dump>,
    /// Dictionaries, in file order.
    pub(crate) dictionaries: Vec<Dictionary>,
    /// Names of processes; a later one replaces an earlier one.
    pub(crate) process_names: BTreeMap<i64, TextId>,
    /// Offset of the container's `metadata` object.
    pub(crate) metadata: Option<u64>,
    /// What stopped the pass early, or was found unreadable.
    pub(crate) damage: Option<Error>,
}

/// An event with a memory dump of one process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dump {
    /// Process.
    pub(crate) pid: i64,
    /// Microseconds.
    pub(crate) ts: f64,
    /// Dump id, [`NONE`] if the event has none.
    pub(crate) id: TextId,
    /// What asked for the dump.
    pub(crate) trigger: TextId,
    /// Where `dumps` lies.
    pub(crate) place: DumpPlace,
    /// Its members.
    pub(crate) members: DumpMembers,
}

/// Where the `dumps` of an event lie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DumpPlace {
    /// Offset of the object, or of the string that holds it.
    pub(crate) at: u64,
    /// End of the value.
    pub(crate) end: u64,
    /// True for a string.
    pub(crate) in_text: bool,
}

impl DumpPlace {
    /// A scanner at the start of the object.
    pub(crate) fn scanner(self, blob: &Blob) -> Scanner {
        if self.in_text {
            Scanner::within_string(blob, self.at)
        } else {
            Scanner::new(blob, self.at, self.end)
        }
    }
}

/// Which of the members that matter a dump has.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent facts, not a state")]
pub(crate) struct DumpMembers {
    pub(crate) heaps: bool,
    pub(crate) heaps_v2: bool,
    pub(crate) regions: bool,
    pub(crate) allocators: bool,
    pub(crate) level: TextId,
}

impl Default for DumpMembers {
    fn default() -> Self {
        Self { heaps: false, heaps_v2: false, regions: false, allocators: false, level: NONE }
    }
}

impl DumpMembers {
    /// True if there is a heap dump.
    pub(crate) fn any_heaps(self) -> bool {
        self.heaps || self.heaps_v2
    }
}

/// A metadata event with names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dictionary {
    /// Process that it belongs to.
    pub(crate) pid: i64,
    /// `stackFrames` if true, else `typeNames`.
    pub(crate) frames: bool,
    /// Offset of the object.
    pub(crate) at: u64,
    /// End of the object.
    pub(crate) end: u64,
}

/// Goes over the whole input once.
pub(crate) fn index(blob: &Blob, texts: &mut Texts) -> Index {
    let mut index = Index::default();
    let mut scanner = Scanner::new(blob, 0, blob.len());
    if let Err(damage) = container(blob, &mut scanner, texts, &mut index) {
        // What was unreadable first comes first.
        index.damage.get_or_insert(damage);
    }
    index
}

fn container(blob: &Blob, scanner: &mut Scanner, texts: &mut Texts, index: &mut Index) -> Result {
    match scanner.peek()? {
        Some(b'[') => {
            index.array = true;
            events(blob, scanner, texts, index)?;
        }
        Some(b'{') => {
            scanner.expect(b'{', "an object")?;
            let mut first = true;
            while let Some(key) = scanner.member(&mut first, &["traceEvents", "metadata"])? {
                match key {
                    "traceEvents" => events(blob, scanner, texts, index)?,
                    "metadata" => {
                        scanner.next_token()?;
                        index.metadata = Some(scanner.offset());
                        scanner.skip()?;
                    }
                    _ => scanner.skip()?,
                }
            }
        }
        _ => return Err(scanner.damage("expected a trace, an object or an array")),
    }
    match scanner.peek()? {
        None => Ok(()),
        Some(_) => Err(scanner.damage("something follows the end of the trace")),
    }
}

/// The array of events. Only in the array form the bracket at its end may be missing, and a comma may end it.
fn events(blob: &Blob, scanner: &mut Scanner, texts: &mut Texts, index: &mut Index) -> Result {
    let lenient = index.array;
    scanner.expect(b'[', "an array of events")?;
    let mut parts = EventParts::default();
    loop {
        match scanner.peek()? {
            None if lenient => return Ok(()),
            Some(b']') => {
                scanner.expect(b']', "a bracket")?;
                return Ok(());
            }
            Some(b'{') => event(blob, scanner, texts, index, &mut parts)?,
            _ => scanner.skip()?,
        }
        index.n_events += 1;
        match scanner.peek()? {
            Some(b',') => {
                scanner.expect(b',', "a comma")?;
                if !lenient && scanner.next_token()? == b']' {
                    return Err(scanner.damage("expected an event"));
                }
            }
            Some(b']') => {}
            None if lenient => {}
            _ => {
                scanner.next_token()?;
                return Err(scanner.damage("expected a comma between events"));
            }
        }
    }
}

/// What an event has that matters.
#[derive(Debug, Default)]
struct EventParts {
    ph: u8,
    pid: i64,
    ts: f64,
    id: Vec<u8>,
    has_id: bool,
    name: Vec<u8>,
    dumps: Option<DumpPlace>,
    members: DumpMembers,
    frames: Option<(u64, u64)>,
    types: Option<(u64, u64)>,
    process_name: Vec<u8>,
}

impl EventParts {
    /// Forgets the event before, but keeps the buffers.
    fn clear(&mut self) {
        let mut buffers = [&mut self.id, &mut self.name, &mut self.process_name].map(std::mem::take);
        buffers.iter_mut().for_each(Vec::clear);
        let [id, name, process_name] = buffers;
        *self = Self { id, name, process_name, ..Self::default() };
    }
}

fn event(
    blob: &Blob,
    scanner: &mut Scanner,
    texts: &mut Texts,
    index: &mut Index,
    parts: &mut EventParts,
) -> Result {
    parts.clear();
    scanner.expect(b'{', "an event")?;
    let mut first = true;
    while let Some(key) = scanner.member(&mut first, &["args", "ph", "pid", "name", "ts", "id"])? {
        match key {
            "ph" if scanner.next_token()? == b'"' => {
                parts.ph = match scanner.string()? {
                    [one] => *one,
                    _ => b'?',
                };
                if !matches!(parts.ph, b'v' | b'V' | b'M') {
                    return scanner.skip_rest(b'{', b'}');
                }
            }
            "pid" => parts.pid = integer(scanner)?,
            "ts" => {
                parts.ts = if starts_number(scanner)? { scanner.number()?.float() } else { skipped(scanner)? }
            }
            "id" => match scanner.next_token()? {
                b'"' => {
                    parts.id.extend_from_slice(scanner.string()?);
                    parts.has_id = true;
                }
                b'0'..=b'9' => {
                    parts.id.extend_from_slice(format!("{:#x}", scanner.number()?.id()).as_bytes());
                    parts.has_id = true;
                }
                _ => scanner.skip()?,
            },
            "name" if scanner.next_token()? == b'"' => parts.name.extend_from_slice(scanner.string()?),
            "args" if scanner.next_token()? == b'{' => args(scanner, texts, parts)?,
            _ => scanner.skip()?,
        }
    }
    match parts.ph {
        b'v' | b'V' => memory_dump(blob, texts, index, parts),
        b'M' => {
            for (place, frames) in [(parts.frames, true), (parts.types, false)] {
                if let Some((at, end)) = place {
                    index.dictionaries.push(Dictionary { pid: parts.pid, frames, at, end });
                }
            }
            if parts.name == b"process_name" && !parts.process_name.is_empty() {
                index.process_names.insert(parts.pid, texts.id_of_bytes(&parts.process_name));
            }
        }
        _ => {}
    }
    Ok(())
}

fn memory_dump(blob: &Blob, texts: &mut Texts, index: &mut Index, parts: &mut EventParts) {
    let Some(place) = parts.dumps else { return };
    if place.in_text {
        let mut inner = place.scanner(blob);
        match dump_members(&mut inner, texts) {
            Ok(members) => parts.members = members,
            Err(damage) => {
                index.damage.get_or_insert(damage);
                return;
            }
        }
    }
    let members = parts.members;
    if members.any_heaps() || members.regions || members.allocators {
        let id = if parts.has_id { texts.id_of_bytes(&parts.id) } else { NONE };
        let trigger = texts.id_of_bytes(&parts.name);
        index.dumps.push(Dump { pid: parts.pid, ts: parts.ts, id, trigger, place, members });
    }
}

fn args(scanner: &mut Scanner, texts: &mut Texts, parts: &mut EventParts) -> Result {
    scanner.expect(b'{', "an object")?;
    let mut first = true;
    while let Some(key) = scanner.member(&mut first, &["dumps", "stackFrames", "typeNames", "name"])? {
        match key {
            "dumps" => match scanner.next_token()? {
                b'{' => {
                    let at = scanner.offset();
                    parts.members = dump_members(scanner, texts)?;
                    parts.dumps = Some(DumpPlace { at, end: scanner.offset(), in_text: false });
                }
                b'"' => {
                    let at = scanner.offset();
                    scanner.skip()?;
                    parts.dumps = Some(DumpPlace { at, end: scanner.offset(), in_text: true });
                }
                _ => scanner.skip()?,
            },
            "stackFrames" => parts.frames = object_place(scanner)?,
            "typeNames" => parts.types = object_place(scanner)?,
            "name" if parts.ph == 0 || parts.ph == b'M' => {
                if scanner.next_token()? == b'"' {
                    parts.process_name.clear();
                    parts.process_name.extend_from_slice(scanner.string()?);
                } else {
                    scanner.skip()?;
                }
            }
            _ => scanner.skip()?,
        }
    }
    Ok(())
}

/// Goes over the members of a dump, noting which there are.
fn dump_members(scanner: &mut Scanner, texts: &mut Texts) -> Result<DumpMembers> {
    let mut members = DumpMembers::default();
    scanner.expect(b'{', "an object")?;
    let mut first = true;
    let names = ["heaps", "heaps_v2", "process_mmaps", "allocators", "level_of_detail"];
    while let Some(key) = scanner.member(&mut first, &names)? {
        let member = match key {
            "heaps" => &mut members.heaps,
            "heaps_v2" => &mut members.heaps_v2,
            "process_mmaps" => &mut members.regions,
            "allocators" => &mut members.allocators,
            "level_of_detail" if scanner.next_token()? == b'"' => {
                members.level = texts.id_of_bytes(scanner.string()?);
                continue;
            }
            _ => {
                scanner.skip()?;
                continue;
            }
        };
        *member = scanner.next_token()? == b'{';
        scanner.skip()?;
    }
    Ok(members)
}

fn object_place(scanner: &mut Scanner) -> Result<Option<(u64, u64)>> {
    let is_object = scanner.next_token()? == b'{';
    let at = scanner.offset();
    scanner.skip()?;
    Ok(is_object.then(|| (at, scanner.offset())))
}

fn starts_number(scanner: &mut Scanner) -> Result<bool> {
    Ok(matches!(scanner.next_token()?, b'0'..=b'9' | b'-'))
}

fn skipped<T: Default>(scanner: &mut Scanner) -> Result<T> {
    scanner.skip()?;
    Ok(T::default())
}

/// A process id: a number, or text that holds one.
fn integer(scanner: &mut Scanner) -> Result<i64> {
    match scanner.next_token()? {
        b'0'..=b'9' | b'-' => Ok(scanner.number()?.signed()),
        b'"' => Ok(scanner.text()?.parse().unwrap_or(0)),
        _ => skipped(scanner),
    }
}
