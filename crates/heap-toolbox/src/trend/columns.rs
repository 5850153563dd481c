//! The columns of a trend that conditions may name.

use super::{Growth, Series};
use heap_ops::select::Content;
use heap_ops::select::condition::{Columns, Kind, Of};

/// The columns that conditions on series may name: these and the groupings.
#[derive(Clone, Debug)]
pub struct TrendColumns<'a> {
    /// Names of the groupings.
    pub by: Vec<&'a str>,
}

const NUMBERS: &[&str] = &[
    "dumps",
    "count",
    "size",
    "retained",
    "count_delta",
    "size_delta",
    "retained_delta",
    "count_slope",
    "slope",
    "retained_slope",
    "fit",
];

impl TrendColumns<'_> {
    /// Whether the column compares dumps with each other.
    pub fn compares(name: &str) -> bool {
        base(name).is_some() || matches!(name, "fit" | "growth")
    }
}

impl Columns for TrendColumns<'_> {
    fn kind(&self, name: &str) -> Option<Kind> {
        match name {
            "class" | "subtype" | "name" | "file" | "growth"
                if name == "growth" || self.by.contains(&name) =>
            {
                Some(Kind::Text)
            }
            _ if self.by.contains(&name) => Some(Kind::Any),
            _ => NUMBERS.contains(&name).then_some(Kind::Number),
        }
    }

    fn has_base(&self, name: &str, of: Of) -> bool {
        of == Of::Before && base(name).is_some()
    }

    fn values(&self, name: &str) -> &'static [&'static str] {
        if name == "growth" { Growth::NAMES } else { &[] }
    }

    fn bounds(&self, name: &str) -> (f64, f64) {
        match name {
            "fit" => (0.0, 1.0),
            "dumps" | "count" | "size" | "retained" => (0.0, f64::INFINITY),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    fn names(&self) -> Vec<String> {
        self.by.iter().chain(NUMBERS).chain(&["growth"]).map(|name| (*name).to_owned()).collect()
    }
}

/// The value that a percentage of a column is a part of: that of the first dump.
fn base(name: &str) -> Option<&str> {
    Some(match name {
        "count_delta" | "count_slope" => "count",
        "size_delta" | "slope" => "size",
        "retained_delta" | "retained_slope" => "retained",
        _ => return None,
    })
}

/// What a series has in a column that is no grouping.
pub fn value(series: &Series, name: &str) -> Option<Content> {
    let uint = |n: u64| Content::Int(n.into());
    let int = |n: i64| Content::Int(n.into());
    let (line, count) = (series.line(), series.count_line());
    Some(match name {
        "dumps" => {
            uint(series.totals.iter().filter(|totals| totals.count > 0 || totals.size > 0).count() as u64)
        }
        "count" => uint(count?.ends.1),
        "size" => uint(line.ends.1),
        "count_delta" => int(count?.delta()),
        "size_delta" => int(line.delta()),
        "count_slope" => Content::Float(count?.slope?),
        "slope" => Content::Float(line.slope?),
        "fit" => Content::Float(line.fit?),
        "growth" => Content::Text(line.growth?.name().to_owned()),
        "retained" => uint(series.retained_line()?.ends.1),
        "retained_delta" => int(series.retained_line()?.delta()),
        "retained_slope" => Content::Float(series.retained_line()?.slope?),
        _ => return None,
    })
}

/// What a percentage of a column of a series is a part of.
pub fn first(series: &Series, name: &str) -> Option<f64> {
    let line = match base(name)? {
        "count" => series.count_line()?,
        "size" => series.line(),
        _ => series.retained_line()?,
    };
    Some(line.ends.0 as f64)
}
