//! The first pass: which roles each text has, and a key where the owner gives none.

use heap_base::{NumberMap, Result};
use heap_record::{
    Data, Declaration, Declared, Edge, EdgeBatch, Extension, FieldKind, Metadata, Node, NodeBatch, Sink, Str,
    StringId, Types, Wants,
};

use super::known;
use super::members::{Owner, Rewriter, Spot, Visit};
use super::rules::{Rules, TextRole};
use super::token::{Key, KeyMaker, Tokens};

/// A bit that is no role: the string's record has come.
const COME: u8 = 0x80;

/// A bit of a role that no string id has (metadata): the record has come more than once. Then it is not known
/// which of its texts has which role.
pub(crate) const TWICE: u8 = TextRole::Metadata.bit();

/// What is known of one stream of an input.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Where each string stands.
    pub(crate) roles: NumberMap<u8>,
    /// The largest string id.
    pub(crate) top: StringId,
    /// Whether a record came before a string that it refers to.
    pub(crate) forward: bool,
}

/// Finds where the streams of an input begin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Streams {
    /// Number of the current stream.
    pub(crate) at: usize,
    versioned: bool,
    body: bool,
}

impl Streams {
    /// Takes note of a metadata record; true if it begins the next stream.
    pub(crate) fn metadata(&mut self, record: &Metadata<'_>) -> bool {
        if record.key != "version_major" {
            return false;
        }
        // Metadata before the first version belongs to its stream.
        let next = self.versioned || self.body;
        if next {
            self.at += 1;
            self.body = false;
        }
        self.versioned = true;
        next
    }

    /// Takes note of any other record.
    pub(crate) fn body(&mut self) {
        self.body = true;
    }
}

/// Reads an input before it is redacted. See [`passes`](super::passes).
///
/// Memory: a byte for each string.
#[derive(Debug)]
pub(crate) struct Prescan {
    rules: Rules,
    plans: Vec<Plan>,
    streams: Streams,
    fields: TextFields,
    keys: KeyMaker,
    tokens: Vec<Box<str>>,
    types: Types,
    rewriter: Rewriter,
}

impl Prescan {
    /// An empty prescan for these rules.
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            plans: vec![Plan::default()],
            streams: Streams::default(),
            fields: TextFields::default(),
            keys: KeyMaker::default(),
            tokens: Vec::new(),
            types: Types::default(),
            rewriter: Rewriter::default(),
        }
    }

    /// True if the strings have to be read once more before the records are: a record comes before its string.
    pub(crate) fn wants_strings_first(&self) -> bool {
        self.plans.iter().any(|plan| plan.forward)
    }

    /// The rules, what was found, and the tokens to be given: of `key`, or of one that the texts of the input make.
    pub(crate) fn into_parts(self, key: Option<Key>) -> (Rules, Vec<Plan>, Tokens) {
        let mut tokens = Tokens::new(key.unwrap_or_else(|| self.keys.key()));
        known::names().for_each(|name| tokens.reserve(name));
        self.tokens.iter().for_each(|text| tokens.reserve(text));
        (self.rules, self.plans, tokens)
    }

    fn plan(&mut self) -> &mut Plan {
        self.streams.body();
        let at = self.streams.at;
        &mut self.plans[at]
    }

    fn members(&mut self, owner: Owner<'_>, prefix: &str, members: &[u8]) {
        if members.is_empty() {
            return;
        }
        let plan = &mut self.plans[self.streams.at];
        let mut marks = Marks { plan, keys: &mut self.keys };
        self.rewriter.rewrite(&self.types, owner, prefix, members, &mut marks);
    }
}

/// Takes note of what members refer to.
struct Marks<'a> {
    plan: &'a mut Plan,
    keys: &'a mut KeyMaker,
}

impl Plan {
    #[inline]
    fn mark(&mut self, place: TextRole, id: Option<StringId>) {
        if let Some(id) = id {
            let roles = self.roles.slot(id);
            self.forward |= *roles & COME == 0;
            *roles |= place.bit();
        }
    }
}

impl Visit for Marks<'_> {
    fn id(&mut self, place: TextRole, id: StringId) -> StringId {
        self.plan.mark(place, Some(id));
        id
    }

    fn text(&mut self, _: Spot<'_>, text: &str, out: &mut String) {
        self.keys.text(text.as_bytes());
        out.push_str(text);
    }

    fn numbers(&self) -> bool {
        false
    }
}

impl Prescan {
    fn node(&mut self, node: &Node<'_>) {
        let fields = self.fields.of(node.subtype);
        let plan = self.plan();
        plan.mark(TextRole::Class, node.heap.class);
        plan.mark(fields.name_place(), node.heap.name);
        let owner = Owner::Node(node.subtype);
        if fields.asks(node.own, false) {
            self.members(owner, "", node.own);
        }
        if fields.asks(node.rest, true) {
            self.members(owner, "", node.rest);
        }
        if fields.asks(node.heap.rest, true) {
            self.members(owner, "heap.", node.heap.rest);
        }
    }

    fn edge(&mut self, edge: &Edge<'_>) {
        self.plan().mark(TextRole::Label, edge.label);
        self.members(Owner::Record("edge"), "", edge.rest);
    }
}

impl Sink for Prescan {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if self.streams.metadata(record) {
            self.plans.push(Plan::default());
            self.types.clear();
            self.fields = TextFields::default();
        }
        if known::metadata_role(record.key, record.value).is_some() {
            self.keys.text(record.value.as_bytes());
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.plan();
        self.types.declare(record);
        self.fields.declare(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        let plan = self.plan();
        plan.top = plan.top.max(record.id);
        let roles = plan.roles.slot(record.id);
        *roles |= if *roles & COME == 0 { COME } else { TWICE };
        let (Data::Plain(raw) | Data::Escaped(raw)) = record.data;
        self.keys.text(raw.as_bytes());
        if !self.rules.keep.is_empty() {
            let text = record.data.text();
            if self.rules.keeps(&text) {
                self.tokens.push(text.into());
            }
        }
        Ok(())
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.iter().for_each(|node| self.node(&node));
        Ok(())
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.iter().for_each(|edge| self.edge(&edge));
        Ok(())
    }

    fn extension(&mut self, other: &Extension<'_>) -> Result {
        self.plan();
        self.members(Owner::Record(other.kind), "", other.body);
        Ok(())
    }
}

/// Which nodes have fields of text: most have none, and need not be taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextFields {
    /// By subtype.
    nodes: Vec<Has>,
    /// What all nodes have.
    all: Has,
}

/// What a subtype has.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent facts, not a state")]
pub(crate) struct Has {
    declared: bool,
    own: bool,
    namespaced: bool,
    /// Its name is contents: it is a string, or the like.
    value: bool,
}

impl Has {
    /// True if `members` may hold text.
    #[inline]
    pub(crate) fn asks(self, members: &[u8], namespaced: bool) -> bool {
        !members.is_empty() && (if namespaced { self.namespaced } else { self.own } || has_text(members))
    }

    /// Where `heap.name` stands: that of a string is its text.
    pub(crate) fn name_place(self) -> TextRole {
        if self.value { TextRole::Value } else { TextRole::Name }
    }
}

/// True if a member is text.
#[inline]
fn has_text(members: &[u8]) -> bool {
    memchr::memchr_iter(b':', members).any(|colon| members.get(colon + 1) == Some(&b'"'))
}

impl TextFields {
    pub(crate) fn declare(&mut self, record: &Declaration<'_>) {
        let (has, name, fields) = match record.what {
            Declared::Record { name: "node", fields } => (&mut self.all, "", fields),
            Declared::Node { id, name, fields, .. } if id < 1 << 16 => {
                let id = id as usize;
                if self.nodes.len() <= id {
                    self.nodes.resize(id + 1, Has::default());
                }
                (&mut self.nodes[id], name, fields)
            }
            _ => return,
        };
        has.declared = true;
        let string = name.starts_with("string");
        has.value = string;
        for (path, kind) in fields.iter().filter(|(path, _)| !path.starts_with("heap.")) {
            let text = matches!(kind, FieldKind::String | FieldKind::Text);
            let own = !path.contains('.');
            has.own |= text && own;
            has.namespaced |= text && !own;
            has.value |= text && own && TextRole::of_field(path, true, string) == TextRole::Value;
        }
    }

    /// What nodes of a subtype have. A subtype that was not declared may have anything.
    #[inline]
    pub(crate) fn of(&self, subtype: u32) -> Has {
        match self.nodes.get(subtype as usize) {
            Some(has) if has.declared => Has {
                own: has.own || self.all.own,
                namespaced: has.namespaced || self.all.namespaced,
                ..*has
            },
            _ => Has { own: true, namespaced: true, value: true, declared: false },
        }
    }
}
