//! The optional lists: locations, allocation traces, samples and scopes, as extension records.

use std::borrow::Cow;

use heap_base::error::Kind;
use heap_base::json::{push_int, push_text, push_uint};
use heap_base::{Blob, Error, Result, Window};
use heap_record::{Declared, Extension, FieldKind, Sink};

use super::Snapshot;
use crate::layout::Header;
use crate::layout::header::list_names;
use crate::lex::{Batch, Divide, Lexer, Section};
use crate::nodes::Nodes;
use crate::scan::{Scan, Strings};

/// What an integer of a list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Just that.
    Integer,
    /// Index of a string.
    String,
    /// Index into `nodes`.
    Node,
}

/// A member of an extension record.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its name in the record.
    pub(crate) name: String,
    /// What it is.
    pub(crate) meaning: Meaning,
    key: Key,
}

/// `"name":`, with a comma before all but the first.
#[derive(Clone, Debug)]
struct Key {
    text: Vec<u8>,
    /// The beginning of it, all of it mostly: written as it is, whatever its length.
    start: [u8; 32],
}

impl Key {
    fn new(name: &str, first: bool) -> Self {
        let mut text = if first { Vec::new() } else { b",".to_vec() };
        push_text(&mut text, name);
        text.push(b':');
        let mut start = [b' '; 32];
        for (to, &byte) in start.iter_mut().zip(&text) {
            *to = byte;
        }
        Self { text, start }
    }

    #[inline]
    fn push(&self, body: &mut Vec<u8>) {
        let end = body.len() + self.text.len();
        body.extend_from_slice(&self.start);
        match self.text.get(self.start.len()..) {
            None => body.truncate(end),
            Some(rest) => body.extend_from_slice(rest),
        }
    }
}

/// The lists that say where objects were allocated.
const STACKS: [&str; 2] = ["trace_function_infos", "trace_tree"];

/// Whether the snapshot has stacks of allocations: most have an empty tree of them.
pub(crate) fn is_traced(blob: &Blob, scan: &Scan<'_>, header: &Header) -> Result<bool> {
    let Some(section) = scan.find("trace_tree").filter(|_| header.node.trace.is_some()) else {
        return Ok(false);
    };
    let mut beginning = [0; 64];
    let n = blob.read_at(&mut beginning, section.start)?;
    let behind = beginning[..n].strip_prefix(b"[").unwrap_or_default();
    Ok(behind.trim_ascii_start().first().is_some_and(u8::is_ascii_digit))
}

/// The record type that a list goes over as.
pub(crate) fn kind(section: &str) -> &'static str {
    match section {
        "trace_function_infos" => "v8.trace_function",
        "trace_tree" => "v8.trace_node",
        "samples" => "v8.sample",
        "locations" => "v8.location",
        "scopes" => "v8.scope",
        "scope_context_vars" => "v8.scope_var",
        _ => "v8.scope_use",
    }
}

/// The members of a list's records, in the order of the list's fields.
pub(crate) fn fields(header: &Header, section: &str) -> Vec<Field> {
    let mut fields: Vec<(String, Meaning)> = Vec::new();
    for field in header.list_fields(section) {
        let (name, meaning) = match (section, field.as_str()) {
            ("locations", "object_index") => ("object", Meaning::Node),
            ("locations", "script_object_index") => ("script_object", Meaning::Node),
            ("scopes", "script_node_index") => ("script", Meaning::Node),
            ("trace_function_infos", "name" | "script_name") | ("scope_context_vars", "name") => {
                (field.as_str(), Meaning::String)
            }
            ("trace_tree", "children") => continue,
            ("trace_tree", "function_info_index") => ("function", Meaning::Integer),
            _ => (field.as_str(), Meaning::Integer),
        };
        fields.push((name.to_owned(), meaning));
        if section == "trace_tree" && name == "id" {
            fields.push(("parent".to_owned(), Meaning::Integer));
        }
    }
    let field = |(i, (name, meaning)): (usize, (String, Meaning))| {
        let key = Key::new(&name, i == 0);
        Field { name, meaning, key }
    };
    fields.into_iter().enumerate().map(field).collect()
}

/// Declares the records of the lists that the file has.
pub(crate) fn declare(scan: &Scan<'_>, header: &Header, sink: &mut dyn Sink) -> Result {
    for name in list_names().filter(|name| scan.find(name).is_some()) {
        let fields = fields(header, name);
        let kinds = fields.iter().map(|f| {
            let kind = match f.meaning {
                Meaning::Integer => FieldKind::Integer,
                Meaning::String => FieldKind::String,
                Meaning::Node => FieldKind::Value,
            };
            (Cow::Borrowed(f.name.as_str()), kind)
        });
        let kinds: Vec<_> = kinds.collect();
        sink.declare(&Declared::Record { name: kind(name), fields: &kinds }.into())?;
    }
    Ok(())
}

impl Snapshot<'_> {
    /// Emits the records of stacks, of which nodes have the numbers; without a sink, only checks them. Returns where they stop
    /// being intact.
    pub(crate) fn stacks(&self, sink: Option<&mut dyn Sink>) -> Result<Option<Error>> {
        self.some_lists(list_names().filter(|name| self.traced && STACKS.contains(name)), sink)
    }

    /// The same of all other lists.
    pub(crate) fn lists(&self, sink: Option<&mut dyn Sink>) -> Result<Option<Error>> {
        self.some_lists(list_names().filter(|name| !(self.traced && STACKS.contains(name))), sink)
    }

    fn some_lists(
        &self,
        names: impl Iterator<Item = &'static str>,
        sink: Option<&mut dyn Sink>,
    ) -> Result<Option<Error>> {
        let Self { blob, scan, header, nodes, .. } = *self;
        let mut lists = Lists { header, nodes, strings: &scan.strings, sink, body: Vec::new() };
        for name in names {
            let Some(section) = scan.find(name) else { continue };
            let outcome =
                if name == "trace_tree" { lists.tree(blob, &section) } else { lists.flat(blob, &section) };
            match outcome {
                Ok(()) => {}
                Err(e) if matches!(e.kind(), Kind::Input { .. }) => return Ok(Some(e)),
                Err(e) => return Err(e),
            }
        }
        Ok(None)
    }
}

struct Lists<'a, 's> {
    header: &'a Header,
    nodes: &'a Nodes,
    strings: &'a Strings,
    sink: Option<&'s mut dyn Sink>,
    body: Vec<u8>,
}

impl Lists<'_, '_> {
    fn flat(&mut self, blob: &Blob, section: &Section) -> Result {
        let fields = fields(self.header, section.name);
        let divide = Divide::by(self.header.node.width);
        let (kind, mut damage) = (kind(section.name), None);
        Lexer::new(blob, section, fields.len()).batches(true, |batch| {
            for (record, ints) in batch.records().enumerate() {
                self.body.clear();
                for (at, (field, &int)) in fields.iter().zip(ints).enumerate() {
                    match self.member(batch, field, record, at, int, divide) {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        Err(what) => {
                            damage = Some(batch.damage(blob, section, record, at, what));
                            return Ok(false);
                        }
                    }
                }
                if let Some(sink) = &mut self.sink {
                    sink.extension(&Extension { kind, body: trimmed(&self.body), ..Extension::default() })?;
                }
            }
            damage = batch.stopped(section);
            Ok(damage.is_none())
        })?;
        damage.map_or(Ok(()), Err)
    }

    /// Appends a member to the body; false if it refers to a node that damage has taken.
    #[inline]
    fn member(
        &mut self,
        batch: &Batch,
        field: &Field,
        record: usize,
        at: usize,
        int: u64,
        divide: Divide,
    ) -> Result<bool, String> {
        let shown = || format!("{} {}", field.name, batch.shown(record, at));
        match field.meaning {
            // Any integer is sound.
            Meaning::Integer if self.sink.is_none() => {}
            Meaning::Integer => {
                field.key.push(&mut self.body);
                if int > i64::MAX as u64 && !batch.negative(record, at) {
                    push_uint(&mut self.body, int);
                } else {
                    push_int(&mut self.body, int as i64);
                }
            }
            Meaning::String => match self.strings.id(int) {
                Some(id) => self.push(field, id),
                None if self.strings.intact => {
                    return Err(format!(
                        "{} is not below {}, the number of strings",
                        shown(),
                        self.strings.count
                    ));
                }
                None => {}
            },
            Meaning::Node => {
                let width = self.header.node.width;
                let ordinal =
                    divide.exact(int).ok_or_else(|| format!("{} is not a multiple of {width}", shown()))?;
                if ordinal >= u64::from(self.nodes.count) {
                    if self.nodes.damage.is_some() {
                        return Ok(false);
                    }
                    return Err(format!("{} is beyond the {} nodes", shown(), self.nodes.count));
                }
                self.push(field, self.nodes.identifier(ordinal as usize));
            }
        }
        Ok(true)
    }

    /// Appends a member to the body, if there is a sink.
    #[inline]
    fn push(&mut self, field: &Field, value: i64) {
        if self.sink.is_some() {
            field.key.push(&mut self.body);
            push_int(&mut self.body, value);
        }
    }

    /// The nested list `trace_tree`, without recursion: each record's last field is the list of its children.
    fn tree(&mut self, blob: &Blob, section: &Section) -> Result {
        let names = self.header.list_fields(section.name);
        let (Some(id_at), Some("children")) =
            (names.iter().position(|n| n == "id"), names.last().map(String::as_str))
        else {
            return Err(section.damage(section.start, "the fields are not an id, others, and children last"));
        };
        let fields = fields(self.header, section.name);
        // `parent` comes behind `id`.
        let parent_at = id_at + 1;
        let mut win = Window::new(blob, section.start);
        let mut parents: Vec<i128> = Vec::new();
        let mut ints: Vec<i128> = Vec::new();
        let mut record = 0u64;
        let mut fresh = true;
        let mut comma = false;
        win.advance_in(1)?;
        loop {
            let next = win.blanks()?;
            let damage = |at: u64, what: &str| section.damage(at, format_args!("record {record}: {what}"));
            let Some(byte) = next.filter(|_| win.at() < section.end) else {
                return Err(damage(win.at(), "ends early"));
            };
            if byte == b']' && ints.is_empty() && (fresh || comma) {
                win.advance(1);
                if parents.pop().is_none() {
                    return Ok(());
                }
                (fresh, comma) = (false, true);
            } else if comma {
                if byte != b',' {
                    return Err(damage(win.at(), "expected a comma"));
                }
                win.advance(1);
                (fresh, comma) = (false, false);
            } else if ints.len() + 1 == names.len() {
                if byte != b'[' {
                    return Err(damage(win.at(), "expected the list of children"));
                }
                win.advance(1);
                self.body.clear();
                let mut others = ints.iter();
                for (at, field) in fields.iter().enumerate() {
                    let int = if at == parent_at { parents.last() } else { others.next() };
                    let Some(&int) = int else { continue };
                    field.key.push(&mut self.body);
                    push_wide(&mut self.body, int);
                }
                if let Some(sink) = &mut self.sink {
                    let body = trimmed(&self.body);
                    sink.extension(&Extension { kind: kind(section.name), body, ..Extension::default() })?;
                }
                parents.push(ints.get(id_at).copied().unwrap_or(0));
                ints.clear();
                record += 1;
                (fresh, comma) = (true, false);
            } else {
                let at = win.at();
                let int = integer(&mut win)?.ok_or_else(|| damage(at, "expected an integer"))?;
                ints.push(int);
                (fresh, comma) = (false, true);
            }
        }
    }
}

/// The body without the comma that its first field leaves when fields before it are missing.
fn trimmed(body: &[u8]) -> &[u8] {
    body.strip_prefix(b",").unwrap_or(body)
}

fn push_wide(out: &mut Vec<u8>, n: i128) {
    match (i64::try_from(n), u64::try_from(n)) {
        (Ok(n), _) => push_int(out, n),
        (_, Ok(n)) => push_uint(out, n),
        _ => push_int(out, i64::MIN),
    }
}

/// The integer that comes next, if it is one of 64 bits.
fn integer(win: &mut Window<'_>) -> Result<Option<i128>, Error> {
    let negative = win.peek()? == Some(b'-');
    win.advance(usize::from(negative));
    let mut n: Option<i128> = None;
    while let Some(b @ b'0'..=b'9') = win.peek()? {
        let next = n.unwrap_or(0) * 10 + i128::from(b - b'0');
        if next > i128::from(u64::MAX) {
            return Ok(None);
        }
        n = Some(next);
        win.advance(1);
    }
    if matches!(win.peek()?, Some(b'.' | b'e' | b'E')) {
        return Ok(None);
    }
    let n = n.map(|n| if negative { -n } else { n });
    Ok(n.filter(|&n| n >= i64::MIN.into()))
}
