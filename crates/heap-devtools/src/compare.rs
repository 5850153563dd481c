//! The comparison view: what one snapshot has and the other has not.

use heap_base::{Error, Map, Plus, Result};
use heap_graph::IdTable;

use crate::group::Grouped;

/// A row of the comparison view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparisonRow {
    /// What identifies the group: `script,line,column,class` or `,class`.
    pub key: String,
    /// The class.
    pub class: String,
    /// How many objects only the new snapshot has in this group,
    pub added: u64,
    /// how many only the base has,
    pub removed: u64,
    /// and their shallow bytes.
    pub added_size: u64,
    /// And their shallow bytes.
    pub removed_size: u64,
}

/// What `new` has and `base` has not, and the other way round, by group; groups without either are left out.
///
/// Objects are the same if their identifiers are. One that has changed its group is removed in one and added in the other;
/// one without size does not count. `base` should be [grouped](crate::View::group) by the interfaces of `new`.
/// Takes the identifiers of both twice, and 4 bytes for each identifier that was ever given.
///
/// # Errors
/// Identifiers that say nothing about another snapshot.
pub fn compare(base: &Grouped, new: &Grouped) -> Result<Vec<ComparisonRow>> {
    if !base.lasting() || !new.lasting() {
        return Err(Error::refused(
            "objects cannot be found again: their identifiers hold in one snapshot only",
        ));
    }
    let mut rows: Vec<ComparisonRow> = Vec::new();
    let mut numbers: Map<&str, u32> = Map::default();
    // Groups of either snapshot as rows that both share.
    let [in_base, in_new] = [base, new].map(|grouped| {
        grouped
            .groups
            .iter()
            .map(|(class, key)| {
                *numbers.entry(key).or_insert_with(|| {
                    let class = grouped.classes[*class as usize].to_string();
                    rows.push(ComparisonRow { key: key.clone(), class, ..ComparisonRow::default() });
                    rows.len() as u32 - 1
                })
            })
            .collect::<Vec<u32>>()
    });
    only(new, &in_new, base, &in_base, |row, size| {
        let row = &mut rows[row as usize];
        row.added += 1;
        row.added_size = row.added_size.plus(size);
    })?;
    only(base, &in_base, new, &in_new, |row, size| {
        let row = &mut rows[row as usize];
        row.removed += 1;
        row.removed_size = row.removed_size.plus(size);
    })?;
    rows.retain(|row| row.added > 0 || row.removed > 0);
    Ok(rows)
}

/// Calls `found` with row and size of each object of `these` that `those` have not in the same row.
fn only(
    these: &Grouped,
    rows: &[u32],
    those: &Grouped,
    their_rows: &[u32],
    mut found: impl FnMut(u32, u64),
) -> Result {
    let mut table = IdTable::from_ids(those.ids().clone());
    for node in 0..these.nodes() {
        let Some((group, size)) = these.counted(node) else { continue };
        let row = rows[group as usize];
        let twice = |id| Error::input(format!("node identifier {id} occurs twice"));
        let other = table.get(these.id(node)).map_err(twice)?;
        let there = other.and_then(|other| those.counted(other)).map(|(group, _)| their_rows[group as usize]);
        if there != Some(row) {
            found(row, size);
        }
    }
    Ok(())
}
