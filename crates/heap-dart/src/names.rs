//! String ids: each text of the class table has one of its own, texts of objects are numbered as they come.

use std::rc::Rc;

use heap_base::Map;

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
