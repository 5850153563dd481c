//! The text of a trace: events and their parts.

use std::collections::BTreeMap;
use std::rc::Rc;

use heap_base::Map;
use heap_base::json::{push_float, push_text};
use heap_record::StringId;

use super::dict::{Dict, Id};
use super::gather::{Heap, Region, Total};
use crate::texts::NONE;

type Texts = Map<StringId, Rc<str>>;

fn push(buf: &mut Vec<u8>, text: &str) {
    buf.extend_from_slice(text.as_bytes());
}

/// A decimal number, however large.
fn decimal(buf: &mut Vec<u8>, n: u64) {
    push(buf, itoa::Buffer::new().format(n));
}

fn signed(buf: &mut Vec<u8>, n: i64) {
    push(buf, itoa::Buffer::new().format(n));
}

/// A number as hexadecimal text without prefix.
fn hex(buf: &mut Vec<u8>, n: u64) {
    buf.push(b'"');
    let digits = (16 - n.leading_zeros() / 4).max(1);
    for i in (0..digits).rev() {
        buf.push(b"0123456789abcdef"[(n >> (i * 4) & 15) as usize]);
    }
    buf.push(b'"');
}

/// An id as text, for v1.
fn id_text(buf: &mut Vec<u8>, id: &Id) {
    match id {
        Id::Number(n) => {
            buf.push(b'"');
            decimal(buf, *n);
            buf.push(b'"');
        }
        Id::Text(text) => push_text(buf, text),
    }
}

/// An id as a number, for v2; one that stands for an empty stack is −1.
fn id_number(buf: &mut Vec<u8>, id: &Id) {
    match id {
        Id::Number(u64::MAX) => push(buf, "-1"),
        Id::Number(n) => decimal(buf, *n),
        Id::Text(_) => push(buf, "0"),
    }
}

/// A list with commas.
fn list<T>(buf: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Vec<u8>, T)) {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            buf.push(b',');
        }
        each(buf, item);
    }
}

fn event(buf: &mut Vec<u8>, pid: i64, name: &str) {
    push(buf, "{\"ph\":\"M\",\"pid\":");
    signed(buf, pid);
    push(buf, ",\"name\":");
    push_text(buf, name);
    push(buf, ",\"args\":{");
}

/// A whole event that names a process.
pub(super) fn process_name(buf: &mut Vec<u8>, pid: i64, name: &str) {
    event(buf, pid, "process_name");
    push(buf, "\"name\":");
    push_text(buf, name);
    push(buf, "}}");
}

/// An event with a memory dump, up to the members of `dumps`; three braces close it.
pub(super) fn begin_dump(
    buf: &mut Vec<u8>,
    pid: i64,
    ts: f64,
    id: Option<&str>,
    trigger: &str,
    level: Option<&str>,
) {
    push(buf, "{\"ph\":\"v\",\"pid\":");
    signed(buf, pid);
    push(buf, ",\"ts\":");
    if ts.is_finite() && ts.fract() == 0.0 && ts.abs() < 9e15 {
        signed(buf, ts as i64);
    } else if ts.is_finite() {
        push_float(buf, ts);
    } else {
        push(buf, "0");
    }
    if let Some(id) = id {
        push(buf, ",\"id\":");
        push_text(buf, id);
    }
    push(buf, ",\"name\":");
    push_text(buf, trigger);
    push(buf, ",\"cat\":\"disabled-by-default-memory-infra\",\"args\":{\"dumps\":{");
    if let Some(level) = level {
        push(buf, "\"level_of_detail\":");
        push_text(buf, level);
    }
}

/// A comma, unless this is the first member.
fn comma(buf: &mut Vec<u8>) {
    if buf.last() != Some(&b'{') {
        buf.push(b',');
    }
}

/// The memory map.
pub(super) fn regions(buf: &mut Vec<u8>, regions: &[Region], texts: &Texts) {
    if regions.is_empty() {
        return;
    }
    comma(buf);
    push(buf, "\"process_mmaps\":{\"vm_regions\":[");
    list(buf, regions, |buf, region| {
        push(buf, "{\"sa\":");
        hex(buf, region.start);
        push(buf, ",\"sz\":");
        hex(buf, region.size);
        push(buf, ",\"pf\":");
        decimal(buf, region.protection);
        push(buf, ",\"mf\":");
        push_text(buf, region.file.and_then(|file| texts.get(&file)).map_or("", |file| file));
        push(buf, "}");
    });
    push(buf, "]}");
}

/// What the allocators say of themselves.
pub(super) fn totals(buf: &mut Vec<u8>, totals: &[Total], texts: &Texts) {
    if totals.is_empty() {
        return;
    }
    let text = |id: StringId| texts.get(&id).map_or("", |text| text);
    comma(buf);
    push(buf, "\"allocators\":{");
    list(buf, totals.chunk_by(|a, b| a.allocator == b.allocator), |buf, chunk| {
        push_text(buf, text(chunk[0].allocator));
        push(buf, ":{\"attrs\":{");
        list(buf, chunk, |buf, total| {
            push_text(buf, text(total.attribute));
            push(buf, ":{\"type\":\"scalar\"");
            if let Some(units) = total.units {
                push(buf, ",\"units\":");
                push_text(buf, text(units));
            }
            push(buf, ",\"value\":");
            hex(buf, total.value);
            push(buf, "}");
        });
        push(buf, "}}");
    });
    push(buf, "}");
}

/// The begin of `heaps_v2` with its dictionaries, up to the members of `allocators`; two braces close it.
pub(super) fn maps(buf: &mut Vec<u8>, frames: &Dict, types: &Dict) {
    comma(buf);
    push(buf, "\"heaps_v2\":{\"version\":1,\"maps\":{\"strings\":[");
    // A text has one number; only what was written before is looked up.
    let mut numbers: Map<&str, u64> = Map::default();
    let names = frames.list.iter().chain(&types.list).filter_map(|(_, entry)| entry.name.as_deref());
    for name in names {
        let next = numbers.len() as u64 + 1;
        if *numbers.entry(name).or_insert(next) == next {
            push(buf, if next > 1 { ",{\"id\":" } else { "{\"id\":" });
            decimal(buf, next);
            push(buf, ",\"string\":");
            push_text(buf, name);
            push(buf, "}");
        }
    }
    let entries = |buf: &mut Vec<u8>, dict: &Dict| {
        list(buf, &dict.list, |buf, (id, entry)| {
            push(buf, "{\"id\":");
            id_number(buf, id);
            if let Some(number) = entry.name.as_deref().and_then(|name| numbers.get(name)) {
                push(buf, ",\"name_sid\":");
                decimal(buf, *number);
            }
            if let Some(parent) = &entry.parent {
                push(buf, ",\"parent\":");
                id_number(buf, parent);
            }
            push(buf, "}");
        });
    };
    push(buf, "],\"nodes\":[");
    entries(buf, frames);
    push(buf, "],\"types\":[");
    entries(buf, types);
    push(buf, "]},\"allocators\":{");
}

/// A frame that no dictionary has: neither 0 nor −1, which stand for the empty stack.
const LOST: &str = "-2";

/// The rows of an allocator.
pub(super) fn columns(
    buf: &mut Vec<u8>,
    first: bool,
    allocator: &str,
    heap: &Heap,
    frames: &[Option<Id>],
    types: &[Id],
) {
    if !first {
        buf.push(b',');
    }
    push_text(buf, allocator);
    push(buf, ":{\"counts\":[");
    list(buf, &heap.rows, |buf, row| decimal(buf, row.count.unwrap_or(0)));
    push(buf, "],\"nodes\":[");
    let mut lost = heap.unresolved;
    list(buf, &heap.rows, |buf, row| match frames.get(row.frame as usize) {
        Some(Some(id)) => id_number(buf, id),
        _ if row.frame == NONE && lost > 0 => {
            lost -= 1;
            push(buf, LOST);
        }
        _ => push(buf, "-1"),
    });
    push(buf, "],\"sizes\":[");
    list(buf, &heap.rows, |buf, row| decimal(buf, row.size));
    if !types.is_empty() || heap.rows.is_empty() {
        push(buf, "],\"types\":[");
        list(buf, types, id_number);
    }
    push(buf, "]}");
}

/// The begin of an allocator's entries.
pub(super) fn begin_entries(buf: &mut Vec<u8>, first: bool, allocator: &str) {
    if !first {
        buf.push(b',');
    }
    push_text(buf, allocator);
    push(buf, ":{\"entries\":[");
}

/// A cell: of the root and of all types where there is no frame and no type.
pub(super) fn entry(
    buf: &mut Vec<u8>,
    first: bool,
    frame: Option<&Id>,
    ty: Option<&Id>,
    size: u64,
    count: Option<u64>,
) {
    push(buf, if first { "{\"bt\":" } else { ",\n{\"bt\":" });
    match frame {
        Some(id) => id_text(buf, id),
        None => push(buf, "\"\""),
    }
    push(buf, ",\"size\":");
    hex(buf, size);
    if let Some(count) = count {
        push(buf, ",\"count\":");
        hex(buf, count);
    }
    if let Some(ty) = ty {
        push(buf, ",\"type\":");
        id_text(buf, ty);
    }
    push(buf, "}");
}

/// A whole event with the frames of a process.
pub(super) fn stack_frames(buf: &mut Vec<u8>, pid: i64, frames: &Dict) {
    event(buf, pid, "stackFrames");
    push(buf, "\"stackFrames\":{");
    list(buf, &frames.list, |buf, (id, entry)| {
        id_text(buf, id);
        push(buf, ":{\"name\":");
        push_text(buf, entry.name.as_deref().unwrap_or(""));
        if let Some(category) = &entry.category {
            push(buf, ",\"category\":");
            push_text(buf, category);
        }
        if let Some(parent) = &entry.parent {
            push(buf, ",\"parent\":");
            id_text(buf, parent);
        }
        push(buf, "}");
    });
    push(buf, "}}}");
}

/// A whole event with the types of a process.
pub(super) fn type_names(buf: &mut Vec<u8>, pid: i64, types: &Dict) {
    event(buf, pid, "typeNames");
    push(buf, "\"typeNames\":{");
    list(buf, &types.list, |buf, (id, entry)| {
        id_text(buf, id);
        buf.push(b':');
        push_text(buf, entry.name.as_deref().unwrap_or(""));
    });
    push(buf, "}}}");
}

/// The end of the trace.
pub(super) fn end(buf: &mut Vec<u8>, product: &BTreeMap<&'static str, String>) {
    push(buf, "\n]");
    if !product.is_empty() {
        push(buf, ",\"metadata\":{");
        list(buf, product, |buf, (key, value)| {
            push_text(buf, key);
            buf.push(b':');
            push_text(buf, value);
        });
        push(buf, "}");
    }
    push(buf, "}\n");
}

/// The begin of `heaps`; a brace closes it.
pub(super) fn begin_heaps(buf: &mut Vec<u8>) {
    comma(buf);
    push(buf, "\"heaps\":{");
}
