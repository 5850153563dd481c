//! The dictionaries of a trace in the making: ids for frames, types and strings.

use std::rc::Rc;

use heap_base::Map;

/// An id in a trace: v1 allows any text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Id {
    Number(u64),
    Text(Rc<str>),
}

/// What an id stands for: a name, and of a frame its caller and category.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    pub(super) name: Option<Rc<str>>,
    pub(super) parent: Option<Id>,
    pub(super) category: Option<Rc<str>>,
}

/// Ids of one kind. What the source calls a thing it keeps, as long as no other thing has that name.
#[derive(Debug, Default)]
pub(super) struct Dict {
    ids: Map<Id, usize>,
    things: Map<Entry, Id>,
    pub(super) list: Vec<(Id, Entry)>,
    fresh: u64,
}

impl Dict {
    /// New ids will be larger than this one, unless it is very large itself.
    pub(super) fn reserve(&mut self, largest: u64) {
        if largest < 1 << 52 {
            self.fresh = self.fresh.max(largest);
        }
    }

    /// The id of an entry, if possible the one it is called by in the source.
    pub(super) fn id(&mut self, wanted: Option<Id>, entry: Entry) -> Id {
        if let Some(wanted) = wanted {
            match self.ids.get(&wanted) {
                None => return self.insert(wanted, entry),
                Some(&at) if self.list[at].1 == entry => return wanted,
                Some(_) => {}
            }
        }
        if let Some(id) = self.things.get(&entry) {
            return id.clone();
        }
        loop {
            // 0 stands for the root with some readers.
            self.fresh += 1;
            let id = Id::Number(self.fresh);
            if !self.ids.contains_key(&id) {
                return self.insert(id, entry);
            }
        }
    }

    fn insert(&mut self, id: Id, entry: Entry) -> Id {
        self.ids.insert(id.clone(), self.list.len());
        self.things.entry(entry.clone()).or_insert_with(|| id.clone());
        self.list.push((id.clone(), entry));
        id
    }
}
