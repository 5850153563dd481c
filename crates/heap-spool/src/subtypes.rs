//! What a writer remembers of each subtype.

use heap_record::{Declaration, Declared};

/// Subtypes below this are kept; no source has as many.
const FEW: usize = 1 << 12;

/// What a writer makes of each subtype of nodes or of edges, found out once.
///
/// Memory: that of 4096 of them, at most.
#[derive(Clone, Debug)]
pub struct BySubtype<K>(Vec<Option<K>>);

impl<K> Default for BySubtype<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Copy> BySubtype<K> {
    /// What is known of a subtype.
    #[inline]
    pub fn get(&self, subtype: u32) -> Option<K> {
        self.0.get(subtype as usize).copied().flatten()
    }

    /// Remembers `what` of a subtype, and returns it.
    #[cold]
    pub fn keep(&mut self, subtype: u32, what: K) -> K {
        let at = subtype as usize;
        if at < FEW {
            self.0.resize(self.0.len().max(at + 1), None);
            self.0[at] = Some(what);
        }
        what
    }

    /// Forgets a subtype of nodes that is declared anew.
    pub fn declare_node(&mut self, record: &Declaration<'_>) {
        if let Declared::Node { id, .. } = record.what
            && let Some(known) = self.0.get_mut(id as usize)
        {
            *known = None;
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
