//! IBM's dumps, portable and classic: objects with sizes and references, but no fields, values, roots or threads.
//!
//! Both are read in the same way: a first pass finds the types, then nodes and edges each take a pass.

mod classic;
mod phd;
mod types;

use heap_base::json::push_uint;
use heap_base::{Blob, Error, Result};
use heap_record::references::BY_EDGES;
use heap_record::wants::{self, SumBy};
use heap_record::{Ends, Fact, Heap, Info, Sink, SnapshotSelector, Value};

use crate::Options;
use crate::addresses::{Addresses, Extent, Numbers};
use crate::emit::{EdgeType, Edges, NodeType, Out, Target, own_value};
use types::Types;

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
}

fn scan(format: Format, blob: &Blob) -> Result<Scan> {
    let mut file = format.open(blob)?;
    let mut scan = Scan {
        types: Types::default(),
        extent: Extent::default(),
        entries: 0,
        producer: file.producer(),
        version: file.version(),
        damage: None,
    };
    loop {
        match file.next(&mut scan.types) {
            Ok(Some(entry)) => {
                scan.entries += 1;
                scan.extent.add(entry.address);
                scan.types.count(&entry);
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
    blob: &Blob,
    snapshot: SnapshotSelector,
    options: Options,
    sink: &mut dyn Sink,
) -> Result {
    snapshot.range(1)?;
    let mut out = Out::new(sink);
    let wants = out.wants;
    let sums = wants.sums() == Some(SumBy::Class) && !wants.any_edges();
    blob.plan_passes(1 + u64::from(wants.any_nodes() && !sums) + u64::from(wants.any_edges()));
    let mut scan = scan(format, blob)?;
    let damage = scan.damage.take();
    let odd = scan.extent.odd();
    out.metadata("target_source", format.name())?;
    out.metadata("heap.identifier", if odd { "index" } else { "address" })?;
    out.metadata("heap.order", "strings nodes edges")?;
    out.metadata(BY_EDGES.0, BY_EDGES.1)?;
    out.runtime()?;
    if let Some(version) = &scan.version {
        out.metadata("java.version", version)?;
    }
    if let Some(producer) = &scan.producer {
        out.metadata("java.producer", producer)?;
    }
    out.declare(Options { values: false, ..options })?;
    if wants.any_strings() {
        for (id, text) in (0..).zip(scan.types.strings(wants.strings == wants::Strings::Classes)) {
            out.string(id, text)?;
        }
    }
    let mut pass = Pass { format, blob, scan: &mut scan, odd };
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

    fn root(&self, out: &mut Out<'_>) -> Result {
        let heap = Heap { size: Some(0), name: Some(self.scan.types.root_name), ..Heap::default() };
        out.node(NodeType::Root, own_value(0, self.odd), b"", heap, b"")
    }

    fn sums(&self, out: &mut Out<'_>) -> Result {
        self.root(out)?;
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
        self.root(out)?;
        let (odd, full) = (self.odd, out.wants.full_nodes());
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
            match len.filter(|_| full) {
                None => out.plain(subtype, id, types.name(entry.of), size, b""),
                Some(len) => {
                    rest.clear();
                    rest.extend_from_slice(b"\"java\":{\"length\":");
                    push_uint(&mut rest, len.into());
                    rest.push(b'}');
                    let heap =
                        Heap { size: Some(size), class: Some(types.name(entry.of)), ..Heap::default() };
                    out.node(subtype, id, b"", heap, &rest)
                }
            }
        })?;
        out.flush_nodes()
    }

    fn edges(&mut self, numbers: Option<&Numbers>, out: &mut Out<'_>) -> Result {
        let odd = self.odd;
        let lists_classes = self.lists_classes()?;
        let target = |address: u64| match numbers {
            None => Some(Target(value(address, odd))),
            Some(numbers) => numbers.get(address).map(|number| Target(i64::from(number) + 1)),
        };
        let ends = if numbers.is_some() { Ends::Indexes } else { Ends::Identifiers };
        let mut edges = Edges::new(out, ends);
        let classes = self.scan.types.classes();
        let root = own_value(0, odd);
        if edges.source(root, Target(if numbers.is_some() { 0 } else { root }))? {
            for target in classes.into_iter().filter_map(target) {
                edges.bare(EdgeType::Root, target)?;
            }
        }
        let mut node = 0;
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
            }
            push(EdgeType::Class, class, types.class_label)
        })?;
        edges.flush()
    }
}

fn value(address: u64, odd: bool) -> Value {
    (if odd { address << 1 | 1 } else { address | 1 }) as Value
}

/// What a dump is. All of it is read, for its counts.
///
/// # Errors
/// Failures of reading.
pub(crate) fn info(format: Format, blob: &Blob) -> Result<Info> {
    let scan = scan(format, blob)?;
    let int = |n: u64| Fact::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let mut facts = scan.types.totals().map(|(key, count)| (key, int(count))).to_vec();
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
