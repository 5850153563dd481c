//! A node as it is kept until everything about it is known.

use heap_base::json::{Json, scalar, uint};
use heap_base::{Reader, Result, Spool, member, push_varint, unzigzag, zigzag};
use heap_record::{Node, StringId, Value};
use heap_spool::Lost;

/// What nodes of a subtype become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Form {
    #[default]
    Instance,
    String,
    /// An array of references.
    Objects,
    Primitives,
    /// Only in streams that come from Java: a class, a frame, a kind of roots.
    Class,
    Frame,
    Root,
}

impl Form {
    const ALL: [Self; 7] =
        [Self::Instance, Self::String, Self::Objects, Self::Primitives, Self::Class, Self::Frame, Self::Root];

    /// What a subtype becomes, in a stream that comes from Java and in any other.
    pub(super) fn of(subtype: &str, java: bool) -> Self {
        match subtype {
            "java.object_array" => Self::Objects,
            "java.primitive_array" => Self::Primitives,
            "java.class" if java => Self::Class,
            "heap.frame" if java => Self::Frame,
            "heap.root" if java => Self::Root,
            _ if subtype.starts_with("string_") => Self::String,
            _ => Self::Instance,
        }
    }
}

/// What is kept of an object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DeferredNode {
    pub(super) form: Form,
    /// Number of the class that its name and subtype say.
    pub(super) class: u32,
    pub(super) size: u64,
    pub(super) length: Option<u64>,
    /// Contents of a string.
    pub(super) text: Option<StringId>,
    pub(super) name: Option<StringId>,
    pub(super) external: u64,
    /// Serial number of the trace of its allocation, 0 if there is none.
    pub(super) trace: u32,
}

impl DeferredNode {
    pub(super) fn push(&self, spool: &mut Spool) -> Result {
        let optional = [
            self.length,
            self.text.map(zigzag),
            self.name.map(zigzag),
            (self.external != 0).then_some(self.external),
            (self.trace != 0).then_some(self.trace.into()),
        ];
        spool.build(|out| {
            let mask = optional.iter().rev().fold(0, |mask, field| mask << 1 | u64::from(field.is_some()));
            push_varint(out, mask << 3 | self.form as u64);
            push_varint(out, self.class.into());
            push_varint(out, self.size);
            for field in optional.into_iter().flatten() {
                push_varint(out, field);
            }
        })
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let mask = reader.varint()?;
        let (class, size) = (reader.varint()? as u32, reader.varint()?);
        let mut field =
            |bit: u32| if mask >> (bit + 3) & 1 == 1 { reader.varint().map(Some) } else { Ok(None) };
        Ok(Self {
            form: Form::ALL.get((mask & 7) as usize).copied().unwrap_or_default(),
            class,
            size,
            length: field(0)?,
            text: field(1)?.map(unzigzag),
            name: field(2)?.map(unzigzag),
            external: field(3)?.unwrap_or(0),
            trace: field(4)?.unwrap_or(0) as u32,
        })
    }

    /// What is kept of a node of this form, class and trace, of which `field` says the last.
    pub(super) fn new(
        node: &Node<'_>,
        form: Form,
        (class, trace): (u32, u32),
        java: bool,
        field: Option<(&str, &str)>,
        lost: &mut Lost,
    ) -> Self {
        let string = form == Form::String;
        let text = if string { uint(node.own, "data").map(|id| id as StringId) } else { None };
        let kept: &[&str] = match form {
            Form::String => &["data", "length"],
            Form::Frame => &["function", "script_name", "line"],
            _ => &[],
        };
        if !node.own.is_empty() {
            lost.own(node.subtype, node.own, kept);
        }
        let mut length = None;
        if !node.rest.is_empty() {
            const KEPT: [(&str, &str); 10] = [
                ("java", "length"),
                ("java", "used"),
                ("java", "super"),
                ("java", "loader"),
                ("java", "thread_local"),
                ("java", "instance_size"),
                ("java", "hidden"),
                ("java", "signature"),
                ("java", "frame"),
                ("java", "native"),
            ];
            length = uint(node.rest, "java.length");
            let mut kept = [field.unwrap_or_default(); KEPT.len() + 1];
            kept[..KEPT.len()].copy_from_slice(&KEPT);
            lost.rest(node.rest, if java { &kept } else { &kept[KEPT.len()..] });
        }
        lost.annotations(node);
        if node.heap.count.is_some() {
            lost.add("heap", "count");
        }
        let external = node.heap.external.unwrap_or(0);
        if external != 0 && !java {
            lost.add("heap", "external");
        }
        let size = node.heap.size.unwrap_or(0);
        // A thread has its name in a field, a class in a record.
        let name = node.heap.name.filter(|_| !java);
        Self { form, class, size, length, text, name, external, trace }
    }
}

/// A member that is text.
pub(super) fn text(members: &[u8], path: &str) -> Option<String> {
    match member(members, path).and_then(scalar)? {
        Json::Text(text) => Some(text.into_owned()),
        _ => None,
    }
}

/// A member that is a whole number, of either sign.
pub(super) fn int(members: &[u8], path: &str) -> Option<i64> {
    member(members, path).and_then(scalar).and_then(|n| n.as_int())
}

/// The address that an identifier stands for; `index` says that the stream's identifiers count.
pub(super) fn address(id: Value, index: bool) -> u64 {
    if index { id as u64 >> 1 } else { id as u64 & !1 }
}
