//! Single objects in full: fields, outgoing and incoming edges with names: heap-show.

use heap_base::Result;
use heap_base::json::{each, inside};
use heap_record::{Declaration, Edge, Metadata, Node, Sink, Str, Value, Wants};

use crate::context::Context;
use crate::field::{Field, type_name};
use crate::held::Held;
use crate::ids::IdSet;
use crate::judge::Judge;
use crate::roster::Roster;
use crate::select::Selection;

/// One selected node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// Its identifier.
    pub id: Value,
    /// Its source's number, as in `@N`.
    pub number: u64,
    /// Its subtype.
    pub subtype: String,
    /// Its type name.
    pub class: String,
    /// Its own name.
    pub name: Option<String>,
    /// All other fields by name, as text.
    pub fields: Vec<(String, String)>,
    /// Edges from it, in stream order.
    pub out: Vec<End>,
    /// Edges to it, in stream order.
    pub into: Vec<End>,
}

/// An edge of a shown node, told from its side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The edge's subtype.
    pub kind: String,
    /// Its label.
    pub label: Option<String>,
    /// The other end: a node's identifier, or a small integer; absent for an unboxed number.
    pub other: Option<Value>,
    /// The other end's number in its source, if it is a node.
    pub number: Option<u64>,
    /// The other end's type name, if it is a node of the dump.
    pub class: Option<String>,
    /// The other end's own name.
    pub name: Option<String>,
    /// The other end's shallow size in bytes.
    pub size: Option<u64>,
}

/// Collects the selected nodes with their edges.
///
/// Memory: the stream's strings, 32 bytes a node, and what is shown.
#[derive(Debug)]
pub struct Show {
    judge: Judge,
    roster: Roster,
    /// The shown nodes of this snapshot, and all that have come.
    ids: IdSet,
    seen: IdSet,
    shown: Vec<Shown>,
    from: usize,
    /// Where they are, by identifier.
    places: Vec<(Value, usize)>,
    edges: Held,
    late: Held,
    done: bool,
}

impl Show {
    /// Shows the selected nodes.
    pub fn new(selection: Selection) -> Self {
        Self {
            judge: Judge::new(selection),
            roster: Roster::default(),
            ids: IdSet::new(),
            seen: IdSet::new(),
            shown: Vec::new(),
            from: 0,
            places: Vec::new(),
            edges: Held::default(),
            late: Held::default(),
            done: false,
        }
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    pub fn missing(&self) -> Vec<String> {
        self.judge.missing()
    }

    /// What was found, in stream order; call after [`Sink::finish`].
    pub fn nodes(&self) -> &[Shown] {
        &self.shown
    }

    fn take(&mut self, node: &Node<'_>) -> Result {
        self.roster.insert(node);
        self.seen.insert(node.id);
        if !self.judge.selects(node)? {
            return Ok(());
        }
        let Context { types, strings, rule, snapshot } = &self.judge.context;
        self.ids.insert(node.id);
        // Each field is decoded where it stands: to look it up by its name would take the square of their number.
        let mut fields = Vec::new();
        let told = |name: String, raw: &[u8]| -> Result<Option<(String, String)>> {
            let content = Field::new(&name).decode(raw, node.subtype, types, strings)?;
            Ok(content.map(|content| (name, content.text().into_owned())))
        };
        for (key, raw) in each(node.own) {
            fields.extend(told(key.to_owned(), raw)?);
        }
        for name in ["size", "external", "count", "retained", "idom", "distance", "reachable"] {
            let name = format!("heap.{name}");
            let content = Field::new(&name).of(node, types, strings)?;
            fields.extend(content.map(|content| (name, content.text().into_owned())));
        }
        for (key, raw) in each(node.rest) {
            let Some(inner) = inside(raw) else {
                fields.extend(told(key.to_owned(), raw)?);
                continue;
            };
            for (name, raw) in each(inner) {
                fields.extend(told(format!("{key}.{name}"), raw)?);
            }
        }
        self.shown.push(Shown {
            snapshot: snapshot.clone(),
            id: node.id,
            number: crate::field::source_number(node).unwrap_or_else(|| rule.number(node.id)),
            subtype: types.node_name(node.subtype).into_owned(),
            class: type_name(node, types, strings)?,
            name: node.heap.name.map(|id| strings.text_or_number(id)).transpose()?,
            fields,
            ..Shown::default()
        });
        Ok(())
    }

    /// Tells an edge from one side.
    fn end(&mut self, edge: &Edge<'_>, other: Option<Value>) -> Result<End> {
        let kind = self.judge.context.types.edge_name(edge.subtype).into_owned();
        let label = edge.label.map(|id| self.judge.context.strings.text_or_number(id)).transpose()?;
        let mut end = End { kind, label, other, ..End::default() };
        if let Some(id) = other.filter(|id| id & 1 == 1) {
            end.number = Some(self.judge.context.rule.number(id));
            if let Some(entry) = self.roster.get(id) {
                end.class = Some(entry.class(&self.judge.context)?);
                end.name = entry.name(&self.judge.context)?;
                end.size = Some(entry.size);
            }
        }
        Ok(end)
    }

    fn take_edge(&mut self, edge: &Edge<'_>) -> Result {
        for (id, other, comes) in
            [(Some(edge.source), edge.dest, false), (edge.dest, Some(edge.source), true)]
        {
            let Some(id) = id else { continue };
            let first = self.places.partition_point(|&(place, _)| place < id);
            for at in first.. {
                let Some(&(_, i)) = self.places.get(at).filter(|&&(place, _)| place == id) else { break };
                let end = self.end(edge, other)?;
                let shown = &mut self.shown[i];
                if comes { shown.into.push(end) } else { shown.out.push(end) }
            }
        }
        Ok(())
    }

    /// NodeEnds a snapshot: now all nodes and strings have come.
    fn settle(&mut self) -> Result {
        self.done = true;
        std::mem::take(&mut self.late).replay(self)?;
        self.places = (self.from..self.shown.len()).map(|i| (self.shown[i].id, i)).collect();
        self.places.sort_unstable();
        std::mem::take(&mut self.edges).replay(self)?;
        self.places.clear();
        self.done = false;
        self.roster.clear();
        self.ids.clear();
        self.seen.clear();
        self.from = self.shown.len();
        Ok(())
    }
}

impl Sink for Show {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if Context::begins(record).is_some() {
            self.settle()?;
        }
        self.judge.metadata(record);
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.judge.declare(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.judge.context.string(record)
    }

    fn wants(&self) -> Wants {
        Wants { others: false, ..Wants::ALL }
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        if self.done || self.judge.context.has_strings_of(node) {
            self.take(node)
        } else {
            self.late.node(node)
        }
    }

    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        let dest = edge.dest.filter(|id| id & 1 == 1);
        let touches = self.ids.contains(edge.source) || dest.is_some_and(|id| self.ids.contains(id));
        // An end that has not come, or waits for its strings, may turn out to be shown.
        let open = || !self.seen.contains(edge.source) || dest.is_some_and(|id| !self.seen.contains(id));
        match self.done {
            true if touches => self.take_edge(edge),
            false if touches || open() => self.edges.edge(edge),
            _ => Ok(()),
        }
    }

    fn finish(&mut self, _whole: bool) -> Result {
        self.settle()
    }
}
