//! What a snapshot says of itself: totals and high scores, worked out anew where the stream does not bring them.

use heap_base::{Plus, sort_by_key};

use serde_json::Value;

/// Entries of each list.
const ENTRIES: usize = 40;

/// What MoarVM's `filemeta` says of the high scores.
pub(super) const FILEMETA: &str = r#"{ "subversion": 1, "start_time": 0, "pid": 0, "highscore_structure": { "entry_count": 40, "data_order": ["types_by_count", "frames_by_count", "types_by_size", "frames_by_size"]}}"#;

/// Totals of a snapshot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    /// Bytes, managed and unmanaged.
    pub(super) size: u64,
    /// Rows by kind: objects, type objects, STables, frames.
    pub(super) kinds: [u64; 4],
    pub(super) refs: u64,
}

/// Counts and bytes by type and by static frame.
#[derive(Debug, Default)]
pub(super) struct Scores {
    types: Vec<(u64, u64)>,
    frames: Vec<(u64, u64)>,
}

impl Totals {
    /// Adds a row up.
    pub(super) fn add(&mut self, kind: u64, size: u64) {
        self.size = self.size.plus(size);
        if let Some(count) = kind.checked_sub(1).and_then(|kind| self.kinds.get_mut(kind as usize)) {
            *count += 1;
        }
    }

    /// True if `snapmeta` says nothing else. Frames on a call stack are not in its count.
    pub(super) fn agree(&self, snapmeta: &Value) -> bool {
        let is = |key: &str, n: u64| snapmeta[key].as_u64().is_none_or(|claimed| claimed == n);
        is("total_heap_size", self.size)
            && is("total_objects", self.kinds[0])
            && is("total_typeobjects", self.kinds[1])
            && is("total_stables", self.kinds[2])
            && is("total_refs", self.refs)
    }

    /// The text of `snapmeta`, with the time and number of the one that no longer holds.
    pub(super) fn text(&self, old: Option<&Value>, number: u64) -> String {
        let kept = |key: &str| old.and_then(|old| old[key].as_u64());
        let (time, gc) = (kept("snap_time").unwrap_or(0), kept("gc_seq_num").unwrap_or(number));
        let [objects, type_objects, stables, frames] = self.kinds;
        format!(
            "{{ \"snap_time\": {time}, \"gc_seq_num\": {gc}, \"total_heap_size\": {}, \"total_objects\": {objects}, \
             \"total_typeobjects\": {type_objects}, \"total_stables\": {stables}, \"total_frames\": {frames}, \
             \"total_refs\": {} }}",
            self.size, self.refs
        )
    }
}

impl Scores {
    /// Adds a row up.
    pub(super) fn add(&mut self, kind: u64, owner: u64, size: u64) {
        let list = match kind {
            1 => &mut self.types,
            4 => &mut self.frames,
            _ => return,
        };
        let owner = owner as usize;
        if list.len() <= owner {
            list.resize(owner + 1, (0, 0));
        }
        list[owner] = (list[owner].0 + 1, list[owner].1.plus(size));
    }

    /// Index and score, forty for each list, in the order of [`FILEMETA`].
    pub(super) fn top(&self) -> Vec<(u64, u64)> {
        let (count, size) = (|row: &(u64, u64)| row.0, |row: &(u64, u64)| row.1);
        let mut all = best(&self.types, count);
        all.extend(best(&self.frames, count));
        all.extend(best(&self.types, size));
        all.extend(best(&self.frames, size));
        all
    }
}

/// The best, then those without any score, as MoarVM sorts its whole table: the other indexes in their order, and where the
/// table is shorter than the list those beyond it.
fn best(list: &[(u64, u64)], score: impl Fn(&(u64, u64)) -> u64) -> Vec<(u64, u64)> {
    let beyond = std::iter::repeat_n(0, ENTRIES.saturating_sub(list.len()));
    let mut rows: Vec<_> = (0..).zip(list.iter().map(score).chain(beyond)).collect();
    sort_by_key(&mut rows, |&(_, score)| std::cmp::Reverse(score));
    rows.truncate(ENTRIES);
    rows
}
