//! String ids of names that occur again and again.

use std::sync::Arc;

use heap_base::Map;
use heap_record::StringId;

/// Texts and their ids, counted in order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    ids: Map<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
    /// How many texts came before names of anything but classes.
    classes: usize,
    /// The id of the first text.
    first: StringId,
}

impl Strings {
    /// No texts; the first will have this id.
    pub(crate) fn from(first: StringId) -> Self {
        Self { first, ..Self::default() }
    }

    /// The id of the first text.
    pub(crate) fn first(&self) -> StringId {
        self.first
    }

    /// The id of the next text that is new.
    pub(crate) fn next(&self) -> StringId {
        self.first + self.texts.len() as StringId
    }

    /// The id of a text.
    pub(crate) fn intern(&mut self, text: &str) -> StringId {
        if let Some(&id) = self.ids.get(text) {
            return self.first + StringId::from(id);
        }
        let id = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.ids.insert(text, id);
        self.first + StringId::from(id)
    }

    /// The text with this id.
    pub(crate) fn text(&self, id: StringId) -> &str {
        usize::try_from(id - self.first).ok().and_then(|at| self.texts.get(at)).map_or("", |text| text)
    }

    /// From now on come texts that are no classes of nodes.
    pub(crate) fn end_classes(&mut self) {
        self.classes = self.texts.len();
    }

    /// All texts, or only those that are classes of nodes, in the order of their ids.
    pub(crate) fn all(&self, only_classes: bool) -> &[Arc<str>] {
        if only_classes { &self.texts[..self.classes] } else { &self.texts }
    }
}
