//! Strings that are there more than once: heap-strings.

use std::hash::{Hash, Hasher};

use heap_base::Result;
use heap_base::json::member;
use heap_record::wants::Nodes;
use heap_record::{Metadata, Node, StringId, Value, Wants};
use rustc_hash::{FxHashMap, FxHasher};

use crate::report::{OnePass, Report};
use crate::select::field::{int_field, source_number};
use crate::select::{Selection, Selector};
use crate::stream::strings::Entry;
use crate::stream::{Begins, Context};

/// A text and the nodes that hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateString {
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// Nodes with this text.
    pub count: u64,
    /// Their shallow bytes.
    pub size: u64,
    /// Shallow bytes of all but the first of them.
    pub wasted: u64,
    /// Length in UTF-16 units: the real one where the source has it, else that of the visible text.
    pub length: u64,
    /// True if the source has cut the text, so that equal beginnings are all that is known; `None` if it is as
    /// long as the source's limit and may have been cut.
    pub cut: Option<bool>,
    /// Identifier of the first of them.
    pub first: Value,
    /// Its source's number, as in `@N`.
    pub number: u64,
    /// The visible text.
    pub text: String,
}

impl DuplicateString {
    /// A row without snapshot. `sizes` are shallow bytes of all its nodes and of the first; `length` is a value of the
    /// record stream, where the source has it; `limit` is where the source cuts, where it says so.
    pub(crate) fn new(
        count: u64,
        sizes: (u64, u64),
        length: Option<i64>,
        limit: Option<u64>,
        first: Value,
        number: u64,
        text: String,
    ) -> Self {
        let visible = text.chars().map(|c| c.len_utf16() as u64).sum();
        // A length is a value of the draft: a small integer, tagged.
        let length = length.filter(|l| l & 1 == 0).and_then(|l| u64::try_from(l >> 1).ok());
        let cut = match length {
            Some(length) => Some(length > visible),
            None if limit.is_some_and(|limit| visible >= limit) => None,
            None => Some(false),
        };
        let (size, of_first) = sizes;
        let (wasted, length) = (size - of_first, length.unwrap_or(visible));
        Self { snapshot: None, count, size, wasted, length, cut, first, number, text }
    }
}

/// Groups string nodes by their visible text: the string that a node's own field `data` refers to, and its
/// `length` where the source has it.
///
/// Memory: the stream's strings and some 60 bytes for each string that is referred to.
#[derive(Debug, Default)]
pub struct DuplicateStrings {
    groups: FxHashMap<(StringId, Option<i64>), Group>,
    rows: Vec<DuplicateString>,
    snapshots: bool,
    /// UTF-16 units after which the source cuts strings: metadata `heap.string_limit`.
    limit: Option<u64>,
    at_least: u64,
    texts: bool,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    count: u64,
    size: u64,
    /// Size and identifier of the node met first.
    first: (u64, Value),
    /// The source's number of that.
    number: u64,
}

impl DuplicateStrings {
    /// Groups the selected string nodes, and makes rows of the groups with `at_least` nodes.
    pub fn new(selection: Selection, at_least: u64) -> OnePass<Self> {
        OnePass::new(Self { at_least, ..Self::default() }, selection)
    }

    /// The groups, in no order.
    pub fn rows(&self) -> &[DuplicateString] {
        &self.rows
    }

    /// True if any node, selected or not, had text.
    pub fn has_text(&self) -> bool {
        self.texts
    }

    /// UTF-16 units after which the source cuts strings, where it says so.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }
}

impl Report for DuplicateStrings {
    fn wants(&self, _: &Selection) -> Wants {
        Wants { nodes: Nodes::Full, ..Wants::NODES }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.snapshots |= Context::begins(record) == Some(Begins::Snapshot);
        if record.key == "heap.string_limit" {
            self.limit = record.value.parse().ok();
        }
        Ok(())
    }

    fn fold(&mut self, node: &Node<'_>, _number: u32, selector: &mut Selector) -> Result {
        let Some(data) = member(node.own, "data").and_then(int_field) else { return Ok(()) };
        self.texts = true;
        if !selector.selects(node)? {
            return Ok(());
        }
        let length = member(node.own, "length").and_then(int_field);
        let size = node.heap.size.unwrap_or(0);
        let group = self.groups.entry((data, length)).or_insert_with(|| {
            let number = source_number(node).unwrap_or_else(|| selector.context.rule.number(node.id));
            Group { count: 0, size: 0, first: (size, node.id), number }
        });
        group.count += node.heap.count.unwrap_or(1);
        group.size = group.size.saturating_add(size);
        Ok(())
    }

    /// Joins groups of equal text, which may have several string records.
    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        let mut by_hash: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        let mut joined: Vec<((StringId, Option<i64>), Group)> = Vec::new();
        let mut groups: Vec<_> = self.groups.drain().collect();
        groups.sort_unstable_by_key(|(key, group)| (group.first.1, *key));
        for (key, group) in groups {
            let entry = selector.context.strings.get(key.0)?;
            let text = entry.as_ref().map(Entry::escaped);
            let mut hasher = FxHasher::default();
            (text, key.1).hash(&mut hasher);
            let places = by_hash.entry(hasher.finish()).or_default();
            let mut same = None;
            for &place in places.iter() {
                let ((id, length), _) = joined[place];
                let other = selector.context.strings.get(id)?;
                if length == key.1 && other.as_ref().map(Entry::escaped) == text {
                    same = Some(place);
                    break;
                }
            }
            if let Some(place) = same {
                let into = &mut joined[place].1;
                into.count = into.count.saturating_add(group.count);
                into.size = into.size.saturating_add(group.size);
            } else {
                places.push(joined.len());
                joined.push((key, group));
            }
        }
        for ((id, length), group) in joined.into_iter().filter(|(_, g)| g.count >= self.at_least) {
            let text = selector.context.strings.text_or_number(id)?;
            let sizes = (group.size, group.first.0);
            let row = DuplicateString::new(
                group.count,
                sizes,
                length,
                self.limit,
                group.first.1,
                group.number,
                text,
            );
            let snapshot = selector.context.snapshot.clone().filter(|_| self.snapshots);
            self.rows.push(DuplicateString { snapshot, ..row });
        }
        Ok(())
    }
}
