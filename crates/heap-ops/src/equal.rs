//! Strings that are there more than once: heap-strings.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use heap_base::Result;
use heap_base::json::member;
use heap_record::{Declaration, Metadata, Node, Sink, Str, StringId, Value, Wants};
use rustc_hash::FxHashMap;

use crate::context::{Begins, Context};
use crate::field::{int_field, source_number};
use crate::held::Held;
use crate::judge::Judge;
use crate::select::Selection;

/// A text and the nodes that hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// Nodes with this text.
    pub count: u64,
    /// Their shallow bytes.
    pub size: u64,
    /// Shallow bytes of all but the first of them.
    pub wasted: u64,
    /// Length in UTF-16 units: the real one where the source tells, else that of the visible text.
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

/// Groups string nodes by their visible text: the string that a node's own field `data` refers to, and its
/// `length` where the source tells it.
///
/// Memory: the stream's strings and some 60 bytes for each string that is referred to.
#[derive(Debug, Default)]
pub struct Equal {
    judge: Judge,
    groups: FxHashMap<(StringId, Option<i64>), Group>,
    done: Vec<Row>,
    late: Held,
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

impl Equal {
    /// Groups the selected string nodes; of the groups those with `at_least` nodes are told.
    pub fn new(selection: Selection, at_least: u64) -> Self {
        Self { judge: Judge::new(selection), at_least, ..Self::default() }
    }

    /// The groups, in no order; call after [`Sink::finish`].
    pub fn rows(&self) -> &[Row] {
        &self.done
    }

    /// Warnings about fields in conditions that no node had. Call after [`Sink::finish`].
    pub fn missing(&self) -> Vec<String> {
        self.judge.missing()
    }

    /// True if any node, selected or not, had text.
    pub fn has_text(&self) -> bool {
        self.texts
    }

    /// UTF-16 units after which the source cuts strings, where it says so.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    fn take(&mut self, node: &Node<'_>) -> Result {
        let Some(data) = member(node.own, "data").and_then(int_field) else { return Ok(()) };
        self.texts = true;
        if !self.judge.selects(node)? {
            return Ok(());
        }
        let length = member(node.own, "length").and_then(int_field);
        let size = node.heap.size.unwrap_or(0);
        let group = self.groups.entry((data, length)).or_insert_with(|| {
            let number = source_number(node).unwrap_or_else(|| self.judge.context.rule.number(node.id));
            Group { count: 0, size: 0, first: (size, node.id), number }
        });
        group.count += node.heap.count.unwrap_or(1);
        group.size = group.size.saturating_add(size);
        Ok(())
    }

    /// Joins groups of equal text, which may have several string records.
    fn fold(&mut self) -> Result {
        std::mem::take(&mut self.late).nodes(|node| self.take(node))?;
        let mut by_hash: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        let mut joined: Vec<((StringId, Option<i64>), Group)> = Vec::new();
        let mut groups: Vec<_> = self.groups.drain().collect();
        groups.sort_unstable_by_key(|(key, group)| (group.first.1, *key));
        for (key, group) in groups {
            let entry = self.judge.context.strings.get(key.0)?;
            let text = entry.as_ref().map(|e| e.escaped().to_owned());
            let mut hasher = DefaultHasher::new();
            (&text, key.1).hash(&mut hasher);
            let places = by_hash.entry(hasher.finish()).or_default();
            let mut same = None;
            for &place in places.iter() {
                let ((id, length), _) = joined[place];
                let other = self.judge.context.strings.get(id)?;
                if length == key.1 && other.as_ref().map(crate::strings::Entry::escaped) == text.as_deref() {
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
            let text = self.judge.context.strings.text_or_number(id)?;
            let visible = text.chars().map(|c| c.len_utf16() as u64).sum();
            // A length is a value of the draft: a small integer, tagged.
            let told = length.filter(|l| l & 1 == 0).and_then(|l| u64::try_from(l >> 1).ok());
            let cut = match told {
                Some(length) => Some(length > visible),
                None if self.limit.is_some_and(|limit| visible >= limit) => None,
                None => Some(false),
            };
            self.done.push(Row {
                snapshot: self.judge.context.snapshot.clone().filter(|_| self.snapshots),
                count: group.count,
                size: group.size,
                wasted: group.size - group.first.0,
                length: told.unwrap_or(visible),
                cut,
                first: group.first.1,
                number: group.number,
                text,
            });
        }
        Ok(())
    }
}

impl Sink for Equal {
    fn wants(&self) -> Wants {
        Wants { details: true, ..Wants::NODES }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if let Some(begins) = Context::begins(record) {
            self.fold()?;
            self.snapshots |= begins == Begins::Snapshot;
        }
        self.judge.metadata(record);
        if record.key == "heap.string_limit" {
            self.limit = record.value.parse().ok();
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.judge.declare(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.judge.context.string(record)
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        if self.judge.ready(node) { self.take(node) } else { self.late.node(node) }
    }

    fn finish(&mut self, _whole: bool) -> Result {
        self.fold()
    }
}
