//! Equal strings, found beside a graph: the same rows as those of heap-strings, in less memory. Strings in parts are left out.
//!
//! Memory: that of [`NodeTexts`], 8 bytes a string record; nothing for a text that occurs once.

use std::hash::Hasher;

use heap_base::json::escape;
use heap_base::{BitSet, Result};
use heap_record::{Data, Str};
use rustc_hash::{FxHashSet, FxHasher};

use super::StringTable;
use crate::graph::NamedGraph;
use crate::tools::strings::{DuplicateString, exact};
use crate::tools::suspects::texts::{ByCode, Equal, Equals, NodeTexts, code, id_of};

/// A hash of each text.
#[derive(Debug, Default)]
pub(super) struct Hashes {
    hashes: ByCode,
    /// Room for a text.
    escaped: Vec<u8>,
}

/// Bits of a hash.
const BITS: u32 = 27;

impl Hashes {
    /// Notes the hash of a string, as it is with canonical escapes.
    pub(super) fn string(&mut self, record: &Str<'_>) {
        let mut hasher = FxHasher::default();
        match record.data {
            Data::Escaped(text) => hasher.write(text.as_bytes()),
            Data::Plain(text) => {
                self.escaped.clear();
                escape(&mut self.escaped, text);
                hasher.write(&self.escaped);
            }
        }
        *self.hashes.slot(code(record.id)) = (hasher.finish() as u32) >> (32 - BITS);
    }

    /// Joins equal texts that have several string records.
    fn join(&self, loaded: &NamedGraph, texts: &NodeTexts, equals: &mut Equals) -> Result {
        // As many as tell the texts apart, nearly.
        let bits = (equals.known().count().max(1).ilog2() + 6).min(BITS);
        let hash = |code: u64| Some(self.hashes.get(code) >> (BITS - bits)).filter(|&hash| hash < 1 << bits);
        let (mut met, mut again) = (BitSet::new(1 << bits), FxHashSet::default());
        for (code, _) in equals.known() {
            if let Some(hash) = hash(code).filter(|&hash| !met.insert(hash)) {
                again.insert(hash);
            }
        }
        drop(met);
        let mut doubtful = Vec::new();
        for (code, place) in
            equals.known().filter(|&(code, _)| hash(code).is_some_and(|h| again.contains(&h)))
        {
            let (first, length) = match place {
                Ok(node) => (node, texts.length(node)),
                Err(place) => (equals.list[place].first, equals.list[place].alike),
            };
            doubtful.push((
                exact(&loaded.context.strings, id_of(code))?,
                length,
                loaded.id(first),
                first,
                code,
                place,
            ));
        }
        // The node with the lowest identifier comes first of its text.
        doubtful.sort();
        for equal in doubtful.chunk_by(|a, b| (&a.0, a.1) == (&b.0, b.1)).filter(|equal| equal.len() > 1) {
            let (_, alike, _, first, code, _) = equal[0];
            let mut sum = Equal { first, last: first, code, alike, count: 0, size: 0 };
            for &(_, _, _, node, _, place) in equal {
                let (count, size) = match place {
                    Ok(_) => (1, loaded.heap.sizes.get(node)),
                    Err(place) => {
                        let group = &mut equals.list[place];
                        (std::mem::take(&mut group.count), group.size)
                    }
                };
                sum.count += count;
                sum.size = sum.size.saturating_add(size);
            }
            equals.list.push(sum);
        }
        Ok(())
    }

    /// Texts that are there more than once: the `most` that waste most, and what the others waste.
    pub(super) fn table(
        self,
        loaded: &NamedGraph,
        texts: &NodeTexts,
        limit: Option<u64>,
        most: usize,
    ) -> Result<StringTable> {
        let heap = &loaded.heap;
        let mut equals = Equals::new(
            heap,
            |node| texts.text(heap, node),
            |node| texts.length(node),
            |node| heap.sizes.get(node),
        );
        self.join(loaded, texts, &mut equals)?;
        let wasted = |group: &Equal| group.size.saturating_sub(heap.sizes.get(group.first));
        let mut groups: Vec<Equal> = equals.list.into_iter().filter(|group| group.count > 1).collect();
        groups.sort_unstable_by_key(|group| (std::cmp::Reverse(wasted(group)), group.first));
        let rest = groups.split_off(most.min(groups.len()));
        let row = |group: Equal| -> Result<DuplicateString> {
            Ok(DuplicateString::new(
                group.count,
                (group.size, heap.sizes.get(group.first)),
                group.alike.checked_sub(1).map(id_of),
                limit,
                loaded.id(group.first),
                loaded.number(group.first),
                loaded.context.strings.text_or_number(id_of(group.code))?,
            ))
        };
        let mut rows = groups.into_iter().map(row).collect::<Result<Vec<_>>>()?;
        rows.sort_by(|a, b| b.wasted.cmp(&a.wasted).then_with(|| a.text.cmp(&b.text)));
        let others_wasted = rest.iter().map(wasted).fold(0, u64::saturating_add);
        Ok(StringTable { rows, others: rest.len() as u64, others_wasted })
    }
}
