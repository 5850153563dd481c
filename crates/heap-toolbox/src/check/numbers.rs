//! Numbers by which a source's nodes and records refer to its tables: classes, types, calls; and records that follow in time.

use std::borrow::Cow;

use heap_base::{Map, Set, json::scalar};
use heap_base::{member, sort_by_key};
use heap_record::stacks::Names;
use heap_record::{Extension, Node, Types, Value};

use super::rules::{At, Findings, Rule};

/// A name of the input, or one that is known.
type Name = Cow<'static, str>;

/// A field that holds the number of a record.
#[derive(Clone, Debug)]
struct Link {
    /// The record type that has the field; none: nodes.
    owner: Option<Name>,
    field: Name,
    /// The record type that it refers to.
    table: Name,
    /// The member that numbers those; none: their order, from 0.
    key: Option<&'static str>,
    /// Whether 0 stands for none.
    zero_is_none: bool,
}

const fn link(
    owner: Option<&'static str>,
    field: &'static str,
    table: &'static str,
    key: Option<&'static str>,
    zero_is_none: bool,
) -> Link {
    let owner = match owner {
        Some(owner) => Some(Cow::Borrowed(owner)),
        None => None,
    };
    let (field, table) = (Cow::Borrowed(field), Cow::Borrowed(table));
    Link { owner, field, table, key, zero_is_none }
}

/// How many links are those of stacks at which objects were allocated, which each snapshot has for itself.
const OF_STACKS: usize = 3;

const LINKS: [Link; 7] = [
    // Until the stream says what they are called.
    link(None, "v8.trace_node_id", "v8.trace_node", Some("id"), true),
    link(Some("v8.trace_node"), "parent", "v8.trace_node", Some("id"), true),
    link(Some("v8.trace_node"), "function", "v8.trace_function", None, false),
    link(None, "dart.class", "dart.class", Some("id"), true),
    link(Some("dart.class_field"), "class", "dart.class", Some("id"), true),
    link(None, "moar.type", "moar.type", Some("index"), false),
    link(None, "moar.frame", "moar.static_frame", Some("index"), false),
];

/// Records that follow in time: their type, and members that never become less.
const SEQUENCES: [(&str, [&str; 2]); 1] = [("v8.sample", ["timestamp_us", "last_assigned_id"])];

/// Records that all have a name, unless its number names no string.
const NAMED: [&str; 2] = ["moar.type", "moar.static_frame"];

/// Who refers to a number first, and how often it is referred to.
#[derive(Clone, Copy, Debug)]
struct Referred {
    at: At,
    n: u64,
}

/// The numbers of one stream. Memory: some 50 bytes for each number of a table, and each that is referred to.
#[derive(Debug)]
pub(super) struct Numbers {
    /// [`LINKS`], with the names of stacks that the stream says.
    links: Vec<Link>,
    /// Places in `links` whose table is declared, and whose owners are nodes.
    of_nodes: Vec<usize>,
    /// By place in `links`.
    referred: Map<(usize, i64), Referred>,
    tables: Map<Name, Table>,
    last: [Option<[i64; 2]>; SEQUENCES.len()],
}

#[derive(Debug, Default)]
struct Table {
    records: i64,
    numbers: Set<i64>,
}

fn number(members: &[u8], name: &str) -> Option<i64> {
    member(members, name).and_then(scalar).and_then(|v| v.as_int())
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            links: LINKS.to_vec(),
            of_nodes: Vec::new(),
            referred: Map::default(),
            tables: Map::default(),
            last: Default::default(),
        }
    }
}

impl Numbers {
    /// Declarations have come.
    pub(super) fn declared(&mut self, types: &Types) {
        let of_nodes = |link: &Link| link.owner.is_none() && types.record(&link.table).is_some();
        self.of_nodes =
            self.links.iter().enumerate().filter(|(_, link)| of_nodes(link)).map(|(i, _)| i).collect();
    }

    /// The stream says what the fields and records of stacks are called.
    pub(super) fn stacks(&mut self, names: &Names, types: &Types) {
        self.end_stacks(None);
        let [nodes, parents, functions] = &mut self.links[..OF_STACKS] else { return };
        let name = |name: &str| Name::Owned(name.to_owned());
        (nodes.field, nodes.table) = (name(&names.field), name(&names.frames));
        (parents.owner, parents.table) = (Some(name(&names.frames)), name(&names.frames));
        (functions.owner, functions.table) = (Some(name(&names.frames)), name(&names.functions));
        self.declared(types);
    }

    /// A snapshot ends: the next has stacks of its own. With `findings`, judges those of this one.
    pub(super) fn end_stacks(&mut self, findings: Option<&mut Findings>) {
        if let Some(findings) = findings {
            self.judge_those(|link| link < OF_STACKS, findings);
        }
        self.referred.retain(|&(link, _), _| link >= OF_STACKS);
        for link in &self.links[..OF_STACKS] {
            self.tables.remove(&link.table);
        }
    }

    pub(super) fn node(&mut self, node: &Node<'_>) {
        for i in 0..self.of_nodes.len() {
            let link = self.of_nodes[i];
            if let Some(n) = number(node.rest, &self.links[link].field) {
                self.refer(link, n, At::node(node.id, node.line.number));
            }
        }
    }

    fn refer(&mut self, link: usize, n: i64, at: At) {
        if n == 0 && self.links[link].zero_is_none {
            return;
        }
        self.referred.entry((link, n)).and_modify(|r| r.n += 1).or_insert(Referred { at, n: 1 });
    }

    pub(super) fn extension(&mut self, record: &Extension<'_>, findings: &mut Findings) {
        let at = At::line(record.line.number);
        for (place, (kind, members)) in SEQUENCES.iter().enumerate() {
            if *kind == record.kind {
                let [Some(time), Some(id)] = members.map(|name| number(record.body, name)) else { continue };
                let before = self.last[place].replace([time, id]).unwrap_or([time, id]);
                for ((member, now), before) in members.iter().zip([time, id]).zip(before) {
                    if now < before {
                        findings.add(Rule::Sequence, at, || {
                            format!("{member} of {kind} is {now}, after {before}")
                        });
                    }
                }
            }
        }
        for place in 0..self.links.len() {
            let link = &self.links[place];
            if link.owner.as_deref() == Some(record.kind)
                && let Some(n) = number(record.body, &link.field)
            {
                self.refer(place, n, at);
            }
        }
        let Some(link) = self.links.iter().find(|link| link.table == record.kind) else { return };
        if NAMED.contains(&record.kind) && member(record.body, "name").is_none() {
            findings.add(Rule::RecordNumber, at, || {
                let number = number(record.body, "index").unwrap_or_default();
                format!("the name of {} {number} is beyond the table of strings", record.kind)
            });
        }
        let table = self.tables.entry(link.table.clone()).or_default();
        let next = table.records;
        table.records += 1;
        let Some(n) = link.key.map_or(Some(next), |key| number(record.body, key)) else { return };
        if !table.numbers.insert(n) {
            findings.add(Rule::RecordNumber, at, || format!("{} {n} occurs again", record.kind));
        }
    }

    /// The stream ends: what refers to numbers that have not come refers to nothing.
    pub(super) fn judge(&self, findings: &mut Findings) {
        self.judge_those(|_| true, findings);
    }

    /// The same of these links.
    fn judge_those(&self, links: impl Fn(usize) -> bool, findings: &mut Findings) {
        let there = |table: &str, n: i64| self.tables.get(table).is_some_and(|t| t.numbers.contains(&n));
        let lost = |&(link, n): &(usize, i64)| links(link) && !there(&self.links[link].table, n);
        let mut lost: Vec<_> = self.referred.iter().filter(|(of, _)| lost(of)).collect();
        sort_by_key(&mut lost, |((link, n), r)| (*link, r.at.line, r.at.id, *n));
        for ((link, n), referred) in lost {
            let Link { owner, field, table, .. } = &self.links[*link];
            findings.add(Rule::RecordNumber, referred.at, || {
                let owner = owner.as_deref().unwrap_or("a node");
                let more =
                    if referred.n > 1 { format!(" (and {} more)", referred.n - 1) } else { String::new() };
                format!("{field} of {owner} names {table} {n}, which is not there{more}")
            });
        }
    }
}

/// The code of a type that the dump uses and does not list, as readers name it: `v8.type_99`, `moar.kind_77`.
pub(super) fn unlisted(name: &str) -> Option<&str> {
    let (_, code) = name.split_once(".type_").or_else(|| name.split_once(".kind_"))?;
    (!code.is_empty() && code.bytes().all(|b| b.is_ascii_digit())).then_some(code)
}

/// True if a string was kept longer than it is.
pub(super) fn kept_too_long(node: &Node<'_>) -> Option<(i64, i64)> {
    let (length, kept) = (number(node.own, "length")?, number(node.rest, "dart.kept")?);
    (kept > length).then_some((kept, length))
}

/// The array index whose string has this id.
pub(super) fn index_of(id: Value) -> Option<u64> {
    (id < 0).then_some(!id as u64)
}
