//! Nodes grouped and added up: heap-sum.

mod by;
mod columns;
mod groups;
mod options;
mod retained;
pub mod rows;
mod totals;

use heap_base::{Map, Result};
use heap_graph::Column;
use heap_record::tag;
use heap_record::wants::{Edges, Nodes, Strings, SumBy};
use heap_record::{Declaration, Edge, Extension, Metadata, Node, PlainNode, Str, Value, Wants};

pub use self::by::By;
pub(crate) use self::by::package;
pub use self::columns::{SumColumns, SumValues};
use self::groups::{Groups, Key, Token, entry, group_at};
pub use self::retained::RetainedSum;
pub use self::totals::Totals;
use heap_ops::parts::PART_KEY;
use heap_ops::place::Sources;
use heap_ops::report::{OnePass, Report};
use heap_ops::select::field::bracketed;
use heap_ops::select::{Content, Selection, Selector};
use heap_ops::series::Origin;
use heap_ops::stream::cells::Uncounted;
use heap_ops::stream::{Annotated, Begins, Context, stacks};
pub use options::TOOL;

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
/// Memory: the stream's strings (see [`Strings`](heap_ops::stream::strings::Strings)) and one entry per group.
#[derive(Debug)]
pub struct Sum {
    by: Vec<By>,
    /// Groups of the current snapshot.
    groups: Groups,
    /// Contents of fields that are no string ids, by number.
    contents: Vec<Content>,
    content_ids: Map<String, u64>,
    /// What is known of the current input, by the name of the grouping.
    inputs: Vec<(Box<str>, String)>,
    /// Metadata that may be tags.
    metadata: Vec<(String, String)>,
    /// Where the current input comes from.
    origin: Origin,
    /// Which values of profiles the sizes of all inputs are, each once.
    values: Vec<String>,
    /// The highest identifier of an object that takes space, where younger ones have higher ones.
    youngest: Option<Value>,
    /// Groups of the snapshots before.
    done: Map<Vec<KeyText>, Totals>,
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
    /// How many of them are parts of one process.
    parts: usize,
    /// Groups whose objects are not counted.
    uncounted: Uncounted,
    /// Whether text is not needed before the end: nothing is selected, nor grouped by a field.
    plain: bool,
    by_field: bool,
    /// One of the fields may be one of the stack at which a node was allocated.
    of_place: bool,
    /// Where functions stand, if that is asked for.
    places: Option<Sources>,
}

/// A key column of a finished group, as text that can be compared.
type KeyText = Option<(bool, String)>;

/// The warning about retained sizes in a stream that lacks roots.
pub(crate) const PART: &str =
    "the stream is a part of a heap, without its roots: retained sizes are those within the part";

impl Sum {
    /// Adds up the selected nodes. No `by` means by class.
    pub fn new(mut by: Vec<By>, selection: Selection) -> OnePass<Self> {
        if by.is_empty() {
            by.push(By::Class);
        }
        let by_field = by.iter().any(|by| matches!(by, By::Field(_) | By::Location(_)));
        let of_place = by
            .iter()
            .any(|by| matches!(by, By::Field(_) | By::Location(_)) && stacks::is_of_place(by.name()));
        let places = by.iter().any(|by| matches!(by, By::Location(_))).then(Default::default);
        let sum = Self {
            plain: selection.is_all() && !by_field,
            by_field,
            of_place,
            places,
            by,
            groups: Groups::default(),
            contents: Vec::new(),
            content_ids: Map::default(),
            inputs: Vec::new(),
            metadata: Vec::new(),
            origin: Origin::default(),
            values: Vec::new(),
            youngest: None,
            done: Map::default(),
            group_of: None,
            annotated: Annotated::default(),
            retained: Known::default(),
            lost_roots: 0,
            snapshots: Vec::new(),
            parts: 0,
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

    /// Whether snapshots stood side by side in one process, and are none of one heap at several times.
    pub fn has_parts(&self) -> bool {
        self.parts > 1
    }

    /// Where the current input comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The highest identifier of an object that takes space, where it says how young that is.
    pub fn youngest(&self) -> Option<Value> {
        self.youngest
    }

    /// What the current input is for the groupings by input, in their order.
    pub fn input_keys(&self) -> Vec<Option<String>> {
        let names = self.by.iter().filter(|by| matches!(by, By::Input(_))).map(By::name);
        names.map(|name| self.input(name).map(|(_, text)| text)).collect()
    }

    /// Whether edges say something of a grouping.
    pub(crate) fn needs_edges(&self) -> bool {
        self.places.is_some()
    }

    fn adds_snapshot(&self) -> bool {
        !self.snapshots.is_empty() && !self.by.contains(&By::Snapshot)
    }

    /// All groups, in the order of their keys.
    pub fn rows(&self) -> Vec<SumRow> {
        let content = |cell: &KeyText| cell.as_ref().map(Content::of_key);
        let first = usize::from(!self.adds_snapshot());
        let row = |(key, totals): (&Vec<KeyText>, &Totals)| SumRow {
            keys: key[first..].iter().map(content).collect(),
            // A sum of some of its parts is none.
            totals: Totals { retained: totals.retained.filter(|_| !self.retained.no), ..*totals },
        };
        let mut done: Vec<_> = self.done.iter().collect();
        done.sort_unstable_by_key(|&(key, _)| key); // there may be many, and no two are equal
        done.into_iter().map(row).collect()
    }

    fn token(&mut self, by: usize, node: &Node<'_>, context: &Context) -> Result<Token> {
        let field = match &self.by[by] {
            By::Class => return Ok(node.heap.class.map_or(Token::Bracketed(node.subtype), Token::String)),
            By::Package => return Ok(node.heap.class.map_or(Token::None, Token::Package)),
            By::Subtype => return Ok(Token::Subtype(node.subtype)),
            By::Snapshot | By::Input(_) => return Ok(Token::None),
            By::Field(field) | By::Location(field) => field,
        };
        match field.name() {
            "name" | "heap.name" => return Ok(node.heap.name.map_or(Token::None, Token::String)),
            "heap.class" => return Ok(node.heap.class.map_or(Token::None, Token::String)),
            _ => {}
        }
        let Some(content) = field.of(node, context)? else {
            // Where stacks say what allocated a node, others were allocated at no known place.
            let by_code = matches!(self.by[by], By::Location(_)) && !context.stacks.are_there();
            let sources = self.places.as_ref().filter(|_| by_code);
            let code = sources.and_then(|sources| sources.code(node.id));
            return Ok(code.map_or(Token::None, Token::Place));
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
            Token::Package(id) => {
                let class = context.strings.text_or_number(id)?;
                Some(package(&class, context.paths))
                    .filter(|package| !package.is_empty())
                    .map(|text| (false, text.to_owned()))
            }
            Token::Place(code) => {
                let Some(sources) = &self.places else { return Ok(None) };
                sources.of_code(code, &context.strings)?.map(|source| (false, source.whole()))
            }
            Token::Content(id) => Some(self.contents[id as usize].key()),
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
        let mut numbers: Map<Vec<KeyText>, u32> = Map::default();
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
            if annotated.is_known() {
                let nodes = 0..group_of.len() as u32;
                let sets = nodes.filter_map(|node| Some((group_at(&group_of, node)?, node)));
                let mut retained = vec![0; self.groups.keys.len()];
                annotated
                    .of_sets(sets)
                    .into_iter()
                    .for_each(|(group, bytes)| retained[group as usize] = bytes);
                self.set_retained(&retained);
            } else {
                self.retained.lacking = true;
            }
        }
        Ok(())
    }
}

/// The next input begins. `known` gives what is known of it by the name of a grouping: `file`, `tag.pod`.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn begin_input(sum: &mut OnePass<Sum>, known: impl Fn(&str) -> Option<String>) -> Result {
    sum.begin_stream()?;
    let sum = sum.report_mut();
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

impl Report for Sum {
    fn wants(&self, selection: &Selection) -> Wants {
        let usual = ["name", "heap.name", "heap.class", "heap.size", "size"];
        let full = self
            .by
            .iter()
            .any(|by| matches!(by, By::Field(f) | By::Location(f) if !usual.contains(&f.name())));
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
        let strings = if all { Strings::All } else { Strings::Classes };
        let edges = if self.places.is_some() { Edges::ById } else { Edges::None };
        Wants { strings, nodes, edges, extensions: self.of_place, ..Wants::HEAD }
    }

    fn begin_stream(&mut self) {
        (self.origin, self.youngest) = (Origin::default(), None);
        self.metadata.clear();
        self.uncounted.begin_stream();
        if let Some(sources) = &mut self.places {
            sources.begin_stream();
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if Context::begins(record) == Some(Begins::Snapshot) {
            self.snapshots.push(record.value.to_owned());
        }
        if record.key == PART_KEY
            && let Some(snapshot) = self.snapshots.last_mut()
        {
            record.value.clone_into(snapshot);
            self.parts += 1;
        }
        self.origin.metadata(record);
        let value = &self.origin.value;
        if !value.is_empty() && !self.values.contains(value) {
            self.values.push(value.clone());
        }
        let mut tags = self.by.iter().filter_map(|by| by.name().strip_prefix("tag."));
        if tags.any(|tag| tag::rank(tag, record.key).is_some()) {
            self.metadata.push((record.key.to_owned(), record.value.to_owned()));
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) {
        self.uncounted.declare(record);
    }

    fn string(&mut self, record: &Str<'_>) {
        if let Some(sources) = &mut self.places {
            sources.string(record);
        }
    }

    #[inline]
    fn arrived(&mut self, node: &Node<'_>, number: u32, selector: &Selector) -> Result {
        if let Some(sources) = &mut self.places {
            sources.node(node, &selector.context.types);
        }
        let annotated = Annotated::says(node);
        if annotated && self.annotated.is_empty() {
            // The stream comes from heap-dom.
            self.group_of.get_or_insert_with(|| (0..number).map(|_| entry(None)).collect());
            self.annotated.silent(number);
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
        let context = &selector.context;
        let has = || context.has_strings_of(node) && (!self.of_place || context.has_stack_of(node));
        self.plain || selector.ready(node) && (!self.by_field || has())
    }

    #[inline]
    fn fold(&mut self, node: &Node<'_>, number: u32, selector: &mut Selector) -> Result {
        if self.origin.ascending && node.heap.size > Some(0) {
            self.youngest = self.youngest.max(Some(node.id));
        }
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
        if !(self.plain && self.by[..] == [By::Class] && self.annotated.is_empty()) {
            return false;
        }
        if self.origin.ascending {
            let younger = nodes.iter().filter(|node| node.size > 0).map(|node| node.id).max();
            self.youngest = self.youngest.max(younger);
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

    fn fold_edge(&mut self, edge: &Edge<'_>, _: bool, selector: &Selector) -> Result<bool> {
        if let Some(sources) = &mut self.places {
            sources.edge(edge, &selector.context.types);
        }
        Ok(true)
    }

    fn extension(&mut self, record: &Extension<'_>, _: &mut Selector) -> Result {
        if let Some(sources) = &mut self.places {
            sources.extension(record);
        }
        Ok(())
    }

    /// Looks up the names of the groups.
    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        let context = &selector.context;
        self.take_annotated(context)?;
        if !self.groups.keys.is_empty() {
            let known = self.groups.totals.iter().any(|totals| totals.retained.is_some());
            (self.retained.yes, self.retained.no) = (self.retained.yes || known, self.retained.no || !known);
        }
        for group in self.uncounted.take() {
            self.groups.totals[group as usize].uncounted = true;
        }
        let groups = std::mem::take(&mut self.groups);
        let snapshot = context.snapshot.as_ref().map(|s| (s.parse::<i128>().is_ok(), s.clone()));
        for (key, totals) in groups.keys.into_iter().zip(groups.totals) {
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
        if let Some(sources) = &mut self.places {
            sources.clear();
        }
        Ok(())
    }

    fn missing(&self, context: &Context) -> Vec<String> {
        // The snapshot comes first in every key.
        let lacking = |at: usize| !self.done.is_empty() && self.done.keys().all(|key| key[at + 1].is_none());
        let fields = self.by.iter().enumerate().filter_map(|(at, by)| match by {
            By::Field(field) | By::Location(field) if lacking(at) && !field.is_known(context) => {
                Some(field.missing())
            }
            _ => None,
        });
        let lacking = (self.retained.lacking || self.retained.yes && self.retained.no).then(|| {
            "retained is left out: not all nodes have heap.retained_from, which heap-dom adds".to_owned()
        });
        let part = (self.lost_roots > 0).then(|| PART.to_owned());
        let values = (self.values.len() > 1).then(|| {
            format!(
                "sizes of different values, {}, are added up (--value takes one for all)",
                self.values.join(" and ")
            )
        });
        fields.chain(lacking).chain(part).chain(values).collect()
    }
}
