//! Dart VM heap snapshots.
//!
//! A snapshot begins with `dartheap` and is one run of LEB128 numbers and texts: a head, the classes with the
//! names of their fields, the objects, their external properties, and (since 2021) an identity hash for each.
//! The format is described in `runtime/vm/service/heap_snapshot.md` of dart-lang/sdk; what VMs really write is in
//! `runtime/vm/object_graph.cc`, what viewers write in `pkg/vm_service/lib/src/snapshot_graph.dart`. Read are the
//! first version (2019), the present one with and without objects for small integers, files that a viewer saved
//! again (all strings are names, zeros at the end), and captures of the VM service's stream, whose messages are
//! unwrapped. Not read: the base64 pieces of a viewer's offline data.
//!
//! # What becomes of it
//!
//! * Object k has the identifier 2k + 1. Object 1 is the root. Nothing is dropped: what is unreachable stays.
//! * Every reference becomes an edge, in slot order, also one to object 0, which has no `dest`: the k-th edge of
//!   an object is its slot k. Its label is the field's name if it has one, else its element index or slot.
//! * Integers have their float `value` and, exact, `dart.int`; strings have their `length` and `data`, and
//!   `dart.kept` where the VM kept only the first 128 units; lengths of anything but lists are `dart.length`.
//! * `dart.class` is the class id, since names are not unique; `dart.class` and `dart.class_field` records have
//!   the class table, `dart.external` records the external properties, `dart.layout` what only the whole file
//!   shows: dialect (`2019`, `2021`, `re-saved`), width of a machine word, padding.
//! * The kind of an object's data follows from the other fields: `oddball` by its name; `heap_number` with
//!   `dart.int` an integer, else a double; `string_flat` by `dart.tag`, without one Latin-1, or a name in a
//!   re-saved file; anything else a name if it has `heap.name`, a length if it has `length` or `dart.length`,
//!   else nothing. Integers are unsigned words of `word_bits`, but signed in class `_Mint` unless the file is
//!   re-saved. So a snapshot can be written back byte for byte.
//!
//! # Time and memory
//!
//! Three passes: strings, nodes, edges; those not wanted are left out, but the first is always needed, since
//! external sizes follow the objects. For sums, objects of a class come added up. No memory per node: 256 KiB of
//! window for each pass, the class table, 16 bytes for each external property, the longest text, and a bit for each
//! reference of the largest object.

mod classes;
mod declare;
mod edges;
mod extras;
mod header;
mod names;
mod nodes;
mod object;
mod scan;
mod source;
#[cfg(test)]
mod tests;
mod window;
pub mod writer;

use heap_base::{Blob, Result};
use heap_record::{Fact, Info, Sink, SnapshotSelector, Texts, Wants};

use header::Header;
use names::Names;
use nodes::Oddballs;
use scan::Scan;
use source::{MAGIC, Source, message_payload};

/// What `target_source` says.
const FORMAT: &str = "dart.heapsnapshot";

/// True if `head`, the first up to 64 KiB of an input, begins a Dart heap snapshot or a capture of the VM
/// service's messages that carry one.
pub fn sniff(head: &[u8]) -> bool {
    let payload = |at: usize| head.get(at..).is_some_and(|rest| rest.starts_with(MAGIC));
    payload(0) || message_payload(head).is_some_and(payload)
}

/// Reads a snapshot and drives `sink` with it.
///
/// # Errors
/// Damage, with its place, after every intact record before it was emitted; failures of reading and of the sink; a
/// `pick` other than the one snapshot that a file has.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    pick.range(1)?;
    let wants = sink.wants();
    let source = Source::open(blob)?;
    let mut names = Names::default();
    let oddballs = Oddballs::new(&mut names);
    let mut header = Header::read(&source, &mut names)?;
    declare::metadata(&header, source.messages(), sink)?;
    declare::declarations(sink)?;
    if wants.any_strings() {
        let mut texts = Texts::default();
        for (id, text) in (0..).zip(names.all()) {
            texts.utf8(id, text, sink)?;
        }
    }
    let mut damage = header.damage.take();
    if header.counts.is_some() && wants != Wants::HEAD {
        let passes = 1 + u64::from(wants.any_nodes()) + u64::from(wants.any_edges());
        blob.plan_passes(passes);
        let mut scan = Scan::run(&source, &header, names.all().len() as i64, wants, sink)?;
        damage = damage.or_else(|| scan.damage.take());
        if wants.any_nodes() {
            nodes::nodes(&source, &header, &scan, oddballs, wants, sink)?;
        }
        if wants.any_edges() {
            edges::edges(&source, &header, &scan, wants, sink)?;
        }
        if wants.extensions {
            extras::classes(&source, &header, &mut names, sink)?;
            extras::properties(&source, &scan, sink)?;
            extras::layout(if scan.resaved { "re-saved" } else { header.version() }, &scan, sink)?;
        }
    } else if wants.extensions {
        extras::classes(&source, &header, &mut names, sink)?;
    }
    damage.map_or(Ok(()), Err)
}

/// What the head of a snapshot says.
///
/// # Errors
/// Damage in the head or the class table; failures of reading.
pub fn info(blob: &Blob) -> Result<Info> {
    let source = Source::open(blob)?;
    let mut header = Header::read(&source, &mut Names::default())?;
    if let Some(damage) = header.damage.take() {
        return Err(damage);
    }
    let (references, objects) = header.counts.unwrap_or_default();
    let int = |n: u64| Fact::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let mut facts = vec![
        ("isolate", Fact::Text(header.name.clone())),
        ("heap_used", Fact::Bytes(header.shallow_size)),
        ("heap_capacity", Fact::Bytes(header.capacity)),
        ("external", Fact::Bytes(header.external_size)),
        ("class_count", int(header.class_count)),
        ("node_count", int(objects)),
        ("edge_count", int(references)),
    ];
    if source.messages() > 0 {
        facts.push(("messages", int(source.messages() as u64)));
    }
    Ok(Info {
        format: FORMAT,
        version: Some(header.dialect().to_owned()),
        producer: Some("Dart VM".to_owned()),
        facts,
        ..Info::default()
    })
}
