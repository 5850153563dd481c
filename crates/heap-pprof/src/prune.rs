//! Frames that a profile wants dropped from its stacks, and what pprof makes of that: what an allocator's functions allocated
//! is their caller's.

use heap_base::Map;
use regex::Regex;

use crate::profile::{Location, Profile, Text};

/// How many lines of each location are dropped, from the innermost on, by position of the location.
pub(crate) struct Pruned(Vec<u32>);

impl Pruned {
    /// What the patterns of a profile drop; `None` if that is nothing, or they are no patterns.
    pub(crate) fn of(profile: &Profile) -> Option<Self> {
        let pattern = |text: Text| {
            let pattern = String::from_utf8_lossy(profile.text(text));
            if pattern.is_empty() { None } else { Some(Regex::new(&format!("^(?:{pattern})$"))) }
        };
        let drop = pattern(profile.frames[0])?.ok()?;
        let keep = pattern(profile.frames[1]).transpose().ok()?;
        let names: Map<u64, Text> = profile.functions.iter().map(|f| (f.id, f.names[0])).collect();
        let mut known: Map<Text, bool> = Map::default();
        let mut is_dropped = |name: Text| {
            *known.entry(name).or_insert_with(|| {
                let name = String::from_utf8_lossy(profile.text(name));
                let name = simple(&name);
                !name.is_empty()
                    && drop.is_match(name)
                    && !keep.as_ref().is_some_and(|keep| keep.is_match(name))
            })
        };
        let mut dropped = |location: &Location| {
            let mut functions = location.lines.iter().map(|line| names.get(&line.function));
            functions
                .rposition(|name| name.is_some_and(|&name| is_dropped(name)))
                .map_or(0, |at| at as u32 + 1)
        };
        let all: Vec<u32> = profile.locations.iter().map(&mut dropped).collect();
        all.iter().any(|&n| n > 0).then_some(Self(all))
    }

    /// The location of each frame that is left of a stack, and which of its lines it is, the outermost first. The stack is of
    /// positions of locations, the outermost first, too.
    ///
    /// A location that is dropped ends the stack, but not before one that stays, or nothing might be left.
    pub(crate) fn left(&self, profile: &Profile, stack: &[u32], left: &mut Vec<(u32, u32)>) {
        left.clear();
        let mut found = false;
        for &number in stack {
            let (lines, dropped) = (lines(&profile.locations[number as usize]), self.0[number as usize]);
            let whole = dropped == lines;
            if whole && found {
                return;
            }
            let first = if whole { 0 } else { dropped };
            left.extend((first..lines).rev().map(|line| (number, line)));
            if dropped > 0 && found {
                return;
            }
            found |= dropped == 0;
        }
    }
}

/// How many frames a location is.
pub(crate) fn lines(location: &Location) -> u32 {
    location.lines.len().max(1) as u32
}

/// The name of a function without its arguments, as patterns are matched with it.
fn simple(name: &str) -> &str {
    const RESERVED: [&str; 2] = ["(anonymous namespace)", "operator()"];
    let name = name.strip_prefix('.').unwrap_or(name);
    let mut at = 0;
    while let Some(next) = name[at..].find(['(', 'o']) {
        at += next;
        match RESERVED.iter().find(|word| name[at..].starts_with(**word)) {
            Some(word) => at += word.len(),
            None if name[at..].starts_with('(') => return &name[..at],
            None => at += 1,
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::{Pruned, simple};
    use crate::profile::{Function, Line, Location, Profile};

    #[test]
    fn arguments_are_no_part_of_a_name() {
        for (name, expected) in [
            (".malloc", "malloc"),
            ("operator new(unsigned long)", "operator new"),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
            ("a::operator()(int) const", "a::operator()"),
            ("main.(*T).f", "main."),
            ("foo", "foo"),
        ] {
            assert_eq!(simple(name), expected);
        }
    }

    /// Names of what is left of a stack, the outermost first. Each text is a location; its functions are those that it was
    /// inlined into, the outermost first.
    fn left(stack: &[&str], drop: &str, keep: &str) -> Vec<String> {
        let mut profile =
            Profile { strings: vec![Vec::new(), drop.into(), keep.into()], ..Profile::default() };
        profile.frames = [u64::from(!drop.is_empty()), if keep.is_empty() { 0 } else { 2 }];
        for (number, names) in (0..).zip(stack) {
            let mut lines = Vec::new();
            for name in names.split(' ').rev() {
                let id = profile.functions.len() as u64 + 1;
                let names = [profile.strings.len() as u64, 0, 0];
                profile.strings.push(name.into());
                profile.functions.push(Function { id, names, start_line: 0 });
                lines.push(Line { function: id, ..Line::default() });
            }
            profile.locations.push(Location { id: number + 1, lines, ..Location::default() });
        }
        let Some(pruned) = Pruned::of(&profile) else { return vec!["nothing is dropped".to_owned()] };
        let (stack, mut left): (Vec<u32>, _) = ((0..stack.len() as u32).collect(), Vec::new());
        pruned.left(&profile, &stack, &mut left);
        let name = |&(location, line): &(u32, u32)| {
            let line = profile.locations[location as usize].lines[line as usize];
            String::from_utf8_lossy(profile.text(profile.functions[line.function as usize - 1].names[0]))
                .into_owned()
        };
        left.iter().map(name).collect()
    }

    #[test]
    fn what_lies_below_a_dropped_frame_goes_with_it() {
        assert_eq!(left(&["main", "load", "malloc", "arena"], "malloc|arena", ""), ["main", "load"]);
        assert_eq!(left(&["main", "malloc(int)", "load"], "malloc", ""), ["main"]);
        assert_eq!(left(&["main", "malloc", "arena"], "ma.*", "main"), ["main"]);
        // The outermost that is dropped counts, but not before one that stays.
        assert_eq!(left(&["malloc", "main", "malloc"], "malloc", ""), ["malloc", "main"]);
        assert_eq!(left(&["malloc", "malloc"], "malloc", ""), ["malloc", "malloc"]);
        // Of a location those stay that the dropped one was inlined into.
        assert_eq!(left(&["main", "load new malloc", "arena"], "new", ""), ["main", "load"]);
        assert_eq!(left(&["load new malloc", "main"], "new", ""), ["load", "main"]);
        assert_eq!(left(&["main", "new load"], "new", ""), ["main"]);
        // A part of a name is not the name, and what is no pattern drops nothing.
        for pattern in ["mall", "(", ""] {
            assert_eq!(left(&["main", "malloc"], pattern, ""), ["nothing is dropped"]);
        }
    }
}
