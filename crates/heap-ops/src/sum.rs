//! Nodes grouped and added up: heap-sum.

use heap_base::Result;
use heap_record::{Declaration, Extension, Folds, Metadata, Node, PlainNode, Sink, Str, Wants, each_node};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::cells::RootCells;
use crate::context::{Begins, Context};
use crate::field::{Content, Field, bracketed};
use crate::held::Numbered;
use crate::judge::Judge;
use crate::select::Selection;
use crate::whole::sum::DomRecords;

/// What nodes are grouped by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The type name: class, or subtype in brackets.
    Class,
    /// The subtype.
    Subtype,
    /// The snapshot.
    Snapshot,
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
            other => Self::Field(Field::new(other)),
        }
    }

    /// Name of the column.
    pub fn name(&self) -> &str {
        match self {
            Self::Class => "class",
            Self::Subtype => "subtype",
            Self::Snapshot => "snapshot",
            Self::Field(field) => field.name(),
        }
    }
}

/// What a group adds up to. Sums stop at 2^64 − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Objects; a node may stand for many.
    pub count: u64,
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

/// One row of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the group has in common, one for each column of [`Sum::columns`]; `None` where nodes lack the field.
    pub keys: Vec<Option<Content>>,
    /// Its totals.
    pub totals: Totals,
}

/// Groups nodes and adds up their counts and sizes.
///
/// Memory: the stream's strings (see [`Strings`](crate::strings::Strings)) and one entry per group.
#[derive(Debug)]
pub struct Sum {
    by: Vec<By>,
    judge: Judge,
    /// Groups of the current snapshot.
    groups: Groups,
    /// Contents of fields that are no string ids, by number.
    contents: Vec<Content>,
    content_ids: FxHashMap<String, u64>,
    /// Finished groups.
    done: FxHashMap<Vec<Cell>, Totals>,
    /// Nodes that came before the strings they are judged by.
    late: Numbered,
    /// Where each node of the snapshot went, if that is to be known: number of its group, or [`NOWHERE`].
    places: Option<Vec<u32>>,
    /// What an annotated stream says of each node.
    tree: DomRecords,
    nodes: u32,
    snapshots: bool,
    cells: RootCells,
    /// Groups that cells took something from.
    lessened: FxHashSet<u32>,
    /// True if no text is needed before the end: nothing is selected, nor grouped by a field.
    plain: bool,
    by_field: bool,
}

type Key = SmallVec<[Token; 2]>;
/// A key column of a finished group, as text that can be compared.
type Cell = Option<(bool, String)>;

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

/// A node that belongs to no group.
pub const NOWHERE: u32 = u32::MAX;
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
    pub fn new(mut by: Vec<By>, selection: Selection) -> Self {
        if by.is_empty() {
            by.push(By::Class);
        }
        let by_field = by.iter().any(|by| matches!(by, By::Field(_)));
        Self {
            plain: selection.is_all() && !by_field,
            by_field,
            by,
            judge: Judge::new(selection),
            groups: Groups::default(),
            contents: Vec::new(),
            content_ids: FxHashMap::default(),
            done: FxHashMap::default(),
            late: Numbered::default(),
            places: None,
            tree: DomRecords::default(),
            nodes: 0,
            snapshots: false,
            cells: RootCells::default(),
            lessened: FxHashSet::default(),
        }
    }

    /// Names of the key columns: the groupings, preceded by `snapshot` where the input has several.
    pub fn columns(&self) -> Vec<&str> {
        let snapshot = self.adds_snapshot().then_some("snapshot");
        snapshot.into_iter().chain(self.by.iter().map(By::name)).collect()
    }

    /// Warnings about fields that no node had and no declaration names. Call after [`Sink::finish`].
    pub fn missing(&self) -> Vec<String> {
        let types = &self.judge.context.types;
        // The snapshot comes first in every key.
        let lacking = |at: usize| !self.done.is_empty() && self.done.keys().all(|key| key[at + 1].is_none());
        let fields = self.by.iter().enumerate().filter_map(|(at, by)| match by {
            By::Field(field) if lacking(at) && !field.is_known(types) => Some(field.missing()),
            _ => None,
        });
        fields.chain(self.judge.missing()).collect()
    }

    fn adds_snapshot(&self) -> bool {
        self.snapshots && !self.by.contains(&By::Snapshot)
    }

    /// All groups, in no order; call after [`Sink::finish`].
    pub fn rows(&self) -> Vec<Row> {
        let content = |cell: &Cell| {
            let (number, text) = cell.as_ref()?;
            let int = number.then(|| text.parse().ok()).flatten();
            Some(int.map_or_else(|| Content::Text(text.clone()), Content::Int))
        };
        let first = usize::from(!self.adds_snapshot());
        let row = |(key, totals): (&Vec<Cell>, &Totals)| Row {
            keys: key[first..].iter().map(content).collect(),
            totals: *totals,
        };
        self.done.iter().map(row).collect()
    }

    fn token(&mut self, by: usize, node: &Node<'_>) -> Result<Token> {
        let field = match &self.by[by] {
            By::Class => return Ok(node.heap.class.map_or(Token::Bracketed(node.subtype), Token::String)),
            By::Subtype => return Ok(Token::Subtype(node.subtype)),
            By::Snapshot => return Ok(Token::None),
            By::Field(field) => field,
        };
        match field.name() {
            "name" | "heap.name" => return Ok(node.heap.name.map_or(Token::None, Token::String)),
            "heap.class" => return Ok(node.heap.class.map_or(Token::None, Token::String)),
            _ => {}
        }
        let Some(content) = field.of(node, &self.judge.context.types, &self.judge.context.strings)? else {
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

    /// Adds a node up; gives the number of its group.
    #[inline]
    fn add(&mut self, node: &Node<'_>) -> Result<u32> {
        let number = self.group(node)?;
        self.groups.totals[number as usize].node(node);
        Ok(number)
    }

    /// The number of a node's group.
    #[inline]
    fn group(&mut self, node: &Node<'_>) -> Result<u32> {
        Ok(match self.by[..] {
            [By::Class] => {
                let token = node.heap.class.map_or(Token::Bracketed(node.subtype), Token::String);
                self.groups.quick(token)
            }
            [By::Subtype] => self.groups.quick(Token::Subtype(node.subtype)),
            _ => {
                let mut key = Key::new();
                for by in 0..self.by.len() {
                    key.push(self.token(by, node)?);
                }
                self.groups.number(key)
            }
        })
    }

    fn cell(&self, token: Token) -> Result<Cell> {
        Ok(match token {
            Token::None => None,
            Token::Subtype(n) => Some((false, self.judge.context.types.node_name(n).into_owned())),
            Token::Bracketed(n) => Some((false, bracketed(&self.judge.context.types.node_name(n)))),
            Token::String(id) => Some((false, self.judge.context.strings.text_or_number(id)?)),
            Token::Content(id) => {
                let content = &self.contents[id as usize];
                Some((matches!(content, Content::Int(_)), content.text().into_owned()))
            }
        })
    }

    /// Looks the names of the current groups up and adds them to the finished ones.
    fn fold(&mut self) -> Result {
        self.settle_late()?;
        self.nodes = 0;
        self.cells.clear();
        let lessened = std::mem::take(&mut self.lessened);
        let mut groups = std::mem::take(&mut self.groups);
        let tree = std::mem::take(&mut self.tree);
        if let Some(places) = self.places.as_mut().filter(|_| !tree.is_empty()) {
            let retained = tree.retained(places, groups.keys.len() as u32);
            groups.totals.iter_mut().zip(retained).for_each(|(totals, n)| totals.retained = Some(n));
            self.places = None;
        }
        let snapshot = self.judge.context.snapshot.as_ref().map(|s| (s.parse::<i128>().is_ok(), s.clone()));
        for (number, (key, totals)) in (0..).zip(groups.keys.into_iter().zip(groups.totals)) {
            if totals.size == 0 && lessened.contains(&number) {
                continue; // The cells left nothing open.
            }
            // The snapshot is always kept, and left out of the rows where nobody asked for it.
            let mut cells = Vec::with_capacity(1 + key.len());
            cells.push(snapshot.clone());
            for (token, by) in key.into_iter().zip(&self.by) {
                cells.push(if *by == By::Snapshot { snapshot.clone() } else { self.cell(token)? });
            }
            self.done.entry(cells).or_default().add(&totals);
        }
        self.contents.clear();
        self.content_ids.clear();
        Ok(())
    }

    /// Judges the nodes that came before their strings; now or never.
    fn settle_late(&mut self) -> Result {
        std::mem::take(&mut self.late).nodes(|node, place| self.take(node, place))
    }

    fn chosen(&mut self, node: &Node<'_>) -> Result<bool> {
        Ok(self.plain || self.judge.selects(node)?)
    }

    fn take(&mut self, node: &Node<'_>, place: u32) -> Result {
        if self.chosen(node)? {
            let number = self.add(node)?;
            if let Some(places) = &mut self.places {
                places[place as usize] = number;
            }
        }
        Ok(())
    }

    /// Keeps where each node went, for [`Sum::set_retained`].
    #[must_use]
    pub fn with_places(mut self) -> Self {
        self.places = Some(Vec::new());
        self
    }

    /// Where each node of the snapshot went, in the order of their records: number of a group or [`NOWHERE`]; and
    /// the number of groups. Needs [`Sum::with_places`], and all records heard; call before [`Sink::finish`].
    pub fn places(&mut self) -> Result<(&[u32], u32)> {
        self.settle_late()?;
        Ok((self.places.as_deref().unwrap_or_default(), self.groups.keys.len() as u32))
    }

    /// Sets what the groups retain, by number.
    pub fn set_retained(&mut self, retained: &[u64]) {
        self.groups.totals.iter_mut().zip(retained).for_each(|(totals, &n)| totals.retained = Some(n));
    }
}

impl Sink for Sum {
    fn wants(&self) -> Wants {
        let fields = self.by.iter().any(|by| {
            matches!(by, By::Field(f) if !matches!(f.name(), "name" | "heap.name" | "heap.class" | "heap.size" | "size"))
        });
        let selection = self.judge.selection();
        let details = fields || selection.needs_details();
        Wants { details, only_classes: !self.by_field && !selection.needs_names(), ..Wants::NODES }
    }

    fn folds(&self) -> Folds {
        let by_name = |by: &By| match by {
            By::Field(field) => matches!(field.name(), "name" | "heap.name" | "heap.class"),
            _ => true,
        };
        match () {
            () if !self.judge.selection().is_all() => Folds::No,
            () if self.plain => Folds::Classes,
            () if self.by.iter().all(by_name) => Folds::Names,
            () => Folds::No,
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if let Some(begins) = Context::begins(record) {
            self.fold()?;
            self.snapshots |= begins == Begins::Snapshot;
        }
        self.judge.metadata(record);
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.judge.declare(record);
        self.cells.declare(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.cells.string(record);
        self.judge.context.string(record)
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        let cells = std::mem::take(&mut self.cells);
        if let Some((node, rest)) = cells.nodes(record, &self.judge.context) {
            let more = if self.chosen(&node)? { Some(self.group(&node)?) } else { None };
            let less = if self.chosen(&rest)? { Some(self.group(&rest)?) } else { None };
            // Where type is no part of the key, own values have said it already.
            if more != less {
                if let Some(group) = more {
                    self.groups.totals[group as usize].node(&node);
                }
                if let Some(group) = less {
                    self.groups.totals[group as usize].less(&rest);
                    self.lessened.insert(group);
                }
            }
        }
        self.cells = cells;
        Ok(())
    }

    #[inline]
    fn node(&mut self, node: &Node<'_>) -> Result {
        let place = self.nodes;
        self.nodes += 1;
        self.cells.node(node, &self.judge.context)?;
        if node.heap.retained.is_some() && self.tree.is_empty() {
            // The stream went through heap-dom: nodes before this one, if any, have no place in the tree.
            self.places.get_or_insert_with(|| vec![NOWHERE; place as usize]);
            self.tree.skip(place);
        }
        if let Some(places) = &mut self.places {
            places.push(NOWHERE);
            if node.heap.retained.is_some() || !self.tree.is_empty() {
                self.tree.push(node);
            }
        }
        let ready = self.plain
            || if self.by_field { self.judge.context.has_strings_of(node) } else { self.judge.ready(node) };
        if ready { self.take(node, place) } else { self.late.node(node, place) }
    }

    fn nodes_run(&mut self, nodes: &[PlainNode], own: &[u8]) -> Result {
        if !(self.plain && self.by[..] == [By::Class] && self.tree.is_empty() && self.cells.are_none()) {
            return each_node(nodes, own, |node| self.node(node));
        }
        self.nodes += nodes.len() as u32;
        for node in nodes {
            let token = if node.class { Token::String(node.string) } else { Token::Bracketed(node.subtype) };
            let group = self.groups.quick(token);
            self.groups.totals[group as usize].object(node.size);
            if let Some(places) = &mut self.places {
                places.push(group);
            }
        }
        Ok(())
    }

    fn finish(&mut self, _whole: bool) -> Result {
        self.fold()
    }
}
