//! What is checked of one node or edge: its fields, and what it refers to.

use heap_record::{Edge, FieldKind, IdRule, Node, Value};

use super::Check;
use super::fields::{FieldValue, Owner};
use super::numbers::{kept_too_long, unlisted};
use super::refs::{What, miss};
use super::rules::{At, Rule};
use super::totals::left_out;
use heap_ops::select::field::source_number;

/// More bytes than any processor can address.
const ABSURD: u64 = 1 << 57;

impl Check {
    /// Checks a node.
    pub(super) fn node(&mut self, node: &Node<'_>) {
        let line = node.line.number;
        self.body(line);
        self.counts[0] += 1;
        self.seen[0] += 1;
        let at = At::node(node.id, line);
        self.check_identifier(node.id, line);
        if self.last_types[0] != Some(node.subtype) {
            match self.types.node(node.subtype).map(|t| unlisted(&t.name).map(str::to_owned)) {
                Some(None) => self.last_types[0] = Some(node.subtype),
                Some(Some(code)) => self.unlisted(false, &code, at),
                None => self.undeclared(false, node.subtype, at),
            }
        }
        if !self.missing_nodes.is_empty() {
            self.missing_nodes.remove(&(node.id, false));
            self.missing_nodes.remove(&(node.id, true));
        }
        let fresh = self.ids.insert(node.id);
        if !fresh {
            self.findings
                .add(Rule::DuplicateIdentifier, at, || format!("identifier {} occurs again", node.id));
        }
        let heap = &node.heap;
        let (size, external) = (heap.size.unwrap_or(0), heap.external.unwrap_or(0));
        let parts = [("size", size), ("external", external), ("count", heap.count.unwrap_or(0))];
        for (what, n) in parts {
            if n > ABSURD {
                let n = if n > i64::MAX as u64 {
                    format!("{n} ({} with a sign)", n as i64)
                } else {
                    n.to_string()
                };
                self.findings.add(Rule::AbsurdSize, at, || format!("heap.{what} is {n}"));
            }
        }
        if heap.retained.is_some_and(|retained| retained < size) {
            self.findings.add(Rule::Annotation, at, || {
                format!("heap.retained is {}, heap.size {size}", heap.retained.unwrap_or(0))
            });
        }
        if let Some(class) = heap.class {
            self.refer(FieldKind::String, class, Some(node.id), line, || "heap.class".to_owned());
        }
        if let Some(name) = heap.name {
            self.refer(FieldKind::String, name, Some(node.id), line, || "heap.name".to_owned());
        }
        if let Some(idom) = heap.idom {
            self.refer(FieldKind::Value, idom, Some(node.id), line, || "heap.idom".to_owned());
        }
        let owner = Owner::Node(node.subtype);
        self.members(owner, "", node.own, Some(node.id), line);
        self.members(owner, "heap.", heap.rest, Some(node.id), line);
        self.members(owner, "", node.rest, Some(node.id), line);
        self.totals.node(node.subtype, size, external);
        if !node.rest.is_empty() {
            self.check_replaced(node, at);
            self.numbers.node(node);
            if let Some((kept, length)) = kept_too_long(node) {
                self.findings.add(Rule::Contradiction, at, || {
                    format!("{kept} units of a string were kept, and its length is {length}")
                });
            }
            let bytes = size.saturating_add(external);
            self.totals.details(&self.types, &self.texts, node.subtype, bytes, node.rest);
            if heap.count == Some(0) {
                left_out(node.rest, |name, n| {
                    self.findings.add(Rule::LeftOut, at, || format!("{name}: {n}"));
                });
            }
        }
        if let Some(graph) = self.graph.as_mut().filter(|_| fresh && node.id & 1 == 1) {
            graph.node(node);
        }
    }

    /// Checks an edge.
    pub(super) fn edge(&mut self, edge: &Edge<'_>) {
        let line = edge.line.number;
        self.body(line);
        self.counts[1] += 1;
        self.seen[1] += 1;
        self.totals.edges += 1;
        if self.last_types[1] != Some(edge.subtype) {
            let at = At::node(edge.source, line);
            match self.types.edge(edge.subtype).map(|t| unlisted(&t.name).map(str::to_owned)) {
                Some(None) => self.last_types[1] = Some(edge.subtype),
                Some(Some(code)) => self.unlisted(true, &code, at),
                None => self.undeclared(true, edge.subtype, at),
            }
        }
        if edge.source & 1 == 0 || !self.ids.contains(edge.source) {
            miss(&mut self.missing_nodes, (edge.source, false), Some(edge.source), line, What::Source);
        }
        match edge.dest {
            Some(dest) if dest & 1 == 1 => {
                if !self.ids.contains(dest) {
                    miss(
                        &mut self.missing_nodes,
                        (dest, false),
                        Some(edge.source),
                        line,
                        What::Dest(edge.subtype),
                    );
                }
            }
            Some(_) => {}
            // A number that cannot be an identifier stands in the source's namespace.
            None if !edge.rest.is_empty() => {
                if let Some(n) = heap_base::member(edge.rest, "dart.reference") {
                    let n = String::from_utf8_lossy(n);
                    let source = self.at(edge.source);
                    self.findings.add(Rule::DanglingEdge, At::node(edge.source, line), || {
                        format!("an edge from {source} ends at number {n}, which no node has")
                    });
                }
            }
            None => {
                self.no_dest.0 += 1;
                if self.no_dest.1.len() < self.config.limit {
                    self.no_dest.1.push(At::node(edge.source, line));
                }
            }
        }
        if let Some(label) = edge.label {
            self.refer(FieldKind::String, label, Some(edge.source), line, || "label of edge".to_owned());
        }
        self.members(Owner::Record("edge"), "", edge.rest, Some(edge.source), line);
        if let Some(graph) = &mut self.graph {
            graph.edge(edge);
        }
    }

    /// Goes over members.
    pub(super) fn members(
        &mut self,
        owner: Owner<'_>,
        prefix: &str,
        members: &[u8],
        id: Option<Value>,
        line: u64,
    ) {
        if members.is_empty() {
            return;
        }
        let mut fields = std::mem::take(&mut self.fields);
        let types = std::mem::take(&mut self.types);
        fields.each(&types, owner, prefix, members, |path, value| {
            let name = || match owner {
                Owner::Node(subtype) => types.node_name(subtype).into_owned(),
                Owner::Record(name) => name.to_owned(),
            };
            let at = At { id, line };
            match value {
                FieldValue::Int(kind, n) => self.refer(kind, n, id, line, || format!("{path} of {}", name())),
                FieldValue::Undeclared if path == "heap.value" && matches!(owner, Owner::Record("edge")) => {}
                FieldValue::Undeclared => {
                    let about = format!("{} {path}", name());
                    self.findings.count(Rule::UndeclaredField, about, at, || {
                        format!("{} has a field {path:?} that is not declared", name())
                    });
                }
                FieldValue::Mistyped(kind, raw) => {
                    let about = format!("{} {path}", name());
                    self.findings.count(Rule::MistypedField, about, at, || {
                        let raw = String::from_utf8_lossy(&raw[..raw.len().min(60)]);
                        format!("{} has {path:?} = {raw}, declared as {}", name(), kind.name())
                    });
                }
            }
        });
        self.fields = fields;
        self.types = types;
    }

    fn check_identifier(&mut self, id: Value, line: u64) {
        let breaks = match self.numbering {
            _ if id & 1 == 0 => Some("is even"),
            Some(IdRule::Index) if id < 0 => Some("is negative under the rule index"),
            _ => None,
        };
        if let Some(why) = breaks {
            self.findings.add(Rule::IdentifierRule, At::node(id, line), || format!("identifier {id} {why}"));
        }
    }

    #[cold]
    fn undeclared(&mut self, edge: bool, subtype: u32, at: At) {
        let kind = if edge { "edge" } else { "node" };
        self.findings.count(Rule::UndeclaredSubtype, format!("{kind} {subtype}"), at, || {
            format!("{kind} subtype {subtype} is not declared")
        });
    }

    /// A type that the dump uses and does not list.
    #[cold]
    fn unlisted(&mut self, edge: bool, code: &str, at: At) {
        let kind = if edge { "edge" } else { "node" };
        self.findings.count(Rule::UndeclaredSubtype, format!("{kind} type {code}"), at, || {
            format!("{kind} type {code} is not in the dump's list of types")
        });
    }

    /// A number of the source that two nodes have.
    fn check_replaced(&mut self, node: &Node<'_>, at: At) {
        let Some(number) = source_number(node) else { return };
        // As odd numbers, which is what the set stores well.
        if (0..1 << 62).contains(&number) && !self.replaced.insert(heap_record::index_id(number as u64)) {
            self.findings.add(Rule::DuplicateIdentifier, at, || {
                format!("two nodes have the number @{number} in the source")
            });
        }
    }
}
