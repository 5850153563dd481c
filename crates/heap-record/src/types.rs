//! The declarations of a stream, looked up by number and by name.

use std::borrow::Cow;

use heap_base::{Map, Names, Result, sort_by_key};

use crate::draft;
use crate::model::{Declaration, Declared, FieldKind, Fields, Retains, Role};
use crate::sink::Sink;

/// Declared fields, owned: what is declared twice counts as it is declared first.
///
/// Memory: that of their [`Names`], and a byte for each; where there are none, a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnedFields(Option<Box<Named>>);

/// Fields: there are some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Named {
    names: Names,
    kinds: Vec<FieldKind>,
}

impl OwnedFields {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |named| named.kinds.len())
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds a field.
    pub fn push(&mut self, name: &str, kind: FieldKind) {
        let Named { names, kinds } = &mut **self.0.get_or_insert_default();
        if names.insert(name) as usize == kinds.len() {
            kinds.push(kind);
        }
    }

    /// What a field holds.
    pub fn kind(&self, name: &str) -> Option<FieldKind> {
        let Named { names, kinds } = &**self.0.as_ref()?;
        kinds.get(names.find(name)? as usize).copied()
    }

    /// Names and kinds, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, FieldKind)> + Clone {
        self.0.iter().flat_map(|named| named.names.iter().zip(named.kinds.iter().copied()))
    }

    /// As a declaration has them.
    pub fn borrowed(&self) -> Vec<(Cow<'_, str>, FieldKind)> {
        self.iter().map(|(name, kind)| (Cow::Borrowed(name), kind)).collect()
    }
}

impl From<Fields<'_>> for OwnedFields {
    fn from(fields: Fields<'_>) -> Self {
        if fields.is_empty() {
            return Self::default();
        }
        let bytes = fields.iter().map(|(name, _)| name.len()).sum();
        let names = Names::with_capacity(fields.len(), bytes);
        let mut owned = Self(Some(Box::new(Named { names, kinds: Vec::with_capacity(fields.len()) })));
        for (name, kind) in fields {
            owned.push(name, *kind);
        }
        owned
    }
}

/// A node subtype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeType {
    /// The number that nodes say.
    pub id: u32,
    /// Name, e.g. `object`.
    pub name: String,
    /// Table of its own fields in the SQLite form.
    pub table: Option<String>,
    /// Its own fields.
    pub fields: OwnedFields,
}

impl NodeType {
    /// The fields that the draft gives it, if it declares none.
    fn drafted(&self) -> Fields<'static> {
        draft::subtype(&self.name).filter(|_| self.fields.is_empty()).map_or(&[], |known| known.fields)
    }
}

/// An edge subtype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeType {
    /// The number that edges say.
    pub id: u32,
    /// Name, e.g. `array element`.
    pub name: String,
    /// Whether such edges keep their target alive.
    pub retains: Retains,
    /// What such edges are to the program: as declared, else by the name.
    pub role: Role,
}

/// All declarations so far.
#[derive(Clone, Debug, Default)]
pub struct Types {
    nodes: Map<u32, NodeType>,
    node_names: Map<String, u32>,
    edges: Map<u32, EdgeType>,
    edge_names: Map<String, u32>,
    records: Map<String, OwnedFields>,
}

impl Types {
    /// Forgets everything: a new stream begins.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes a declaration in; a later one of the same number or name replaces the earlier.
    pub fn declare(&mut self, declaration: &Declaration<'_>) {
        match declaration.what {
            Declared::Record { name, fields } => {
                self.records.insert(name.to_owned(), fields.into());
            }
            Declared::Node { id, name, table, fields } => {
                self.node_names.insert(name.to_owned(), id);
                let table = table.map(str::to_owned);
                self.nodes.insert(id, NodeType { id, name: name.to_owned(), table, fields: fields.into() });
            }
            Declared::Edge { id, name, retains, role, .. } => {
                self.edge_names.insert(name.to_owned(), id);
                let role = role.unwrap_or_else(|| Role::of_subtype(name));
                self.edges.insert(id, EdgeType { id, name: name.to_owned(), retains, role });
            }
        }
    }

    /// Declares all of it to a sink.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn declare_to(&self, sink: &mut dyn Sink) -> Result {
        for (name, fields) in self.record_types() {
            sink.declare(&Declared::Record { name, fields: &fields.borrowed() }.into())?;
        }
        for NodeType { id, name, table, fields } in self.node_types() {
            let (table, fields) = (table.as_deref(), &*fields.borrowed());
            sink.declare(&Declared::Node { id: *id, name, table, fields }.into())?;
        }
        for EdgeType { id, name, retains, role } in self.edge_types() {
            let (retains, role) = (*retains, Some(*role));
            sink.declare(&Declared::Edge { id: *id, name, retains, role, rest: &[] }.into())?;
        }
        Ok(())
    }

    /// The node subtype with this number.
    pub fn node(&self, id: u32) -> Option<&NodeType> {
        self.nodes.get(&id)
    }

    /// The number of a node subtype.
    pub fn node_id(&self, name: &str) -> Option<u32> {
        self.node_names.get(name).copied()
    }

    /// Name of a node subtype; `subtype 7` if it was not declared.
    pub fn node_name(&self, id: u32) -> Cow<'_, str> {
        self.node(id).map_or_else(|| Cow::Owned(format!("subtype {id}")), |t| Cow::Borrowed(t.name.as_str()))
    }

    /// The edge subtype with this number.
    pub fn edge(&self, id: u32) -> Option<&EdgeType> {
        self.edges.get(&id)
    }

    /// The number of an edge subtype.
    pub fn edge_id(&self, name: &str) -> Option<u32> {
        self.edge_names.get(name).copied()
    }

    /// Name of an edge subtype; `subtype 7` if it was not declared.
    pub fn edge_name(&self, id: u32) -> Cow<'_, str> {
        self.edge(id).map_or_else(|| Cow::Owned(format!("subtype {id}")), |t| Cow::Borrowed(t.name.as_str()))
    }

    /// Whether edges of this subtype keep their target alive; undeclared ones do.
    pub fn retains(&self, id: u32) -> Retains {
        self.edge(id).map_or(Retains::Yes, |t| t.retains)
    }

    /// What edges of this subtype are to the program; undeclared ones are the virtual machine's own.
    pub fn role(&self, id: u32) -> Role {
        self.edge(id).map_or(Role::Inner, |t| t.role)
    }

    /// The declared fields of a record type.
    pub fn record(&self, name: &str) -> Option<&OwnedFields> {
        self.records.get(name)
    }

    /// All node subtypes, by number.
    pub fn node_types(&self) -> Vec<&NodeType> {
        let mut all: Vec<_> = self.nodes.values().collect();
        sort_by_key(&mut all, |t| t.id);
        all
    }

    /// All edge subtypes, by number.
    pub fn edge_types(&self) -> Vec<&EdgeType> {
        let mut all: Vec<_> = self.edges.values().collect();
        sort_by_key(&mut all, |t| t.id);
        all
    }

    /// All record types with their fields, by name.
    pub fn record_types(&self) -> Vec<(&str, &OwnedFields)> {
        let mut all: Vec<_> = self.records.iter().map(|(n, f)| (n.as_str(), f)).collect();
        sort_by_key(&mut all, |(n, _)| *n);
        all
    }

    /// The own fields of a node subtype; of one that is declared without any those that the draft gives it.
    pub fn node_fields(&self, subtype: u32) -> impl Iterator<Item = (&str, FieldKind)> + Clone {
        let own = self.node(subtype);
        let drafted = own.map_or(&[][..], NodeType::drafted).iter();
        let own = own.into_iter().flat_map(|own| own.fields.iter());
        own.chain(drafted.map(|(name, kind)| (name.as_ref(), *kind)))
    }

    /// What a field of a node holds: `data`, `v8.script`. Unknown fields have no kind.
    pub fn node_field(&self, subtype: u32, path: &str) -> Option<FieldKind> {
        let own = self.node(subtype);
        let common = || self.record_field("node", path);
        let drafted = || own?.drafted().iter().find(|(name, _)| name == path).map(|(_, kind)| *kind);
        own.and_then(|own| own.fields.kind(path)).or_else(common).or_else(drafted)
    }

    /// What a field of a record type holds.
    pub fn record_field(&self, record: &str, path: &str) -> Option<FieldKind> {
        self.record(record)?.kind(path)
    }

    /// A number that no node subtype has yet.
    pub fn free_node_id(&self) -> u32 {
        self.nodes.keys().max().map_or(1, |m| m.saturating_add(1))
    }

    /// A number that no edge subtype has yet.
    pub fn free_edge_id(&self) -> u32 {
        self.edges.keys().max().map_or(1, |m| m.saturating_add(1))
    }
}
