//! Nodes grouped and added up: heap-sum.

mod annotated;
mod columns;
mod retained;

use heap_base::Result;
use heap_graph::Column;
use heap_record::tag;
use heap_record::wants::{Nodes, Strings, SumBy};
use heap_record::{Declaration, Extension, Metadata, Node, PlainNode, Str, Wants};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use self::annotated::Annotated;
pub use self::columns::{SumColumns, SumValues};
pub use self::retained::RetainedSum;
use crate::report::{OnePass, Report};
use crate::select::field::bracketed;
use crate::select::{Content, Field, Selection, Selector};
use crate::stream::cells::{self, OpenCounts, RootCells, Uncounted};
use crate::stream::{Begins, Context};

/// What nodes are grouped by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The type name: class, or subtype in brackets.
    Class,
    /// The subtype.
    Subtype,
    /// The snapshot.
    Snapshot,
    /// The input: its `file`, or a tag such as `tag.pod`.
    Input(Box<str>),
    /// Any field; also `name`.
    Field(Field),
}

impl By {
    /// The grouping of this name.
    pub fn named(name: &str) -> Self {
        match name {
            "class" | "type" => Self::Class,
            "subtype" => Self::Subtype,
            "snapshot" => Self::Snapshot,
            "file" => Self::Input(name.into()),
            _ if name.strip_prefix("tag.").is_some_and(tag::is_key) => Self::Input(name.into()),
            other => Self::Field(Field::new(other)),
        }
    }

    /// Name of the column.
    pub fn name(&self) -> &str {
        match self {
            Self::Class => "class",
            Self::Subtype => "subtype",
            Self::Snapshot => "snapshot",
            Self::Input(name) => name,
            Self::Field(field) => field.name(),
        }
    }
}

/// What a group adds up to. Sums stop at 2^64 − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Objects; a node may stand for many.
    pub count: u64,
    /// True if the source does not say how many some of its nodes stand for.
    pub uncounted: bool,
    /// Shallow bytes.
    pub size: u64,
    /// Bytes outside the heap, where any node says so.
    pub external: Option<u64>,
    /// Bytes that would go with the group: the retained sizes of its nodes, those below another node of the group
    /// in the dominator tree left out. Where they are known.
    pub retained: Option<u64>,
}

impl Totals {
    /// Adds another group's totals to these.
    pub fn add(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.uncounted |= other.uncounted;
        self.size = self.size.saturating_add(other.size);
        let sum = |a: Option<u64>, b: Option<u64>| b.map_or(a, |b| Some(a.unwrap_or(0).saturating_add(b)));
        self.external = sum(self.external, other.external);
        self.retained = sum(self.retained, other.retained);
    }

    /// Takes away what a node stands for.
    fn less(&mut self, node: &Node<'_>) {
        self.count = self.count.saturating_sub(node.heap.count.unwrap_or(0));
        self.size = self.size.saturating_sub(node.heap.size.unwrap_or(0));
    }

    /// Adds an object of `size` bytes.
    #[inline]
    fn object(&mut self, size: u64) {
        self.count = self.count.saturating_add(1);
        self.size = self.size.saturating_add(size);
    }

    #[inline]
    fn node(&mut self, node: &Node<'_>) {
        self.count = self.count.saturating_add(node.heap.count.unwrap_or(1));
        self.size = self.size.saturating_add(node.heap.size.unwrap_or(0));
        if let Some(external) = node.heap.external {
            self.external = Some(self.external.unwrap_or(0).saturating_add(external));
        }
    }
}

/// What is known of retained sizes.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// A snapshot had them.
    yes: bool,
    /// A snapshot did not.
    no: bool,
    /// A snapshot had them, but not enough of them.
    lacking: bool,
}

/// One row of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct SumRow {
    /// What the group has in common, one for each column of [`Sum::columns`]; `None` where nodes lack the field.
    pub keys: Vec<Option<Content>>,
    /// Its totals.
    pub totals: Totals,
}

/// Groups nodes and adds up their counts and sizes.
///
/// Memory: the stream's strings (see [`Strings`](crate::stream::strings::Strings)) and one entry per group.
#[derive(Debug)]
pub struct Sum {
    by: Vec<By>,
    /// Groups of the current snapshot.
    groups: Groups,
    /// Contents of fields that are no string ids, by number.
    contents: Vec<Content>,
    content_ids: FxHashMap<String, u64>,
    /// What is known of the current input, by the name of the grouping.
    inputs: Vec<(Box<str>, String)>,
    /// Metadata that may be tags.
    metadata: Vec<(String, String)>,
    /// Groups of the snapshots before.
    done: FxHashMap<Vec<KeyText>, Totals>,
    /// Group of each node of the snapshot, from 1 on, or 0; if that is asked for.
    group_of: Option<Column>,
    /// What the stream itself says of dominators and retained sizes.
    annotated: Annotated,
    /// Whether snapshots so far had retained sizes, and whether any lacked them.
    retained: Known,
    /// Roots that the stream names and does not have.
    lost_roots: u64,
    /// Names of the snapshots met, in the order of the stream.
    snapshots: Vec<String>,
    cells: RootCells,
    /// Groups that cells took something from.
    lessened: FxHashSet<u32>,
    /// How many objects they left there.
    open: OpenCounts,
    /// Groups whose objects are not counted.
    uncounted: Uncounted,
    /// Whether text is not needed before the end: nothing is selected, nor grouped by a field.
    plain: bool,
    by_field: bool,
}

type Key = SmallVec<[Token; 2]>;
/// A key column of a finished group, as text that can be compared.
type KeyText = Option<(bool, String)>;

/// What a node has in a key column, before strings are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Token {
    None,
    Subtype(u32),
    Bracketed(u32),
    String(i64),
    Content(u64),
}

/// Groups by number, in the order in which they were met.
#[derive(Debug, Default)]
struct Groups {
    keys: Vec<Key>,
    totals: Vec<Totals>,
    numbers: FxHashMap<Key, u32>,
    /// Number plus one by small class id, for sums by class; 0 = none yet.
    by_class: Vec<u32>,
    /// The same by small subtype.
    by_subtype: Vec<u32>,
}

/// The warning about retained sizes in a stream that lacks roots.
pub(crate) const PART: &str =
    "the stream is a part of a heap, without its roots: retained sizes are those within the part";

/// The group of a node as a column has it: small, and zero for none.
fn entry(group: Option<u32>) -> u64 {
    group.map_or(0, |group| u64::from(group) + 1)
}

/// The group of a node in a column of them.
#[inline]
fn group_at(groups: &Column, node: u32) -> Option<u32> {
    if (node as usize) < groups.len() {
        groups.get(node).checked_sub(1).map(|group| group as u32)
    } else {
        None
    }
}

/// Class ids and subtypes below these are looked up by position.
const QUICK_CLASSES: i64 = 1 << 24;
const QUICK_SUBTYPES: u32 = 256;

impl Groups {
    fn number(&mut self, key: Key) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.keys.push(key);
            self.totals.push(Totals::default());
        }
        number
    }

    /// The number for a key of one token, found by position where that can be.
    #[inline]
    fn quick(&mut self, token: Token) -> u32 {
        let (list, place) = match token {
            Token::String(id) if (0..QUICK_CLASSES).contains(&id) => (&mut self.by_class, id as usize),
            Token::Subtype(n) | Token::Bracketed(n) if n < QUICK_SUBTYPES => {
                (&mut self.by_subtype, n as usize)
            }
            _ => return self.number(Key::from_slice(&[token])),
        };
        if place >= list.len() {
            list.resize((place + 1).next_power_of_two(), 0);
        }
        if list[place] == 0 {
            let number = self.number(Key::from_slice(&[token]));
            let list =
                if matches!(token, Token::String(_)) { &mut self.by_class } else { &mut self.by_subtype };
            list[place] = number + 1;
            return number;
        }
        list[place] - 1
    }
}

impl Sum {
    /// Adds up the selected nodes. No `by` means by class.
    pub fn new(mut by: Vec<By>, selection: Selection) -> OnePass<Self> {
        if by.is_empty() {
            by.push(By::Class);
        }
        let by_field = by.iter().any(|by| matches!(by, By::Field(_)));
        let sum = Self {
            plain: selection.is_all() && !by_field,
            by_field,
            by,
            groups: Groups::default(),
            contents: Vec::new(),
            content_ids: FxHashMap::default(),
            inputs: Vec::new(),
            metadata: Vec::new(),
            done: FxHashMap::default(),
            group_of: None,
            annotated: Annotated::default(),
            retained: Known::default(),
            lost_roots: 0,
            snapshots: Vec::new(),
            cells: RootCells::default(),
            lessened: FxHashSet::default(),
            open: OpenCounts::default(),
            uncounted: Uncounted::default(),
        };
        OnePass::new(sum, selection)
    }

    /// Names of the key columns: the groupings, preceded by `snapshot` where the input has several.
    pub fn columns(&self) -> Vec<&str> {
        let snapshot = self.adds_snapshot().then_some("snapshot");
        snapshot.into_iter().chain(self.by.iter().map(By::name)).collect()
    }

    /// What the current input is called, or has for a tag: what was said of it, else its metadata.
    fn input(&self, name: &str) -> KeyText {
        let known = self.inputs.iter().find(|(by, _)| **by == *name).map(|(_, value)| value);
        let said = || tag::find(name.strip_prefix("tag.")?, &self.metadata);
        known.map(String::as_str).or_else(said).map(|value| (false, value.to_owned()))
    }

    /// Names of the snapshots met, in the order of the stream; none if it does not name them.
    pub fn snapshots(&self) -> &[String] {
        &self.snapshots
    }

    /// What the current input is for the groupings by input, in their order.
    pub fn input_keys(&self) -> Vec<Option<String>> {
        let names = self.by.iter().filter(|by| matches!(by, By::Input(_))).map(By::name);
        names.map(|name| self.input(name).map(|(_, text)| text)).collect()
    }

    fn adds_snapshot(&self) -> bool {
        !self.snapshots.is_empty() && !self.by.contains(&By::Snapshot)
    }

    /// All groups, in no order.
    pub fn rows(&self) -> Vec<SumRow> {
        let content = |cell: &KeyText| {
            let (number, text) = cell.as_ref()?;
            let int = number.then(|| text.parse().ok()).flatten();
            Some(int.map_or_else(|| Content::Text(text.clone()), Content::Int))
        };
        let first = usize::from(!self.adds_snapshot());
        let row = |(key, totals): (&Vec<KeyText>, &Totals)| SumRow {
            keys: key[first..].iter().map(content).collect(),
            // A sum of some of its parts is none.
            totals: Totals { retained: totals.retained.filter(|_| !self.retained.no), ..*totals },
        };
        self.done.iter().map(row).collect()
    }

    fn token(&mut self, by: usize, node: &Node<'_>, context: &Context) -> Result<Token> {
        let field = match &self.by[by] {
            By::Class => return Ok(node.heap.class.map_or(Token::Bracketed(node.subtype), Token::String)),
            By::Subtype => return Ok(Token::Subtype(node.subtype)),
            By::Snapshot | By::Input(_) => return Ok(Token::None),
            By::Field(field) => field,
        };
        match field.name() {
            "name" | "heap.name" => return Ok(node.heap.name.map_or(Token::None, Token::String)),
            "heap.class" => return Ok(node.heap.class.map_or(Token::None, Token::String)),
            _ => {}
        }
        let Some(content) = field.of(node, &context.types, &context.strings)? else {
            return Ok(Token::None);
        };
        let mut text = content.text().into_owned();
        text.push(if matches!(content, Content::Text(_)) { 't' } else { 'n' });
        let next = self.contents.len() as u64;
        let id = *self.content_ids.entry(text).or_insert(next);
        if id == next {
            self.contents.push(content);
        }
        Ok(Token::Content(id))
    }

    /// The number of a node's group.
    #[inline]
    fn group(&mut self, node: &Node<'_>, context: &Context) -> Result<u32> {
        Ok(match self.by[..] {
            [By::Class] => {
                let token = node.heap.class.map_or(Token::Bracketed(node.subtype), Token::String);
                self.groups.quick(token)
            }
            [By::Subtype] => self.groups.quick(Token::Subtype(node.subtype)),
            _ => {
                let mut key = Key::new();
                for by in 0..self.by.len() {
                    key.push(self.token(by, node, context)?);
                }
                self.groups.number(key)
            }
        })
    }

    fn cell(&self, token: Token, context: &Context) -> Result<KeyText> {
        Ok(match token {
            Token::None => None,
            Token::Subtype(n) => Some((false, context.types.node_name(n).into_owned())),
            Token::Bracketed(n) => Some((false, bracketed(&context.types.node_name(n)))),
            Token::String(id) => Some((false, context.strings.text_or_number(id)?)),
            Token::Content(id) => {
                let content = &self.contents[id as usize];
                Some((matches!(content, Content::Int(_)), content.text().into_owned()))
            }
        })
    }

    /// Keeps the group of each node, for [`set_retained`](Self::set_retained).
    pub(crate) fn keep_groups(&mut self) {
        self.group_of = Some(Column::new());
    }

    /// Takes the group of each node of the snapshot in the order of the stream, see [`group_at`], and the number of groups.
    /// Call when all nodes have been folded, before [`end_snapshot`](Report::end_snapshot).
    pub(crate) fn take_groups(&mut self) -> (Column, u32) {
        (self.group_of.take().unwrap_or_default(), self.groups.keys.len() as u32)
    }

    /// Sets what the groups retain, by number.
    pub(crate) fn set_retained(&mut self, retained: &[u64]) {
        self.groups.totals.iter_mut().zip(retained).for_each(|(totals, &n)| totals.retained = Some(n));
    }

    /// Makes groups of one text one group in what [`keep_groups`](Self::keep_groups) keeps.
    pub(crate) fn join_groups(&mut self, context: &Context) -> Result {
        let mut numbers: FxHashMap<Vec<KeyText>, u32> = FxHashMap::default();
        let mut map = Vec::with_capacity(self.groups.keys.len());
        for (number, key) in (0..).zip(&self.groups.keys) {
            let cells = key.iter().map(|&token| self.cell(token, context)).collect::<Result<_>>()?;
            map.push(*numbers.entry(cells).or_insert(number));
        }
        if numbers.len() < map.len()
            && let Some(group_of) = &mut self.group_of
        {
            let joined = (0..group_of.len() as u32).map(|node| group_at(group_of, node));
            *group_of = joined.map(|group| entry(group.map(|group| map[group as usize]))).collect();
        }
        Ok(())
    }

    /// Takes the retained sizes from the stream, if it has them.
    fn take_annotated(&mut self, context: &Context) -> Result {
        let annotated = std::mem::take(&mut self.annotated);
        if annotated.is_empty() {
            return Ok(());
        }
        self.join_groups(context)?;
        if let Some(group_of) = self.group_of.take() {
            match annotated.retained(&group_of, self.groups.keys.len() as u32) {
                Some(retained) => self.set_retained(&retained),
                None => self.retained.lacking = true,
            }
        }
        Ok(())
    }
}

impl OnePass<Sum> {
    /// The next input begins. `known` gives what is known of it by the name of a grouping: `file`, `tag.pod`.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn begin_input(&mut self, known: impl Fn(&str) -> Option<String>) -> Result {
        self.end_snapshot()?;
        let sum = self.report_mut();
        sum.metadata.clear();
        sum.inputs.clear();
        for by in &sum.by {
            if let By::Input(name) = by
                && let Some(value) = known(name)
            {
                sum.inputs.push((name.clone(), value));
            }
        }
        Ok(())
    }
}

impl Report for Sum {
    fn wants(&self, selection: &Selection) -> Wants {
        let usual = ["name", "heap.name", "heap.class", "heap.size", "size"];
        let full = self.by.iter().any(|by| matches!(by, By::Field(f) if !usual.contains(&f.name())));
        let by_name = |by: &By| match by {
            By::Field(field) => matches!(field.name(), "name" | "heap.name" | "heap.class"),
            _ => true,
        };
        let nodes = match () {
            () if full || selection.needs_details() => Nodes::Full,
            () if self.plain => Nodes::Sums(SumBy::Class),
            () if selection.is_all() && self.by.iter().all(by_name) => Nodes::Sums(SumBy::Name),
            () => Nodes::Brief,
        };
        let all = self.by_field || selection.needs_names();
        Wants { strings: if all { Strings::All } else { Strings::Classes }, nodes, ..Wants::HEAD }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if Context::begins(record) == Some(Begins::Snapshot) {
            self.snapshots.push(record.value.to_owned());
        }
        let mut tags = self.by.iter().filter_map(|by| by.name().strip_prefix("tag."));
        if tags.any(|tag| tag::rank(tag, record.key).is_some()) {
            self.metadata.push((record.key.to_owned(), record.value.to_owned()));
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) {
        self.cells.declare(record);
        self.uncounted.declare(record);
    }

    fn string(&mut self, record: &Str<'_>) {
        self.cells.string(record);
    }

    #[inline]
    fn arrived(&mut self, node: &Node<'_>, number: u32, _selector: &Selector) -> Result {
        self.cells.node(node);
        // What no root reaches retains nothing, and says so.
        let annotated = node.heap.retained.is_some() || node.heap.reachable == Some(false);
        if annotated && self.annotated.is_empty() {
            // The stream comes from heap-dom. Nodes before this one, if any, are not in the tree.
            self.group_of.get_or_insert_with(|| (0..number).map(|_| entry(None)).collect());
            self.annotated.skip(number);
        }
        if let Some(group_of) = &mut self.group_of {
            group_of.push(entry(None));
            if annotated || !self.annotated.is_empty() {
                self.annotated.push(node);
            }
        }
        Ok(())
    }

    #[inline]
    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        self.plain || selector.ready(node) && (!self.by_field || selector.context.has_strings_of(node))
    }

    #[inline]
    fn fold(&mut self, node: &Node<'_>, number: u32, selector: &mut Selector) -> Result {
        if self.plain || selector.selects(node)? {
            let group = self.group(node, &selector.context)?;
            self.groups.totals[group as usize].node(node);
            self.uncounted.node(group, node, &selector.context);
            if let Some(group_of) = &mut self.group_of {
                group_of.set(number, entry(Some(group)));
            }
        }
        Ok(())
    }

    fn fold_plain(&mut self, nodes: &[PlainNode], _first: u32) -> bool {
        if !(self.plain && self.by[..] == [By::Class] && self.annotated.is_empty() && self.cells.are_none()) {
            return false;
        }
        for node in nodes {
            let token = if node.class { Token::String(node.string) } else { Token::Bracketed(node.subtype) };
            let group = self.groups.quick(token);
            self.groups.totals[group as usize].object(node.size);
            if let Some(group_of) = &mut self.group_of {
                group_of.push(entry(Some(group)));
            }
        }
        true
    }

    fn waits_for_nodes(&self, record: &Extension<'_>) -> bool {
        cells::waits(record)
    }

    fn extension(&mut self, record: &Extension<'_>, selector: &mut Selector) -> Result {
        let cells = std::mem::take(&mut self.cells);
        if let Some((node, rest)) = cells.nodes(record, &selector.context)? {
            let mut group = |node| -> Result<Option<u32>> {
                let chosen = self.plain || selector.selects(node)?;
                if chosen { self.group(node, &selector.context).map(Some) } else { Ok(None) }
            };
            let less = group(&rest)?;
            let Some(node) = node else {
                if let Some(group) = less {
                    self.open.whole(group, &rest);
                }
                self.cells = cells;
                return Ok(());
            };
            let more = group(&node)?;
            // Where the type is no part of the key, the nodes themselves have been counted.
            if more != less {
                if let Some(group) = more {
                    self.groups.totals[group as usize].node(&node);
                    if node.heap.count.is_none() {
                        self.uncounted.group(group);
                    }
                }
                if let Some(group) = less {
                    self.open.typed(group, &rest);
                    self.groups.totals[group as usize].less(&rest);
                    self.lessened.insert(group);
                }
            }
        }
        self.cells = cells;
        Ok(())
    }

    /// Looks up the names of the groups.
    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        let context = &selector.context;
        self.cells.clear();
        self.take_annotated(context)?;
        if !self.groups.keys.is_empty() {
            let known = self.groups.totals.iter().any(|totals| totals.retained.is_some());
            (self.retained.yes, self.retained.no) = (self.retained.yes || known, self.retained.no || !known);
        }
        for group in self.uncounted.take() {
            self.groups.totals[group as usize].uncounted = true;
        }
        for (group, count) in self.open.left() {
            let totals = &mut self.groups.totals[group as usize];
            (totals.count, totals.uncounted) = (count.unwrap_or(0), count.is_none());
        }
        let lessened = std::mem::take(&mut self.lessened);
        let groups = std::mem::take(&mut self.groups);
        let snapshot = context.snapshot.as_ref().map(|s| (s.parse::<i128>().is_ok(), s.clone()));
        for (number, (key, totals)) in (0..).zip(groups.keys.into_iter().zip(groups.totals)) {
            if totals.size == 0 && lessened.contains(&number) {
                continue; // The cells left nothing over.
            }
            // The snapshot is always kept, and left out of the rows if nobody asked for it.
            let mut cells = Vec::with_capacity(1 + key.len());
            cells.push(snapshot.clone());
            for (token, by) in key.into_iter().zip(&self.by) {
                cells.push(match by {
                    By::Snapshot => snapshot.clone(),
                    By::Input(name) => self.input(name),
                    _ => self.cell(token, context)?,
                });
            }
            self.done.entry(cells).or_default().add(&totals);
        }
        self.contents.clear();
        self.content_ids.clear();
        Ok(())
    }

    fn missing(&self, context: &Context) -> Vec<String> {
        // The snapshot comes first in every key.
        let lacking = |at: usize| !self.done.is_empty() && self.done.keys().all(|key| key[at + 1].is_none());
        let fields = self.by.iter().enumerate().filter_map(|(at, by)| match by {
            By::Field(field) if lacking(at) && !field.is_known(&context.types) => Some(field.missing()),
            _ => None,
        });
        let lacking = (self.retained.lacking || self.retained.yes && self.retained.no).then(|| {
            "retained is left out: not all nodes have heap.retained_from, which heap-dom adds".to_owned()
        });
        let part = (self.lost_roots > 0).then(|| PART.to_owned());
        fields.chain(lacking).chain(part).collect()
    }
}
