//! Rows that are one: of the same place, of a part of it, or of several with one name.

use heap_base::Plus;
use heap_graph::Outline;

use super::finder::Row;
use super::holders;
use super::scene::Scene;
use crate::cells;
use heap_ops::place::{Step, Way};

/// One of so many parts is some of it.
const SOME: u64 = 5;

/// Adds a row, unless it is part of one that is there: the same object, below it, or above it by the same name. Of what has
/// one name, and of what has none and holds the same, the rows are one: the lists of all parts of a program that has such a
/// list in each.
///
/// Whether a rank has `come` since the first dump says if lists that are there are all of one name, or the last ones of many.
pub(super) fn merge(scene: &Scene<'_>, rows: &mut Vec<Row>, row: Row, come: impl Fn(u32) -> bool) {
    let tree = scene.tree;
    let nameless = |row: &Row| !row.name.named && row.items.own && !row.crowd;
    let below = |one: &Row, other: &Row| {
        let contains = |&rank: &u32| (rank..tree.end(rank)).contains(&other.rank);
        !one.crowd && !other.crowd && one.ranks.iter().any(contains)
    };
    // Both ascending.
    let overlap = |one: &[u32], other: &[u32]| {
        one.iter().any(|&rank| {
            let next = other.partition_point(|&of| of < rank);
            let is_below = other.get(next).is_some_and(|&of| of < tree.end(rank));
            is_below || next > 0 && tree.end(other[next - 1]) > rank
        })
    };
    // Variables for which the dump has no names are no parts of one place, such as two constants of a module. Where nothing but
    // names is known again, those of one class are.
    let are_apart = |known: &Row, row: &Row| {
        let variable = |row: &Row| variable_without_name(&row.name.steps, row.holder).filter(|_| !row.crowd);
        let (Some(one), Some(other)) = (variable(known), variable(row)) else { return false };
        // Branches of a tree are parts of it.
        let is_link = scene.group(one) == scene.group(row.holder);
        scene.group(known.holder) != scene.group(row.holder)
            || scene.group(one) != scene.group(other)
            || scene.clues.has_identity() && one == other && !is_link
    };
    let one_name = |known: &Row| {
        known.name.named
            && row.name.named
            && !row.name.text.is_empty()
            && known.name.text == row.name.text
            && (overlap(&known.ranks, &row.ranks) || !are_apart(known, &row))
    };
    let bytes = |row: &Row| cells::sum(row.ranks.iter().map(|&rank| tree.retained(rank)));
    let is_much = |part: &Row, all: &Row| bytes(part).saturating_mul(4) >= bytes(all);
    // Of a holder only what its large parts leave over is there, and here is all of it: what is left over may say more.
    let whole = |known: &Row| {
        known.crowd
            && !row.crowd
            && known.name.named
            && known.name.text == row.name.text
            && known.ranks.iter().all(|rank| (row.rank..tree.end(row.rank)).contains(rank))
    };
    if let Some(known) = rows.iter_mut().find(|known| whole(known)) {
        let left = std::mem::replace(known, row);
        if is_of_few(known) && is_much(&left, known) {
            known.items = left.items;
        }
        return;
    }
    // As many of another class that lead to the same, such as what the machine has for each of them.
    let twin = |known: &Row| {
        let counts = |row: &Row| row.items.holds.first().map(|of| of.count);
        known.crowd
            && row.crowd
            && row.items.behind.is_some()
            && known.items.behind == row.items.behind
            && known.name.text == row.name.text
            && counts(known) == counts(&row)
    };
    if let Some(known) = rows.iter_mut().find(|known| twin(known)) {
        // One below the other they are the same.
        if overlap(&known.ranks, &row.ranks) {
            return;
        }
        known.ranks.extend(&row.ranks);
        known.ranks.sort_unstable();
        known.keys.extend(row.keys);
        return;
    }
    let same = |known: &Row| {
        known.holder == row.holder && known.crowd == row.crowd
            || below(known, &row)
            || one_name(known) && overlap(&known.ranks, &row.ranks)
    };
    // Of parts that come one after the other, as segments do, those before are no rows any more: their holder is.
    let is_series = |known: &Row| {
        let left = bytes(&row).saturating_sub(bytes(known));
        known.ranks.iter().any(|&rank| come(rank)) && left.saturating_mul(SOME) >= bytes(&row)
    };
    let around = |known: &Row| is_around(tree, known, &row) && !is_series(known);
    // What places further down leave over is a part of the holder, of which it may say more than a few objects do.
    let part = |known: &Row| {
        let contains = |&rank: &u32| (known.rank..tree.end(known.rank)).contains(&rank);
        !known.crowd && row.crowd && known.holder == row.holder && row.ranks.iter().all(contains)
    };
    if let Some(known) = rows.iter_mut().find(|known| part(known)) {
        let is_of_few = is_of_few(known) && known.items.many.is_none();
        if is_of_few && (row.items.own || is_much(&row, known)) {
            (known.items, known.name.text) = (row.items, row.name.text);
        }
        return;
    }
    if rows.iter().any(|known| same(known) || around(known)) {
        return;
    }
    let alike = |known: &Row| {
        nameless(known)
            && nameless(&row)
            && known.items.behind == row.items.behind
            && class_of(known) == class_of(&row)
    };
    let by_name = rows.iter().position(one_name);
    let Some(at) = by_name.or_else(|| rows.iter().position(alike)) else {
        rows.push(row);
        return;
    };
    let known = &mut rows[at];
    let mut row = row;
    if by_name.is_some() && bytes(&row) > bytes(known) {
        std::mem::swap(known, &mut row);
    }
    known.ranks.extend(&row.ranks);
    known.ranks.sort_unstable();
    known.others += usize::from(by_name.is_none());
    for key in &row.keys {
        if !known.keys.contains(key) {
            known.keys.push(key.clone());
        }
    }
    // What else has this name may be of another class.
    if class_of(known) == class_of(&row)
        && let (Some(known), Some(new)) = (known.items.holds.first_mut(), row.items.holds.first())
    {
        known.count += new.count;
        known.retained = known.retained.plus(new.retained);
    }
}

/// Whether most of a row is in lists of one name that are there: `accounts`, of which `accounts[*].changes` says more. Or in one
/// place that holds the same: the row is one of a small part, which had no name but that of all.
pub(super) fn is_around(tree: &Outline, known: &Row, row: &Row) -> bool {
    let contains = |rank: &u32| (row.rank..tree.end(row.rank)).contains(rank);
    let bytes = |row: &Row| cells::sum(row.ranks.iter().map(|&rank| tree.retained(rank)));
    (known.ranks.len() > 1 || class_of(known) == class_of(row))
        && !known.crowd
        && !row.crowd
        && known.name.text.starts_with(&row.name.text)
        && known.ranks.iter().all(contains)
        && bytes(known).saturating_mul(2) >= bytes(row)
}

/// Of what a holder is a variable or a field for which the dump has no name.
pub(super) fn variable_without_name(steps: &[Step], holder: u32) -> Option<u32> {
    let [.., above, last] = steps else { return None };
    let has_name = last.edge.is_none() || !last.label.is_empty() || last.way == Way::Element;
    (!has_name && last.node == holder).then_some(above.node)
}

/// Whether a row speaks of a few objects, of which what else is there may say more.
pub(super) fn is_of_few(row: &Row) -> bool {
    row.items.holds.first().is_some_and(|of| (of.count as usize) < holders::MANY)
}

/// What a row speaks of.
pub(super) fn class_of(row: &Row) -> Option<&str> {
    row.items.holds.first().map(|of| of.class.as_str())
}
