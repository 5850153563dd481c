//! Kinds of objects and what they are in the stream.

use crate::line::{Line, Text};

/// A kind of object: a row of [`KINDS`], or behind these a kind that only this dump has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(pub(crate) u32);

impl Kind {
    pub(crate) const ROOT: Self = Self(0);
    pub(crate) const OBJECT: Self = Self(1);
    pub(crate) const CLASS: Self = Self(2);
    pub(crate) const MODULE: Self = Self(3);
    pub(crate) const ICLASS: Self = Self(4);
    pub(crate) const STRING: Self = Self(5);
    pub(crate) const ARRAY: Self = Self(6);
    pub(crate) const HASH: Self = Self(7);
    pub(crate) const STRUCT: Self = Self(8);
    pub(crate) const SYMBOL: Self = Self(9);
    pub(crate) const FLOAT: Self = Self(10);
    pub(crate) const RATIONAL: Self = Self(12);
    pub(crate) const COMPLEX: Self = Self(13);
    pub(crate) const REGEXP: Self = Self(14);
    pub(crate) const MATCH: Self = Self(15);
    pub(crate) const DATA: Self = Self(16);
    pub(crate) const NODE: Self = Self(19);
    pub(crate) const PROC: Self = Self(20);
    /// The first of the kinds of IMEMO.
    const IMEMO: u32 = 21;
    pub(crate) const ISEQ: Self = Self(21);
    pub(crate) const ENV: Self = Self(22);
    const MENT: Self = Self(23);
    const CREF: Self = Self(24);
    const CONSTCACHE: Self = Self(27);
    pub(crate) const FIELDS: Self = Self(28);
    const CALLINFO: Self = Self(34);
    const CALLCACHE: Self = Self(35);

    /// Whether it is an IMEMO of a known kind.
    pub(crate) fn is_imemo(self) -> bool {
        (Self::IMEMO..KINDS.len() as u32).contains(&self.0)
    }

    /// Whether the second word of such an IMEMO, which the dump calls its class, is a reference that the collector marks.
    pub(crate) fn has_marked_word(self) -> bool {
        (Self::IMEMO..Self::FIELDS.0).contains(&self.0)
    }

    /// Whether it is code or a part of it, such as a method: what that refers to, it names, but does not keep for itself.
    pub(crate) fn is_code(self) -> bool {
        let parts = [Self::ISEQ, Self::MENT, Self::CREF, Self::CONSTCACHE, Self::CALLINFO, Self::CALLCACHE];
        parts.contains(&self)
    }

    /// Whether what the dump calls the class of such an object is one. The collector marks it, but for numbers and symbols,
    /// whose classes always live.
    pub(crate) fn has_class(self) -> bool {
        self != Self::NODE && (!self.is_imemo() || self == Self::FIELDS)
    }

    pub(crate) const fn subtype(self) -> u32 {
        self.0 + 1
    }
}

/// What the dump says and the name of the subtype. Of IMEMO it is what `imemo_type` says.
pub(crate) const KINDS: [(&str, &str); 41] = [
    ("ROOT", "heap.root"),
    ("OBJECT", "object"),
    ("CLASS", "ruby.class"),
    ("MODULE", "ruby.module"),
    ("ICLASS", "ruby.iclass"),
    ("STRING", "string_flat"),
    ("ARRAY", "array"),
    ("HASH", "ruby.hash"),
    ("STRUCT", "ruby.struct"),
    ("SYMBOL", "ruby.symbol"),
    ("FLOAT", "heap_number"),
    ("BIGNUM", "ruby.bignum"),
    ("RATIONAL", "ruby.rational"),
    ("COMPLEX", "ruby.complex"),
    ("REGEXP", "regular_expression"),
    ("MATCH", "ruby.match"),
    ("DATA", "ruby.data"),
    ("FILE", "ruby.file"),
    ("ZOMBIE", "ruby.zombie"),
    ("NODE", "ruby.node"),
    // DATA whose struct is `proc`.
    ("", "closure"),
    // Those whose second word the collector marks come first.
    ("iseq", "ruby.iseq"),
    ("env", "ruby.env"),
    ("ment", "ruby.ment"),
    ("cref", "ruby.cref"),
    ("svar", "ruby.svar"),
    ("memo", "ruby.memo"),
    ("constcache", "ruby.constcache"),
    ("fields", "ruby.fields"),
    ("throw_data", "ruby.throw_data"),
    ("ifunc", "ruby.ifunc"),
    ("tmpbuf", "ruby.tmpbuf"),
    ("ast", "ruby.ast"),
    ("parser_strterm", "ruby.parser_strterm"),
    ("callinfo", "ruby.callinfo"),
    ("callcache", "ruby.callcache"),
    ("alloc", "ruby.alloc"),
    ("subclasses", "ruby.subclasses"),
    ("cvar_entry", "ruby.cvar_entry"),
    ("unknown", "ruby.imemo"),
    ("none", "ruby.imemo_none"),
];

/// Most kinds besides the known ones; damage could make up any number.
const MOST_OTHERS: usize = 1000;

/// The kinds of one dump.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    /// Names in the stream of the kinds behind the known ones.
    pub(crate) others: Vec<String>,
}

impl Kinds {
    /// The kind of an object. One that is not known is added.
    pub(crate) fn of(&mut self, line: &Line<'_>) -> Result<Kind, &'static str> {
        if let Some(kind) = Self::known(line) {
            return Ok(kind);
        }
        let name = match (line.kind, line.imemo) {
            (b"IMEMO", Some(text)) => text.decode().into_owned(),
            (kind, _) => String::from_utf8_lossy(kind).to_ascii_lowercase(),
        };
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        if name.is_empty() || name.len() > 40 || !name.bytes().all(word) {
            return Err("expected a type");
        }
        let name = format!("ruby.{name}");
        let at = self.others.iter().position(|other| *other == name);
        let at = match at {
            Some(at) => at,
            None if self.others.len() < MOST_OTHERS && !KINDS.iter().any(|(_, known)| *known == name) => {
                self.others.push(name);
                self.others.len() - 1
            }
            None => return Err("too many types"),
        };
        Ok(Kind((KINDS.len() + at) as u32))
    }

    fn known(line: &Line<'_>) -> Option<Kind> {
        let number = |range: std::ops::Range<usize>, name: &[u8]| {
            let at = KINDS[range.clone()].iter().position(|(known, _)| known.as_bytes() == name);
            at.map(|at| Kind((range.start + at) as u32))
        };
        match line.kind {
            b"STRING" => Some(Kind::STRING),
            b"DATA" if line.structure.is_some_and(|s| s.bytes == b"proc") => Some(Kind::PROC),
            b"IMEMO" => {
                let imemo = line.imemo.unwrap_or(Text::from("unknown"));
                number(Kind::IMEMO as usize..KINDS.len(), imemo.bytes)
            }
            kind => number(1..Kind::PROC.0 as usize, kind),
        }
    }
}
