//! Equal strings, found beside a graph: the same rows as those of heap-strings, in less memory. Strings in parts are left out.
//!
//! Memory: that of [`NodeTexts`](heap_ops::place::NodeTexts); nothing for a text that occurs once.

use heap_base::{Map, Plus, Result, sort_by, sort_by_key};
use heap_record::StringId;

use super::StringTable;
use crate::strings::DuplicateString;
use crate::strings::arrays::OwnArrays;
use crate::strings::equal::{Alike, Equal, Equals};
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, id_of};

/// Texts that are there more than once: the `most` that waste most, and what the others waste. `equal` is that of
/// [`Strings::equal`](heap_ops::stream::Strings::equal). The edges may be elsewhere: `arrays` says all that they do.
pub(super) fn table(
    loaded: &NamedGraph,
    clues: &Clues,
    equal: &Map<StringId, StringId>,
    arrays: &OwnArrays,
    most: usize,
) -> Result<StringTable> {
    let (heap, texts) = (&loaded.heap, &clues.texts);
    let text = |node| texts.text(heap, node).map(|id| equal.get(&id).copied().unwrap_or(id));
    let size = |node| heap.sizes.get(node);
    let alike = |node, id| Alike::of(node, id, heap, clues);
    let bytes = |node| size(node).plus(arrays.bytes(node));
    let equals = Equals::new(heap, text, alike, bytes);
    let wasted = |group: &Equal| group.size.saturating_sub(bytes(group.first));
    let mut groups = equals.list;
    sort_by_key(&mut groups, |group| (std::cmp::Reverse(wasted(group)), group.first));
    let rest = groups.split_off(most.min(groups.len()));
    let row = |group: Equal| -> Result<DuplicateString> {
        Ok(DuplicateString::new(
            group.count,
            (group.size, bytes(group.first)),
            group.alike.length(),
            clues.string_limit,
            loaded.id(group.first),
            loaded.number(group.first),
            loaded.context.strings.text_or_number(id_of(group.code))?,
        ))
    };
    let mut rows = groups.into_iter().map(row).collect::<Result<Vec<_>>>()?;
    sort_by(&mut rows, |a, b| b.wasted.cmp(&a.wasted).then_with(|| a.text.cmp(&b.text)));
    let others_wasted = rest.iter().map(wasted).fold(0, u64::plus);
    Ok(StringTable { rows, others: rest.len() as u64, others_wasted })
}
