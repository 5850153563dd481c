//! The tree that paths are folded into.

use heap_base::{Map, Plus, Set, sort_by};
use heap_record::Value;

use heap_ops::graph::{EdgeKind, NamedGraph};
use heap_ops::labels::{Gathered, Label, Labels, Texts};

/// What makes two steps of paths one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeBy {
    /// One type name.
    Class,
    /// One type name, and one label; numbers are one label.
    Label,
}

impl MergeBy {
    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "class" => Some(Self::Class),
            "label" => Some(Self::Label),
            _ => None,
        }
    }
}

/// A node of the tree that paths were folded into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// Edges from the root of the tree.
    pub depth: u32,
    /// Labels of the edges that lead here.
    pub labels: Labels,
    /// Type name of the nodes here, and their own name where they have no class.
    pub class: String,
    /// Selected nodes whose path leads through here or ends here.
    pub count: u64,
    /// Their shallow bytes.
    pub size: u64,
    /// Selected nodes whose path ends here.
    pub ends: u64,
    /// Identifier and source's number of one of these.
    pub example: Option<(Value, i64)>,
    /// How many steps from here on repeat; 0 if none do.
    pub repeats: u32,
}

/// The longest section that is looked for.
const LONGEST: usize = 6;

#[derive(Debug, Default)]
struct Place {
    parent: u32,
    class: u32,
    /// The label that led here first.
    group: Option<Label>,
    labels: Gathered,
    ends: u64,
    size: u64,
    first: Option<u32>,
    repeats: u32,
}

/// Paths folded together. Place 0 is above the roots.
#[derive(Debug)]
pub(super) struct Tree {
    by: MergeBy,
    places: Vec<Place>,
    children: Map<(u32, u32, Option<Label>), u32>,
    /// Beginnings of sections, and of the same sections a second time.
    again: Set<(u32, u32)>,
}

impl Tree {
    pub(super) fn new(by: MergeBy) -> Self {
        Self { by, places: vec![Place::default()], children: Map::default(), again: Set::default() }
    }

    /// The place of a node below `parent`.
    pub(super) fn child(&mut self, parent: u32, class: u32, label: Label, kind: Option<u32>) -> u32 {
        let group = label.group();
        let place = match self.repeated(parent, class, group) {
            Some(place) => place,
            None => self.new_child(parent, class, group),
        };
        self.places[place as usize].labels.add(label, kind);
        place
    }

    fn new_child(&mut self, parent: u32, class: u32, group: Label) -> u32 {
        let next = self.places.len() as u32;
        let key = (parent, class, (self.by == MergeBy::Label).then_some(group));
        let place = *self.children.entry(key).or_insert(next);
        if place == next {
            self.places.push(Place { parent, class, group: Some(group), ..Place::default() });
        }
        place
    }

    /// Where a section begins that such a child of `parent` would begin for the third time; for sections of one step,
    /// for the second.
    fn repeated(&mut self, parent: u32, class: u32, group: Label) -> Option<u32> {
        let mut trail = [0; 2 * LONGEST];
        let mut at = parent;
        for slot in &mut trail {
            *slot = at;
            at = self.places[at as usize].parent;
        }
        let step = |place: u32| (self.places[place as usize].class, self.places[place as usize].group);
        let new = (class, Some(group));
        if parent > 0 && step(parent) == new {
            self.places[parent as usize].repeats = 1;
            return Some(parent);
        }
        for length in 2..=LONGEST {
            let (second, first) = (trail[length - 1], trail[2 * length - 1]);
            let same = |i: usize| step(trail[i]) == step(trail[i + length]);
            if first > 0 && step(second) == new && (0..length).all(same) {
                self.places[first as usize].repeats = length as u32;
                self.again.insert((first, second));
                return Some(first);
            }
        }
        None
    }

    /// A path ends in `place`.
    pub(super) fn end(&mut self, place: u32, node: u32, size: u64) {
        let place = &mut self.places[place as usize];
        place.ends += 1;
        place.size = place.size.plus(size);
        place.first = place.first.or(Some(node));
    }

    /// The children of all places, once repeated sections are one.
    fn folded(&mut self) -> Vec<Vec<u32>> {
        let n = self.places.len();
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
        for place in 1..n {
            children[self.places[place].parent as usize].push(place as u32);
        }
        let mut again: Vec<_> = std::mem::take(&mut self.again).into_iter().collect();
        heap_base::sort(&mut again);
        // What a place was merged into; itself if it was not.
        let mut into: Vec<u32> = (0..n as u32).collect();
        for (first, second) in again {
            let mut work = vec![(second, first)];
            while let Some((from, mut to)) = work.pop() {
                while into[to as usize] != to {
                    to = into[to as usize];
                }
                if into[from as usize] != from || from == to {
                    continue;
                }
                into[from as usize] = to;
                let old = std::mem::take(&mut self.places[from as usize]);
                let parent = &mut children[old.parent as usize];
                parent.retain(|&child| child != from);
                let place = &mut self.places[to as usize];
                place.labels.join(&old.labels);
                place.ends += old.ends;
                place.size = place.size.plus(old.size);
                place.first = place.first.or(old.first);
                for child in std::mem::take(&mut children[from as usize]) {
                    let key = |place: u32| {
                        let place = &self.places[place as usize];
                        (place.class, if self.by == MergeBy::Label { place.group } else { None })
                    };
                    let same = children[to as usize].iter().find(|&&other| key(other) == key(child));
                    if let Some(&same) = same {
                        work.push((child, same));
                    } else {
                        self.places[child as usize].parent = to;
                        children[to as usize].push(child);
                    }
                }
            }
        }
        children
    }

    pub(super) fn branches(mut self, loaded: &NamedGraph, texts: &Texts) -> Vec<Branch> {
        let mut below = self.folded();
        let n = self.places.len();
        let mut sums: Vec<(u64, u64)> = self.places.iter().map(|place| (place.ends, place.size)).collect();
        // Parents have smaller numbers than their children, before and after folding. What is gone adds nothing.
        for place in (1..n).rev() {
            let parent = self.places[place].parent as usize;
            let (count, size) = sums[place];
            sums[parent].0 += count;
            sums[parent].1 = sums[parent].1.plus(size);
        }
        let name = |place: u32| texts.text(self.places[place as usize].class);
        let mut branches = Vec::new();
        let mut stack: Vec<(u32, u32)> = Vec::new();
        let open = |list: &mut Vec<u32>, depth: u32, stack: &mut Vec<(u32, u32)>| {
            // Heaviest last, so that it is taken first.
            sort_by(list, |&a, &b| {
                let key = |p: u32| (sums[p as usize].0, sums[p as usize].1);
                key(a).cmp(&key(b)).then_with(|| name(b).cmp(name(a))).then(b.cmp(&a))
            });
            stack.extend(list.iter().map(|&place| (place, depth)));
        };
        open(&mut std::mem::take(&mut below[0]), 0, &mut stack);
        let kind = |kind: u32| EdgeKind::of(&loaded.context.types, kind);
        while let Some((at, depth)) = stack.pop() {
            let place = &self.places[at as usize];
            let (count, size) = sums[at as usize];
            branches.push(Branch {
                depth,
                labels: place.labels.named(texts, kind),
                class: name(at).to_owned(),
                count,
                size,
                ends: place.ends,
                example: place.first.map(|node| (loaded.id(node), loaded.number(node))),
                repeats: place.repeats,
            });
            open(&mut std::mem::take(&mut below[at as usize]), depth + 1, &mut stack);
        }
        branches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes by letter; a capital letter ends a path.
    fn folded(paths: &[&str]) -> Vec<String> {
        let (mut tree, mut texts) = (Tree::new(MergeBy::Class), Texts::default());
        for path in paths {
            let mut place = 0;
            for letter in path.chars() {
                let class = texts.number(letter.to_string());
                place = tree.child(place, class, Label::None, None);
            }
            tree.end(place, 0, 1);
        }
        let loaded = NamedGraph::new(
            heap_graph::HeapGraph::default(),
            heap_ops::stream::Context::default(),
            Vec::new(),
        );
        let line = |b: &Branch| {
            format!("{}{} {} {} {}", " ".repeat(b.depth as usize), b.class, b.count, b.ends, b.repeats)
        };
        tree.branches(&loaded, &texts).iter().map(line).collect()
    }

    #[test]
    fn links_of_a_list_are_one() {
        assert_eq!(folded(&["abbbbb", "abb", "ab"]), ["a 3 0 0", " b 3 3 1"]);
    }

    #[test]
    fn sections_that_repeat_are_one() {
        assert_eq!(folded(&["xababababab"]), ["x 1 0 0", " a 1 0 2", "  b 1 1 0"]);
        assert_eq!(
            folded(&["xabcabcabcabcd", "xabcabcabca", "xabcabcd", "xab"]),
            ["x 4 0 0", " a 4 1 3", "  b 3 1 0", "   c 2 0 0", "    d 2 2 0"]
        );
        // Twice is no list.
        assert_eq!(folded(&["abab"]), ["a 1 0 0", " b 1 0 0", "  a 1 0 0", "   b 1 1 0"]);
    }
}
