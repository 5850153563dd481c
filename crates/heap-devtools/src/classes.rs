//! Classes: the text of each once, and what a node's name makes of it.

use heap_base::{Map, Result};
use heap_ops::stream::Strings;
use heap_record::StringId;

/// Classes by number. Texts come from the dump, so they are hashed by the standard library's hash.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    texts: Vec<Box<str>>,
    numbers: Map<Box<str>, u32>,
    /// By the string that a node is named by, and whether it is detached.
    named: Map<(Option<StringId>, bool), u32>,
}

impl Classes {
    /// The number of a class.
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    /// The number of the class of a node with this name.
    pub(crate) fn of_name(
        &mut self,
        name: Option<StringId>,
        detached: bool,
        strings: &Strings,
    ) -> Result<u32> {
        if let Some(&number) = self.named.get(&(name, detached)) {
            return Ok(number);
        }
        let text = match name {
            Some(id) => strings.text_or_number(id)?,
            None => String::new(),
        };
        let text = if detached { format!("Detached {text}") } else { text };
        let number = match markup(&text) {
            Some(end) => self.number(&format!("{}>", &text[..end])),
            None => self.number(&text),
        };
        self.named.insert((name, detached), number);
        Ok(number)
    }

    /// The texts by number.
    pub(crate) fn into_texts(self) -> Vec<Box<str>> {
        self.texts
    }
}

/// Where the tag's name ends, if this is markup with more than that: `<div` of `<div id="a">`.
fn markup(text: &str) -> Option<usize> {
    let skip = if text.starts_with('<') {
        0
    } else if text.starts_with("Detached <") {
        "Detached <".len()
    } else {
        return None;
    };
    text[skip..].find(' ').map(|end| skip + end)
}
