//! The columns of sums that conditions may name.

use super::{SumRow, Totals};
use heap_ops::select::Content;
use heap_ops::select::condition::{Columns, Kind, Of, Values};

/// The columns that conditions on sums may name: the groupings and the numbers. `total.` before one of the numbers is the
/// sum over all groups.
#[derive(Clone, Debug)]
pub struct SumColumns {
    /// Names of the groupings.
    pub by: Vec<String>,
}

const NUMBERS: &[&str] = &["count", "size", "external", "retained"];
/// What groups retain overlaps, and does not add up.
const TOTALS: &[&str] = &["total.count", "total.size", "total.external"];

impl Columns for SumColumns {
    fn kind(&self, name: &str) -> Option<Kind> {
        if self.by.iter().any(|by| by == name) {
            let text = matches!(name, "class" | "subtype" | "name" | "file");
            return Some(if text { Kind::Text } else { Kind::Any });
        }
        (NUMBERS.contains(&name) || TOTALS.contains(&name)).then_some(Kind::Number)
    }

    fn has_base(&self, name: &str, of: Of) -> bool {
        of == Of::Total && matches!(name, "count" | "size" | "external")
    }

    fn bounds(&self, name: &str) -> (f64, f64) {
        let is_key = self.by.iter().any(|by| by == name);
        (if is_key { f64::NEG_INFINITY } else { 0.0 }, f64::INFINITY)
    }

    fn names(&self) -> Vec<String> {
        let numbers = NUMBERS.iter().chain(TOTALS).map(|name| (*name).to_owned());
        self.by.iter().cloned().chain(numbers).collect()
    }
}

/// A row as conditions see it.
#[derive(Clone, Copy, Debug)]
pub struct SumValues<'a> {
    /// Names of the row's keys.
    pub by: &'a [&'a str],
    /// The row.
    pub row: &'a SumRow,
    /// The totals of all rows.
    pub total: &'a Totals,
}

fn number(totals: &Totals, name: &str) -> Option<u64> {
    match name {
        "count" => (!totals.uncounted).then_some(totals.count),
        "size" => Some(totals.size),
        "external" => totals.external,
        "retained" => totals.retained,
        _ => None,
    }
}

impl Values for SumValues<'_> {
    fn get(&self, name: &str) -> heap_base::Result<Option<Content>> {
        if let Some(at) = self.by.iter().position(|by| *by == name) {
            return Ok(self.row.keys.get(at).cloned().flatten());
        }
        let (totals, name) = match name.strip_prefix("total.") {
            Some(name) => (self.total, name),
            None => (&self.row.totals, name),
        };
        Ok(number(totals, name).map(|n| Content::Int(n.into())))
    }

    fn base(&self, name: &str, _of: Of) -> Option<f64> {
        number(self.total, name).map(|n| n as f64)
    }
}
