//! Strings that are there more than once: heap-strings.

pub(crate) mod arrays;
pub(crate) mod equal;
mod options;
mod owners;
pub mod rows;
#[cfg(test)]
mod tests;

use std::hash::BuildHasher as _;

use heap_base::Plus;
use heap_base::json::{escape, member};
use heap_base::{Map, Result};
use heap_record::wants::{Nodes, has_numbers_alone};
use heap_record::{Declaration, Declared, Metadata, Node, StringId, Value, Wants};

use heap_ops::report::{OnePass, Report};
use heap_ops::select::field::{int_field, small_field, source_number, source_of_part};
use heap_ops::select::{Selection, Selector};
use heap_ops::stream::ropes::Extent;
use heap_ops::stream::{Begins, Context, Ropes, Strings, may_be_cut, units};

use arrays::OwnArrays;
use equal::Alike;

pub use arrays::WholeStrings;
pub use options::TOOL;
pub use owners::{HeldStrings, Owner};

/// A text and the nodes that hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateString {
    /// The input, where there are several.
    pub file: Option<String>,
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// Nodes with this text.
    pub count: u64,
    /// Their bytes, with those of the arrays of their texts that each of them alone refers to.
    pub size: u64,
    /// The same of all but the first of them.
    pub wasted: u64,
    /// Length in UTF-16 units: the real one where the source has it, else that of the visible text.
    pub length: u64,
    /// True if the source has cut the text, so that equal beginnings are all that is known; `None` if it is as
    /// long as the source's limit and may have been cut.
    pub cut: Option<bool>,
    /// Identifier of the first of them.
    pub first: Value,
    /// Its source's number, as in `@N`.
    pub number: i64,
    /// The visible text.
    pub text: String,
    /// The nodes by number, if they were asked for.
    nodes: Vec<u32>,
    /// What most of them hang on, if that was asked for and is known.
    pub owner: Option<Owner>,
}

impl DuplicateString {
    /// A row without snapshot. `sizes` are bytes of all its nodes and of the first; `length` is in UTF-16 units,
    /// where the source has it; `limit` is where the source cuts, where it says so.
    pub(crate) fn new(
        count: u64,
        sizes: (u64, u64),
        length: Option<u64>,
        limit: Option<u64>,
        first: Value,
        number: i64,
        text: String,
    ) -> Self {
        let visible = units(&text);
        let cut = match length {
            Some(length) => Some(length > visible),
            None if limit.is_some_and(|limit| visible >= limit) => None,
            None => Some(false),
        };
        let (size, of_first) = sizes;
        let (wasted, length) = (size.saturating_sub(of_first), length.unwrap_or(visible));
        let (nodes, owner) = (Vec::new(), None);
        Self {
            file: None,
            snapshot: None,
            count,
            size,
            wasted,
            length,
            cut,
            first,
            number,
            text,
            nodes,
            owner,
        }
    }
}

/// Groups string nodes by their visible text: the string that a node's own field `data` refers to, and its
/// `length` where the source has it. Texts that may be cut and have no length are equal if their bytes are, see `equal`.
///
/// A text that is kept in parts is joined, see [`Ropes`].
///
/// Memory: the stream's strings, 40 bytes for each string node, and some 60 bytes for each string that is referred to.
#[derive(Debug, Default)]
pub struct DuplicateStrings {
    /// By string record, and in what nodes are alike if its text is cut.
    groups: Map<(StringId, Alike), Group>,
    rows: Vec<DuplicateString>,
    snapshots: bool,
    /// UTF-16 units after which the source cuts strings: metadata `heap.string_limit`.
    limit: Option<u64>,
    at_least: u64,
    texts: bool,
    ropes: Ropes,
    /// Selected nodes whose text is in parts, with their length, by identifier.
    in_parts: Map<Value, (Option<u64>, Group)>,
    /// How many of those have a text that is not known as a whole.
    unknown: u64,
    /// What keeps the numbers of nodes.
    keep: KeepNodes,
    /// Arrays of the snapshot, where that has such.
    arrays: OwnArrays,
}

/// What keeps the numbers of its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum KeepNodes {
    /// Nothing.
    #[default]
    Nothing,
    /// Groups, whose arrays are to be known.
    Groups,
    /// Rows, too.
    Rows,
}

/// Where a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// In a string record.
    Record(StringId),
    /// In the parts of a node by index.
    Parts(usize),
}

#[derive(Clone, Debug)]
struct Group {
    count: u64,
    size: u64,
    /// Size, identifier and number of the node with the lowest identifier.
    first: (u64, Value, u32),
    /// The source's number of that, where it is not made into the identifier.
    number: Option<i64>,
    nodes: Vec<u32>,
}

impl DuplicateStrings {
    /// Groups the selected string nodes, and makes rows of the groups with `at_least` nodes.
    pub fn new(selection: Selection, at_least: u64) -> OnePass<Self> {
        OnePass::new(Self { at_least, ..Self::default() }, selection)
    }

    /// The rows that have come since the last call are of this input.
    pub fn of_file(&mut self, file: &str) {
        let unnamed = self.rows.iter_mut().rev().take_while(|row| row.file.is_none());
        unnamed.for_each(|row| row.file = Some(file.to_owned()));
    }

    /// The groups, in no order.
    pub fn rows(&self) -> &[DuplicateString] {
        &self.rows
    }

    /// The groups, in no order.
    pub fn into_rows(self) -> Vec<DuplicateString> {
        self.rows
    }

    /// True if any node, selected or not, had text.
    pub fn has_text(&self) -> bool {
        self.texts
    }

    /// How many strings are kept in parts and left out: too long to be joined, or with parts that the source leaves out.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// Takes the arrays of the snapshot that ends next.
    pub(crate) fn set_arrays(&mut self, arrays: OwnArrays) {
        self.arrays = arrays;
    }

    /// Bytes of all nodes of a group and of the first, with their arrays.
    fn sizes(&self, group: &Group) -> (u64, u64) {
        let arrays = group.nodes.iter().fold(0, |sum: u64, &node| sum.plus(self.arrays.bytes(node)));
        (group.size.plus(arrays), group.first.0.plus(self.arrays.bytes(group.first.2)))
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

    fn begin_stream(&mut self) {
        (self.limit, self.ropes, self.arrays) = (None, Ropes::default(), OwnArrays::default());
        if self.keep == KeepNodes::Groups {
            self.keep = KeepNodes::Nothing;
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.snapshots |= Context::begins(record) == Some(Begins::Snapshot);
        if record.key == "heap.string_limit" {
            self.limit = record.value.parse().ok();
            self.ropes.set_limit(self.limit);
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) {
        if matches!(record.what, Declared::Node { name, .. } if has_numbers_alone(name)) {
            self.keep = self.keep.max(KeepNodes::Groups);
        }
    }

    fn fold(&mut self, node: &Node<'_>, at: u32, selector: &mut Selector) -> Result {
        let data = member(node.own, "data").and_then(int_field);
        self.texts |= data.is_some();
        let selected = !node.own.is_empty() && selector.selects(node)?;
        self.ropes.insert(node, &selector.context.types, selected);
        if !selected {
            return Ok(());
        }
        let length = small_field(node, "length", &selector.context.types);
        let length = length.and_then(|length| u64::try_from(length).ok());
        let size = node.heap.size.unwrap_or(0);
        let new = || {
            let number = source_number(node);
            Group { count: 0, size: 0, first: (size, node.id, at), number, nodes: Vec::new() }
        };
        let group = match data {
            Some(data) => self.groups.entry((data, Alike::new(length, || true, size))).or_insert_with(new),
            None if member(node.own, "s1").is_some()
                || source_of_part(node, &selector.context.types).is_some() =>
            {
                &mut self.in_parts.entry(node.id).or_insert_with(|| (length, new())).1
            }
            None => return Ok(()),
        };
        if node.id < group.first.1 {
            (group.first, group.number) = ((size, node.id, at), source_number(node));
        }
        group.count = group.count.plus(node.heap.count.unwrap_or(1));
        group.size = group.size.plus(size);
        if self.keep > KeepNodes::Nothing {
            group.nodes.push(at);
        }
        Ok(())
    }

    /// Joins groups of equal text, which may have several string records.
    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        let strings = &selector.context.strings;
        let mut texts = Texts::default();
        let mut ropes = std::mem::take(&mut self.ropes);
        let mut groups: Vec<_> = self.groups.drain().collect();
        groups.sort_unstable_by_key(|(key, group)| (group.first.1, *key));
        let limit = self.limit;
        for ((id, alike), group) in groups {
            let text = exact(strings, id)?;
            // Escapes make a text longer, never shorter.
            let cut =
                || text.as_ref().is_some_and(|(text, _)| text.len() as u64 >= limit.unwrap_or(u64::MAX));
            let cut = cut() && may_be_cut(&strings.text_or_number(id)?, limit);
            let alike = if cut { alike } else { Alike::new(alike.length(), || false, 0) };
            texts.add(Source::Record(id), &text, alike, group, &ropes, strings)?;
        }
        let mut known = 0;
        ropes.each(strings, |ropes, index, text, extent| {
            let Some((length, group)) = self.in_parts.get(&ropes.id(index)).cloned() else { return Ok(()) };
            if extent != Extent::Whole {
                return Ok(());
            }
            known += 1;
            let mut escaped = Vec::new();
            escape(&mut escaped, text);
            let alike = Alike::new(length, || false, 0);
            texts.add(Source::Parts(index), &Some((escaped, Vec::new())), alike, group, ropes, strings)
        })?;
        self.unknown += self.in_parts.len() as u64 - known;
        self.in_parts.clear();
        for (source, alike, group) in texts.list.into_iter().filter(|(.., g)| g.count >= self.at_least) {
            // What was joined is all there, however long it is.
            let (text, limit) = match source {
                Source::Record(id) => (strings.text_or_number(id)?, self.limit),
                Source::Parts(index) => (ropes.joined(index, strings)?, None),
            };
            let number = group.number.unwrap_or_else(|| selector.context.rule.number(group.first.1));
            let row = DuplicateString::new(
                group.count,
                self.sizes(&group),
                alike.length(),
                limit,
                group.first.1,
                number,
                text,
            );
            let snapshot = selector.context.snapshot.clone().filter(|_| self.snapshots);
            let nodes = if self.keep == KeepNodes::Rows { group.nodes } else { Vec::new() };
            self.rows.push(DuplicateString { snapshot, nodes, ..row });
        }
        ropes.clear();
        self.ropes = ropes;
        self.arrays = OwnArrays::default();
        Ok(())
    }
}

/// A text as it is compared: escaped, with the members of its record that say what it was where it is not Unicode.
pub(crate) type Exact = Option<(Vec<u8>, Vec<u8>)>;

/// The text of a string record, as it is compared.
pub(crate) fn exact(strings: &Strings, id: StringId) -> Result<Exact> {
    let entry = strings.get(id)?;
    Ok(entry.map(|entry| (entry.escaped().as_bytes().to_vec(), entry.rest().to_vec())))
}

/// Groups joined by text: several records, or parts of several nodes, may have the same.
#[derive(Default)]
struct Texts {
    by_hash: Map<u64, Vec<usize>>,
    list: Vec<(Source, Alike, Group)>,
}

impl Texts {
    fn add(
        &mut self,
        source: Source,
        text: &Exact,
        alike: Alike,
        group: Group,
        ropes: &Ropes,
        strings: &Strings,
    ) -> Result {
        if text.is_none() {
            // Texts whose records are missing are not known to be equal.
            self.list.push((source, alike, group));
            return Ok(());
        }
        let hash = self.by_hash.hasher().hash_one((text, alike));
        let places = self.by_hash.entry(hash).or_default();
        for &place in places.iter() {
            let (other, other_alike, into) = &mut self.list[place];
            let other = match *other {
                Source::Record(id) => exact(strings, id)?,
                Source::Parts(index) => {
                    let mut escaped = Vec::new();
                    escape(&mut escaped, &ropes.joined(index, strings)?);
                    Some((escaped, Vec::new()))
                }
            };
            if *other_alike == alike && other == *text {
                into.count = into.count.plus(group.count);
                into.size = into.size.plus(group.size);
                into.nodes.extend(group.nodes);
                if group.first.1 < into.first.1 {
                    (into.first, into.number) = (group.first, group.number);
                }
                return Ok(());
            }
        }
        places.push(self.list.len());
        self.list.push((source, alike, group));
        Ok(())
    }
}
