//! String ids of names that occur again and again.

use std::collections::HashMap;
use std::sync::Arc;

use heap_record::StringId;

/// Texts and their ids, counted from 0 in order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    ids: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
    /// How many texts came before names of anything but classes.
    classes: usize,
}

impl Strings {
    /// The id of a text.
    pub(crate) fn intern(&mut self, text: &str) -> StringId {
        if let Some(&id) = self.ids.get(text) {
            return id.into();
        }
        let id = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.ids.insert(text, id);
        id.into()
    }

    /// From now on come texts that are no classes of nodes.
    pub(crate) fn end_classes(&mut self) {
        self.classes = self.texts.len();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// All texts, or only those that are classes of nodes, by id.
    pub(crate) fn all(&self, only_classes: bool) -> &[Arc<str>] {
        if only_classes { &self.texts[..self.classes] } else { &self.texts }
    }
}
