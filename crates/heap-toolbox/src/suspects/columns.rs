//! The columns of suspects that conditions may name.

use super::Suspect;
use heap_ops::select::condition::{Columns, Kind, Of};
use heap_ops::select::field::Content;

/// The columns that conditions on suspects may name. A percentage of `retained` or `growth` is one of the heap.
#[derive(Clone, Copy, Debug)]
pub struct SuspectColumns;

const NUMBERS: &[&str] = &["rank", "retained", "external", "share", "growth", "turnover", "count", "runtime"];
const TEXTS: &[&str] = &["snapshot", "level", "kind", "class", "holds", "behind", "allocated", "path"];

impl Columns for SuspectColumns {
    fn kind(&self, name: &str) -> Option<Kind> {
        if NUMBERS.contains(&name) {
            return Some(Kind::Number);
        }
        TEXTS.contains(&name).then_some(Kind::Text)
    }

    fn has_base(&self, name: &str, of: Of) -> bool {
        of == Of::Total && matches!(name, "retained" | "growth")
    }

    fn values(&self, name: &str) -> &'static [&'static str] {
        match name {
            "kind" => super::Kind::NAMES,
            "level" => super::Level::NAMES,
            _ => &[],
        }
    }

    fn bounds(&self, name: &str) -> (f64, f64) {
        match name {
            "share" | "runtime" => (0.0, 1.0),
            "rank" => (1.0, f64::INFINITY),
            "growth" => (f64::NEG_INFINITY, f64::INFINITY),
            _ => (0.0, f64::INFINITY),
        }
    }

    fn names(&self) -> Vec<String> {
        NUMBERS.iter().chain(TEXTS).map(|name| (*name).to_owned()).collect()
    }
}

/// What a suspect has in a column: `holds` and `count` are class and number of the first that it holds, `path` is its
/// place.
pub fn value(suspect: &Suspect, rank: usize, name: &str) -> Option<Content> {
    let number = |n: u64| Some(Content::Int(n.into()));
    let text = |text: &str| Some(Content::Text(text.to_owned()));
    let first = suspect.holds.first();
    match name {
        "rank" => number(rank as u64),
        "retained" => number(suspect.retained),
        "share" => Some(Content::Float(suspect.share)),
        "external" => number(suspect.external),
        "turnover" => number(suspect.turnover),
        "growth" => Some(Content::Int(suspect.growth?.into())),
        "level" => text(suspect.level.name()),
        "behind" => text(suspect.behind.as_deref()?),
        "allocated" => text(suspect.allocated.as_deref()?),
        "count" => number(first?.count),
        "runtime" => number(suspect.runtime.into()),
        "kind" => text(suspect.kind.name()),
        "class" => text(&suspect.class),
        "holds" => text(&first?.class),
        "path" => text(&suspect.place),
        _ => None,
    }
}
