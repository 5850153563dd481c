//! The file as a whole: where its sections are, in any order and among anything else.

use heap_base::error::Kind;
use std::sync::Arc;

use heap_base::{Blob, Error, Place, Result};

use crate::header::{self, Header};
use crate::ints::Section;
use crate::leap;
use crate::text::Strings;
use crate::window::Window;

/// Top-level values that this reader does not know are kept up to this size, each and together.
const MOST_EXTRA: u64 = 64 << 10;

/// A key may take this many bytes.
const MOST_KEY: u64 = 4 << 10;

/// Keys of the flat lists of integers.
const FLAT: [&str; 8] = [
    "nodes",
    "edges",
    "trace_function_infos",
    "samples",
    "locations",
    "scopes",
    "scope_context_vars",
    "scope_uses",
];

/// Is told what was found so far, the header and where the edges begin; may know where their closing bracket is.
pub(crate) type OnEdges<'a> = &'a mut dyn FnMut(&Scan, &Arc<Header>, Section) -> Result<Option<u64>>;

/// What stands where.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The `snapshot` object.
    pub(crate) header: Option<Arc<Header>>,
    /// The flat lists, and `trace_tree`.
    pub(crate) sections: Vec<Section>,
    /// The strings.
    pub(crate) strings: Strings,
    /// Top-level keys in file order.
    pub(crate) keys: Vec<String>,
    /// Raw values of unknown keys.
    pub(crate) extra: Vec<(String, Vec<u8>)>,
    /// Where it stops being a snapshot.
    pub(crate) damage: Option<Error>,
    /// Where nodes and edges end may be guessed.
    leaps: bool,
    /// Where nodes or edges end was guessed: who goes over them finds out.
    pub(crate) leapt: bool,
}

impl Scan {
    /// Looks over the file. Where the edges begin and the header is known, `edges` is asked where they end. If it
    /// `leaps`, the ends of long lists may be [guessed](leap).
    pub(crate) fn new(blob: &Blob, leaps: bool, edges: OnEdges<'_>) -> Result<Self> {
        let mut this = Self { leaps, ..Self::default() };
        let outcome = this.walk(blob, edges, |_| false);
        this = this.settle(outcome)?;
        if !(this.leapt && this.damage.is_some()) {
            return Ok(this);
        }
        this = Self::default();
        let outcome = this.walk(blob, edges, |_| false);
        this.settle(outcome)
    }

    /// Looks for the `snapshot` object only.
    pub(crate) fn head(blob: &Blob) -> Result<Self> {
        let mut this = Self::default();
        let outcome = this.walk(blob, &mut |_, _, _| Ok(None), |this| this.header.is_some());
        this.settle(outcome)
    }

    fn settle(mut self, outcome: Result) -> Result<Self> {
        match outcome {
            Ok(()) => {}
            Err(e) if matches!(e.kind(), Kind::Input { .. }) => self.damage = Some(e),
            Err(e) => return Err(e),
        }
        Ok(self)
    }

    /// The section of this name, if the file has it.
    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|s| s.name == name)
    }

    fn walk(&mut self, blob: &Blob, edges: OnEdges<'_>, enough: impl Fn(&Self) -> bool) -> Result {
        let mut win = Window::new(blob, 0);
        if win.bytes()?.starts_with(b"\xEF\xBB\xBF") {
            win.advance(3);
        }
        match win.blanks()? {
            Some(b'{') => win.advance(1),
            Some(_) => return Err(Error::at_byte(win.at(), "expected a JSON object")),
            None => return Err(Error::at_byte(win.at(), "the file is empty")),
        }
        let mut next = win.blanks()?;
        if next == Some(b'}') {
            win.advance(1);
        } else {
            loop {
                if next != Some(b'"') {
                    return Err(expected(&win, next, "a key"));
                }
                let key = self.key(blob, &mut win)?;
                match win.blanks()? {
                    Some(b':') => win.advance(1),
                    other => return Err(expected(&win, other, "a colon")),
                }
                win.blanks()?;
                self.value(blob, &mut win, key, edges)?;
                if enough(self) {
                    return Ok(());
                }
                match win.blanks()? {
                    Some(b',') => win.advance(1),
                    Some(b'}') => {
                        win.advance(1);
                        break;
                    }
                    other => return Err(expected(&win, other, "a comma or the end of the object")),
                }
                next = win.blanks()?;
            }
        }
        for name in ["snapshot", "nodes", "edges", "strings"] {
            if !self.keys.iter().any(|k| k == name) {
                return Err(Error::at_byte(win.at(), format!("{name}: the section is missing")));
            }
        }
        match win.blanks()? {
            None => Ok(()),
            Some(_) => Err(Error::at_byte(win.at(), "expected the end of the file after the snapshot")),
        }
    }

    fn key(&mut self, blob: &Blob, win: &mut Window<'_>) -> Result<String> {
        let start = win.at();
        win.skip_string()?;
        let raw = raw(blob, start, win.at(), MOST_KEY, "key")?;
        let key: String = serde_json::from_slice(&raw)
            .map_err(|e| Error::at_byte(start, format!("key: {}", header::plain(&e))))?;
        if self.keys.contains(&key) {
            return Err(Error::at_byte(start, format!("{key}: the section is there twice")));
        }
        if self.keys.len() >= 4096 {
            return Err(Error::at_byte(start, "more than 4096 keys"));
        }
        Ok(key)
    }

    /// Where the list `name` ends, if somebody knows or it can be guessed.
    fn end(
        &mut self,
        blob: &Blob,
        name: &'static str,
        start: u64,
        edges: OnEdges<'_>,
    ) -> Result<Option<u64>> {
        let Some(header) = &self.header else { return Ok(None) };
        let width = match name {
            "nodes" => header.node.width,
            "edges" => header.edge.width,
            _ => return Ok(None),
        };
        if name == "edges" {
            let end = edges(self, header, Section { name, start, end: blob.len(), closed: false })?;
            if end.is_some() {
                return Ok(end);
            }
        }
        let end = if self.leaps { leap::end(blob, start, width)? } else { None };
        self.leapt |= end.is_some();
        Ok(end)
    }

    fn value(&mut self, blob: &Blob, win: &mut Window<'_>, key: String, edges: OnEdges<'_>) -> Result {
        let start = win.at();
        self.keys.push(key.clone());
        let inside = |e: Error| match e.kind() {
            Kind::Input { place: Place::Byte(byte), what } if !what.starts_with(&key) => {
                Error::at_byte(*byte, format!("{key}: {what}"))
            }
            _ => e,
        };
        let list = |win: &mut Window<'_>| match win.peek()? {
            Some(b'[') => {
                win.advance(1);
                Ok(win.at())
            }
            other => Err(inside(expected(win, other, "a list"))),
        };
        if key == "snapshot" {
            win.skip_value().map_err(inside)?;
            let raw = raw(blob, start, win.at(), header::MOST_BYTES, "snapshot")?;
            self.header = Some(Arc::new(Header::parse(raw, start)?));
        } else if key == "strings" {
            list(win)?;
            let (strings, damage) = Strings::survey(blob, win)?;
            self.strings = strings;
            damage.map_or(Ok(()), Err)?;
        } else if let Some(name) = FLAT.into_iter().find(|name| *name == key) {
            let start = list(win)?;
            if let Some(end) = self.end(blob, name, start, edges)? {
                blob.skipped(end - win.at());
                win.jump(end);
            }
            let closed = win.find(b']')?;
            self.sections.push(Section { name, start, end: win.at(), closed });
            if !closed {
                return Err(Error::at_byte(win.at(), format!("{key}: ends early")));
            }
            win.advance(1);
        } else if key == "trace_tree" {
            list(win)?;
            let mut section = Section { name: "trace_tree", start, end: blob.len(), closed: false };
            let outcome = trace_tree(win);
            if outcome.is_ok() {
                section = Section { end: win.at(), closed: true, ..section };
            }
            self.sections.push(section);
            outcome.map_err(inside)?;
        } else {
            let depth = win.skip_value().map_err(inside)?;
            let size = win.at() - start;
            let held: usize = self.extra.iter().map(|e| e.1.len()).sum();
            // Deeper than the JSON parser goes: let it be.
            if size + held as u64 <= MOST_EXTRA && depth < 100 {
                let raw = raw(blob, start, win.at(), MOST_EXTRA, &key)?;
                if serde_json::from_slice::<serde_json::Value>(&raw).is_err() {
                    return Err(Error::at_byte(start, format!("{key}: expected a JSON value")));
                }
                self.extra.push((key, raw));
            }
        }
        Ok(())
    }
}

/// Passes over nested lists of integers, whose first bracket is behind already.
fn trace_tree(win: &mut Window<'_>) -> Result {
    let mut depth = 1u64;
    loop {
        let bytes = win.bytes()?;
        let n = bytes.len();
        if n == 0 {
            return Err(Error::at_byte(win.at(), "ends early"));
        }
        let mut end = None;
        for i in memchr::memchr2_iter(b'[', b']', bytes) {
            if bytes[i] == b'[' {
                depth += 1;
            } else {
                depth -= 1;
                if depth == 0 {
                    end = Some(i + 1);
                    break;
                }
            }
        }
        win.advance(end.unwrap_or(n));
        if end.is_some() {
            return Ok(());
        }
    }
}

/// The bytes from `start` to `end`, if they are not too many.
fn raw(blob: &Blob, start: u64, end: u64, most: u64, what: &str) -> Result<Vec<u8>> {
    let size = end - start;
    if size > most {
        return Err(Error::at_byte(start, format!("{what}: longer than {most} bytes")));
    }
    let mut raw = vec![0; size as usize];
    blob.read_exact_at(&mut raw, start, what)?;
    Ok(raw)
}

fn expected(win: &Window<'_>, found: Option<u8>, what: &str) -> Error {
    match found {
        None => Error::at_byte(win.at(), format!("ends early, expected {what}")),
        Some(_) => Error::at_byte(win.at(), format!("expected {what}")),
    }
}
