//! Members of records, taken apart by what is declared of them and put together again.

use heap_base::json::{each, inside, push_int, push_text, scalar, unescape};
use heap_record::{FieldKind, StringId, Types};

use super::rules::{TextRole, is_foreign, is_number};

/// Whose members they are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owner<'a> {
    /// A node of this subtype.
    Node(u32),
    /// Any other record, by its type.
    Record(&'a str),
}

/// What is done with what members hold.
pub(crate) trait Visit {
    /// A string id: gives the one to be written.
    fn id(&mut self, place: TextRole, id: StringId) -> StringId;
    /// Text in place: appends what is to be written, without quotes or escapes.
    fn text(&mut self, place: TextRole, text: &str, out: &mut String);
    /// True if numbers that are data are left out.
    fn numbers(&self) -> bool;
    /// A number that may be data and stays.
    fn number(&mut self, _raw: &[u8]) {}
}

/// Writes members with other texts.
#[derive(Debug, Default)]
pub(crate) struct Rewriter {
    path: String,
    text: String,
    /// What was written last.
    pub(crate) out: Vec<u8>,
}

/// Fields that hold a number which the program computes with, where a source needs its own field for it.
const NUMBERS: [&str; 4] = ["value", "int", "bits", "number"];

impl Rewriter {
    /// Rewrites `members` into [`out`](Self::out); `prefix` is their namespace, with its dot.
    pub(crate) fn rewrite(
        &mut self,
        types: &Types,
        owner: Owner<'_>,
        prefix: &str,
        members: &[u8],
        visit: &mut impl Visit,
    ) {
        let (string, number) = match owner {
            Owner::Node(subtype) => match types.node(subtype).map_or("", |t| t.name.as_str()) {
                "heap_number" | "date" => (false, true),
                name => (name.starts_with("string"), false),
            },
            Owner::Record(_) => (false, false),
        };
        let known = Known { types, owner, string, number };
        self.out.clear();
        for (key, raw) in each(members) {
            self.path.clear();
            self.path.push_str(prefix);
            self.path.push_str(key);
            let Some(inner) = inside(raw) else {
                self.member(&known, key, raw, visit);
                continue;
            };
            let start = self.out.len();
            if matches!(owner, Owner::Record(kind) if is_foreign(kind)) && known.kind(&self.path).is_none() {
                self.redacted_key(key, visit);
            } else {
                self.key(key);
            }
            self.out.push(b'{');
            let (open, length) = (self.out.len(), self.path.len());
            for (name, raw) in each(inner) {
                self.path.truncate(length);
                self.path.push('.');
                self.path.push_str(name);
                self.member(&known, name, raw, visit);
            }
            if self.out.len() == open && !inner.is_empty() {
                self.out.truncate(start);
            } else {
                self.out.push(b'}');
            }
        }
    }

    fn key(&mut self, key: &str) {
        if !matches!(self.out.last(), None | Some(b'{')) {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// A key that nothing is known of: it is a label.
    fn redacted_key(&mut self, key: &str, visit: &mut impl Visit) {
        self.text.clear();
        let name = unescape(key);
        visit.text(TextRole::Label, &name, &mut self.text);
        if self.text == name {
            return self.key(key);
        }
        let mut quoted = Vec::new();
        push_text(&mut quoted, &self.text);
        self.key("");
        // In place of the empty one.
        self.out.truncate(self.out.len() - 3);
        self.out.extend_from_slice(&quoted);
        self.out.push(b':');
    }

    fn member(&mut self, known: &Known<'_>, key: &str, raw: &[u8], visit: &mut impl Visit) {
        let kind = known.kind(&self.path);
        let foreign = known.is_foreign(&self.path);
        let data = known.is_data(&self.path, key, kind)
            || foreign && !matches!(kind, Some(FieldKind::Value | FieldKind::String | FieldKind::Address));
        let number = matches!(raw.first(), Some(b'-' | b'0'..=b'9'));
        if visit.numbers() && data && (number || !foreign) {
            return;
        }
        if foreign && kind.is_none() {
            // Nobody has declared the name either.
            self.redacted_key(key, visit);
        } else {
            self.key(key);
        }
        if number && data {
            visit.number(raw);
        }
        let own = matches!(known.owner, Owner::Node(_)) && !self.path.contains('.');
        let place = if foreign { TextRole::Value } else { TextRole::of_field(&self.path, own, known.string) };
        match raw.first() {
            Some(b'"') => {
                // What nothing is known of counts as contents.
                let place = if kind.is_some() { place } else { TextRole::Value };
                let exact = matches!(self.path.as_str(), "heap.utf16" | "heap.bytes");
                let string = matches!(known.owner, Owner::Record("string"));
                if exact && string {
                    self.out.extend_from_slice(raw);
                } else {
                    literal(raw, kind, place, visit, &mut self.text, &mut self.out);
                }
            }
            Some(b'{' | b'[') => texts(raw, TextRole::Value, true, visit, &mut self.text, &mut self.out),
            _ => match (kind, scalar(raw).and_then(|n| n.as_int())) {
                (Some(FieldKind::String), Some(id)) => push_int(&mut self.out, visit.id(place, id)),
                _ => self.out.extend_from_slice(raw),
            },
        }
    }
}

struct Known<'a> {
    types: &'a Types,
    owner: Owner<'a>,
    /// Whether the owner is a node of strings, or of numbers.
    string: bool,
    number: bool,
}

impl Known<'_> {
    fn kind(&self, path: &str) -> Option<FieldKind> {
        match self.owner {
            Owner::Node(subtype) => self.types.node_field(subtype, path),
            Owner::Record(record) => self.types.record_field(record, path),
        }
    }

    /// True for a field that nothing is known of.
    fn is_foreign(&self, path: &str) -> bool {
        matches!(self.owner, Owner::Record(kind) if is_foreign(kind)) || is_foreign(path)
    }

    /// True for a number that is data of the program.
    fn is_data(&self, path: &str, key: &str, kind: Option<FieldKind>) -> bool {
        match self.owner {
            Owner::Node(_) => {
                let own = !path.contains('.');
                own && kind == Some(FieldKind::Float) || self.number && (own || NUMBERS.contains(&key))
            }
            Owner::Record("edge") => matches!(path, "heap.value" | "java.long"),
            Owner::Record(_) => false,
        }
    }
}

/// Appends a JSON string with its text as it is to be.
fn literal(
    raw: &[u8],
    kind: Option<FieldKind>,
    place: TextRole,
    visit: &mut impl Visit,
    scratch: &mut String,
    out: &mut Vec<u8>,
) {
    let inner = raw.get(1..raw.len().saturating_sub(1)).and_then(|t| std::str::from_utf8(t).ok());
    let text = unescape(inner.unwrap_or_default());
    if is_number(&text, kind) {
        out.extend_from_slice(raw);
        return;
    }
    scratch.clear();
    visit.text(place, &text, scratch);
    if *scratch == *text {
        out.extend_from_slice(raw);
    } else {
        push_text(out, scratch);
    }
}

/// Appends JSON of any depth with all its texts as they are to be. `open`: nothing is known of it, so its keys are labels, and
/// its numbers may be data.
pub(crate) fn texts(
    raw: &[u8],
    place: TextRole,
    open: bool,
    visit: &mut impl Visit,
    scratch: &mut String,
    out: &mut Vec<u8>,
) {
    let mut at = 0;
    while let Some(quote) = memchr::memchr(b'"', &raw[at..]) {
        between(&raw[at..at + quote], open, visit, out);
        let start = at + quote;
        let mut end = start + 1;
        while end < raw.len() && raw[end] != b'"' {
            end += if raw[end] == b'\\' { 2 } else { 1 };
        }
        end = (end + 1).min(raw.len());
        let next = raw[end..].iter().find(|b| !b.is_ascii_whitespace());
        let key = next == Some(&b':');
        if key && !open {
            out.extend_from_slice(&raw[start..end]);
        } else {
            literal(&raw[start..end], None, if key { TextRole::Label } else { place }, visit, scratch, out);
        }
        at = end;
    }
    between(&raw[at..], open, visit, out);
}

/// Appends JSON between two texts: numbers and signs.
fn between(raw: &[u8], open: bool, visit: &mut impl Visit, out: &mut Vec<u8>) {
    let in_number = |b: &u8| matches!(b, b'-' | b'+' | b'.' | b'0'..=b'9' | b'e' | b'E');
    let starts = |b: &u8| matches!(b, b'-' | b'0'..=b'9');
    let mut rest = raw;
    while let Some(at) = rest.iter().position(starts).filter(|_| open) {
        out.extend_from_slice(&rest[..at]);
        let number = &rest[at..];
        let number = &number[..number.iter().position(|b| !in_number(b)).unwrap_or(number.len())];
        if visit.numbers() {
            out.push(b'0');
        } else {
            visit.number(number);
            out.extend_from_slice(number);
        }
        rest = &rest[at + number.len()..];
    }
    out.extend_from_slice(rest);
}

/// True if there are 13 digits in a row: fewer have no check digit.
pub(crate) fn has_long_number(members: &[u8]) -> bool {
    const DIGITS: usize = 13;
    // A run of as many has one at each place that is a multiple of it.
    members.iter().skip(DIGITS - 1).step_by(DIGITS).any(u8::is_ascii_digit)
        && members.windows(DIGITS).any(|window| window.iter().all(u8::is_ascii_digit))
}
