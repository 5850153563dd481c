//! What the rows of several tools share.

use heap_ops::select::Content;

use heap_report::{Cell, Column, Unit};

pub(crate) fn columns<'a>(columns: impl IntoIterator<Item = (&'a str, Unit)>) -> Vec<Column> {
    columns.into_iter().map(|(key, unit)| Column::new(key, unit)).collect()
}

/// Which `most` lines of a tree are shown: the heaviest. A line weighs no more than the one it hangs on, and comes later.
pub(crate) fn heaviest(weights: &[u64], most: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(weights[i]), i));
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
