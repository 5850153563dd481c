//! Process dumps grouped to snapshots: what was asked for at one moment, of all processes.

use std::collections::{BTreeMap, BTreeSet};

use crate::index::Index;
use crate::texts::{NONE, TextId};

/// The snapshots of a trace and the ways to find what belongs to a process dump.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// By time of their first process dump.
    pub(crate) snapshots: Vec<GlobalDump>,
    /// By process: its heap dumps, in time order.
    pub(crate) heaps_of: BTreeMap<i64, Vec<usize>>,
    /// By process: its dumps with memory regions, in time order.
    regions_of: BTreeMap<i64, Vec<usize>>,
    /// By dump id and process: dumps with memory regions; dumps with allocator totals.
    same: BTreeMap<(TextId, i64), Companions>,
    /// Second heap dumps of one process within one snapshot: process and dump id. They are left out.
    pub(crate) repeated: Vec<(i64, TextId)>,
}

/// A global dump.
#[derive(Debug)]
pub(crate) struct GlobalDump {
    /// Dump id, [`NONE`] if its events have none.
    pub(crate) id: TextId,
    /// Indexes into [`Index::dumps`] in time order; each process at most once.
    pub(crate) dumps: Vec<usize>,
}

/// Events without heaps that belong to the same process and dump.
#[derive(Clone, Copy, Debug, Default)]
struct Companions {
    regions: Option<usize>,
    allocators: Option<usize>,
}

/// Groups by dump id. Where an event has none, the first such dumps of all processes make one group, then
/// the second ones, and so on.
pub(crate) fn group(index: &Index) -> Groups {
    let mut groups = Groups::default();
    let by_time = |a: &usize, b: &usize| index.dumps[*a].ts.total_cmp(&index.dumps[*b].ts).then(a.cmp(b));

    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for (i, dump) in index.dumps.iter().enumerate() {
        let same = groups.same.entry((dump.id, dump.pid)).or_default();
        if dump.members.regions {
            same.regions.get_or_insert(i);
            groups.regions_of.entry(dump.pid).or_default().push(i);
        }
        if dump.members.allocators {
            same.allocators.get_or_insert(i);
        }
        if !dump.members.any_heaps() {
            continue;
        }
        // As in Catapult's importer the first in the file counts.
        if dump.id == NONE || seen.insert((dump.id, dump.pid)) {
            kept.push(i);
        } else {
            groups.repeated.push((dump.pid, dump.id));
        }
    }
    heap_base::sort_by(&mut kept, by_time);
    groups.regions_of.values_mut().for_each(|list| list.sort_by(by_time));

    let mut number_of = BTreeMap::new();
    let mut without_id = BTreeMap::<i64, usize>::new();
    for i in kept {
        let dump = &index.dumps[i];
        groups.heaps_of.entry(dump.pid).or_default().push(i);
        let key = if dump.id == NONE {
            let position = without_id.entry(dump.pid).or_default();
            *position += 1;
            (NONE, *position)
        } else {
            (dump.id, 0)
        };
        let n_snapshots = groups.snapshots.len();
        let number = *number_of.entry(key).or_insert(n_snapshots);
        if number == n_snapshots {
            groups.snapshots.push(GlobalDump { id: dump.id, dumps: Vec::new() });
        }
        groups.snapshots[number].dumps.push(i);
    }
    groups
}

impl Groups {
    /// The dump whose memory regions describe the process best at the time of `dump`: its own event, another event
    /// of the same dump, else the last one before, else the first one after.
    pub(crate) fn regions_for(&self, index: &Index, dump: usize) -> Option<usize> {
        let this = &index.dumps[dump];
        if this.members.regions {
            return Some(dump);
        }
        if this.id != NONE
            && let Some(same) = self.same.get(&(this.id, this.pid)).and_then(|s| s.regions)
        {
            return Some(same);
        }
        let list = self.regions_of.get(&this.pid)?;
        let after = list.partition_point(|&i| index.dumps[i].ts <= this.ts);
        list.get(after.saturating_sub(1)).copied()
    }

    /// The dump with the allocators' own totals.
    pub(crate) fn allocators_for(&self, index: &Index, dump: usize) -> Option<usize> {
        let this = &index.dumps[dump];
        if this.members.allocators {
            return Some(dump);
        }
        if this.id == NONE {
            return None;
        }
        self.same.get(&(this.id, this.pid))?.allocators
    }
}
