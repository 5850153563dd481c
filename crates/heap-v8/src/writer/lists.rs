//! The optional lists: extension records back to locations, traces, samples and scopes.

use heap_base::Result;
use heap_base::Spool;
use heap_base::json::{Json, each, scalar};
use heap_record::{Extension, Value};

use super::texts::Texts;
use super::wide::Wide;
use crate::emit::lists::{Field, Meaning, fields, kind};
use crate::layout::header::{Header, list_names};

/// A member that a record does not have.
const ABSENT: u8 = 0xFF;

/// One list.
#[derive(Debug)]
pub(crate) struct List {
    /// Its key in the file.
    pub(crate) section: &'static str,
    /// The record type of its records.
    kind: &'static str,
    fields: Vec<Field>,
    /// Nine bytes a member.
    spool: Spool,
    /// Records.
    pub(crate) count: u64,
}

/// All lists that a file may have.
pub(crate) fn lists(header: &Header) -> Vec<List> {
    let list = |section| List {
        section,
        kind: kind(section),
        fields: fields(header, section),
        spool: Spool::default(),
        count: 0,
    };
    list_names().map(list).collect()
}

/// Takes a record in; false if no list holds such.
pub(crate) fn take(lists: &mut [List], texts: &Texts, record: &Extension<'_>) -> Result<bool> {
    let Some(list) = lists.iter_mut().find(|l| l.kind == record.kind) else { return Ok(false) };
    let List { fields, spool, count, .. } = list;
    spool.build(|out| {
        let start = out.len();
        for _ in fields.iter() {
            Wide { tag: ABSENT, bits: 0 }.push(out);
        }
        let mut next = 0;
        for (key, raw) in each(record.body) {
            let in_order = fields.get(next).is_some_and(|f| f.name == key);
            let Some(at) = (if in_order { Some(next) } else { fields.iter().position(|f| f.name == key) })
            else {
                continue;
            };
            next = at + 1;
            let Some(n) = integer(raw) else { continue };
            let value = match fields[at].meaning {
                Meaning::Integer => Wide::of(n),
                Meaning::String => {
                    i64::try_from(n).ok().and_then(|id| texts.find(id)).and_then(|i| Wide::of(i.into()))
                }
                Meaning::Node => Some(Wide { tag: Wide::NODE, bits: n as u64 }),
            };
            if let Some(value) = value {
                let mut bytes = Vec::with_capacity(Wide::LEN);
                value.push(&mut bytes);
                let at = start + at * Wide::LEN;
                out[at..at + Wide::LEN].copy_from_slice(&bytes);
            }
        }
    })?;
    *count += 1;
    Ok(true)
}

/// A whole number, also as `"0x…"`.
fn integer(raw: &[u8]) -> Option<i128> {
    match scalar(raw)? {
        Json::Int(n) => Some(n),
        Json::Text(t) => heap_base::json::hex_text(&t),
        _ => None,
    }
}

impl List {
    /// Hands over each record.
    fn each(&self, mut record: impl FnMut(&[Wide]) -> Result) -> Result {
        let mut reader = self.spool.reader();
        let mut values = vec![Wide::default(); self.fields.len()];
        for _ in 0..self.count {
            for value in &mut values {
                *value = Wide::read(reader.bytes(Wide::LEN)?);
            }
            record(&values)?;
        }
        Ok(())
    }

    /// Position of a member.
    fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name == name)
    }

    /// The sum of a member of all records.
    pub(crate) fn sum(&self, name: &str) -> Result<u64> {
        let mut sum = 0u64;
        if let Some(at) = self.position(name) {
            self.each(|values| {
                sum = sum.saturating_add(values[at].bits);
                Ok(())
            })?;
        }
        Ok(sum)
    }

    /// Writes a flat list. Records that refer to nodes which are not there are left out; returns how many.
    pub(crate) fn flat(
        &self,
        index: &dyn Fn(Value) -> Option<u64>,
        out: &mut dyn FnMut(&[Wide]) -> Result,
    ) -> Result<u64> {
        let mut dropped = 0;
        let mut ints = Vec::new();
        self.each(|values| {
            ints.clear();
            for &value in values {
                let int = match value.tag {
                    Wide::NODE => index(value.bits as Value).map(|bits| Wide { tag: Wide::PLUS, bits }),
                    ABSENT => Some(Wide::default()),
                    _ => Some(value),
                };
                let Some(int) = int else {
                    dropped += 1;
                    return Ok(());
                };
                ints.push(int);
            }
            out(&ints)
        })?;
        Ok(dropped)
    }

    /// How many records refer to nodes which are not there.
    pub(crate) fn dangling(&self, index: &dyn Fn(Value) -> Option<u64>) -> Result<u64> {
        self.flat(index, &mut |_| Ok(()))
    }

    /// Writes the nested list: each record's text and the brackets around its children. False if the records are
    /// no tree in preorder; then what was written is of no use.
    pub(crate) fn tree(&self, separator: &[u8], out: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        let (Some(id), Some(parent)) = (self.position("id"), self.position("parent")) else {
            return Ok(self.count == 0);
        };
        let mut stack: Vec<Wide> = Vec::new();
        let mut text = Vec::new();
        let mut sound = true;
        let mut first = true;
        self.each(|values| {
            text.clear();
            let depth = match values[parent].tag {
                ABSENT => Some(0),
                _ => stack.iter().rposition(|&above| above == values[parent]).map(|at| at + 1),
            };
            let Some(depth) = depth.filter(|_| sound) else {
                sound = false;
                return Ok(());
            };
            while stack.len() > depth {
                stack.pop();
                text.push(b']');
                first = false;
            }
            for (at, &value) in values.iter().enumerate().filter(|(at, _)| *at != parent) {
                if !(first && at == 0) {
                    text.extend_from_slice(separator);
                }
                if value.tag == ABSENT { Wide::default() } else { value }.digits(&mut text);
            }
            text.extend_from_slice(separator);
            text.push(b'[');
            first = true;
            stack.push(values[id]);
            out(&text)
        })?;
        out(&vec![b']'; stack.len()])?;
        Ok(sound)
    }
}
