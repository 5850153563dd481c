//! HPROF, the binary format of HotSpot, GraalVM and Android.
//!
//! The main line is [`read`]: a first pass over the file finds classes, names, threads, roots and the layout of objects;
//! sums by class end there. Then the contents of strings, nodes and edges each take a pass of their own.

mod art;
mod classdump;
mod classes;
mod dump;
mod edges;
mod external;
mod faults;
mod find;
mod header;
mod ids;
mod info;
mod injected;
mod items;
mod names;
mod nodes;
mod numbers;
mod parts;
mod pieces;
mod release;
mod resolve;
mod scan;
mod stacks;
mod sums;
mod texts;
mod threads;
mod values;

use std::sync::OnceLock;

use heap_base::{Blob, Error, Result, WorkQueue, join};
use heap_record::wants::{self, SumBy};
use heap_record::{IdRule, Sink, SnapshotSelector, StringId};

use crate::Options;
use crate::addresses::{Addresses, Numbers};
use crate::emit::Out;
use crate::strings::Strings;
use crate::window::Window;
use dump::Dump;
use edges::Source;
use header::Header;
use items::{Item, Items};
use parts::Part;
use scan::Scan;
use texts::Texts;

pub(crate) use header::sniff;
pub(crate) use info::info;
pub(crate) use injected::injected;
pub(crate) use items::RootKind;
pub(crate) use release::Release;
pub(crate) use threads::NATIVE;
pub(crate) use values::{Number, bits_of};

/// What `target_source` says.
pub(crate) const FORMAT: &str = "java.hprof";

/// Reads the dumps that are asked for and drives `sink` with them.
///
/// # Errors
/// Damage, after all that is intact before it was delivered; failures of reading and of the sink; a `snapshot` that the
/// file does not have.
pub(crate) fn read(blob: &Blob, snapshot: SnapshotSelector, options: Options, sink: &mut dyn Sink) -> Result {
    let header = Header::read(blob)?;
    let parts = parts::parts(blob, &header)?;
    let chosen = snapshot.range(parts.len() as u64)?;
    let frames = parts.iter().any(|part| part.frames);
    let mut reader = Reader { blob, options, out: Out::new(sink), next_string: 0, frames, damage: None };
    let all = snapshot == SnapshotSelector::All && parts.len() > 1;
    for number in chosen {
        let header = header.after(parts[number as usize].elapsed);
        reader.dump(header, &parts[number as usize], Place { number, of: parts.len() as u64, all })?;
    }
    reader.damage.map_or(Ok(()), Err)
}

/// Which of the dumps of a file is read, and whether all are.
#[derive(Clone, Copy)]
struct Place {
    number: u64,
    of: u64,
    all: bool,
}

/// Delivers one dump after another.
struct Reader<'a> {
    blob: &'a Blob,
    options: Options,
    out: Out<'a>,
    /// String ids hold for all dumps of a file: where those of the next one begin.
    next_string: StringId,
    /// Whether the file has frames, those of threads or of allocations.
    frames: bool,
    damage: Option<Error>,
}

impl Reader<'_> {
    fn dump(&mut self, header: Header, part: &Part, place: Place) -> Result {
        let Self { blob, options, out, .. } = self;
        let (blob, options) = (*blob, *options);
        if out.wants.edges == wants::Edges::OfTexts {
            out.wants.edges = wants::Edges::ByIndex;
        }
        let wants = out.wants;
        let sums = wants.sums() == Some(SumBy::Class) && !wants.any_edges();
        // Contents are fields of nodes, so only who asks for these can know whose they are.
        let texts = wants.strings == wants::Strings::All && wants.node_details();
        let by_index = wants.edges == wants::Edges::ByIndex;
        let passes = 1
            + u64::from(texts)
            + u64::from(wants.any_nodes() && !sums)
            + u64::from(wants.any_edges())
            + u64::from(by_index || texts);
        blob.plan_passes(if place.all { passes * place.of } else { passes });
        let scan = Scan::run(blob, header, part)?;
        let mut dump = Dump::new(blob, scan, Strings::from(self.next_string), options, wants)?;
        let damage = dump.scan.damage.take();
        if self.damage.is_none() {
            self.damage = damage;
        }
        head(&dump, options, place, out)?;
        if !place.all || place.number == 0 {
            // Declarations hold for all dumps, of which another may be the first with stacks.
            out.declare(options, dump.stacks.are_there() || place.all && self.frames)?;
        }
        if wants.any_strings() {
            let only_classes = wants.strings == wants::Strings::Classes;
            for (id, text) in (dump.strings.first()..).zip(dump.strings.all(only_classes)) {
                out.string(id, text)?;
            }
        }
        self.next_string = dump.strings.next();
        if sums {
            return sums::sums(&dump, out);
        }
        if wants.extensions {
            dump.stacks.deliver(out)?;
        }
        let by_index = by_index && dump.scan.extent.count < u64::from(u32::MAX >> 1);
        if let Some(next) = contents(blob, &dump, texts, by_index, out)? {
            self.next_string = next;
        }
        if wants.extensions { dump.fields(out) } else { Ok(()) }
    }
}

/// Metadata.
fn head(dump: &Dump, options: Options, place: Place, out: &mut Out<'_>) -> Result {
    let first = !place.all || place.number == 0;
    if first {
        out.begin(FORMAT, if dump.by_address() { IdRule::Address } else { IdRule::Index })?;
        out.runtime()?;
        if place.of > 1 {
            // Agents number objects once and for all.
            out.metadata("heap.identity", "identifier")?;
        }
    }
    if place.all {
        out.metadata("heap.snapshot", &place.number.to_string())?;
    } else if place.of > 1 {
        out.metadata("java.snapshot", &place.number.to_string())?;
        out.metadata("java.snapshots", &place.of.to_string())?;
    }
    for node in 0..dump.root_kinds.len() as u32 {
        out.metadata("heap.root", &dump.own_value(node).to_string())?;
    }
    let header = dump.scan.header;
    out.metadata("java.version", &format!("1.0.{}", header.version))?;
    out.metadata("java.identifier_size", &header.id_size.to_string())?;
    out.metadata("java.time", &header.time.to_string())?;
    if let Some(jdk) = &dump.jdk {
        out.metadata("java.jdk", jdk)?;
    }
    out.metadata("java.layout", &dump.guess.layout.words())?;
    out.metadata("heap.slot", &dump.guess.layout.reference.to_string())?;
    if dump.guess.compared > 0 {
        out.metadata("java.layout_fit", &format!("{} of {}", dump.guess.exact, dump.guess.compared))?;
    }
    out.metadata("java.refs", options.refs.name())?;
    if dump.stacks.are_there() {
        out.metadata("heap.stacks", "java.trace java.trace_node java.trace_function")?;
    }
    for edges in &dump.dangling {
        out.metadata("heap.dangling", edges)?;
    }
    for fault in &dump.faults {
        out.metadata("java.warning", fault)?;
    }
    for note in &dump.notes {
        out.metadata("java.note", note)?;
    }
    Ok(())
}

/// Delivers texts if they are wanted, nodes, then edges. By index, a second thread finds out where objects are meanwhile, and
/// then takes edges too. Gives the string id behind those of texts.
fn contents(
    blob: &Blob,
    dump: &Dump,
    texts: bool,
    by_index: bool,
    out: &mut Out<'_>,
) -> Result<Option<StringId>> {
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
    let mut texts = if texts { Texts::new(dump) } else { None };
    if let Some(texts) = &mut texts {
        // One pass for both.
        let mut addresses = by_index.then(|| Addresses::new(&dump.scan.extent));
        each_object(blob, &dump.scan, |address, instance, items| {
            if let Some(all) = &mut addresses {
                all.insert(address);
            }
            instance.map_or(Ok(()), |instance| texts.add(dump, items, instance))
        })?;
        texts.finish();
        found.get_or_init(|| addresses.map(|all| numbered(blob, &dump.scan, all)).transpose());
    }
    let front = || -> Result<_> {
        let next = texts.as_ref().map(Texts::next);
        let texts = texts.map(|texts| texts.delivered(blob, dump, out)).transpose()?;
        if wants.any_nodes() {
            nodes::nodes(blob, dump, texts.as_ref(), out)?;
        }
        drop(texts);
        if let Some(edges) = edges().filter(|_| wants.any_edges()) {
            edges.front(&left, out)?;
        }
        Ok(next)
    };
    let front = || front().inspect_err(|_| left.end());
    let back = || edges().map_or_else(|| Ok(Vec::new()), |edges| edges.back(&left, shards));
    let (front, back) = join(two, front, back);
    let next = front?;
    back?.into_iter().rev().try_for_each(|shard| out.join(shard))?;
    found.into_inner().transpose()?;
    Ok(next)
}

/// Numbers of all objects by their addresses.
fn numbers(blob: &Blob, scan: &Scan) -> Result<Numbers> {
    let mut addresses = Addresses::new(&scan.extent);
    each_address(blob, scan, &mut |address| addresses.insert(address))?;
    numbered(blob, scan, addresses)
}

/// The same, where all addresses are known.
fn numbered(blob: &Blob, scan: &Scan, addresses: Addresses) -> Result<Numbers> {
    Numbers::new(addresses, &scan.extent, |each| each_address(blob, scan, each))
}

/// Calls `each` with the addresses of all objects, in the order of the file.
fn each_address(blob: &Blob, scan: &Scan, each: &mut dyn FnMut(u64)) -> Result {
    each_object(blob, scan, |address, _, _| {
        each(address);
        Ok(())
    })
}

/// Calls `each` with the address of each object, in the order of the file, and of an instance with its class and the length of
/// its body, which begins at the window's position.
#[inline]
fn each_object<'a>(
    blob: &'a Blob,
    scan: &Scan,
    mut each: impl FnMut(u64, Option<(u64, u32)>, &mut Items<'a>) -> Result,
) -> Result {
    let mut items = Items::new(Window::new(blob, 0), scan.header.id_size);
    for &segment in &scan.segments {
        items.enter(segment);
        while let Some(item) = items.next()? {
            match item {
                Item::Instance { id, class, len, .. } => each(id, Some((class, len)), &mut items)?,
                Item::Objects { id, .. } | Item::Primitives { id, .. } => each(id, None, &mut items)?,
                _ => {}
            }
        }
    }
    Ok(())
}
