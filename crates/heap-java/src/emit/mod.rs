//! Everything that is delivered to a sink, whatever the format of the dump.

mod declare;
mod edges;

use heap_base::{Error, Members, Result};
use heap_record::{
    Data, Extension, Heap, IdRule, NO_SHARDS, Node, NodeBatch, PlainNode, Shard, Sink, Str, StringId, Texts,
    Value, Wants, head,
};

pub(crate) use declare::{EdgeType, NodeType};
pub(crate) use edges::{Edges, Target};

use crate::layout::Kind;

/// How many plain nodes are delivered at a time.
const BATCH: usize = 256;

/// Packages that come with the JDK, OpenJ9 or Android.
const RUNTIME: &[&str] = &[
    "java.*",
    "javax.*",
    "jdk.*",
    "sun.*",
    "com.sun.*",
    "org.ietf.*",
    "org.jcp.*",
    "org.w3c.dom.*",
    "org.xml.sax.*",
    "com.ibm.oti.*",
    "com.ibm.jvm.*",
    "openj9.*",
    "android.*",
    "com.android.*",
    "dalvik.*",
    "libcore.*",
];

/// Whether a class comes with the JDK, OpenJ9 or Android.
pub(crate) fn is_runtimes(class: &str) -> bool {
    RUNTIME.iter().any(|names| class.starts_with(names.trim_end_matches('*')))
}

/// Entries and other parts of collections.
const ENTRIES: &[&str] = &[
    "*$*Node",
    "*$*Entry",
    "*$*Segment",
    "java.util.Abstract*$*",
    "java.util.Array*$*",
    "java.util.*Collections$*",
    "java.util.*List$*",
    "java.util.*Map$*",
    "java.util.*Queue$*",
    "java.util.*Set$*",
    "java.util.Hashtable$*",
    "java.util.concurrent.*$*",
];

/// Threads: by name, and those made from them. Of the machine's own classes the latter are its helpers.
const THREADS: &[&str] = &["java.lang.Thread", "*Thread"];

const LOADERS: &[&str] = &["*ClassLoader"];

/// The identifier of a node that the dump does not have: the kind of root, or the frame, with this number. Where addresses
/// are odd, identifiers are made as those of counters, none of which is negative: these are the highest.
pub(crate) fn own_value(number: u32, odd: bool) -> Value {
    let value = 2 * Value::from(number) + 1;
    if odd { Value::MAX - (value - 1) } else { -value }
}

/// A sink, and what it wants.
pub(crate) struct Out<'a> {
    sink: &'a mut dyn Sink,
    pub(crate) wants: Wants,
    nodes: Vec<PlainNode>,
    own: Vec<u8>,
    texts: Texts,
}

impl<'a> Out<'a> {
    pub(crate) fn new(sink: &'a mut dyn Sink) -> Self {
        Self {
            wants: sink.wants(),
            sink,
            nodes: Vec::with_capacity(BATCH),
            own: Vec::new(),
            texts: Texts::default(),
        }
    }

    /// So many shards of the sink, if several threads can feed it.
    pub(crate) fn shards(&mut self, count: usize) -> Vec<Box<dyn Shard>> {
        let sharded = if count > 0 { self.sink.sharded() } else { None };
        sharded.map_or_else(Vec::new, |sharded| (0..count).map(|_| sharded.fork()).collect())
    }

    /// Appends what a shard took.
    pub(crate) fn join(&mut self, shard: Box<dyn Shard>) -> Result {
        match self.sink.sharded() {
            Some(sharded) => sharded.join(shard),
            None => Err(Error::input(NO_SHARDS)),
        }
    }

    /// Delivers a metadata record.
    pub(crate) fn metadata(&mut self, key: &str, value: &str) -> Result {
        head::metadata(self.sink, key, value)
    }

    /// Begins a stream.
    pub(crate) fn begin(&mut self, source: &str, rule: IdRule) -> Result {
        head::begin(self.sink, source, rule)
    }

    /// Delivers the names of classes that come with the virtual machine, and of those that have a part in it.
    pub(crate) fn runtime(&mut self) -> Result {
        let of = [
            ("heap.runtime", RUNTIME),
            ("heap.entry", ENTRIES),
            ("heap.thread", THREADS),
            ("heap.loader", LOADERS),
        ];
        for (key, all) in of {
            all.iter().try_for_each(|names| self.metadata(key, names))?;
        }
        Ok(())
    }

    /// Delivers a string record.
    pub(crate) fn string(&mut self, id: StringId, text: &str) -> Result {
        self.sink.string(&Str { id, data: Data::Plain(text), ..Str::default() })
    }

    /// Delivers a text with one byte for each character.
    pub(crate) fn latin1(&mut self, id: StringId, bytes: &[u8]) -> Result {
        self.texts.latin1(id, bytes, self.sink)
    }

    /// Delivers a text of UTF-16 units.
    pub(crate) fn utf16(&mut self, id: StringId, units: impl Iterator<Item = u16> + Clone) -> Result {
        self.texts.utf16(id, units, self.sink)
    }

    /// Delivers a record of a field that a class declares; its kind is the number of its type in HPROF.
    pub(crate) fn field(&mut self, class: Value, label: StringId, kind: Kind, is_static: bool) -> Result {
        let mut body = Members::new();
        body.int("class", class).int("label", label).uint("kind", kind as u64);
        if is_static {
            body.boolean("static", true);
        }
        self.extension("java.field", body.as_bytes())
    }

    /// Delivers a record of another type.
    pub(crate) fn extension(&mut self, kind: &str, body: &[u8]) -> Result {
        self.sink.extension(&Extension { kind, body, ..Extension::default() })
    }

    /// Delivers a node that has a class and a size; `own` are its own members.
    #[inline]
    pub(crate) fn plain(
        &mut self,
        subtype: NodeType,
        id: Value,
        class: StringId,
        size: u64,
        own: &[u8],
    ) -> Result {
        let subtype = subtype as u32;
        self.own.extend_from_slice(own);
        self.nodes.push(PlainNode {
            subtype,
            own: own.len(),
            id,
            size,
            class: true,
            text: false,
            string: class,
        });
        if self.nodes.len() >= BATCH { self.flush_nodes() } else { Ok(()) }
    }

    /// Delivers a node.
    pub(crate) fn node(
        &mut self,
        subtype: NodeType,
        id: Value,
        own: &[u8],
        heap: Heap<'_>,
        rest: &[u8],
    ) -> Result {
        self.flush_nodes()?;
        let node = Node { subtype: subtype as u32, id, own, heap, rest, ..Node::default() };
        self.sink.nodes(&NodeBatch::one(&node))
    }

    /// Delivers the plain nodes that wait. Call after the last node.
    pub(crate) fn flush_nodes(&mut self) -> Result {
        if self.nodes.is_empty() {
            return Ok(());
        }
        let result = self.sink.nodes(&NodeBatch::Plain { nodes: &self.nodes, own: &self.own });
        self.nodes.clear();
        self.own.clear();
        result
    }
}
