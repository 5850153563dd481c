//! Members of records against their declarations.

use heap_base::Map;
use heap_base::json::{Json, each, inside, scalar, unescape};
use heap_record::{FieldKind, Types};

/// Whose fields they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner<'a> {
    Node(u32),
    Record(&'a str),
}

/// The value of a field, as far as the checks need it.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldValue<'a> {
    /// It is a whole number of this kind.
    Int(FieldKind, i64),
    /// It is not declared.
    Undeclared,
    /// It holds something else than this kind, as written.
    Mistyped(FieldKind, &'a [u8]),
}

/// Fields that the format itself defines.
const KNOWN: [(&str, FieldKind); 3] =
    [("heap.key", FieldKind::Value), ("heap.table", FieldKind::Value), ("heap.distance", FieldKind::Boolean)];

/// Looks members up in declarations, and remembers what it found: fields come in the same order again and again.
#[derive(Debug, Default)]
pub(super) struct Fields {
    nodes: Map<u32, Known>,
    records: Map<String, Known>,
    path: String,
}

#[derive(Debug, Default)]
struct Known {
    /// What was met, in order.
    list: Vec<(String, Option<FieldKind>)>,
    next: usize,
}

/// Field names remembered in order for an owner: the others are hashed each time.
const MOST: usize = 32;

impl Fields {
    /// Declarations have changed.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Goes over the members of a record, one namespace deep. `found` gets names as they were written. `prefix` is the
    /// namespace that the members are in, with its dot.
    pub(super) fn each(
        &mut self,
        types: &Types,
        owner: Owner<'_>,
        prefix: &str,
        members: &[u8],
        mut found: impl FnMut(&str, FieldValue<'_>),
    ) {
        if members.is_empty() {
            return;
        }
        let Self { nodes, records, path } = self;
        let known = match owner {
            Owner::Node(subtype) => nodes.entry(subtype).or_default(),
            Owner::Record(name) => {
                if !records.contains_key(name) {
                    records.insert(name.to_owned(), Known::default());
                }
                records.get_mut(name).expect("just seen or inserted")
            }
        };
        for (key, raw) in each(members) {
            match inside(raw) {
                Some(inner) => {
                    for (name, raw) in each(inner) {
                        path.clear();
                        path.push_str(key);
                        path.push('.');
                        path.push_str(name);
                        field(known, types, owner, path, raw, &mut found);
                    }
                }
                None if prefix.is_empty() => field(known, types, owner, key, raw, &mut found),
                None => {
                    path.clear();
                    path.push_str(prefix);
                    path.push_str(key);
                    field(known, types, owner, path, raw, &mut found);
                }
            }
        }
    }
}

fn field(
    known: &mut Known,
    types: &Types,
    owner: Owner<'_>,
    path: &str,
    raw: &[u8],
    found: &mut impl FnMut(&str, FieldValue<'_>),
) {
    if raw == b"null" {
        return;
    }
    match known.kind(types, owner, path) {
        None => found(path, FieldValue::Undeclared),
        Some(kind) => match kind {
            FieldKind::Value | FieldKind::String | FieldKind::Integer | FieldKind::Address => {
                match whole_number(raw) {
                    Some(n) => found(path, FieldValue::Int(kind, n)),
                    None => found(path, FieldValue::Mistyped(kind, raw)),
                }
            }
            FieldKind::Float if scalar(raw).is_some_and(|v| v.as_float().is_some()) => {}
            FieldKind::Text if raw.first() == Some(&b'"') => {}
            FieldKind::Boolean if matches!(raw, b"true" | b"false") => {}
            _ => found(path, FieldValue::Mistyped(kind, raw)),
        },
    }
}

impl Known {
    fn kind(&mut self, types: &Types, owner: Owner<'_>, path: &str) -> Option<FieldKind> {
        let n = self.list.len();
        for i in (self.next..n).chain(0..self.next.min(n)) {
            if self.list[i].0 == path {
                self.next = i + 1;
                return self.list[i].1;
            }
        }
        let plain = unescape(path);
        let kind = match owner {
            Owner::Node(subtype) => types.node_field(subtype, &plain),
            Owner::Record(name) => types.record_field(name, &plain),
        };
        let kind = kind.or_else(|| match owner {
            Owner::Record("edge") => KNOWN.iter().find(|(name, _)| *name == plain).map(|(_, kind)| *kind),
            _ => None,
        });
        if n < MOST {
            self.list.push((path.to_owned(), kind));
            self.next = n + 1;
        }
        kind
    }
}

/// A whole number as members have it.
fn whole_number(raw: &[u8]) -> Option<i64> {
    match raw {
        [b'0'..=b'9', ..] if raw.len() <= 18 && raw.iter().all(u8::is_ascii_digit) => {
            Some(raw.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0')))
        }
        _ => scalar(raw).filter(|v| !matches!(v, Json::Bool(_))).and_then(|v| v.as_int()),
    }
}
