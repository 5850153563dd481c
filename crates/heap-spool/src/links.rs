//! Edges in stream order or by source.

use heap_base::{Reader, Result, Spool, push_varint, unzigzag, zigzag};
use heap_record::{StringId, Value};

use crate::ids::Ids;

/// Links sorted in memory at a time: 32 MiB of them.
const BUCKET: u64 = 1 << 19;
/// Most buckets; each has a file.
const MOST: u64 = 256;
/// What a bucket keeps in memory while it is filled.
const BUFFER: usize = 64 << 10;

/// An edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Subtype.
    pub subtype: u32,
    /// Identifier of the node that it starts from.
    pub source: Value,
    /// Its destination.
    pub dest: Option<Value>,
    /// String id.
    pub label: Option<StringId>,
    /// What the writer needs of the edge's namespaces.
    pub extra: Option<u64>,
}

/// Edges in a spool: 5 to 10 bytes each.
#[derive(Debug, Default)]
pub struct Links {
    spool: Spool,
    len: u64,
    source: Value,
}

impl Links {
    /// Appends an edge.
    ///
    /// # Errors
    /// The spool file cannot be written.
    #[inline]
    pub fn push(&mut self, link: &Link) -> Result {
        let step = link.source.wrapping_sub(self.source);
        self.source = link.source;
        self.len += 1;
        self.spool.build(|out| {
            let has = u64::from(link.dest.is_some())
                | u64::from(link.label.is_some()) << 1
                | u64::from(link.extra.is_some()) << 2
                | u64::from(step != 0) << 3;
            push_varint(out, u64::from(link.subtype) << 4 | has);
            if step != 0 {
                push_varint(out, zigzag(step));
            }
            if let Some(dest) = link.dest {
                push_varint(out, zigzag(dest.wrapping_sub(link.source)));
            }
            if let Some(label) = link.label {
                push_varint(out, zigzag(label));
            }
            if let Some(extra) = link.extra {
                push_varint(out, extra);
            }
        })
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All of them, in stream order.
    pub fn in_order(&self) -> InOrder<'_> {
        InOrder { reader: self.spool.reader(), left: self.len, source: 0 }
    }

    /// All of them in the order of their sources in `ids`; those of one source stay in stream order. Leaves out edges of
    /// unknown sources.
    ///
    /// Memory: none if the stream has that order; else 4 bytes a node and 16 bytes for each edge of a bucket: 2^19 edges,
    /// or a 256th of all if that is more.
    ///
    /// # Errors
    /// A spool file cannot be written or read.
    pub fn by_source(self, ids: &Ids) -> Result<Sorted> {
        let (mut last, mut sorted) = (0, true);
        let mut links = self.in_order();
        while let Some(link) = links.next()? {
            if let Some(node) = ids.find(link.source) {
                sorted &= node >= last;
                last = node;
            }
        }
        if sorted {
            return Ok(Sorted { buckets: vec![self], ..Sorted::default() });
        }
        let mut counts = vec![0u32; ids.len() as usize];
        let mut links = self.in_order();
        while let Some(link) = links.next()? {
            if let Some(node) = ids.find(link.source) {
                let count = &mut counts[node as usize];
                *count = count.saturating_add(1);
            }
        }
        // From here on `counts` holds the number of each node's bucket.
        let full = BUCKET.max(self.len / MOST);
        let (mut bucket, mut filled) = (0, 0);
        for count in &mut counts {
            filled += u64::from(*count);
            *count = bucket;
            if filled >= full {
                (bucket, filled) = (bucket + 1, 0);
            }
        }
        let new = || Self { spool: Spool::with_memory(BUFFER), ..Self::default() };
        let mut buckets: Vec<_> = (0..=bucket).map(|_| new()).collect();
        let mut links = self.in_order();
        while let Some(link) = links.next()? {
            if let Some(node) = ids.find(link.source) {
                buckets[counts[node as usize] as usize].push(&link)?;
            }
        }
        buckets.reverse();
        Ok(Sorted { buckets, shuffled: true, ..Sorted::default() })
    }
}

/// Edges in stream order.
#[derive(Debug)]
pub struct InOrder<'a> {
    reader: Reader<'a>,
    left: u64,
    source: Value,
}

impl InOrder<'_> {
    /// The next edge.
    ///
    /// # Errors
    /// The spool file cannot be read.
    #[inline]
    pub fn next(&mut self) -> Result<Option<Link>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let reader = &mut self.reader;
        let head = reader.varint()?;
        if head & 8 != 0 {
            self.source = self.source.wrapping_add(reader.signed()?);
        }
        let mut link = Link { subtype: (head >> 4) as u32, source: self.source, ..Link::default() };
        if head & 1 != 0 {
            link.dest = Some(link.source.wrapping_add(unzigzag(reader.varint()?)));
        }
        if head & 2 != 0 {
            link.label = Some(reader.signed()?);
        }
        if head & 4 != 0 {
            link.extra = Some(reader.varint()?);
        }
        Ok(Some(link))
    }
}

/// Edges by source.
#[derive(Debug, Default)]
pub struct Sorted {
    /// In reverse order.
    buckets: Vec<Links>,
    shuffled: bool,
    loaded: Vec<(u32, Link)>,
}

impl Sorted {
    /// Calls `each` with every edge and the number of its source.
    ///
    /// # Errors
    /// That of `each`, or the spool file cannot be read.
    pub fn for_each(mut self, ids: &Ids, mut each: impl FnMut(u32, Link) -> Result) -> Result {
        while let Some(bucket) = self.buckets.pop() {
            let mut links = bucket.in_order();
            if !self.shuffled {
                while let Some(link) = links.next()? {
                    if let Some(node) = ids.find(link.source) {
                        each(node, link)?;
                    }
                }
                continue;
            }
            self.loaded.clear();
            while let Some(link) = links.next()? {
                self.loaded.extend(ids.find(link.source).map(|node| (node, link)));
            }
            self.loaded.sort_by_key(|&(node, _)| node);
            for (node, link) in self.loaded.drain(..) {
                each(node, link)?;
            }
        }
        Ok(())
    }
}
