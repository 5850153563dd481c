//! Generated records: legal ones of every shape, and numbers at the borders of what a fast path takes.

use arbitrary::{Result, Unstructured};

use super::record::{DeclarationRecord, EdgeRecord, ExtensionRecord, NodeRecord, Record, StringRecord};
use crate::batch::{PlainEdge, PlainNode};
use crate::model::{FieldKind, Heap, Retains, Role, StringId};
use heap_base::json::Members;

/// `f` of a generator, or nothing, as often.
///
/// # Errors
/// Those of `f`.
pub fn maybe<'a, T>(
    u: &mut Unstructured<'a>,
    f: impl FnOnce(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Option<T>> {
    if u.ratio(1, 2)? { f(u).map(Some) } else { Ok(None) }
}

/// A number of any length, often at the border of what JavaScript counts exactly.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn int(u: &mut Unstructured<'_>) -> Result<i64> {
    Ok(match u.int_in_range(0..=5)? {
        0 => u.arbitrary()?,
        1 => i64::from(u.arbitrary::<i8>()?),
        2 => (1 << 53) - 2 + i64::from(u.int_in_range(0..=4u8)?),
        3 => -(1 << 53) - 2 + i64::from(u.int_in_range(0..=4u8)?),
        _ => u.int_in_range(0..=99_999_999)?,
    })
}

/// A string id. They stay within ±(2^53 − 1): beyond that they cannot be distinguished from text in their place.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn string_id(u: &mut Unstructured<'_>) -> Result<StringId> {
    u.int_in_range(-(1 << 53) + 1..=(1 << 53) - 1)
}

/// A short text, with all that JSON escapes.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let n = u.int_in_range(0..=6)?;
    (0..n)
        .map(|_| {
            Ok(match u.int_in_range(0..=6)? {
                0 => *u.choose(&[
                    '"', '\\', '/', '\u{8}', '\u{c}', '\n', '\r', '\t', '\0', '\u{1f}', '\u{7f}',
                ])?,
                1 => u.arbitrary()?,
                2 => *u.choose(&['{', '}', ',', ':', '0', 'x', '\u{2028}', '\u{1f600}', '\u{fffd}'])?,
                _ => *u.choose(&['a', 'b', 'Z', ' '])?,
            })
        })
        .collect()
}

/// Members of some of these names, with values of any kind.
fn scalars(u: &mut Unstructured<'_>, members: &mut Members, names: &[&str]) -> Result<()> {
    for name in names {
        match u.int_in_range(0..=7)? {
            0 => members.int(name, int(u)?),
            1 => members.text(name, &text(u)?),
            2 => members.boolean(name, u.arbitrary()?),
            3 => members.float(name, u.arbitrary()?),
            4 => members.raw(name, b"[1,{\"a\":[]},null]"),
            5 => members.uint(name, u.arbitrary()?),
            _ => members,
        };
    }
    Ok(())
}

/// Namespaces as sources add them.
fn namespaces(u: &mut Unstructured<'_>, members: &mut Members) -> Result<()> {
    for name in ["v8", "moar"] {
        if u.ratio(1, 3)? {
            members.open(name);
            scalars(u, members, &["a", "source", "long name"])?;
            members.close();
        }
    }
    Ok(())
}

/// What `build` adds to empty members.
fn members(
    u: &mut Unstructured<'_>,
    build: impl FnOnce(&mut Unstructured<'_>, &mut Members) -> Result<()>,
) -> Result<String> {
    let mut members = Members::new();
    build(u, &mut members)?;
    Ok(String::from_utf8_lossy(members.as_bytes()).into_owned())
}

/// A declaration.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn declaration(u: &mut Unstructured<'_>) -> Result<DeclarationRecord> {
    Ok(match u.int_in_range(0..=2)? {
        0 => {
            let fields = vec![(text(u)?.into(), FieldKind::Integer), ("b".into(), FieldKind::Text)];
            DeclarationRecord::Record { name: "other.thing".into(), fields }
        }
        1 => DeclarationRecord::Node { id: u.arbitrary()?, name: text(u)?, table: None, fields: Vec::new() },
        _ => {
            let retains = *u.choose(&[Retains::Yes, Retains::No, Retains::Root, Retains::Weak])?;
            let roles = [Role::Member, Role::Element, Role::Variable, Role::Static, Role::Inner];
            let role = if u.arbitrary()? { Some(*u.choose(&roles)?) } else { None };
            DeclarationRecord::Edge { id: u.arbitrary()?, name: text(u)?, retains, role, rest: String::new() }
        }
    })
}

/// A string.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn string(u: &mut Unstructured<'_>) -> Result<StringRecord> {
    let rest = members(u, |u, members| scalars(u, members, &["x"]))?;
    Ok(StringRecord { id: string_id(u)?, data: text(u)?, rest })
}

/// A node.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn node(u: &mut Unstructured<'_>) -> Result<NodeRecord> {
    let uint = |u: &mut Unstructured<'_>| u.arbitrary::<u64>();
    Ok(NodeRecord {
        own: members(u, |u, members| scalars(u, members, &["length", "source"]))?,
        rest: members(u, namespaces)?,
        heap_rest: if u.ratio(1, 4)? {
            members(u, |u, members| scalars(u, members, &["more"]))?
        } else {
            String::new()
        },
        heap: Heap {
            size: maybe(u, |u| Ok(int(u)?.unsigned_abs()))?,
            class: maybe(u, string_id)?,
            name: maybe(u, string_id)?,
            external: maybe(u, uint)?,
            count: maybe(u, uint)?,
            retained: maybe(u, uint)?,
            retained_from: maybe(u, uint)?,
            idom: maybe(u, int)?,
            distance: maybe(u, int)?,
            reachable: maybe(u, Unstructured::arbitrary)?,
            rest: b"",
        },
        subtype: u.int_in_range(0..=20)?,
        id: int(u)?,
    })
}

/// A plain node without own members.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn plain_node(u: &mut Unstructured<'_>) -> Result<PlainNode> {
    Ok(PlainNode {
        subtype: u.int_in_range(0..=70)?,
        own: 0,
        id: int(u)?,
        size: int(u)?.unsigned_abs(),
        class: u.arbitrary()?,
        text: false,
        string: string_id(u)?,
    })
}

/// An edge between identifiers.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn edge(u: &mut Unstructured<'_>) -> Result<EdgeRecord> {
    Ok(EdgeRecord {
        rest: members(u, namespaces)?,
        subtype: u.int_in_range(0..=90)?,
        source: int(u)?,
        dest: maybe(u, int)?,
        label: maybe(u, string_id)?,
        ..EdgeRecord::default()
    })
}

/// A plain edge between identifiers.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn plain_edge(u: &mut Unstructured<'_>) -> Result<PlainEdge> {
    Ok(PlainEdge { subtype: u.int_in_range(0..=70)?, dest: int(u)?, label: string_id(u)? })
}

/// An extension record.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn extension(u: &mut Unstructured<'_>) -> Result<ExtensionRecord> {
    let body = members(u, |u, members| {
        scalars(u, members, &["a", "b"])?;
        namespaces(u, members)
    })?;
    Ok(ExtensionRecord { kind: (*u.choose(&["other.thing", "other.things", "x.y"])?).into(), body })
}

/// A record of any kind.
///
/// # Errors
/// If there is nothing left to generate from.
pub fn record(u: &mut Unstructured<'_>) -> Result<Record> {
    Ok(match u.int_in_range(0..=9)? {
        0 => Record::Metadata(text(u)?, text(u)?),
        1 => Record::Declaration(declaration(u)?),
        2 => Record::String(string(u)?),
        3 => Record::Extension(extension(u)?),
        4..=6 => Record::Node(node(u)?),
        _ => Record::Edge(edge(u)?),
    })
}
