//! Nodes grouped and added up: heap-sum.

use heap_record::{Declaration, Metadata, Node, Result, Sink, Str, Wants};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::context::{Begins, Context};
use crate::field::{Content, Field, bracketed};
use crate::held::Held;
use crate::select::{Matcher, Selection};

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
}

impl Totals {
    /// Adds another group's totals to these.
    pub fn add(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.size = self.size.saturating_add(other.size);
        if let Some(external) = other.external {
            self.external = Some(self.external.unwrap_or(0).saturating_add(external));
        }
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
    matcher: Matcher,
    context: Context,
    /// Groups of the current snapshot: by class or subtype alone, the usual case.
    quick: Quick,
    /// Groups of the current snapshot otherwise.
    groups: FxHashMap<Key, Totals>,
    /// Contents of fields that are no string ids, by number.
    contents: Vec<Content>,
    content_ids: FxHashMap<String, u64>,
    /// Finished groups.
    done: FxHashMap<Vec<Cell>, Totals>,
    /// Nodes that came before the strings they are judged by.
    late: Held,
    snapshots: bool,
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

/// Totals by small class id, and by subtype for nodes without a class.
#[derive(Debug, Default)]
struct Quick {
    slots: Vec<u32>,
    totals: Vec<Totals>,
    subtypes: Vec<Totals>,
}

/// Class ids below this are looked up by position.
const QUICK_CLASSES: i64 = 1 << 24;
const QUICK_SUBTYPES: usize = 256;

impl Quick {
    /// The totals a node goes to, if it can be found by position.
    #[inline]
    fn of(&mut self, node: &Node<'_>, by_class: bool) -> Option<&mut Totals> {
        if let Some(class) = node.heap.class.filter(|_| by_class) {
            if !(0..QUICK_CLASSES).contains(&class) {
                return None;
            }
            let class = class as usize;
            if class >= self.slots.len() {
                self.slots.resize((class + 1).next_power_of_two(), 0);
            }
            let slot = &mut self.slots[class];
            if *slot == 0 {
                self.totals.push(Totals::default());
                *slot = self.totals.len() as u32;
            }
            return self.totals.get_mut(*slot as usize - 1);
        }
        let subtype = node.subtype as usize;
        if subtype >= QUICK_SUBTYPES {
            return None;
        }
        if self.subtypes.is_empty() {
            self.subtypes.resize(QUICK_SUBTYPES, Totals::default());
        }
        self.subtypes.get_mut(subtype)
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
            matcher: Matcher::new(selection),
            context: Context::default(),
            quick: Quick::default(),
            groups: FxHashMap::default(),
            contents: Vec::new(),
            content_ids: FxHashMap::default(),
            done: FxHashMap::default(),
            late: Held::default(),
            snapshots: false,
        }
    }

    /// Names of the key columns: the groupings, preceded by `snapshot` where the input has several.
    pub fn columns(&self) -> Vec<&str> {
        let snapshot = self.adds_snapshot().then_some("snapshot");
        snapshot.into_iter().chain(self.by.iter().map(By::name)).collect()
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
        let Some(content) = field.of(node, &self.context.types, &self.context.strings)? else {
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

    fn add(&mut self, node: &Node<'_>) -> Result {
        if let [By::Class | By::Subtype] = self.by[..] {
            let by_class = self.by[0] == By::Class;
            if let Some(totals) = self.quick.of(node, by_class) {
                totals.node(node);
                return Ok(());
            }
        }
        let mut key = Key::new();
        for by in 0..self.by.len() {
            key.push(self.token(by, node)?);
        }
        self.groups.entry(key).or_default().node(node);
        Ok(())
    }

    fn cell(&self, token: Token) -> Result<Cell> {
        Ok(match token {
            Token::None => None,
            Token::Subtype(n) => Some((false, self.context.types.node_name(n).into_owned())),
            Token::Bracketed(n) => Some((false, bracketed(&self.context.types.node_name(n)))),
            Token::String(id) => Some((false, self.context.strings.text_or_number(id)?)),
            Token::Content(id) => {
                let content = &self.contents[id as usize];
                Some((matches!(content, Content::Int(_)), content.text().into_owned()))
            }
        })
    }

    /// Looks the names of the current groups up and adds them to the finished ones.
    fn fold(&mut self) -> Result {
        self.settle_late()?;
        let mut found: Vec<(Key, Totals)> = self.groups.drain().collect();
        let quick = std::mem::take(&mut self.quick);
        let by_class = self.by[0] == By::Class;
        let slots = quick.slots.iter().enumerate().filter(|(_, slot)| **slot > 0);
        found.extend(slots.map(|(class, &slot)| {
            (Key::from_slice(&[Token::String(class as i64)]), quick.totals[slot as usize - 1])
        }));
        let subtypes =
            quick.subtypes.iter().enumerate().filter(|(_, totals)| totals.count > 0 || totals.size > 0);
        let token = |n| if by_class { Token::Bracketed(n) } else { Token::Subtype(n) };
        found.extend(subtypes.map(|(n, totals)| (Key::from_slice(&[token(n as u32)]), *totals)));
        let snapshot = self.context.snapshot.as_ref().map(|s| (s.parse::<i128>().is_ok(), s.clone()));
        for (key, totals) in found {
            // The snapshot is always kept, and left out of the rows where nobody asked for it.
            let mut cells = vec![snapshot.clone()];
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
        if self.late.is_empty() {
            Ok(())
        } else {
            std::mem::take(&mut self.late).replay(&mut Settle { sum: self })
        }
    }

    fn take(&mut self, node: &Node<'_>) -> Result {
        if self.matcher.matches(node, &self.context.types, &self.context.strings)? {
            self.add(node)?;
        }
        Ok(())
    }
}

/// Hears nodes that were held back.
struct Settle<'a> {
    sum: &'a mut Sum,
}

impl Sink for Settle<'_> {
    fn node(&mut self, node: &Node<'_>) -> Result {
        self.sum.take(node)
    }
}

impl Sink for Sum {
    fn wants(&self) -> Wants {
        let fields = self.by.iter().any(|by| {
            matches!(by, By::Field(f) if !matches!(f.name(), "name" | "heap.name" | "heap.class" | "heap.size" | "size"))
        });
        Wants { details: fields || self.matcher.selection().needs_details(), ..Wants::NODES }
    }

    fn folds(&self) -> bool {
        let folds = |by: &By| match by {
            By::Class | By::Subtype | By::Snapshot => true,
            By::Field(field) => matches!(field.name(), "name" | "heap.name" | "heap.class"),
        };
        self.matcher.selection().is_all() && self.by.iter().all(folds)
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if let Some(begins) = Context::begins(record) {
            self.fold()?;
            self.snapshots |= begins == Begins::Snapshot;
        }
        self.context.metadata(record);
        self.matcher.set_rule(self.context.rule);
        if record.key == "version_major" {
            self.matcher.clear();
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.context.declare(record);
        self.matcher.clear();
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.context.string(record)
    }

    #[inline]
    fn node(&mut self, node: &Node<'_>) -> Result {
        if self.plain {
            return self.add(node);
        }
        let ready = if self.by_field {
            self.context.has_strings_of(node)
        } else {
            self.matcher.ready(node, &self.context)
        };
        if ready { self.take(node) } else { self.late.node(node) }
    }

    fn finish(&mut self, _whole: bool) -> Result {
        self.fold()
    }
}
