//! Two to many snapshots compared: by class, and object by object where identifiers hold across them.

use std::collections::{BTreeMap, BTreeSet};

use heap_base::json::member;
use heap_base::{Error, Result};
use heap_record::wants::{Nodes, Strings};
use heap_record::{Declaration, Extension, Metadata, Node, Str, Value, Wants};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::report::{OnePass, Report};
use crate::select::condition::Condition;
use crate::select::field::{bracketed, int_field};
use crate::select::{Selection, Selector};
use crate::stream::IdSet;
use crate::stream::cells::{self, OpenCounts, RootCells, Uncounted};

mod options;
mod retained;
mod tests;

pub use options::{ChangeColumns, DiffOptions, RowFilter};
use retained::Retained;

/// How an object is known again in another snapshot of the same process: metadata `heap.identity`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Identity {
    /// It is not.
    #[default]
    None,
    /// By its identifier.
    Identifier,
    /// By fields of these names, together with the class's name; objects that lack the first are not.
    Fields(Vec<String>),
}

impl Identity {
    /// The way that the metadata names.
    pub fn named(name: &str) -> Self {
        match name {
            "" | "none" => Self::None,
            "identifier" => Self::Identifier,
            fields => Self::Fields(fields.split(' ').map(str::to_owned).collect()),
        }
    }
}

/// One snapshot's nodes, counted by type name and listed by identity.
///
/// Memory: the stream's strings; with objects, 32 bytes for each; with what they retain, 24 bytes a node.
#[derive(Debug, Default)]
pub struct Census {
    with_objects: bool,
    identity: Identity,
    source: String,
    groups: FxHashMap<Group, u32>,
    totals: Vec<ClassTotals>,
    keys: Vec<Group>,
    objects: Vec<Object>,
    cells: RootCells,
    /// Groups that cells took something from.
    lessened: FxHashSet<u32>,
    /// How many objects they left there.
    open: OpenCounts,
    /// Groups whose objects are not counted.
    uncounted: Uncounted,
    /// Names of `totals`, once they are complete; equal names share one number from then on.
    names: Vec<String>,
    /// Warnings about fields in conditions that no node had, once complete.
    missing: Vec<String>,
    retained: Retained,
}

/// Objects and shallow bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassTotals {
    /// Objects.
    pub count: u64,
    /// True if the source does not say how many some of its nodes stand for.
    pub uncounted: bool,
    /// Shallow bytes.
    pub size: u64,
}

impl ClassTotals {
    fn add(&mut self, count: u64, size: u64) {
        self.count = self.count.saturating_add(count);
        self.size = self.size.saturating_add(size);
    }

    fn less(&mut self, count: u64, size: u64) {
        self.count = self.count.saturating_sub(count);
        self.size = self.size.saturating_sub(size);
    }
}

/// Class, or subtype where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Class(i64),
    Subtype(u32),
}

#[derive(Clone, Copy, Debug)]
struct Object {
    key: i64,
    id: Value,
    size: u64,
    group: u32,
    /// Its place in what is known of retained sizes.
    place: u32,
}

impl Census {
    /// Counts the selected nodes; lists the objects too if asked.
    pub fn new(selection: Selection, with_objects: bool) -> OnePass<Self> {
        OnePass::new(Self { with_objects, ..Self::default() }, selection)
    }

    /// The number of a node's group, if the node is selected.
    fn group(&mut self, node: &Node<'_>, selector: &mut Selector) -> Result<Option<u32>> {
        if !selector.selects(node)? {
            return Ok(None);
        }
        let group = node.heap.class.map_or(Group::Subtype(node.subtype), Group::Class);
        let next = self.totals.len() as u32;
        let number = *self.groups.entry(group).or_insert(next);
        if number == next {
            self.totals.push(ClassTotals::default());
            self.keys.push(group);
        }
        Ok(Some(number))
    }

    /// Forgets what single nodes retain: only the last snapshot of a comparison needs it.
    pub fn forget_nodes(&mut self) {
        self.retained.forget_nodes();
    }

    /// Gives equal names one number, in the order of `numbers`, and sorts the objects by identity.
    fn number_names(&mut self, numbers: &mut BTreeMap<String, u32>) {
        let mut map = Vec::with_capacity(self.names.len());
        for name in &self.names {
            let next = numbers.len() as u32;
            map.push(*numbers.entry(name.clone()).or_insert(next));
        }
        for object in &mut self.objects {
            object.group = map[object.group as usize];
        }
        // With fields, the class is part of the identity.
        let by_field = matches!(self.identity, Identity::Fields(_));
        self.objects.sort_unstable_by_key(|o| (if by_field { o.group } else { 0 }, o.key, o.group, o.id));
    }
}

/// The identity that fields of a node make. Hashes and class ids are small, so two fields fit side by side.
fn key(node: &Node<'_>, fields: &[String]) -> Option<i64> {
    let field =
        |name: &String| member(node.own, name).or_else(|| member(node.rest, name)).and_then(int_field);
    let (first, others) = fields.split_first()?;
    let fold = |key: i64, name| key ^ field(name).unwrap_or(0).rotate_left(32);
    Some(others.iter().fold(field(first)?, fold))
}

impl Report for Census {
    fn wants(&self, selection: &Selection) -> Wants {
        let full = self.with_objects || selection.needs_details();
        Wants {
            strings: if selection.needs_names() { Strings::All } else { Strings::Classes },
            nodes: if full { Nodes::Full } else { Nodes::Brief },
            ..Wants::HEAD
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let identity = match record.key {
            "heap.identity" => Some(Identity::named(record.value)),
            // V8 keeps an object's id over the life of the process.
            "heap.identifier" if record.value == "v8" => Some(Identity::Identifier),
            _ => None,
        };
        if let Some(identity) = identity {
            if self.with_objects && !self.totals.is_empty() && identity != self.identity {
                let what = format!("{} comes after the first node that it is about", record.key);
                return Err(Error::at_line(record.line.number, what));
            }
            self.identity = identity;
        }
        match record.key {
            "target_source" => record.value.clone_into(&mut self.source),
            "heap.snapshot" if !self.totals.is_empty() => {
                return Err(Error::refused("several snapshots: choose one with --snapshot or FILE@N"));
            }
            _ => {}
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

    fn arrived(&mut self, node: &Node<'_>, _number: u32, _selector: &Selector) -> Result {
        self.cells.node(node);
        Ok(())
    }

    fn fold(&mut self, node: &Node<'_>, _number: u32, selector: &mut Selector) -> Result {
        let Some(number) = self.group(node, selector)? else { return Ok(()) };
        let size = node.heap.size.unwrap_or(0);
        let place = self.retained.push(node, number);
        self.totals[number as usize].add(node.heap.count.unwrap_or(1), size);
        self.uncounted.node(number, node, &selector.context);
        if self.with_objects {
            let key = match &self.identity {
                // What takes no space is no object: V8 makes such nodes anew for each snapshot.
                Identity::Identifier if size > 0 => Some(node.id),
                Identity::None | Identity::Identifier => None,
                Identity::Fields(fields) => key(node, fields),
            };
            if let Some(key) = key {
                self.objects.push(Object { key, id: node.id, size, group: number, place });
            }
        }
        Ok(())
    }

    fn waits_for_nodes(&self, record: &Extension<'_>) -> bool {
        cells::waits(record)
    }

    fn extension(&mut self, record: &Extension<'_>, selector: &mut Selector) -> Result {
        let cells = std::mem::take(&mut self.cells);
        if let Some((node, rest)) = cells.nodes(record, &selector.context)? {
            let less = self.group(&rest, selector)?;
            let Some(node) = node else {
                if let Some(group) = less {
                    self.open.whole(group, &rest);
                }
                self.cells = cells;
                return Ok(());
            };
            let more = self.group(&node, selector)?;
            if more != less {
                let (count, size) = (node.heap.count, node.heap.size.unwrap_or(0));
                if let Some(group) = more {
                    self.totals[group as usize].add(count.unwrap_or(1), size);
                    if count.is_none() {
                        self.uncounted.group(group);
                    }
                }
                if let Some(group) = less {
                    self.open.typed(group, &rest);
                    self.totals[group as usize].less(count.unwrap_or(0), size);
                    self.lessened.insert(group);
                }
            }
        }
        self.cells = cells;
        Ok(())
    }

    /// Looks up the names of the groups.
    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        self.cells.clear();
        for group in self.uncounted.take() {
            self.totals[group as usize].uncounted = true;
        }
        for (group, count) in self.open.left() {
            let totals = &mut self.totals[group as usize];
            (totals.count, totals.uncounted) = (count.unwrap_or(0), count.is_none());
        }
        for group in self.lessened.drain() {
            let totals = &mut self.totals[group as usize];
            if totals.size == 0 {
                *totals = ClassTotals::default(); // The cells left nothing over.
            }
        }
        for key in &self.keys[self.names.len()..] {
            self.names.push(match *key {
                Group::Class(id) => selector.context.strings.text_or_number(id)?,
                Group::Subtype(n) => bracketed(&selector.context.types.node_name(n)),
            });
        }
        // The numbers of classes and subtypes hold in one stream.
        self.groups.clear();
        self.retained.end(&self.names);
        self.missing = selector.missing();
        Ok(())
    }
}

/// What became of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassChange {
    /// The type name.
    pub class: String,
    /// What there is of it in each snapshot.
    pub totals: Vec<ClassTotals>,
    /// What it retains in each snapshot; empty if one does not say. Objects below others of the class count once.
    pub retained: Vec<u64>,
    /// Objects of the last snapshot that the first lacks.
    pub new: ClassTotals,
    /// Objects of the first snapshot that the last lacks.
    pub gone: ClassTotals,
    /// Objects in both, with their size in the last.
    pub kept: ClassTotals,
    /// Objects that the first lacks and all later ones have.
    pub leaked: ClassTotals,
    /// What the new ones retain together, and the leaked ones; 0 where that is not known.
    pub new_retained: u64,
    /// See [`new_retained`](Self::new_retained).
    pub leaked_retained: u64,
}

/// The comparison of two to many snapshots.
#[derive(Debug, Default)]
pub struct Diff {
    /// One row for each class met, by name.
    pub rows: Vec<ClassChange>,
    /// True if objects were compared, too.
    pub by_identity: bool,
    /// True if all snapshots say what their nodes retain.
    pub retained: bool,
    /// Objects with an identity, and how many of the first snapshot the last one has.
    pub matched: (u64, u64),
    /// Warnings: fields in conditions that no node had, each once, and what the comparison leaves open.
    pub doubts: Vec<String>,
    /// `target_source` of two files that different virtual machines wrote.
    pub strangers: Option<(String, String)>,
    new: Vec<Value>,
    gone: Vec<Value>,
    leaked: Vec<Value>,
}

/// Which objects of a [`Diff`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// In the last snapshot, not in the first.
    New,
    /// In the first snapshot, not in the last.
    Gone,
    /// Not in the first, in all later ones.
    Leaked,
}

impl Fate {
    /// The fate that a word names.
    pub fn named(name: &str) -> Option<Self> {
        [("new", Self::New), ("gone", Self::Gone), ("leaked", Self::Leaked)]
            .into_iter()
            .find_map(|(n, fate)| (n == name).then_some(fate))
    }

    /// How many snapshots it takes to know.
    pub fn takes(self) -> usize {
        if self == Self::Leaked { 3 } else { 2 }
    }

    /// Which of so many snapshots has the objects; of those that have them the last.
    pub fn place(self, snapshots: usize) -> usize {
        if self == Self::Gone { 0 } else { snapshots - 1 }
    }
}

/// The first source, and one that names another virtual machine: the name up to its first dot.
fn strangers(snapshots: &[Census]) -> Option<(String, String)> {
    let machine = |source: &str| source.split('.').next().unwrap_or_default().to_owned();
    let mut known = snapshots.iter().map(|s| s.source.as_str()).filter(|source| !source.is_empty());
    let first = known.next()?;
    let other = known.find(|source| machine(source) != machine(first))?;
    Some((first.to_owned(), other.to_owned()))
}

impl Diff {
    /// Compares snapshots, in the order of time. All were finished; there are at least two.
    pub fn of(snapshots: Vec<Census>) -> Self {
        Self::compare(snapshots, false)
    }

    /// The same of snapshots whose nodes say what they retain, if there are any.
    pub fn with_retained(snapshots: Vec<Census>) -> Self {
        Self::compare(snapshots, true)
    }

    fn compare(mut snapshots: Vec<Census>, with_retained: bool) -> Self {
        let mut numbers = BTreeMap::new();
        let identity = snapshots[0].identity.clone();
        let with_objects = snapshots.iter().all(|s| s.with_objects);
        let by_identity = with_objects
            && identity != Identity::None
            && snapshots.iter().all(|s| s.identity == identity && s.source == snapshots[0].source);
        let missing: BTreeSet<String> =
            snapshots.iter_mut().flat_map(|s| std::mem::take(&mut s.missing)).collect();
        let mut doubts = Vec::from_iter(missing);
        if with_objects && !by_identity {
            let identities = snapshots.iter().all(|s| s.identity != Identity::None);
            let why = if identities {
                "the files come from different sources"
            } else {
                "objects carry no lasting identity"
            };
            doubts.push(format!("{why}: only counts and sizes are compared"));
        }
        for snapshot in &mut snapshots {
            snapshot.number_names(&mut numbers);
        }
        let mut rows = vec![ClassChange::default(); numbers.len()];
        for (name, &number) in &numbers {
            rows[number as usize] = ClassChange {
                class: name.clone(),
                totals: vec![ClassTotals::default(); snapshots.len()],
                ..ClassChange::default()
            };
        }
        for (i, snapshot) in snapshots.iter().enumerate() {
            for (name, totals) in snapshot.names.iter().zip(&snapshot.totals) {
                let sum = &mut rows[numbers[name] as usize].totals[i];
                sum.add(totals.count, totals.size);
                sum.uncounted |= totals.uncounted;
            }
        }
        if rows.iter().any(|row| row.totals.iter().any(|totals| totals.uncounted)) {
            let what = "the source does not count all objects: such counts are left out, and no condition on them holds";
            doubts.push(what.to_owned());
        }
        let known = snapshots.iter().any(|s| s.retained.is_known());
        let retained = (known || with_retained) && !snapshots.iter().any(|s| s.retained.is_lacking());
        if retained {
            for (i, snapshot) in snapshots.iter().enumerate() {
                for (name, bytes) in snapshot.names.iter().zip(snapshot.retained.of_groups()) {
                    let row = &mut rows[numbers[name] as usize].retained;
                    row.resize(i + 1, 0);
                    row[i] = row[i].max(*bytes);
                }
            }
            for row in &mut rows {
                row.retained.resize(snapshots.len(), 0);
            }
        } else if known {
            let why = "not all files say what nodes retain; --retained works it out";
            doubts.push(format!("retained sizes are left out: {why}"));
        }
        let strangers = strangers(&snapshots);
        let mut diff = Self { by_identity, retained, doubts, strangers, ..Self::default() };
        if by_identity {
            diff.objects(&snapshots, &mut rows, matches!(identity, Identity::Fields(_)));
            let (all, again) = diff.matched;
            if again * 10 < all {
                diff.doubts.push("few objects are met again: do the files come from one process?".to_owned());
            }
            diff.doubts.extend(diff.clones(&identity));
        }
        rows.sort_by(|a, b| a.class.cmp(&b.class));
        diff.rows = rows;
        diff
    }

    fn objects(&mut self, snapshots: &[Census], rows: &mut [ClassChange], by_field: bool) {
        // Objects of equal rank are the same one; a class that changed makes two of them.
        let rank = |o: &Object| {
            if by_field { (i64::from(o.group), o.key, 0) } else { (o.key, i64::from(o.group), 0) }
        };
        let (first, last) = (&snapshots[0].objects, &snapshots[snapshots.len() - 1].objects);
        let ranges = &snapshots[snapshots.len() - 1].retained;
        let (mut new, mut leaked) = (Vec::new(), Vec::new());
        self.matched.0 = first.len() as u64;
        let (mut i, mut j) = (0, 0);
        while i < first.len() || j < last.len() {
            let order = match (first.get(i), last.get(j)) {
                (Some(a), Some(b)) => rank(a).cmp(&rank(b)),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            match order {
                std::cmp::Ordering::Less => {
                    rows[first[i].group as usize].gone.add(1, first[i].size);
                    self.gone.push(first[i].id);
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    rows[last[j].group as usize].new.add(1, last[j].size);
                    self.new.push(last[j].id);
                    new.push((last[j].group, last[j].place));
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    rows[last[j].group as usize].kept.add(1, last[j].size);
                    self.matched.1 += 1;
                    i += 1;
                    j += 1;
                }
            }
        }
        if snapshots.len() > 2 {
            // Walk the last one; a place in each other one follows it.
            let mut at = vec![0; snapshots.len() - 1];
            for object in last {
                let mut found = |n: usize| {
                    let list = &snapshots[n].objects;
                    while list.get(at[n]).is_some_and(|o| rank(o) < rank(object)) {
                        at[n] += 1;
                    }
                    let here = list.get(at[n]).is_some_and(|o| rank(o) == rank(object));
                    // An identity met twice, as hashes may be, is used up one by one.
                    at[n] += usize::from(here);
                    here
                };
                let in_first = found(0);
                let found_later = (1..snapshots.len() - 1).filter(|&n| found(n)).count();
                let in_all = found_later == snapshots.len() - 2;
                if in_all && !in_first {
                    rows[object.group as usize].leaked.add(1, object.size);
                    self.leaked.push(object.id);
                    leaked.push((object.group, object.place));
                }
            }
        }
        for (group, bytes) in ranges.of_sets(new) {
            rows[group as usize].new_retained = bytes;
        }
        for (group, bytes) in ranges.of_sets(leaked) {
            rows[group as usize].leaked_retained = bytes;
        }
    }

    /// Two processes of one program give most identifiers to alike objects, and some to others. In one process an object
    /// keeps its class: none of some hundred thousand changed it, in clones at least one of fifty.
    fn clones(&self, identity: &Identity) -> Option<String> {
        if *identity != Identity::Identifier {
            return None;
        }
        // Both are in the order of identifiers.
        let (mut gone, mut changed) = (self.gone.iter().peekable(), 0);
        for id in &self.new {
            while gone.next_if(|&other| other < id).is_some() {}
            changed += u64::from(gone.next_if_eq(&id).is_some());
        }
        let both = self.matched.1 + changed;
        (changed >= 3 && changed * 500 > both).then(|| {
            format!(
                "{changed} of {both} objects with equal identifiers differ in class: the files are most likely of \
                 different processes, and new, gone and kept mean nothing; --classes leaves them out"
            )
        })
    }

    /// # Errors
    /// The files are of different virtual machines, which was not asked for. Or the options ask for objects, and these carry
    /// no lasting identity.
    pub fn serves(&self, options: &DiffOptions) -> Result {
        if let Some((one, other)) = self.strangers.as_ref().filter(|_| !options.mixed) {
            return Err(Error::refused(format!(
                "the files are of different virtual machines, {one} and {other}; --mixed compares them all the same"
            )));
        }
        if self.by_identity || !options.objects() {
            return Ok(());
        }
        Err(Error::refused("the objects of these files cannot be matched: they carry no lasting identity"))
    }

    /// Warnings about classes that the condition of a gate names and no snapshot has: it can never hold for them.
    pub fn unmet(&self, condition: &Condition) -> Vec<String> {
        let unmet =
            condition.texts_of("class").filter(|class| self.rows.iter().all(|row| row.class != **class));
        unmet.map(|class| format!("no file has the class '{class}' of --fail-on")).collect()
    }

    /// Identifiers of the objects with this fate, in their snapshot.
    pub fn ids(&self, fate: Fate) -> IdSet {
        let ids = match fate {
            Fate::New => &self.new,
            Fate::Gone => &self.gone,
            Fate::Leaked => &self.leaked,
        };
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        let mut set = IdSet::new();
        for id in sorted {
            set.insert(id);
        }
        set
    }
}
