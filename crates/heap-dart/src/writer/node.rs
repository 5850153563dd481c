//! A node as it is kept until everything about it is known.

use heap_base::json::{Json, scalar, uint};
use heap_base::{Reader, Spool, push_varint, unzigzag, zigzag};
use heap_base::{Result, member};
use heap_record::{Node, StringId};
use heap_spool::Lost;

/// What nodes of a subtype are to the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Sort {
    /// Anything.
    #[default]
    Other,
    /// A string of any build.
    String,
    /// A number.
    Number,
    /// `null`, `true`, …
    Oddball,
}

impl Sort {
    pub(super) fn of(subtype: &str) -> Self {
        match subtype {
            "heap_number" => Self::Number,
            "oddball" => Self::Oddball,
            _ if subtype.starts_with("string_") => Self::String,
            _ => Self::Other,
        }
    }

    fn from_bits(bits: u64) -> Self {
        [Self::Other, Self::String, Self::Number, Self::Oddball][(bits & 3) as usize]
    }
}

/// What is kept of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DeferredNode {
    pub(super) sort: Sort,
    /// Class id of the stream, or number of the class that was made.
    pub(super) class: u64,
    pub(super) size: u64,
    pub(super) tag: Option<u64>,
    pub(super) length: Option<u64>,
    pub(super) int: Option<i64>,
    pub(super) value: Option<u64>,
    /// Contents of a string, or the node's name.
    pub(super) text: Option<StringId>,
    /// The name of an oddball.
    pub(super) oddball: Option<StringId>,
    pub(super) hash: u64,
    pub(super) external: u64,
}

impl DeferredNode {
    pub(super) fn push(&self, spool: &mut Spool) -> Result {
        let optional = [
            self.tag,
            self.length,
            self.int.map(|n| n as u64),
            self.value,
            self.text.map(zigzag),
            self.oddball.map(zigzag),
            (self.hash != 0).then_some(self.hash),
            (self.external != 0).then_some(self.external),
        ];
        spool.build(|out| {
            let mask = optional.iter().rev().fold(0, |mask, field| mask << 1 | u64::from(field.is_some()));
            push_varint(out, mask << 2 | self.sort as u64);
            push_varint(out, self.class);
            push_varint(out, self.size);
            for field in optional.into_iter().flatten() {
                push_varint(out, field);
            }
        })
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let mask = reader.varint()?;
        let (class, size) = (reader.varint()?, reader.varint()?);
        let mut field = |bit: u32| {
            if mask >> (bit + 2) & 1 == 1 { reader.varint().map(Some) } else { Ok(None) }
        };
        Ok(Self {
            sort: Sort::from_bits(mask),
            class,
            size,
            tag: field(0)?,
            length: field(1)?,
            int: field(2)?.map(|n| n as i64),
            value: field(3)?,
            text: field(4)?.map(unzigzag),
            oddball: field(5)?.map(unzigzag),
            hash: field(6)?.unwrap_or(0),
            external: field(7)?.unwrap_or(0),
        })
    }

    /// A node of a stream that comes from Dart.
    pub(super) fn native(node: &Node<'_>, sort: Sort, lost: &mut Lost) -> Self {
        const KEPT: [(&str, &str); 7] = [
            ("dart", "class"),
            ("dart", "tag"),
            ("dart", "length"),
            ("dart", "kept"),
            ("dart", "int"),
            ("dart", "bits"),
            ("dart", "hash"),
        ];
        let mut deferred = Self::common(node, sort, lost);
        if !node.rest.is_empty() {
            let get = |path| uint(node.rest, path);
            deferred.class = get("dart.class").unwrap_or(0);
            deferred.tag = get("dart.tag");
            deferred.length = deferred.length.or_else(|| get("dart.length"));
            deferred.int = get("dart.int").map(|n| n as i64);
            deferred.value = get("dart.bits").or(deferred.value);
            deferred.hash = get("dart.hash").unwrap_or(0);
            lost.rest(node.rest, &KEPT);
        }
        deferred
    }

    /// A node of any other stream, of the class that was made for it.
    pub(super) fn foreign(node: &Node<'_>, sort: Sort, class: u64, hash: u64, lost: &mut Lost) -> Self {
        let mut deferred = Self::common(node, sort, lost);
        if deferred.text.is_none() {
            deferred.text = uint(node.own, "function").map(|id| id as StringId);
        }
        (deferred.class, deferred.hash) = (class, hash);
        lost.own(node.subtype, node.own, &["length", "data", "value", "name", "function"]);
        lost.rest(node.rest, &[]);
        deferred
    }

    fn common(node: &Node<'_>, sort: Sort, lost: &mut Lost) -> Self {
        let heap = &node.heap;
        let mut deferred = Self {
            sort,
            size: heap.size.unwrap_or(0),
            text: heap.name,
            external: heap.external.unwrap_or(0),
            ..Self::default()
        };
        if !node.own.is_empty() {
            deferred.length = uint(node.own, "length");
            match sort {
                Sort::String => {
                    deferred.text = uint(node.own, "data").map(|id| id as StringId).or(deferred.text);
                }
                Sort::Number => {
                    let value = member(node.own, "value").and_then(scalar);
                    deferred.value = value.and_then(|value| value.as_float()).map(f64::to_bits);
                }
                Sort::Oddball => deferred.oddball = uint(node.own, "name").map(|id| id as StringId),
                Sort::Other => {}
            }
        }
        if heap.count.is_some() {
            lost.add("heap", "count");
        }
        lost.annotations(node);
        deferred
    }
}

/// True or false among members.
pub(super) fn boolean(members: &[u8], path: &str) -> Option<bool> {
    match scalar(member(members, path)?)? {
        Json::Bool(b) => Some(b),
        _ => None,
    }
}
