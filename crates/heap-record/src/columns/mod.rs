//! Members of a record and the columns that hold them, one to one: what the forms with tables share.
//!
//! A part of a record (the members that a subtype gives a node, its namespaces, …) fits its columns if these
//! give back the same bytes: every member declared, in the order of the declaration, of the declared kind, in
//! canonical form. [`Part::fit`] is the exact inverse of [`Part::render`]; what does not fit is kept as text.

mod rest;
mod rows;

use std::borrow::Cow;

use heap_base::json::{Json, each, inside, push_float, push_int, push_text, push_uint, scalar};
use heap_base::{Error, Result};

use crate::model::FieldKind;
pub use rest::{Rest, keep_big, keep_line, kept, object};
pub use rows::SnapshotRows;

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// None.
    Null,
    /// A whole number, or 0 and 1 for false and true; an address has its bits.
    Int(i64),
    /// A number with a fraction.
    Real(f64),
    /// Text.
    Text(Cow<'a, str>),
}

/// Which table holds a field of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldTable {
    /// That of the records.
    Main,
    /// That of the subtype.
    Sub,
}

/// A declared field that has a column.
#[derive(Clone, Debug)]
pub struct Slot {
    /// 0: not in a namespace; else index + 1 of the namespace.
    space: u16,
    /// `"key":` as the canonical writer writes it.
    key: Vec<u8>,
    /// What it holds.
    kind: FieldKind,
    /// Which table has its column.
    pub table: FieldTable,
    /// Index of the column.
    pub column: usize,
}

/// Fields of a part of a record, in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub struct Part {
    slots: Vec<Slot>,
    /// `"name":{` of each namespace.
    spaces: Vec<Vec<u8>>,
}

impl Part {
    /// Adds a field. Fields of one namespace stay together, where the first of them was added. `flat`: a dot in the name is
    /// part of the key.
    pub fn add(&mut self, name: &str, kind: FieldKind, table: FieldTable, column: usize, flat: bool) {
        let quote = |text: &str, tail: &[u8]| {
            let mut out = Vec::new();
            push_text(&mut out, text);
            out.extend_from_slice(tail);
            out
        };
        let (space, key) = match name.split_once('.').filter(|_| !flat) {
            Some((space, key)) => {
                let open = quote(space, b":{");
                let index = self.spaces.iter().position(|s| *s == open).unwrap_or_else(|| {
                    self.spaces.push(open);
                    self.spaces.len() - 1
                });
                (index as u16 + 1, key)
            }
            None => (0, name),
        };
        let key = quote(key, b":");
        if self.slots.iter().any(|s| s.space == space && s.key == key) {
            return;
        }
        let slot = Slot { space, key, kind, table, column };
        let at = match self.slots.iter().rposition(|s| space != 0 && s.space == space) {
            Some(last) => last + 1,
            None => self.slots.len(),
        };
        self.slots.insert(at, slot);
    }

    /// Takes members apart into columns. False if the columns do not give back the same bytes; some may be set even then,
    /// which helps queries and does no harm.
    pub fn fit(&self, members: &[u8], mut set: impl FnMut(&Slot, Cell<'_>)) -> bool {
        if members.is_empty() {
            return true;
        }
        if self.slots.is_empty() {
            return false;
        }
        if self.fit_in_order(members, &mut set).is_some() {
            return true;
        }
        for (key, raw) in each(members) {
            match inside(raw) {
                None => self.fill("", key, raw, &mut set),
                Some(inner) => each(inner).for_each(|(inner, raw)| self.fill(key, inner, raw, &mut set)),
            }
        }
        false
    }

    /// Sets the column of one member, in any order.
    fn fill(&self, space: &str, key: &str, raw: &[u8], set: &mut impl FnMut(&Slot, Cell<'_>)) {
        let is = |quoted: &[u8], text: &str, tail: usize| {
            quoted.get(1..quoted.len() - tail).is_some_and(|q| q == text.as_bytes())
        };
        let slot = self.slots.iter().find(|s| {
            let same_space = match s.space {
                0 => space.is_empty(),
                n => self.spaces.get(usize::from(n) - 1).is_some_and(|q| is(q, space, 3)),
            };
            same_space && is(&s.key, key, 2)
        });
        if let Some(slot) = slot
            && let Some(cell) = decode(slot.kind, raw)
        {
            set(slot, cell);
        }
    }

    fn fit_in_order(&self, members: &[u8], set: &mut impl FnMut(&Slot, Cell<'_>)) -> Option<()> {
        let mut rest = members;
        let mut next = 0;
        let mut open = 0;
        loop {
            // At a key: of the open namespace, or at the top.
            let slot = if open == 0 {
                let found = self.slots.get(next..)?.iter().position(|s| match s.space {
                    0 => rest.starts_with(&s.key),
                    n => self.spaces.get(usize::from(n) - 1).is_some_and(|q| rest.starts_with(q)),
                })?;
                next += found;
                open = self.slots.get(next)?.space;
                if open != 0 {
                    rest = rest.get(self.spaces.get(usize::from(open) - 1)?.len()..)?;
                    continue;
                }
                self.slots.get(next)?
            } else {
                let mut left = self.slots.get(next..)?.iter();
                let found = left.position(|s| s.space != open || rest.starts_with(&s.key))?;
                next += found;
                self.slots.get(next).filter(|s| s.space == open)?
            };
            next += 1;
            rest = rest.get(slot.key.len()..)?;
            let end = value_end(rest)?;
            set(slot, decode(slot.kind, &rest[..end])?);
            rest = &rest[end..];
            if open != 0 && rest.first() == Some(&b'}') {
                rest = &rest[1..];
                open = 0;
                // What is left of a namespace that was closed cannot come any more.
                while self.slots.get(next).is_some_and(|s| s.space == slot.space) {
                    next += 1;
                }
            }
            match rest.first() {
                None => return (open == 0).then_some(()),
                Some(b',') => rest = &rest[1..],
                Some(_) => return None,
            }
        }
    }

    /// Appends the members that the columns hold.
    pub fn render<'c>(
        &self,
        buf: &mut Vec<u8>,
        mut get: impl FnMut(&Slot) -> Result<Cell<'c>>,
        wrong: impl Fn(&Slot, &str) -> Error,
    ) -> Result {
        let start = buf.len();
        let mut open = 0;
        for slot in &self.slots {
            let cell = get(slot)?;
            if cell == Cell::Null {
                continue;
            }
            if open != slot.space && open != 0 {
                buf.push(b'}');
            }
            if buf.len() > start {
                buf.push(b',');
            }
            if open != slot.space {
                open = slot.space;
                if let Some(space) = self.spaces.get(usize::from(open).wrapping_sub(1)) {
                    buf.extend_from_slice(space);
                }
            }
            buf.extend_from_slice(&slot.key);
            if !encode(buf, slot.kind, &cell) {
                return Err(wrong(slot, expected(slot.kind)));
            }
        }
        if open != 0 {
            buf.push(b'}');
        }
        Ok(())
    }
}

/// End of the scalar at the start of `bytes`; `None` for anything nested.
fn value_end(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'{' | b'[' => None,
        b'"' => {
            let mut at = 1;
            loop {
                at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
                if bytes.get(at) == Some(&b'"') {
                    return Some(at + 1);
                }
                at += 2;
            }
        }
        _ => Some(bytes.iter().position(|b| matches!(b, b',' | b'}')).unwrap_or(bytes.len())),
    }
}

/// The column's value for a member, if [`encode`] gives back the same bytes.
fn decode(kind: FieldKind, raw: &[u8]) -> Option<Cell<'_>> {
    if !matches!(kind, FieldKind::Text | FieldKind::Float | FieldKind::Boolean)
        && let Some(n) = short_int(raw)
    {
        return Some(Cell::Int(n));
    }
    let cell = match (kind, scalar(raw)?) {
        (FieldKind::Text, Json::Text(text)) => Cell::Text(text),
        (FieldKind::Boolean, Json::Bool(b)) => Cell::Int(b.into()),
        (FieldKind::Text | FieldKind::Boolean, _) => return None,
        // SQLite has no NaN, and a real column forgets the sign of zero.
        (FieldKind::Float, json) => {
            Cell::Real(json.as_float().filter(|x| !x.is_nan() && (*x != 0.0 || x.is_sign_positive()))?)
        }
        (_, json) => Cell::Int(json.as_int()?),
    };
    let mut again = Vec::with_capacity(raw.len());
    (encode(&mut again, kind, &cell) && again == raw).then_some(cell)
}

/// A plain decimal of up to 15 digits, the usual case.
fn short_int(raw: &[u8]) -> Option<i64> {
    if raw.is_empty() || raw.len() > 15 || raw.len() > 1 && raw[0] == b'0' {
        return None;
    }
    let mut n = 0;
    for &b in raw {
        if !b.is_ascii_digit() {
            return None;
        }
        n = n * 10 + i64::from(b - b'0');
    }
    Some(n)
}

/// Appends a column's value as the canonical writer writes it; false if it is of the wrong type.
fn encode(buf: &mut Vec<u8>, kind: FieldKind, cell: &Cell<'_>) -> bool {
    match (kind, cell) {
        (FieldKind::Text, Cell::Text(text)) => push_text(buf, text),
        (FieldKind::Boolean, Cell::Int(n @ (0 | 1))) => {
            buf.extend_from_slice(if *n == 1 { b"true" } else { b"false" });
        }
        (FieldKind::Float, Cell::Real(x)) => push_float(buf, *x),
        (FieldKind::Address, Cell::Int(n)) => push_uint(buf, *n as u64),
        (FieldKind::Text | FieldKind::Boolean, _) => return false,
        (_, Cell::Int(n)) => push_int(buf, *n),
        _ => return false,
    }
    true
}

fn expected(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Text => "expected text",
        FieldKind::Boolean => "expected 0 or 1",
        FieldKind::Float => "expected a number",
        _ => "expected a whole number",
    }
}

/// Where the members of a node of one subtype go.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The subtype's own fields.
    pub own: Part,
    /// Further ones in `heap`, beside the model's.
    pub heap: Part,
    /// The namespaces behind it.
    pub rest: Part,
    /// The table of the subtype.
    pub sub: Option<usize>,
}

impl Layout {
    /// Adds a declared field that has a column.
    pub fn add(&mut self, name: &str, kind: FieldKind, table: FieldTable, column: usize) {
        match name.split_once('.') {
            None => self.own.add(name, kind, table, column, true),
            Some(("heap", key)) => self.heap.add(key, kind, table, column, true),
            Some(_) => self.rest.add(name, kind, table, column, false),
        }
    }
}
