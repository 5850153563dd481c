//! Two to many snapshots compared: by class, and object by object where identifiers hold across them.

mod census;
mod chosen;
mod options;
mod retained;
pub mod rows;
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use heap_base::{Error, Result, sort_by};
use heap_record::Value;

use heap_ops::stream::IdSet;

use census::Object;
pub use census::{Census, ClassTotals, Grouping};
pub use chosen::{ChangeColumns, DiffOptions, RowFilter};
use heap_ops::series::{self, Doubt, Identity, STRINGS, are_clones, strangers};
pub use options::TOOL;

/// What became of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassChange {
    /// The type name, or what else nodes are counted by; empty of nodes that have none.
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
    /// What nodes were counted by.
    pub by: Grouping,
    /// True if objects were compared, too.
    pub by_identity: bool,
    /// True if all snapshots say what their nodes retain.
    pub retained: bool,
    /// Objects with an identity, and how many of the first snapshot the last one has.
    pub matched: (u64, u64),
    /// Warnings: fields in conditions that no node had, each once, and what the comparison leaves open.
    pub doubts: Vec<String>,
    /// What makes this comparison worth nothing: dumps in another order, of two processes, or one that is there twice.
    pub doubt: Option<Doubt>,
    /// Why differences of some row are not known.
    pub unknown: Option<String>,
    /// What the files are of that are not to be compared, such as different virtual machines.
    pub strangers: Option<String>,
    new: Vec<Value>,
    gone: Vec<Value>,
    leaked: Vec<Value>,
    /// Those that are gone and are strings, which may be new as strings of another kind; ascending.
    strings: Vec<Value>,
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

impl ClassChange {
    /// Whether sums of several dumps are larger than a column holds.
    fn is_unknown(&self) -> bool {
        let beyond =
            |of: fn(&ClassTotals) -> u64| self.totals.iter().filter(|t| of(t) >= i64::MAX as u64).count() > 1;
        beyond(|totals| totals.count) || beyond(|totals| totals.size)
    }
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
        // Whether a selection is of one process all of the dumps say.
        let samples: Option<Vec<Census>> =
            snapshots.iter_mut().map(|s| s.sample.take().map(|sample| *sample)).collect();
        let sampled = samples.map(Self::of);
        let mut numbers = BTreeMap::new();
        let identity = snapshots[0].origin.identity.clone();
        let with_objects = snapshots.iter().all(|s| s.with_objects);
        let by_identity = with_objects
            && identity != Identity::None
            && snapshots
                .iter()
                .all(|s| s.origin.identity == identity && s.origin.source == snapshots[0].origin.source);
        let missing: BTreeSet<String> =
            snapshots.iter_mut().flat_map(|s| std::mem::take(&mut s.missing)).collect();
        let mut doubts = Vec::from_iter(missing);
        if with_objects && !by_identity {
            let identities = snapshots.iter().all(|s| s.origin.identity != Identity::None);
            let why = if identities {
                "the files come from different sources"
            } else {
                "objects carry no lasting identity"
            };
            doubts.push(format!("{why}: only counts and sizes are compared"));
        }
        for snapshot in &mut snapshots {
            snapshot.add_up();
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
        let strangers = strangers(snapshots.iter().map(|s| &s.origin));
        let by = snapshots[0].by();
        let mut diff = Self { by, by_identity, retained, doubts, strangers, ..Self::default() };
        // Of a selection all may have gone, also the youngest.
        let whole = snapshots.iter().all(|s| s.whole);
        if by_identity {
            diff.objects(&snapshots, &mut rows, matches!(identity, Identity::Fields(_)));
            let (all, again) = diff.matched;
            if whole && again * 10 < all {
                diff.doubts.push("few objects are met again: do the files come from one process?".to_owned());
            }
        }
        if diff.strangers.is_none() {
            let dated: Vec<_> = snapshots.iter().map(|s| (&s.origin, s.highest, Some(s.bytes))).collect();
            diff.doubt = match series::doubt(&dated) {
                Some(Doubt::Unsound(why)) => Some(Doubt::Unsound(why)),
                other => {
                    let of = sampled.as_ref().unwrap_or(&diff);
                    of.clones(&identity).filter(|_| by_identity).map(Doubt::Unsound).or(other)
                }
            };
            diff.doubts.extend(diff.doubt.iter().map(|doubt| doubt.text().to_owned()));
        }
        if let Some(row) = rows.iter().find(|row| row.is_unknown()) {
            let class = &row.class;
            let why =
                format!("sums of {class} are beyond 2^63 in several dumps: how they differ is not known");
            diff.doubts.push(why.clone());
            diff.unknown = Some(why);
        }
        sort_by(&mut rows, |a, b| a.class.cmp(&b.class));
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
                    if STRINGS.contains(&rows[first[i].group as usize].class.as_str()) {
                        self.strings.push(first[i].id);
                    }
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

    /// Two processes of one program give most identifiers to alike objects, and some to others.
    fn clones(&self, identity: &Identity) -> Option<String> {
        if *identity != Identity::Identifier {
            return None;
        }
        // Both are in the order of identifiers.
        let (mut gone, mut changed) = (self.gone.iter().peekable(), 0);
        for id in &self.new {
            while gone.next_if(|&other| other < id).is_some() {}
            let is_other = gone.next_if_eq(&id).is_some() && self.strings.binary_search(id).is_err();
            changed += u64::from(is_other);
        }
        let both = self.matched.1 + changed;
        are_clones(changed, both).then(|| {
            format!(
                "{changed} of {both} objects with equal identifiers differ in class: the files are most likely of \
                 different processes, or of one to which an inspector was connected anew for each (heap-dump --count \
                 keeps it), and new, gone and kept mean nothing; --classes leaves them out"
            )
        })
    }

    /// Takes in that a file is there twice, if nothing else is doubtful.
    pub fn repeated(&mut self, why: Option<String>) {
        if self.doubt.is_none() && self.strangers.is_none() {
            self.doubts.extend(why.clone());
            self.doubt = why.map(Doubt::Repeated);
        }
    }

    /// # Errors
    /// The files are of different virtual machines or values, which was not asked for. Or the options ask for objects, and these carry
    /// no lasting identity.
    pub fn serves(&self, options: &DiffOptions) -> Result {
        if let Some(what) = self.strangers.as_ref().filter(|_| !options.mixed) {
            let what = format!("the files are {what}; --mixed compares them all the same");
            return Err(Error::refused(what));
        }
        if self.by_identity || !options.objects() {
            return Ok(());
        }
        Err(Error::refused("the objects of these files cannot be matched: they carry no lasting identity"))
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
