//! String ids: each text of the class table has one of its own, texts of objects are numbered as they come.

use std::fmt::Write as _;
use std::rc::Rc;

use heap_base::{Map, Members, Result};
use heap_record::{Data, Sink, Str, StringId};

/// Texts that occur again and again and the ids they have.
#[derive(Debug, Default)]
pub(crate) struct Names {
    ids: Map<Rc<[u8]>, u32>,
    texts: Vec<Rc<[u8]>>,
}

impl Names {
    /// The number of a text, counted from 0 in order of appearance.
    pub(crate) fn intern(&mut self, text: &[u8]) -> u32 {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = self.texts.len() as u32;
        let text: Rc<[u8]> = text.into();
        self.texts.push(Rc::clone(&text));
        self.ids.insert(text, id);
        id
    }

    /// The number of a text that was met before.
    pub(crate) fn find(&self, text: &[u8]) -> Option<u32> {
        self.ids.get(text).copied()
    }

    /// The text with this number.
    pub(crate) fn text(&self, id: u32) -> &[u8] {
        self.texts.get(id as usize).map_or(&[], |t| t)
    }

    /// All texts in order of their numbers.
    pub(crate) fn all(&self) -> &[Rc<[u8]>] {
        &self.texts
    }
}

/// Turns the texts of a snapshot into string records; its buffers are used again and again.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    text: String,
    hex: String,
    rest: Members,
}

impl Texts {
    /// A text that should be UTF-8.
    pub(crate) fn utf8(&mut self, id: StringId, bytes: &[u8], sink: &mut dyn Sink) -> Result {
        if let Ok(text) = str::from_utf8(bytes) {
            return sink.string(&Str { id, data: Data::Plain(text), ..Str::default() });
        }
        self.text.clear();
        self.hex.clear();
        self.text.push_str(&String::from_utf8_lossy(bytes));
        for byte in bytes {
            let _ = write!(self.hex, "{byte:02x}");
        }
        self.inexact(id, "bytes", sink)
    }

    /// One byte a character.
    pub(crate) fn latin1(&mut self, id: StringId, bytes: &[u8], sink: &mut dyn Sink) -> Result {
        let data = match str::from_utf8(bytes) {
            Ok(text) if bytes.is_ascii() => text,
            _ => {
                self.text.clear();
                self.text.extend(bytes.iter().map(|&b| char::from(b)));
                &self.text
            }
        };
        sink.string(&Str { id, data: Data::Plain(data), ..Str::default() })
    }

    /// Two bytes a UTF-16 unit, least significant first.
    pub(crate) fn utf16(&mut self, id: StringId, bytes: &[u8], sink: &mut dyn Sink) -> Result {
        let units = || bytes.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair));
        self.text.clear();
        let mut exact = true;
        for unit in char::decode_utf16(units()) {
            exact &= unit.is_ok();
            self.text.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if exact {
            return sink.string(&Str { id, data: Data::Plain(&self.text), ..Str::default() });
        }
        self.hex.clear();
        for unit in units() {
            let _ = write!(self.hex, "{unit:04x}");
        }
        self.inexact(id, "utf16", sink)
    }

    /// What is not Unicode goes with its exact form beside it.
    fn inexact(&mut self, id: StringId, form: &str, sink: &mut dyn Sink) -> Result {
        self.rest.clear();
        self.rest.open("heap").text(form, &self.hex).close();
        sink.string(&Str { id, data: Data::Plain(&self.text), rest: self.rest.as_bytes(), ..Str::default() })
    }
}
