//! Totals that dumps state against what they hold: counts, sums and score lists.
//!
//! The keys are those that readers pass on from the files. A stream that a filter went over is not measured by them.

use std::collections::BTreeMap;

use heap_base::json::{each, scalar};
use heap_base::{Map, Set, member};
use heap_record::{Extension, Types};

use super::rules::{At, Findings, Rule};
use super::texts::Texts;

/// What a total counts.
#[derive(Clone, Copy, Debug)]
enum Measure {
    Nodes,
    Edges,
    External,
    /// Bytes inside the heap and outside.
    AllBytes,
    /// Nodes of a subtype.
    Subtype(&'static str),
    /// Extension records of a type.
    Records(&'static str),
}

/// Whether a total may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Exact,
    /// It may be larger than what there is (Dart's count of references).
    AtMost,
    /// It may be smaller (MoarVM leaves frames on a call stack out).
    AtLeast,
}

const TOTALS: [(&str, Measure, Bound); 10] = [
    ("dart.object_count", Measure::Nodes, Bound::Exact),
    ("dart.reference_count", Measure::Edges, Bound::AtMost),
    ("dart.external_size", Measure::External, Bound::Exact),
    ("dart.class_count", Measure::Records("dart.class"), Bound::Exact),
    ("moar.total_heap_size", Measure::AllBytes, Bound::Exact),
    ("moar.total_objects", Measure::Subtype("moar.object"), Bound::Exact),
    ("moar.total_typeobjects", Measure::Subtype("moar.type_object"), Bound::Exact),
    ("moar.total_stables", Measure::Subtype("moar.stable"), Bound::Exact),
    ("moar.total_frames", Measure::Subtype("moar.frame"), Bound::AtLeast),
    ("moar.total_refs", Measure::Edges, Bound::Exact),
];

/// Totals inside a metadata value that is JSON.
const NESTED: [(&str, &str, Measure); 2] =
    [("v8.snapshot", "node_count", Measure::Nodes), ("v8.snapshot", "edge_count", Measure::Edges)];

/// MoarVM's score lists: name, subtype, field that numbers the groups, and whether bytes are added up.
const SCORES: [(&str, &str, &str, bool); 4] = [
    ("types_by_count", "moar.object", "moar.type", false),
    ("types_by_size", "moar.object", "moar.type", true),
    ("frames_by_count", "moar.frame", "moar.frame", false),
    ("frames_by_size", "moar.frame", "moar.frame", true),
];

/// A total that metadata states.
#[derive(Debug)]
struct Claim {
    what: String,
    measure: Measure,
    bound: Bound,
    value: u64,
    line: u64,
}

/// The totals that an allocator states.
#[derive(Clone, Copy, Debug, Default)]
struct AllocatorTotal {
    size: Option<u64>,
    virtual_size: Option<u64>,
    line: u64,
}

/// Bytes and objects of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    count: u64,
    size: u64,
}

/// The totals of one snapshot. Memory: a few words, and a row for each group of a score list.
#[derive(Debug, Default)]
pub(super) struct Totals {
    claims: Vec<Claim>,
    pub(super) nodes: u64,
    pub(super) edges: u64,
    pub(super) size: u64,
    external: u64,
    /// A sum has passed 64 bits.
    overflow: bool,
    subtypes: Map<u32, u64>,
    records: Map<String, u64>,
    /// By subtype and the number in its field.
    groups: Map<(u32, i64), Group>,
    /// Own bytes of allocations by process and allocator, where a dump has such.
    allocated: Map<(i64, i64), u64>,
    /// Processes and allocators whose table is complete and exact, and the totals they state.
    exact: Set<(i64, i64)>,
    allocators: BTreeMap<(i64, i64), AllocatorTotal>,
    last_subtype: (u32, u64),
    /// The source has edges without a target: Dart's references to what it omits.
    pub(super) has_bare_edges: bool,
}

impl Totals {
    pub(super) fn metadata(&mut self, key: &str, value: &str, line: u64) {
        let mut claim = |what: String, measure, bound, value| {
            self.claims.push(Claim { what, measure, bound, value, line });
        };
        for (name, measure, bound) in TOTALS {
            if name == key
                && let Ok(n) = value.parse()
            {
                claim(key.to_owned(), measure, bound, n);
            }
        }
        let Some(members) = heap_base::json::inside(value.as_bytes()) else { return };
        let stated = NESTED.into_iter().filter_map(|(name, field, measure)| {
            let n = member(members, field).filter(|_| name == key).and_then(scalar)?.as_int()?;
            Some((field, measure, n as u64))
        });
        let stated: Vec<_> = stated.collect();
        // Hermes leaves them at 0; there is a root at least, so that says nothing.
        if stated.iter().any(|&(.., n)| n > 0) {
            for (field, measure, n) in stated {
                claim(field.to_owned(), measure, Bound::Exact, n);
            }
        }
    }

    #[inline]
    pub(super) fn node(&mut self, subtype: u32, size: u64, external: u64) {
        self.nodes += 1;
        let (sum, over) = self.size.overflowing_add(size);
        let (out, beyond) = self.external.overflowing_add(external);
        self.overflow |= over || beyond;
        (self.size, self.external) = (sum, out);
        if self.last_subtype.0 != subtype {
            self.add_run();
            self.last_subtype.0 = subtype;
        }
        self.last_subtype.1 += 1;
    }

    fn add_run(&mut self) {
        if self.last_subtype.1 > 0 {
            *self.subtypes.entry(self.last_subtype.0).or_default() += self.last_subtype.1;
            self.last_subtype.1 = 0;
        }
    }

    /// A node's namespaces, where something is added up by them.
    pub(super) fn details(&mut self, types: &Types, texts: &Texts, subtype: u32, bytes: u64, rest: &[u8]) {
        let field = |path| member(rest, path).and_then(scalar).and_then(|v| v.as_int());
        let Some(name) = types.node(subtype).map(|t| t.name.as_str()) else { return };
        match name {
            "moar.object" | "moar.frame" => {
                let group = if name == "moar.object" { "moar.type" } else { "moar.frame" };
                if let Some(number) = field(group) {
                    let group = self.groups.entry((subtype, number)).or_default();
                    group.count += 1;
                    group.size = group.size.saturating_add(bytes);
                }
            }
            "heap.allocation" => {
                if let (Some(pid), Some(allocator)) = (field("chrome.pid"), field("chrome.allocator")) {
                    let sum = self.allocated.entry((pid, allocator)).or_default();
                    *sum = sum.saturating_add(bytes);
                }
            }
            "heap.root" => {
                let format = field("chrome.format");
                if let (Some(pid), Some(allocator)) = (field("chrome.pid"), field("chrome.allocator"))
                    && format.is_some_and(|format| texts.is(format, "v2"))
                {
                    self.exact.insert((pid, allocator));
                }
            }
            _ => {}
        }
    }

    pub(super) fn extension(
        &mut self,
        other: &Extension<'_>,
        types: &Types,
        texts: &Texts,
        findings: &mut Findings,
    ) {
        if let Some(n) = self.records.get_mut(other.kind) {
            *n += 1;
        } else {
            self.records.insert(other.kind.to_owned(), 1);
        }
        let field = |name| member(other.body, name).and_then(scalar);
        let int = |name| field(name).and_then(|v| v.as_int());
        match other.kind {
            "moar.highscore" => {
                let (Some(order), Some(id), Some(score)) = (field("order"), int("id"), int("score")) else {
                    return;
                };
                let heap_base::json::Json::Text(order) = order else { return };
                let Some((_, subtype, _, bytes)) = SCORES.iter().find(|s| s.0 == order) else { return };
                let Some(subtype) = types.node_id(subtype) else { return };
                let group = self.groups.get(&(subtype, id)).copied().unwrap_or_default();
                let found = if *bytes { group.size } else { group.count };
                // Lists that are not full end in scores of 0 with any id.
                if score != 0 && found != score as u64 {
                    findings.add(Rule::Total, At::line(other.line.number), || {
                        format!("moar.highscore: {order} has {score} for number {id}, the nodes give {found}")
                    });
                }
            }
            "dart.layout" => {
                self.has_bare_edges = true;
                if let Some(n) = int("trailing") {
                    findings.add(Rule::LeftOut, At::line(other.line.number), || {
                        format!("{n} bytes follow the end of the dump")
                    });
                }
            }
            "chrome.total" => {
                let (Some(pid), Some(allocator)) = (int("pid"), int("allocator")) else { return };
                let (Some(attribute), Some(value)) = (int("attribute"), int("value")) else { return };
                if self.exact.contains(&(pid, allocator)) {
                    let total = self.allocators.entry((pid, allocator)).or_default();
                    if texts.is(attribute, "size") {
                        *total =
                            AllocatorTotal { size: Some(value as u64), line: other.line.number, ..*total };
                    } else if texts.is(attribute, "virtual_size") {
                        total.virtual_size = Some(value as u64);
                    }
                }
            }
            _ => {}
        }
    }

    /// Compares the stated totals with what was found. `claims` are left out where a filter may have dropped records.
    pub(super) fn judge(&mut self, claims: bool, types: &Types, findings: &mut Findings) {
        self.add_run();
        if self.overflow {
            findings.add(Rule::AbsurdSize, At::default(), || {
                "the sizes of all nodes add up to more than 64 bits hold".to_owned()
            });
        }
        if !claims {
            return;
        }
        for ((pid, allocator), AllocatorTotal { size, virtual_size, line }) in &self.allocators {
            // What a real allocator says differs from what is tracked, and its two sizes differ. Where they are one
            // number it is the sum that was written beside the table.
            let Some(size) = size.filter(|_| size == virtual_size) else { continue };
            let found = self.allocated.get(&(*pid, *allocator)).copied().unwrap_or(0);
            if found != size {
                findings.add(Rule::Total, At::line(*line), || {
                    format!("chrome.total: process {pid} says {size} bytes, its allocations are {found}")
                });
            }
        }
        for claim in &self.claims {
            let found = match claim.measure {
                Measure::Nodes => self.nodes,
                Measure::Edges => self.edges,
                Measure::External => self.external,
                Measure::AllBytes => self.size.saturating_add(self.external),
                Measure::Subtype(name) => {
                    types.node_id(name).and_then(|id| self.subtypes.get(&id)).copied().unwrap_or(0)
                }
                Measure::Records(kind) => self.records.get(kind).copied().unwrap_or(0),
            };
            let Claim { what, value, .. } = claim;
            let (fits, bound) = match claim.bound {
                Bound::Exact => (found == *value, ""),
                Bound::AtMost => (found <= *value, "at most "),
                Bound::AtLeast => (found >= *value, "at least "),
            };
            if !fits {
                findings.add(Rule::Total, At::line(claim.line), || {
                    format!("{what} says {bound}{value}, there are {found}")
                });
            }
        }
    }
}

/// True if a step of `heap.pipeline` passes every node and edge on.
pub(super) fn keeps_all(step: &str) -> bool {
    let mut words = step.split(' ');
    let tool = words.next().unwrap_or_default();
    matches!(tool, "heap-cat" | "heap-dom" | "heap-names" | "heap-redact" | "heap-to")
        && !step.contains(" --only")
}

/// Namespaced fields that count what a reader had to leave out.
pub(super) fn left_out(rest: &[u8], mut found: impl FnMut(&str, i64)) {
    for (namespace, raw) in each(rest) {
        for (name, raw) in heap_base::json::inside(raw).into_iter().flat_map(each) {
            if matches!(name, "skipped" | "unresolved" | "inconsistent")
                && let Some(n) = scalar(raw).and_then(|v| v.as_int())
                && n > 0
            {
                found(&format!("{namespace}.{name}"), n);
            }
        }
    }
}
