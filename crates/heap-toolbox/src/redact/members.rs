//! Members of records, taken apart by what is declared of them and put together again.

use heap_base::json::{each, inside, push_int, push_text, scalar, unescape};
use heap_record::{FieldKind, StringId, Types};

use super::known::{in_form, is_group, is_name, is_namespace, is_word};
use super::rules::{TextRole, is_number};

/// Whose members they are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Owner<'a> {
    /// A node of this subtype.
    Node(u32),
    /// Any other record, by its type.
    Record(&'a str),
}

impl<'a> Owner<'a> {
    fn record(self) -> &'a str {
        match self {
            Self::Node(_) => "node",
            Self::Record(kind) => kind,
        }
    }
}

/// Where a text in place stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'a> {
    pub(crate) role: TextRole,
    /// The type of the record.
    pub(crate) record: &'a str,
    /// The dotted name of the field; empty for the name of a field itself.
    pub(crate) path: &'a str,
}

/// What is done with what members hold.
pub(crate) trait Visit {
    /// A string id: gives the one to be written.
    fn id(&mut self, place: TextRole, id: StringId) -> StringId;
    /// Text in place: appends what is to be written, without quotes or escapes.
    fn text(&mut self, spot: Spot<'_>, text: &str, out: &mut String);
    /// True if numbers that are data are left out.
    fn numbers(&self) -> bool;
    /// A number that may be data and stays.
    fn number(&mut self, _raw: &[u8]) {}
}

/// Appends a dotted name as it is to be. A namespace of a format stays in front of what nothing is known of.
pub(crate) fn name(spot: Spot<'_>, name: &str, visit: &mut impl Visit, out: &mut String) {
    if is_name(name) {
        return out.push_str(name);
    }
    for (i, part) in name.split('.').enumerate() {
        if i > 0 {
            out.push('.');
        }
        // Metadata `v8.extra.NAME` and the like: only the last part is somebody's.
        let part_of_format = if i == 0 { is_namespace(part) } else { i == 1 && is_group(part) };
        if part_of_format && name.matches('.').count() > i {
            out.push_str(part);
        } else {
            visit.text(spot, part, out);
        }
    }
}

/// True if `members` have a name that no format defines; `prefix` is their namespace, with its dot.
pub(crate) fn has_unknown(prefix: &str, members: &[u8], path: &mut String) -> bool {
    path.clear();
    path.push_str(prefix);
    each(members).any(|(key, raw)| {
        path.truncate(prefix.len());
        path.push_str(key);
        let length = path.len();
        match inside(raw) {
            Some(inner) if prefix.is_empty() => {
                !is_namespace(key)
                    || each(inner).any(|(name, _)| {
                        path.truncate(length);
                        path.push('.');
                        path.push_str(name);
                        !is_name(path)
                    })
            }
            _ => !is_name(path),
        }
    })
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
            self.redacted_key(&known, key, visit);
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

    /// A key; what no format defines is a label.
    fn redacted_key(&mut self, known: &Known<'_>, key: &str, visit: &mut impl Visit) {
        if is_name(&self.path) || is_namespace(&self.path) {
            return self.key(key);
        }
        self.text.clear();
        let spot = Spot { role: TextRole::Label, record: known.owner.record(), path: "" };
        let plain = unescape(key);
        for (i, part) in plain.split('.').enumerate() {
            if i > 0 {
                self.text.push('.');
            }
            visit.text(spot, part, &mut self.text);
        }
        if self.text == plain {
            return self.key(key);
        }
        if !matches!(self.out.last(), None | Some(b'{')) {
            self.out.push(b',');
        }
        push_text(&mut self.out, &self.text);
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
        self.redacted_key(known, key, visit);
        if number && data {
            visit.number(raw);
        }
        let own = matches!(known.owner, Owner::Node(_)) && !self.path.contains('.');
        let role = if foreign { TextRole::Value } else { TextRole::of_field(&self.path, own, known.string) };
        let record = known.owner.record();
        match raw.first() {
            Some(b'"') => {
                // What nothing is known of counts as contents.
                let role = if kind.is_some() { role } else { TextRole::Value };
                let open = foreign && kind.is_none();
                let exact = matches!(self.path.as_str(), "heap.utf16" | "heap.bytes");
                let string = matches!(known.owner, Owner::Record("string"));
                if exact && string {
                    self.out.extend_from_slice(raw);
                } else {
                    let spot = Spot { role, record, path: &self.path };
                    literal(raw, kind, open, spot, visit, &mut self.text, &mut self.out);
                }
            }
            Some(b'{' | b'[') => {
                let spot = Spot { role: TextRole::Value, record, path: &self.path };
                texts(raw, spot, true, visit, &mut self.text, &mut self.out);
            }
            _ => match (kind, scalar(raw).and_then(|n| n.as_int())) {
                (Some(FieldKind::String), Some(id)) => push_int(&mut self.out, visit.id(role, id)),
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
        matches!(self.owner, Owner::Record(kind) if !is_record(kind)) || !is_name(path)
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

/// True for a record type that a format defines.
fn is_record(kind: &str) -> bool {
    matches!(kind, "edge" | "string" | "edge_type") || is_name(kind)
}

/// Appends a JSON string with its text as it is to be. `open`: nothing is known of it, so a number may be data.
fn literal(
    raw: &[u8],
    kind: Option<FieldKind>,
    open: bool,
    spot: Spot<'_>,
    visit: &mut impl Visit,
    scratch: &mut String,
    out: &mut Vec<u8>,
) {
    let inner = raw.get(1..raw.len().saturating_sub(1)).and_then(|t| std::str::from_utf8(t).ok());
    let text = unescape(inner.unwrap_or_default());
    if is_number(&text, kind) && !(open && visit.numbers()) {
        out.extend_from_slice(raw);
        return;
    }
    scratch.clear();
    visit.text(spot, &text, scratch);
    if *scratch == *text {
        out.extend_from_slice(raw);
    } else {
        push_text(out, scratch);
    }
}

/// Appends JSON of any depth with all its texts as they are to be. `open`: nothing is known of it, so its keys are
/// labels, its texts contents, and its numbers may be data. Otherwise this holds of members that no format defines, and
/// texts stay that consist of what formats define.
pub(crate) fn texts(
    raw: &[u8],
    spot: Spot<'_>,
    open: bool,
    visit: &mut impl Visit,
    scratch: &mut String,
    out: &mut Vec<u8>,
) {
    let mut nest = Nest { depth: 0, open: open.then_some(0) };
    let mut at = 0;
    while let Some(quote) = memchr::memchr(b'"', &raw[at..]) {
        nest.between(&raw[at..at + quote], visit, out);
        let start = at + quote;
        let mut end = start + 1;
        while end < raw.len() && raw[end] != b'"' {
            end += if raw[end] == b'\\' { 2 } else { 1 };
        }
        end = (end + 1).min(raw.len());
        let next = raw[end..].iter().find(|b| !b.is_ascii_whitespace());
        let key = next == Some(&b':');
        let word =
            raw.get(start + 1..end - 1).and_then(|word| std::str::from_utf8(word).ok()).unwrap_or_default();
        let known = nest.open.is_none() && if key { is_word(word) } else { in_form(word) };
        if known {
            out.extend_from_slice(&raw[start..end]);
        } else {
            let role = match nest.open {
                _ if key => TextRole::Label,
                Some(_) => TextRole::Value,
                None => spot.role,
            };
            let spot = if key { Spot { role, path: "", ..spot } } else { Spot { role, ..spot } };
            literal(&raw[start..end], None, nest.open.is_some(), spot, visit, scratch, out);
            if key {
                nest.open.get_or_insert(nest.depth);
            }
        }
        at = end;
    }
    nest.between(&raw[at..], visit, out);
}

/// How deep in JSON a place is, and whether in a member that no format defines.
struct Nest {
    depth: usize,
    /// Depth of that member.
    open: Option<usize>,
}

impl Nest {
    /// Appends JSON between two texts: numbers and signs.
    fn between(&mut self, raw: &[u8], visit: &mut impl Visit, out: &mut Vec<u8>) {
        let in_number = |b: &u8| matches!(b, b'-' | b'+' | b'.' | b'0'..=b'9' | b'e' | b'E');
        let mut rest = raw;
        while let Some(&b) = rest.first() {
            match b {
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.open = self.open.filter(|&at| at <= self.depth);
                }
                b',' => self.open = self.open.filter(|&at| at != self.depth),
                b'-' | b'0'..=b'9' if self.open.is_some() => {
                    let (number, behind) =
                        rest.split_at(rest.iter().position(|b| !in_number(b)).unwrap_or(rest.len()));
                    if visit.numbers() {
                        out.push(b'0');
                    } else {
                        visit.number(number);
                        out.extend_from_slice(number);
                    }
                    rest = behind;
                    continue;
                }
                _ => {}
            }
            out.push(b);
            rest = &rest[1..];
        }
    }
}

/// True if there are 13 digits in a row: fewer have no check digit.
pub(crate) fn has_long_number(members: &[u8]) -> bool {
    const DIGITS: usize = 13;
    // A run of as many has one at each place that is a multiple of it.
    members.iter().skip(DIGITS - 1).step_by(DIGITS).any(u8::is_ascii_digit)
        && members.windows(DIGITS).any(|window| window.iter().all(u8::is_ascii_digit))
}
