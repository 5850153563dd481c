//! What the rows of several tools share.

use heap_base::sort_by_key;
use heap_ops::select::Content;

use heap_report::{Cell, Column, Unit};

pub(crate) fn columns<'a>(columns: impl IntoIterator<Item = (&'a str, Unit)>) -> Vec<Column> {
    columns.into_iter().map(|(key, unit)| Column::new(key, unit)).collect()
}

/// By how much a number has changed. What is beyond 2^63 stops there.
pub(crate) fn change(new: u64, old: u64) -> i64 {
    let difference = i128::from(new) - i128::from(old);
    i64::try_from(difference)
        .unwrap_or_else(|_| heap_base::sums::stopped(if difference > 0 { i64::MAX } else { i64::MIN }))
}

/// A sum that stops where numbers do.
pub(crate) fn sum(numbers: impl Iterator<Item = u64>) -> u64 {
    heap_base::sums::total(numbers)
}

/// A sum of changes, the same.
pub(crate) fn sum_of_changes(numbers: impl Iterator<Item = i64>) -> i64 {
    heap_base::sums::total(numbers)
}

/// Which `most` lines of a tree are shown: the heaviest. A line weighs no more than the one it hangs on, and comes later.
pub(crate) fn heaviest(weights: &[u64], most: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    sort_by_key(&mut order, |&i| (std::cmp::Reverse(weights[i]), i));
    let mut kept = vec![false; weights.len()];
    order.into_iter().take(most).for_each(|i| kept[i] = true);
    kept
}

/// What a group is called: its keys.
pub(crate) fn name(keys: &[Option<Content>]) -> String {
    let texts: Vec<_> =
        keys.iter().map(|key| key.as_ref().map_or_else(String::new, |key| key.text().into_owned())).collect();
    texts.join(", ")
}

pub(crate) fn cell(content: Content) -> Cell {
    match content {
        Content::Int(n) => i64::try_from(n).map_or_else(|_| Cell::Uint(n as u64), Cell::Int),
        Content::Float(x) => Cell::Float(x),
        Content::Text(text) => Cell::Text(text),
        Content::Bool(b) => Cell::Bool(b),
    }
}
