//! References to what has not come, in whatever order records come.

use heap_base::{Map, Set, sort_by_key};
use heap_record::{FieldKind, StringId, Value};

use super::Check;
use super::rules::{At, Rule};

/// A reference to something that has not come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missing {
    /// Who refers to it: a node, or the source of an edge.
    pub(super) by: Option<Value>,
    pub(super) line: u64,
    pub(super) n: u64,
    pub(super) what: What,
}

/// How something is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Source,
    /// By an edge of this subtype.
    Dest(u32),
    /// A field, by its place in `paths`.
    Field(u32),
}

/// Edges that a source leaves without their node, as `heap.dangling` says it. The subtype `*` stands for all references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dangling {
    from: From,
    subtype: String,
}

/// Where these edges start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Any,
    /// All at one node.
    One,
    /// All at one node, and there are so many.
    Exactly(u64),
}

impl Dangling {
    /// Reads `one SUBTYPE`, `2 SUBTYPE`, `any SUBTYPE` or `any *`.
    pub(super) fn parse(value: &str) -> Option<Self> {
        let (first, subtype) = value.split_once(' ')?;
        let from = match first {
            "one" => From::One,
            "any" => From::Any,
            number => From::Exactly(number.parse().ok()?),
        };
        Some(Self { from, subtype: subtype.to_owned() })
    }
}

impl Check {
    /// Takes note of a reference to a string or a node, if that has not come.
    pub(super) fn refer(
        &mut self,
        kind: FieldKind,
        id: i64,
        by: Option<Value>,
        line: u64,
        path: impl FnOnce() -> String,
    ) {
        match kind {
            FieldKind::String if !self.texts.has(id) => {
                self.paths_of(path, |paths, missing_texts: &mut Map<_, _>, _| {
                    miss(missing_texts, id, by, line, What::Field(paths));
                });
            }
            FieldKind::Value if id & 1 == 1 && !self.ids.contains(id) => {
                self.paths_of(path, |paths, _, missing_nodes: &mut Map<_, _>| {
                    miss(missing_nodes, (id, true), by, line, What::Field(paths));
                });
            }
            _ => {}
        }
    }

    #[cold]
    fn paths_of(
        &mut self,
        path: impl FnOnce() -> String,
        then: impl FnOnce(u32, &mut Map<StringId, Missing>, &mut Map<(Value, bool), Missing>),
    ) {
        let path = path();
        let place = self.paths.iter().position(|p| *p == path).unwrap_or_else(|| {
            // Names of fields come from the input: the rest share the last place.
            if self.paths.len() < 1000 {
                self.paths.push(path);
            }
            self.paths.len() - 1
        });
        then(place as u32, &mut self.missing_texts, &mut self.missing_nodes);
    }

    /// The snapshot ends: what refers to nodes that have not come refers to nothing.
    pub(super) fn judge_references(&mut self) {
        let (n, places) = std::mem::take(&mut self.no_dest);
        if !self.totals.has_bare_edges {
            for &at in &places {
                let source = self.at(at.id.unwrap_or_default());
                self.findings.add(Rule::NoDest, at, || {
                    format!("an edge from {source} has neither dest nor heap.value")
                });
            }
            self.findings.more(Rule::NoDest, n - places.len() as u64);
        }
        let mut missing: Vec<_> = std::mem::take(&mut self.missing_nodes).into_iter().collect();
        sort_by_key(&mut missing, |(key, m)| (m.line, m.by, *key));
        self.leave_out(&mut missing);
        for ((id, _), Missing { by, line, n, what }) in missing {
            let times = |n: u64| if n > 1 { format!(" (and {} more)", n - 1) } else { String::new() };
            let (at_id, at_by) = (self.at(id), by.map(|by| self.at(by)));
            let by_text = at_by.unwrap_or_else(|| "a record".to_owned());
            match what {
                What::Source => self.findings.add(Rule::DanglingEdge, At::node(id, line), || {
                    format!("an edge starts at {at_id}, which is no node{}", times(n))
                }),
                What::Dest(_) => self.findings.add(Rule::DanglingEdge, At { id: by, line }, || {
                    format!("an edge from {by_text} ends at {at_id}, which is no node{}", times(n))
                }),
                What::Field(place) => {
                    let path = self.paths.get(place as usize).map_or("", String::as_str);
                    self.findings.add(Rule::DanglingField, At { id: by, line }, || {
                        format!("{path} names {at_id}, which is no node{}", times(n))
                    })
                }
            };
        }
        for (id, line) in std::mem::take(&mut self.roots) {
            if id & 1 == 0 || !self.ids.contains(id) {
                let name = self.at(id);
                self.findings.add(Rule::LostRoot, At { id: Some(id), line }, || {
                    format!("{name} is named as a root and is no node")
                });
            }
        }
    }

    /// Takes out what the source is known to leave dangling, and says how much that is.
    fn leave_out(&mut self, missing: &mut Vec<((Value, bool), Missing)>) {
        /// One node that leaves fewer edges dangling than this may be damaged as well.
        const TABLE: u64 = 16;
        for Dangling { from, subtype } in std::mem::take(&mut self.dangling) {
            if subtype == "*" {
                let ends = |(_, m): &&((Value, bool), Missing)| m.what != What::Source;
                let references: u64 = missing.iter().filter(ends).map(|(_, m)| m.n).sum();
                let ids: Set<Value> = missing.iter().filter(ends).map(|((id, _), _)| *id).collect();
                missing.retain(|entry| !ends(&entry));
                let nodes = ids.len();
                if nodes > 0 {
                    self.findings.add(Rule::LeftDangling, At::default(), || {
                        format!("{references} references end at {nodes} nodes that the source left out")
                    });
                }
                continue;
            }
            let Some(subtype_id) = self.types.edge_id(&subtype) else { continue };
            let mut by: Map<Option<Value>, u64> = Map::default();
            for (_, m) in missing.iter().filter(|(_, m)| m.what == What::Dest(subtype_id)) {
                *by.entry(m.by).or_default() += m.n;
            }
            let most = by.iter().map(|(&by, &n)| (n, by)).max();
            let known = |n| match from {
                From::Any => true,
                From::One => n >= TABLE,
                From::Exactly(number) => n == number,
            };
            let Some((n, source)) = most.filter(|&(n, _)| known(n)) else { continue };
            let one = from != From::Any;
            let edges = if one { n } else { by.values().sum() };
            let before = missing.len();
            missing.retain(|(_, m)| m.what != What::Dest(subtype_id) || one && m.by != source);
            let nodes = before - missing.len();
            let from = source.filter(|_| one).map_or_else(String::new, |id| format!(" from {}", self.at(id)));
            self.findings.add(Rule::LeftDangling, At { id: source.filter(|_| one), line: 0 }, || {
                format!("{edges} edges {subtype:?}{from} end at {nodes} nodes that the source left out")
            });
        }
    }

    /// The stream ends: what refers to texts that have not come refers to nothing.
    pub(super) fn judge_texts(&mut self) {
        let mut missing: Vec<_> = std::mem::take(&mut self.missing_texts).into_iter().collect();
        sort_by_key(&mut missing, |(id, m)| (m.line, m.by, *id));
        for (id, Missing { by, line, n, what }) in missing {
            let path = match what {
                What::Field(place) => self.paths.get(place as usize).map_or("", String::as_str),
                _ => "",
            };
            self.findings.add(Rule::MissingString, At { id: by, line }, || {
                let more = if n > 1 { format!(" (and {} more)", n - 1) } else { String::new() };
                format!("{path} refers to string {id}, which has no text{more}")
            });
        }
    }
}

/// Counts one more reference.
pub(super) fn miss<K: std::hash::Hash + Eq>(
    map: &mut Map<K, Missing>,
    id: K,
    by: Option<Value>,
    line: u64,
    what: What,
) {
    map.entry(id).and_modify(|m| m.n += 1).or_insert(Missing { by, line, n: 1, what });
}
