//! Several dumps of one process: how objects are known again, and whether it is one process at all.

use heap_record::{Metadata, Value, tag};

use crate::gate::Gate;

/// How an object is known again in another snapshot of the same process: metadata `heap.identity`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Identity {
    /// It is not.
    #[default]
    None,
    /// By its identifier.
    Identifier,
    /// By fields of these names, together with the class's name; objects that lack the first are not.
    Fields(Vec<String>),
}

impl Identity {
    /// The way that the metadata names.
    pub fn named(name: &str) -> Self {
        match name {
            "" | "none" => Self::None,
            "identifier" => Self::Identifier,
            fields => Self::Fields(fields.split(' ').map(str::to_owned).collect()),
        }
    }

    /// Whether an object keeps its identifier. With fields, another object may get it later.
    pub fn keeps_identifiers(&self) -> bool {
        match self {
            Self::None => false,
            Self::Identifier => true,
            Self::Fields(fields) => fields.first().is_some_and(|first| first == "identifier"),
        }
    }
}

/// Whether dumps in which so many of the objects with one identifier differ in class are of two processes. In one process an
/// object that is no string keeps its class, but another may get its identifier once it has died: one of seventy in a
/// busy server, in clones more than one of fifty.
pub fn are_clones(changed: u64, both: u64) -> bool {
    changed >= 3 && changed.saturating_mul(50) > both
}

/// Classes that a string may change into another of, where it is: V8 joins the parts of one when it is first used as a key.
pub const STRINGS: [&str; 3] = ["(string_flat)", "(string_cons)", "(string_sliced)"];

/// What the sizes of a dump are: metadata `heap.sizes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sizes {
    /// What is in use.
    #[default]
    InUse,
    /// All that was ever allocated.
    Allocated,
    /// One side of the difference of two dumps: what the first alone has.
    Went,
    /// The other side.
    Came,
    /// Both sides, one after the other.
    Change,
}

impl Sizes {
    /// Those that the metadata name.
    fn named(name: &str) -> Self {
        match name {
            "allocated" => Self::Allocated,
            "went" => Self::Went,
            "came" => Self::Came,
            _ => Self::InUse,
        }
    }

    /// Whether they are what two dumps differ by, so that no sum of them is a heap.
    pub fn is_difference(self) -> bool {
        !matches!(self, Self::InUse | Self::Allocated)
    }

    /// What has all of them, before a figure: `heap 12M`.
    pub fn what(self) -> &'static str {
        match self {
            Self::InUse => "heap",
            Self::Allocated => "allocated in all",
            other => other.whole(),
        }
    }

    /// What has all of them, after a share: `12 % of the heap`.
    pub fn whole(self) -> &'static str {
        match self {
            Self::InUse => "the heap",
            Self::Allocated => "all",
            Self::Went => "what went",
            Self::Came => "what came",
            Self::Change => "what went and what came",
        }
    }

    /// What the bytes do: everything that `is in use`.
    pub fn verb(self) -> &'static str {
        match self {
            Self::InUse => "is in use",
            Self::Allocated => "was allocated",
            Self::Went => "went",
            Self::Came => "came",
            Self::Change => "went and came",
        }
    }
}

/// What a dump says of where and when it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// `target_source`: the virtual machine, and what wrote the dump.
    pub source: String,
    /// How its objects are known again.
    pub identity: Identity,
    /// When it was taken, as the source writes it.
    pub time: Option<String>,
    /// Whether a younger object has a higher identifier.
    pub ascending: bool,
    /// What its sizes are.
    pub sizes: Sizes,
    /// Which of several values of the source they are, metadata `heap.value`; empty where it has but one.
    pub value: String,
    /// How many threads of the process have heaps of their own, which are not in the dump.
    pub elsewhere: u64,
}

impl Origin {
    /// Takes a metadata record in.
    pub fn metadata(&mut self, record: &Metadata<'_>) {
        match record.key {
            "heap.identity" => {
                self.identity = Identity::named(record.value);
                self.ascending &= self.identity != Identity::None;
            }
            // V8 keeps an object's id over the life of the process, and counts them up.
            "heap.identifier" if record.value == "v8" => {
                (self.identity, self.ascending) = (Identity::Identifier, true);
            }
            "target_source" => record.value.clone_into(&mut self.source),
            "heap.sizes" => self.sizes = Sizes::named(record.value),
            "heap.value" => record.value.clone_into(&mut self.value),
            "heap.elsewhere" => self.elsewhere = record.value.parse().unwrap_or(0),
            key if tag::rank("time", key).is_some() => self.time = Some(record.value.to_owned()),
            _ => {}
        }
    }

    /// What it and another dump are `of` that makes them no series, if anything.
    fn differs(&self, other: &Self) -> Option<String> {
        // Names of sources are equal up to their first dot.
        let machine = |of: &Self| of.source.split('.').next().map(str::to_owned);
        let have_values = !self.value.is_empty() && !other.value.is_empty();
        let are_known = !self.source.is_empty() && !other.source.is_empty();
        if are_known && machine(self) != machine(other) {
            // Several formats of profiles may be of one machine, but have other names for its functions.
            let what = if have_values { "sources" } else { "virtual machines" };
            return Some(format!("of different {what}, {} and {}", self.source, other.source));
        }
        if self.sizes.is_difference() != other.sizes.is_difference() {
            return Some("of different kinds, a heap and the difference of two".to_owned());
        }
        (have_values && self.value != other.value).then(|| {
            format!("of different values, {} and {} (--value takes one for all)", self.value, other.value)
        })
    }
}

/// What makes a comparison of several dumps doubtful.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// A dump may be there twice: of it nothing has grown.
    Repeated(String),
    /// They are in another order than that of time, or of two processes: what differs means nothing.
    Unsound(String),
}

impl Doubt {
    /// The warning.
    pub fn text(&self) -> &str {
        match self {
            Self::Repeated(text) | Self::Unsound(text) => text,
        }
    }

    /// Has a gate say that it cannot be judged.
    pub fn refuse(&self, gate: &mut Gate) {
        match self {
            Self::Repeated(why) => gate.refuse(why),
            Self::Unsound(why) => gate.void(why),
        }
    }
}

/// A dump with the highest identifier of an object that takes space, and with its bytes, where these are known. Without bytes it
/// is no other one again.
pub type Dated<'o> = (&'o Origin, Option<Value>, Option<u64>);

/// What makes dumps of one virtual machine no series, as far as they say when they were taken.
pub fn doubt(dumps: &[Dated<'_>]) -> Option<Doubt> {
    let order = misordered(dumps.iter().map(|&(origin, highest, _)| (origin, highest)));
    order.map(Doubt::Unsound).or_else(|| repeated(dumps.iter().copied()).map(Doubt::Repeated))
}

/// Why dumps are not in the order of time, if so: each with the highest identifier of an object that takes space.
pub fn misordered<'o>(dumps: impl IntoIterator<Item = (&'o Origin, Option<Value>)>) -> Option<String> {
    let mut before: Option<(&Origin, Option<Value>)> = None;
    for (number, (origin, highest)) in (1..).zip(dumps) {
        if let Some((other, known)) = before {
            let text = |why: &str| {
                format!("the dumps are not in the order of time: number {number} {why} number {}", number - 1)
            };
            if later(other.time.as_deref(), origin.time.as_deref()) {
                return Some(text("was taken before"));
            }
            let ids = (known, highest, other.ascending && origin.ascending);
            if let (Some(known), Some(highest), true) = ids
                && highest < known
            {
                return Some(text("has no object as young as those of"));
            }
        }
        before = Some((origin, highest));
    }
    None
}

/// Which dump is another one again, if so. A process that does nothing leaves dumps with equal bytes, yet taking one of V8 makes
/// objects, so identifiers go on. Where neither times nor ascending identifiers are known, nobody knows.
pub fn repeated<'o>(dumps: impl IntoIterator<Item = Dated<'o>>) -> Option<String> {
    let mut before: Vec<Dated<'_>> = Vec::new();
    for (number, dump) in (1..).zip(dumps) {
        let is_dated = dump.0.time.is_some() || dump.0.ascending && dump.1.is_some();
        let is_known = is_dated && dump.2.is_some();
        if let Some(other) = before.iter().position(|other| is_known && *other == dump) {
            let other = other + 1;
            return Some(format!(
                "number {number} has the objects of number {other}: it may be the same dump"
            ));
        }
        before.push(dump);
    }
    None
}

/// What dumps are `of` that can be no series and are not compared, if so: `of different virtual machines, A and B`.
pub fn strangers<'o>(origins: impl IntoIterator<Item = &'o Origin>) -> Option<String> {
    let kind = |of: &'o Origin| (&of.source, &of.value, of.sizes.is_difference());
    let mut met: Vec<&Origin> = Vec::new();
    for origin in origins {
        if let Some(what) = met.iter().find_map(|other| other.differs(origin)) {
            return Some(what);
        }
        if met.iter().all(|other| kind(other) != kind(origin)) {
            met.push(origin);
        }
    }
    None
}

/// Whether `one` is the later of two times: both numbers, or both dates that sort as text.
fn later(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    match (one.parse::<i128>(), other.parse::<i128>()) {
        (Ok(one), Ok(other)) => one > other,
        (Err(_), Err(_)) => one.len() == other.len() && one > other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(time: &str, ascending: bool) -> Origin {
        let time = Some(time.to_owned()).filter(|time| !time.is_empty());
        Origin { time, ascending, ..Origin::default() }
    }

    #[test]
    fn dumps_in_the_wrong_order_are_found_by_time_and_by_identifiers() {
        let wrong = |one: (&str, i64), other: (&str, i64), ascending| {
            let (a, b) = (origin(one.0, ascending), origin(other.0, ascending));
            misordered([(&a, Some(one.1)), (&b, Some(other.1))]).is_some()
        };
        assert!(!wrong(("", 7), ("", 9), true) && !wrong(("", 9), ("", 9), true));
        assert!(wrong(("", 9), ("", 7), true));
        assert!(!wrong(("", 9), ("", 7), false));
        assert!(wrong(("1000", 7), ("999", 9), true) && !wrong(("999", 7), ("1000", 9), true));
        assert!(wrong(("2026-11-25T10:00:00Z", 7), ("2026-11-25T09:59:00Z", 9), false));
        assert!(!wrong(("2026-11-25", 7), ("1000", 9), false));
    }

    #[test]
    fn a_dump_that_comes_twice_is_found() {
        let (a, b) = (origin("", true), origin("7", true));
        let of = |dumps: &[(&Origin, Option<Value>, u64)]| {
            repeated(dumps.iter().map(|&(origin, highest, bytes)| (origin, highest, Some(bytes))))
        };
        let first = (&a, Some(9), 100);
        assert!(
            of(&[first, (&a, Some(11), 100), first])
                .is_some_and(|why| why.starts_with("number 3 has the objects of number 1:"))
        );
        for other in [(&a, Some(9), 99), (&a, Some(11), 100), (&b, Some(9), 100)] {
            assert_eq!(of(&[first, other]), None);
        }
        assert_eq!(of(&[(&a, None, 0), (&a, None, 0)]), None);
        assert_eq!(repeated([(&b, None, None), (&b, None, None)]), None);
        // A profile has a time and no identifiers, a dump of Ruby neither times nor an order of its addresses.
        assert!(of(&[(&b, None, 5), (&b, None, 5)]).is_some());
        let ruby = origin("", false);
        assert_eq!(of(&[(&ruby, Some(9), 5), (&ruby, Some(9), 5)]), None);
    }

    fn from(source: &str, value: &str, sizes: &str) -> Origin {
        let mut origin = Origin::default();
        for (key, value) in [("target_source", source), ("heap.value", value), ("heap.sizes", sizes)] {
            origin.metadata(&Metadata { key, value, ..Metadata::default() });
        }
        origin
    }

    fn what(dumps: &[(&str, &str, &str)]) -> Option<String> {
        let origins: Vec<Origin> =
            dumps.iter().map(|&(source, value, sizes)| from(source, value, sizes)).collect();
        strangers(&origins)
    }

    #[test]
    fn sources_of_other_machines_are_strangers() {
        assert_eq!(what(&[("", "", ""), ("one.dump", "", ""), ("one.core", "", "")]), None);
        let found = what(&[("one.dump", "", ""), ("", "", ""), ("other.dump", "", "")]);
        assert_eq!(found.as_deref(), Some("of different virtual machines, one.dump and other.dump"));
        // Of profiles that is not certain.
        let found = what(&[("open", "live", ""), ("one.text", "live", "")]);
        assert_eq!(found.as_deref(), Some("of different sources, open and one.text"));
        assert!(
            what(&[("open", "live", ""), ("one.dump", "", "")]).is_some_and(|what| what.contains("machines"))
        );
    }

    #[test]
    fn other_values_and_differences_are_strangers() {
        let (live, all) = (("open", "live", ""), ("open", "all", "allocated"));
        let found = what(&[live, live, all]);
        assert_eq!(found.as_deref(), Some("of different values, live and all (--value takes one for all)"));
        assert_eq!(what(&[live, live]), None);
        // Both sides of a difference are compared with each other alone.
        let (went, came) = (("open", "live", "went"), ("open", "live", "came"));
        assert_eq!(what(&[went, came]), None);
        let found = what(&[live, came]);
        assert_eq!(found.as_deref(), Some("of different kinds, a heap and the difference of two"));
    }
}
