//! HPROF, the binary format of HotSpot, GraalVM and Android.
//!
//! The main line is [`read`]: a first pass over the file finds classes, names, threads, roots and the layout of objects;
//! sums by class end there. Then the contents of strings, nodes and edges each take a pass of their own.

mod classdump;
mod classes;
mod dump;
mod edges;
mod faults;
mod find;
mod header;
mod ids;
mod info;
mod items;
mod names;
mod nodes;
mod pieces;
mod resolve;
mod scan;
mod sums;
mod texts;
mod threads;
mod values;

use std::sync::OnceLock;

use heap_base::{Blob, Result, WorkQueue, join};
use heap_record::wants::{self, SumBy};
use heap_record::{Sink, SnapshotSelector};

use crate::Options;
use crate::addresses::{Addresses, Numbers};
use crate::emit::Out;
use crate::window::Window;
use dump::Dump;
use edges::Source;
use header::Header;
use items::{Item, Items};
use scan::Scan;
use texts::Texts;

pub(crate) use header::sniff;
pub(crate) use info::info;
pub(crate) use items::RootKind;
pub(crate) use resolve::injected;
pub(crate) use values::{Number, bits_of};

/// What `target_source` says.
pub(crate) const FORMAT: &str = "java.hprof";

/// Reads a dump and drives `sink` with it.
///
/// # Errors
/// Damage, after all that is intact before it was delivered; failures of reading and of the sink; a `snapshot` other
/// than the one that a file has.
pub(crate) fn read(blob: &Blob, snapshot: SnapshotSelector, options: Options, sink: &mut dyn Sink) -> Result {
    snapshot.range(1)?;
    let mut out = Out::new(sink);
    let wants = out.wants;
    let header = Header::read(blob)?;
    let sums = wants.sums() == Some(SumBy::Class) && !wants.any_edges();
    // Contents are fields of nodes, so only who asks for these can know whose they are.
    let texts = wants.strings == wants::Strings::All && wants.full_nodes();
    let by_index = wants.edges == wants::Edges::ByIndex;
    let passes = 1
        + u64::from(texts) * 2
        + u64::from(wants.any_nodes() && !sums)
        + u64::from(wants.any_edges())
        + u64::from(by_index);
    blob.plan_passes(passes);
    let mut dump = Dump::new(blob, Scan::run(blob, header)?, options)?;
    let damage = dump.scan.damage.take();
    head(&dump, options, &mut out)?;
    if wants.any_strings() {
        for (id, text) in (0..).zip(dump.strings.all(wants.strings == wants::Strings::Classes)) {
            out.string(id, text)?;
        }
    }
    if sums {
        sums::sums(&dump, &mut out)?;
        return damage.map_or(Ok(()), Err);
    }
    let mut texts = if texts { Texts::new(blob, &dump)? } else { None };
    if let Some(texts) = &mut texts {
        texts.deliver(blob, &dump, &mut out)?;
    }
    let by_index = by_index && dump.scan.extent.count < u64::from(u32::MAX >> 1);
    nodes_and_edges(blob, &dump, texts, by_index, &mut out)?;
    if wants.extensions {
        dump.fields(&mut out)?;
    }
    damage.map_or(Ok(()), Err)
}

/// Metadata and declarations.
fn head(dump: &Dump, options: Options, out: &mut Out<'_>) -> Result {
    out.metadata("target_source", FORMAT)?;
    out.metadata("heap.identifier", if dump.by_address() { "address" } else { "index" })?;
    out.metadata("heap.order", "strings nodes edges")?;
    for node in 0..dump.root_kinds.len() as u32 {
        out.metadata("heap.root", &Dump::own_value(node).to_string())?;
    }
    let header = dump.scan.header;
    out.metadata("java.version", &format!("1.0.{}", header.version))?;
    out.metadata("java.identifier_size", &header.id_size.to_string())?;
    out.metadata("java.time", &header.time.to_string())?;
    out.metadata("java.layout", &dump.guess.layout.words())?;
    if dump.guess.compared > 0 {
        out.metadata("java.layout_fit", &format!("{} of {}", dump.guess.exact, dump.guess.compared))?;
    }
    out.metadata("java.refs", options.refs.name())?;
    for fault in &dump.faults {
        out.metadata("java.warning", fault)?;
    }
    out.declare(options)
}

/// Delivers nodes, then edges. By index, a second thread finds out where objects are meanwhile, and then takes edges too.
fn nodes_and_edges(
    blob: &Blob,
    dump: &Dump,
    texts: Option<Texts>,
    by_index: bool,
    out: &mut Out<'_>,
) -> Result {
    let wants = out.wants;
    let pieces = dump.scan.pieces();
    let shards = if by_index { out.shards(pieces.len() - 1) } else { Vec::new() };
    let two = !shards.is_empty();
    let left = WorkQueue::new(1..pieces.len());
    // The thread that comes first makes them, the other one waits.
    let found = OnceLock::new();
    let edges = || {
        let numbers = found.get_or_init(|| by_index.then(|| numbers(blob, &dump.scan)).transpose());
        numbers.as_ref().ok().map(|numbers| Source { blob, dump, pieces: &pieces, numbers: numbers.as_ref() })
    };
    let front = || {
        if wants.any_nodes() {
            nodes::nodes(blob, dump, texts.as_ref(), out)?;
        }
        drop(texts);
        match edges() {
            Some(edges) if wants.any_edges() => edges.front(&left, out),
            _ => Ok(()),
        }
    };
    let front = || front().inspect_err(|_| left.end());
    let back = || edges().map_or_else(|| Ok(Vec::new()), |edges| edges.back(&left, shards));
    let (front, back) = join(two, front, back);
    front?;
    back?.into_iter().rev().try_for_each(|shard| out.join(shard))?;
    found.into_inner().transpose().map(|_| ())
}

/// Numbers of all objects by their addresses.
fn numbers(blob: &Blob, scan: &Scan) -> Result<Numbers> {
    let mut addresses = Addresses::new(&scan.extent);
    each_address(blob, scan, &mut |address| addresses.insert(address))?;
    Numbers::new(addresses, &scan.extent, |each| each_address(blob, scan, each))
}

/// Calls `each` with the addresses of all objects, in the order of the file.
fn each_address(blob: &Blob, scan: &Scan, each: &mut dyn FnMut(u64)) -> Result {
    let mut items = Items::new(Window::new(blob, 0), scan.header.id_size);
    for &segment in &scan.segments {
        items.enter(segment);
        while let Some(item) = items.next()? {
            if let Item::Instance { id, .. } | Item::Objects { id, .. } | Item::Primitives { id, .. } = item {
                each(id);
            }
        }
    }
    Ok(())
}
