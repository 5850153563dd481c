//! The scan of the file: where its sections are, in any order and among anything else, and what the strings mean.

pub(crate) mod count;
pub(crate) mod strings;

use heap_base::error::Kind;
use heap_base::{Blob, Error, Place, Result, Window};

use crate::layout::header::{self, Header};
use crate::lex::Section;
pub(crate) use strings::Strings;

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

/// Where everything is. The scan stops where the edges begin, so that they and the nodes can be gone over before the
/// strings behind them.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    blob: &'a Blob,
    win: Window<'a>,
    /// The list whose end is not known yet: name and offset of its first byte.
    open: Option<(&'static str, u64)>,
    /// The `snapshot` object.
    pub(crate) header: Option<Header>,
    /// The flat lists, and `trace_tree`.
    sections: Vec<Section>,
    /// The strings.
    pub(crate) strings: Strings,
    /// Top-level keys in file order.
    pub(crate) keys: Vec<String>,
    /// Raw values of unknown keys.
    pub(crate) extra: Vec<(String, Vec<u8>)>,
    /// Where it stops being a snapshot.
    pub(crate) damage: Option<Error>,
}

impl<'a> Scan<'a> {
    fn new(blob: &'a Blob) -> Self {
        Self {
            blob,
            win: Window::new(blob, 0),
            open: None,
            header: None,
            sections: Vec::new(),
            strings: Strings::default(),
            keys: Vec::new(),
            extra: Vec::new(),
            damage: None,
        }
    }

    /// Scans as far as the edges, if header and nodes stand before them as V8 writes them; else the whole file.
    pub(crate) fn to_edges(blob: &'a Blob) -> Result<Self> {
        let mut this = Self::new(blob);
        let outcome = this.begin().and_then(|more| this.walk(more, Self::at_edges));
        this.keep(outcome)?;
        Ok(this)
    }

    /// Scans for the `snapshot` object only.
    pub(crate) fn to_header(blob: &'a Blob) -> Result<Self> {
        let mut this = Self::new(blob);
        let outcome = this.begin().and_then(|more| this.walk(more, |this| this.header.is_some()));
        this.keep(outcome)?;
        Ok(this)
    }

    /// Scans on to the end of the file. `edges_end` is the offset of the bracket that closes the edges, if it is known.
    pub(crate) fn finish(&mut self, edges_end: Option<u64>) -> Result {
        if self.damage.is_some() || self.open.is_none() {
            return Ok(());
        }
        let outcome = self.close(edges_end).and_then(|()| {
            let more = self.comma()?;
            self.walk(more, |_| false)
        });
        self.keep(outcome)
    }

    /// The header, without which nothing can be read.
    pub(crate) fn take_header(&mut self) -> Result<Header> {
        let missing = || Error::input("snapshot: the section is missing");
        self.header.take().ok_or_else(|| self.damage.take().unwrap_or_else(missing))
    }

    /// The list of this name; empty if the file has none.
    pub(crate) fn section(&self, name: &'static str) -> Section {
        match self.open {
            Some((open, start)) if open == name => {
                Section { name, start, end: self.blob.len(), closed: false }
            }
            _ => self.find(name).unwrap_or(Section::missing(name)),
        }
    }

    /// The list of this name, if the file has it.
    pub(crate) fn find(&self, name: &str) -> Option<Section> {
        self.sections.iter().find(|s| s.name == name).copied()
    }

    fn at_edges(&self) -> bool {
        let nodes = self.sections.iter().any(|s| s.name == "nodes" && s.closed);
        nodes && self.header.is_some() && self.open.is_some_and(|(name, _)| name == "edges")
    }

    /// Keeps damage for later; other errors end the scan.
    fn keep(&mut self, outcome: Result) -> Result {
        match outcome {
            Err(e) if matches!(e.kind(), Kind::Input { .. }) => {
                self.damage = Some(e);
                Ok(())
            }
            other => other,
        }
    }

    /// The beginning of the object. False if it is empty.
    fn begin(&mut self) -> Result<bool> {
        let win = &mut self.win;
        if win.bytes()?.starts_with(b"\xEF\xBB\xBF") {
            win.advance(3);
        }
        match win.blanks()? {
            Some(b'{') => win.advance(1),
            Some(_) => return Err(Error::at_byte(win.at(), "expected a JSON object")),
            None => return Err(Error::at_byte(win.at(), "the file is empty")),
        }
        if win.blanks()? == Some(b'}') {
            win.advance(1);
            return Ok(false);
        }
        Ok(true)
    }

    /// One member of the object after another, until that is `enough`. `more` says whether there is one.
    fn walk(&mut self, mut more: bool, enough: impl Fn(&Self) -> bool) -> Result {
        while more {
            let next = self.win.blanks()?;
            if next != Some(b'"') {
                return Err(expected(&self.win, next, "a key"));
            }
            let key = self.key()?;
            match self.win.blanks()? {
                Some(b':') => self.win.advance(1),
                other => return Err(expected(&self.win, other, "a colon")),
            }
            self.win.blanks()?;
            self.value(key)?;
            if enough(self) {
                return Ok(());
            }
            self.close(None)?;
            more = self.comma()?;
        }
        self.end()
    }

    /// What stands between two members; false at the end of the object.
    fn comma(&mut self) -> Result<bool> {
        let next = self.win.blanks()?;
        match next {
            Some(b',' | b'}') => self.win.advance(1),
            other => return Err(expected(&self.win, other, "a comma or the end of the object")),
        }
        Ok(next == Some(b','))
    }

    /// What must be true at the end of the object.
    fn end(&mut self) -> Result {
        let win = &mut self.win;
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

    fn key(&mut self) -> Result<String> {
        let start = self.win.at();
        self.win.skip_string()?;
        let raw = raw(self.blob, start, self.win.at(), MOST_KEY, "key")?;
        let key: String = serde_json::from_slice(&raw)
            .map_err(|e| Error::at_byte(start, format!("key: {}", header::without_place(&e))))?;
        if self.keys.contains(&key) {
            return Err(Error::at_byte(start, format!("{key}: the section is there twice")));
        }
        if self.keys.len() >= 4096 {
            return Err(Error::at_byte(start, "more than 4096 keys"));
        }
        Ok(key)
    }

    fn value(&mut self, key: String) -> Result {
        let Self { blob, win, .. } = self;
        let start = win.at();
        self.keys.push(key.clone());
        let inside = |e: Error| match e.kind() {
            Kind::Input { place: Place::Byte(byte), what } if !what.starts_with(&key) => {
                Error::at_byte(*byte, format!("{key}: {what}"))
            }
            _ => e,
        };
        let begin_list = |win: &mut Window<'_>| match win.peek()? {
            Some(b'[') => {
                win.advance(1);
                Ok(win.at())
            }
            other => Err(inside(expected(win, other, "a list"))),
        };
        if key == "snapshot" {
            win.skip_value().map_err(inside)?;
            let raw = raw(blob, start, win.at(), header::MOST_BYTES, "snapshot")?;
            self.header = Some(Header::parse(raw, start)?);
        } else if key == "strings" {
            begin_list(win)?;
            let (strings, damage) = Strings::scan(win)?;
            self.strings = strings;
            damage.map_or(Ok(()), Err)?;
        } else if let Some(name) = FLAT.into_iter().find(|name| *name == key) {
            self.open = Some((name, begin_list(win)?));
        } else if key == "trace_tree" {
            begin_list(win)?;
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
            let kept: usize = self.extra.iter().map(|e| e.1.len()).sum();
            // Deeper than the JSON parser goes: let it be.
            if size + kept as u64 <= MOST_EXTRA && depth < 100 {
                let raw = raw(blob, start, win.at(), MOST_EXTRA, &key)?;
                if serde_json::from_slice::<serde_json::Value>(&raw).is_err() {
                    return Err(Error::at_byte(start, format!("{key}: expected a JSON value")));
                }
                self.extra.push((key, raw));
            }
        }
        Ok(())
    }

    /// Passes over what is left of a flat list, whose closing bracket is at `end` if that is known.
    fn close(&mut self, end: Option<u64>) -> Result {
        let Some((name, start)) = self.open.take() else { return Ok(()) };
        if let Some(end) = end {
            self.win.jump(end);
        }
        let closed = self.win.find(b']')?;
        self.sections.push(Section { name, start, end: self.win.at(), closed });
        if !closed {
            return Err(Error::at_byte(self.win.at(), format!("{name}: ends early")));
        }
        self.win.advance(1);
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
