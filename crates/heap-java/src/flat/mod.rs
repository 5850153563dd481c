//! IBM's dumps, portable and classic: objects with sizes and references, but no fields or values; roots and threads only with
//! their javacore.
//!
//! Both are read in the same way: a first pass finds the types, then nodes and edges each take a pass.

mod classic;
mod javacore;
mod phd;
mod roots;
mod types;

use heap_base::json::{push_int, push_uint};
use heap_base::{Blob, Dump, Error, Result, Set};
use heap_record::wants::{self, SumBy};
use heap_record::{Ends, Fact, Heap, IdRule, Info, Sink, SnapshotSelector, Value};

use crate::Options;
use crate::addresses::{Addresses, Extent, Numbers};
use crate::emit::{EdgeType, Edges, NodeType, Out, Target};
use crate::window::Window;
use javacore::Javacore;
use roots::{Roots, To};
use types::Types;

pub(crate) use javacore::sniff as sniff_javacore;

/// One of the two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// The portable heap dump.
    Portable,
    /// Classic text.
    Classic,
}

impl Format {
    /// The format of a file that begins with `head`.
    pub(crate) fn sniff(head: &[u8]) -> Option<Self> {
        if phd::sniff(head) { Some(Self::Portable) } else { classic::sniff(head).then_some(Self::Classic) }
    }

    /// What `target_source` says.
    const fn name(self) -> &'static str {
        match self {
            Self::Portable => "java.phd",
            Self::Classic => "java.classic",
        }
    }

    fn open(self, blob: &Blob) -> Result<Box<dyn Entries + '_>> {
        Ok(match self {
            Self::Portable => Box::new(phd::Portable::open(blob)?),
            Self::Classic => Box::new(classic::Classic::open(blob)),
        })
    }
}

/// What an entry of a dump is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// An instance of a type.
    Instance,
    /// An array of references and its length, if that is known.
    Objects(Option<u32>),
    /// An array of primitives and its length, if that is known.
    Primitives(Option<u32>),
    /// The class object of a type.
    Class,
}

/// An object or a class.
#[derive(Clone, Copy, Debug)]
struct Entry {
    address: u64,
    what: What,
    /// The type; of a class object that which it stands for.
    of: u32,
    /// Shallow bytes; `None` where the type says them.
    size: Option<u64>,
    /// Whether there are as many references as elements, so that their indexes are known: the last one comes first.
    indexed: bool,
}

/// A file, entry by entry.
trait Entries {
    /// The next entry; types that are new are added.
    fn next(&mut self, types: &mut Types) -> Result<Option<Entry>>;
    /// The references of the last entry, null left out.
    fn references(&mut self, each: &mut dyn FnMut(u64) -> Result) -> Result;
    /// The text that says which virtual machine wrote the file.
    fn producer(&self) -> Option<String>;
    /// The version of the format.
    fn version(&self) -> Option<String>;
}

/// What the first pass finds.
struct Scan {
    types: Types,
    extent: Extent,
    entries: u64,
    producer: Option<String>,
    version: Option<String>,
    damage: Option<Error>,
    /// Objects that the javacore names, if there is one, and which of them the dump has.
    named: Set<u64>,
    found: Set<u64>,
}

/// The dump has ended; another one, whose first bytes `is_first` knows, may not follow it.
fn last(window: &mut Window<'_>, is_first: impl Fn(&[u8]) -> bool) -> Result<Option<Entry>> {
    // As many bytes as a first line and the head of a file have.
    window.has(64)?;
    if is_first(window.rest()) {
        let place = window.position();
        return Err(Error::at_byte(place, "another dump follows: each needs a file of its own"));
    }
    Ok(None)
}

fn scan(format: Format, blob: &Blob, named: Set<u64>) -> Result<Scan> {
    let mut file = format.open(blob)?;
    let mut scan = Scan {
        types: Types::default(),
        extent: Extent::default(),
        entries: 0,
        producer: file.producer(),
        version: file.version(),
        damage: None,
        found: Set::default(),
        named,
    };
    loop {
        match file.next(&mut scan.types) {
            Ok(Some(entry)) => {
                scan.entries += 1;
                scan.extent.add(entry.address);
                scan.types.count(&entry);
                if !scan.named.is_empty() && scan.named.contains(&entry.address) {
                    scan.found.insert(entry.address);
                }
            }
            Ok(None) => break,
            Err(error) if matches!(error.kind(), heap_base::error::Kind::Input { .. }) => {
                scan.damage = Some(error);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    scan.producer = file.producer().or(scan.producer);
    scan.types.resolve();
    Ok(scan)
}

/// Reads a dump and drives `sink` with it.
///
/// # Errors
/// Damage, after all that is intact before it was delivered; failures of reading and of the sink; a `snapshot` other
/// than the one that a file has.
pub(crate) fn read(
    format: Format,
    dump: &Dump,
    snapshot: SnapshotSelector,
    options: Options,
    sink: &mut dyn Sink,
) -> Result {
    snapshot.range(1)?;
    let mut out = Out::new(sink);
    let wants = out.wants;
    let sums = wants.sums() == Some(SumBy::Class) && !wants.any_edges();
    dump.plan_passes(1 + u64::from(wants.any_nodes() && !sums) + u64::from(wants.any_edges()));
    let javacore = javacore(dump)?;
    let named = javacore.as_ref().map(Javacore::objects).unwrap_or_default();
    let mut scan = scan(format, dump, named)?;
    let damage = scan.damage.take();
    let file = javacore_name(dump);
    let reason = javacore.as_ref().and_then(|core| core.reason.clone());
    let mut roots = match &javacore {
        Some(core) => Roots::new(core, &scan.found, &file, &mut scan.types),
        None => Roots::guessed(&mut scan.types),
    };
    if javacore.is_none() && dump.companion().is_some() {
        roots.note = Some(format!("{file} cannot be read as a javacore: it is not used"));
    }
    let odd = scan.extent.odd();
    out.begin(format.name(), if odd { IdRule::Index } else { IdRule::Address })?;
    out.runtime()?;
    if roots.named {
        out.metadata("java.javacore", &file)?;
        if let Some(reason) = &reason {
            out.metadata("java.reason", reason)?;
        }
    }
    if let Some(note) = &roots.note {
        out.metadata("java.note", note)?;
    }
    if let Some(version) = &scan.version {
        out.metadata("java.version", version)?;
    }
    if let Some(producer) = &scan.producer {
        out.metadata("java.producer", producer)?;
    }
    out.declare(Options { values: false, ..options }, false)?;
    if wants.any_strings() {
        for (id, text) in (0..).zip(scan.types.strings(wants.strings == wants::Strings::Classes)) {
            out.string(id, text)?;
        }
    }
    let mut pass = Pass { format, blob: dump, scan: &mut scan, roots: &roots, odd };
    if sums {
        pass.sums(&mut out)?;
        return damage.map_or(Ok(()), Err);
    }
    let by_index = wants.edges == wants::Edges::ByIndex && pass.scan.extent.count < u64::from(u32::MAX >> 1);
    let mut addresses = by_index.then(|| Addresses::new(&pass.scan.extent));
    if wants.any_nodes() {
        pass.nodes(addresses.as_mut(), &mut out)?;
    }
    if wants.any_edges() {
        let extent = pass.scan.extent;
        let numbers = addresses
            .map(|addresses| {
                Numbers::new(addresses, &extent, |each| {
                    pass.each(|entry, _, _| {
                        each(entry.address);
                        Ok(())
                    })
                })
            })
            .transpose()?;
        pass.edges(numbers.as_ref(), &mut out)?;
    }
    damage.map_or(Ok(()), Err)
}

struct Pass<'a> {
    format: Format,
    blob: &'a Blob,
    scan: &'a mut Scan,
    roots: &'a Roots,
    odd: bool,
}

impl Pass<'_> {
    fn value(&self, address: u64) -> Value {
        value(address, self.odd)
    }

    /// Goes over the intact entries once more.
    fn each(&mut self, mut each: impl FnMut(Entry, &Types, &mut dyn Entries) -> Result) -> Result {
        let mut file = self.format.open(self.blob)?;
        for _ in 0..self.scan.entries {
            let Some(entry) = file.next(&mut self.scan.types)? else { break };
            each(entry, &self.scan.types, &mut *file)?;
        }
        Ok(())
    }

    /// Whether the writer lists the class of an object as its first reference: old ones do. Some thousand objects show it.
    fn lists_classes(&mut self) -> Result<bool> {
        const ENOUGH: u32 = 4096;
        let (mut same, mut all) = (0, 0);
        let mut file = self.format.open(self.blob)?;
        for _ in 0..self.scan.entries {
            let Some(entry) = file.next(&mut self.scan.types)? else { break };
            let class = self.scan.types.class_of(&entry);
            if class == 0 || entry.what != What::Instance {
                continue;
            }
            let mut first = None;
            file.references(&mut |address| {
                first = first.or(Some(address));
                Ok(())
            })?;
            all += u32::from(first.is_some());
            same += u32::from(first == Some(class));
            if all == ENOUGH {
                break;
            }
        }
        Ok(same > all / 2)
    }

    fn sums(&self, out: &mut Out<'_>) -> Result {
        self.roots.nodes(self.odd, true, out)?;
        for sum in self.scan.types.sums() {
            let heap = Heap {
                size: Some(sum.size),
                class: Some(sum.class),
                count: Some(sum.count),
                ..Heap::default()
            };
            out.node(sum.subtype, self.value(sum.first), b"", heap, b"")?;
        }
        Ok(())
    }

    fn nodes(&mut self, mut addresses: Option<&mut Addresses>, out: &mut Out<'_>) -> Result {
        let (odd, roots, full) = (self.odd, self.roots, out.wants.all_fields());
        roots.nodes(odd, false, out)?;
        let mut rest = Vec::new();
        self.each(|entry, types, _| {
            if let Some(addresses) = &mut addresses {
                addresses.insert(entry.address);
            }
            let id = value(entry.address, odd);
            let size = types.size(&entry);
            let (subtype, len) = match entry.what {
                What::Instance => (types.subtype(entry.of), None),
                What::Objects(len) => (NodeType::ObjectArray, len),
                What::Primitives(len) => (NodeType::PrimitiveArray, len),
                What::Class => {
                    let name = Some(types.name(entry.of));
                    let heap =
                        Heap { size: Some(size), class: Some(types.class_name), name, ..Heap::default() };
                    rest.clear();
                    if full {
                        types.members(entry.of, |address| value(address, odd), &mut rest);
                    }
                    return out.node(NodeType::Class, id, b"", heap, &rest);
                }
            };
            let (len, loader) = (len.filter(|_| full), if full { types.loader(entry.of) } else { 0 });
            let loader = if entry.what == What::Instance { loader } else { 0 };
            let name = roots.thread(entry.address);
            if len.is_none() && loader == 0 && name.is_none() {
                return out.plain(subtype, id, types.name(entry.of), size, b"");
            }
            rest.clear();
            if let Some(len) = len {
                rest.extend_from_slice(b"\"java\":{\"length\":");
                push_uint(&mut rest, len.into());
                rest.push(b'}');
            } else if loader != 0 {
                rest.extend_from_slice(b"\"java\":{\"loader\":");
                push_int(&mut rest, value(loader, odd));
                rest.push(b'}');
            }
            let class = Some(types.name(entry.of));
            out.node(subtype, id, b"", Heap { size: Some(size), class, name, ..Heap::default() }, &rest)
        })?;
        out.flush_nodes()
    }

    fn edges(&mut self, numbers: Option<&Numbers>, out: &mut Out<'_>) -> Result {
        let odd = self.odd;
        let lists_classes = self.lists_classes()?;
        let (roots, front) = (self.roots, i64::from(self.roots.count()));
        let target = |address: u64| match numbers {
            None => Some(Target(value(address, odd))),
            Some(numbers) => numbers.get(address).map(|number| Target(i64::from(number) + front)),
        };
        let ends = if numbers.is_some() { Ends::Indexes } else { Ends::Identifiers };
        let mut edges = Edges::new(out, ends);
        let to = To { target: &target, by_index: numbers.is_some(), odd };
        roots.edges(to, &mut edges)?;
        let mut node = front - 1;
        self.each(|entry, types, file| {
            node += 1;
            let id = value(entry.address, odd);
            if !edges.source(id, Target(if numbers.is_some() { node } else { id }))? {
                return Ok(());
            }
            let class = types.class_of(&entry);
            let mut left = match entry.what {
                What::Objects(Some(len)) if entry.indexed => len,
                _ => 0,
            };
            let mut first = true;
            file.references(&mut |address| {
                // The class has an edge of its own.
                let own_class = lists_classes && first && address == class && entry.what != What::Class;
                first = false;
                let Some(target) = target(address).filter(|_| !own_class) else { return Ok(()) };
                if left > 0 {
                    left -= 1;
                    return edges.element(EdgeType::Element, target, left);
                }
                edges.bare(EdgeType::Reference, target)
            })?;
            let mut push = |subtype, address, label| match target(address).filter(|_| address != 0) {
                Some(target) => edges.push(subtype, target, label),
                None => Ok(()),
            };
            if entry.what == What::Class {
                push(EdgeType::Super, types.superclass(entry.of), types.super_label)?;
                push(EdgeType::Loader, types.loader(entry.of), types.loader_label)?;
            }
            push(EdgeType::Class, class, types.class_label)?;
            roots.more(entry.address, to, &mut edges)
        })?;
        edges.flush()
    }
}

fn value(address: u64, odd: bool) -> Value {
    (if odd { address << 1 | 1 } else { address | 1 }) as Value
}

/// The javacore of a dump; none where the one that lies beside it cannot be read, which is empty then.
fn javacore(dump: &Dump) -> Result<Option<Javacore>> {
    dump.companion().filter(|file| !file.is_empty()).map(Javacore::read).transpose()
}

/// What the javacore of a dump is called.
fn javacore_name(dump: &Dump) -> String {
    let name = dump.companion().and_then(Blob::path).and_then(std::path::Path::file_name);
    name.map_or_else(|| "its javacore".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// What a dump is. All of it is read, for its counts.
///
/// # Errors
/// Failures of reading.
pub(crate) fn info(format: Format, dump: &Dump) -> Result<Info> {
    let javacore = javacore(dump)?;
    let scan = scan(format, dump, Set::default())?;
    let int = |n: u64| Fact::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let mut facts = scan.types.totals().map(|(key, count)| (key, int(count))).to_vec();
    if let Some(core) = &javacore {
        facts.push(("javacore", Fact::Text(javacore_name(dump))));
        facts.push(("threads", int(core.threads.len() as u64)));
        facts.extend(core.reason.clone().map(|reason| ("reason", Fact::Text(reason))));
    }
    if let Some(damage) = &scan.damage {
        facts.push(("damage", Fact::Text(damage.to_string())));
    }
    Ok(Info {
        format: format.name(),
        version: scan.version,
        producer: scan.producer,
        facts,
        ..Info::default()
    })
}
