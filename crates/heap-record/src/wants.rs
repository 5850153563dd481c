//! What a sink asks of sources: each kind of record, and how closely.

/// Which strings a sink asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strings {
    /// None.
    None,
    /// Those that are classes of nodes.
    Classes,
    /// All. Of array indexes only those that an edge by identifiers uses: the text of a negative string id is known
    /// without its record ([`index_string`](crate::index_string)).
    All,
}

/// By what nodes may come added up into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SumBy {
    /// By subtype and class; names are left out.
    Class,
    /// By subtype, class and name.
    Name,
}

/// Which nodes a sink asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nodes {
    /// None.
    None,
    /// Nodes that may stand for many, with their `heap.count` and the sums of their sizes.
    Sums(SumBy),
    /// Each node with subtype, identifier, `heap.size`, `heap.class`, `heap.name`, `heap.external`, `heap.count`, and the
    /// source's own number (`v8.id`) where the identifier is not made from it.
    Brief,
    /// As `Brief`, with what searches for names ask of a node beside: its text, what its code is made from, script and line,
    /// whether it is detached or destroyed, of which variable of threads it is a value. [`PlainNode::text`] may say that the
    /// name is the text.
    ///
    /// [`PlainNode::text`]: crate::PlainNode::text
    Clues,
    /// Each node with all its fields.
    Full,
}

/// Which edges a sink asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edges {
    /// None.
    None,
    /// None but those of a source whose strings have their texts in [arrays of numbers](has_numbers_alone): of that all, as in
    /// `ByIndex`.
    OfTexts,
    /// All, between identifiers or between node indexes: the source chooses, batch by batch.
    ByIndex,
    /// All, between identifiers.
    ById,
}

/// What a sink asks for. A source may leave out the rest, and the work that goes into it; it may also deliver it.
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wants {
    /// String records.
    pub strings: Strings,
    /// Node records.
    pub nodes: Nodes,
    /// Edge records.
    pub edges: Edges,
    /// Extension records.
    pub extensions: bool,
    /// It takes records that come before their declarations. Of a stream that has such, all other sinks get them at the end
    /// of the snapshot.
    pub any_order: bool,
    /// It takes records only after the strings that they refer to. Of a stream that has others, it gets these at the end of
    /// the snapshot. Sources that are no streams keep this order anyway.
    pub after_strings: bool,
    /// Fields of nodes that refer to others come as edges too, where the source does not have such edges anyway
    /// ([`References`](crate::References)).
    pub references: bool,
    /// Objects come with the numbers that they may be known by in another dump ([`numbers`](crate::numbers)), where the source
    /// has these and no identifiers that last.
    pub numbers: bool,
    /// So many bytes of memory may be taken: a source with tables that are large beside that puts them into files without names.
    pub memory: u64,
}

/// Whether nodes of a subtype are arrays of numbers, in which the texts of strings may stand.
pub fn has_numbers_alone(subtype: &str) -> bool {
    subtype.ends_with("primitive_array")
}

impl Wants {
    /// Everything.
    pub const ALL: Self = Self {
        strings: Strings::All,
        nodes: Nodes::Full,
        edges: Edges::ById,
        extensions: true,
        any_order: false,
        after_strings: false,
        references: false,
        numbers: false,
        memory: u64::MAX,
    };
    /// Everything, each record after what it refers to but for nodes: for writers of formats that look strings up as records
    /// come.
    pub const IN_ORDER: Self = Self { after_strings: true, references: true, ..Self::ALL };
    /// Metadata and declarations only.
    pub const HEAD: Self = Self {
        strings: Strings::None,
        nodes: Nodes::None,
        edges: Edges::None,
        extensions: false,
        any_order: false,
        after_strings: false,
        references: false,
        numbers: false,
        memory: u64::MAX,
    };
    /// Nodes with their classes and sizes, and all strings.
    pub const NODES: Self = Self { strings: Strings::All, nodes: Nodes::Brief, ..Self::HEAD };

    /// What serves both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            strings: self.strings.max(other.strings),
            nodes: self.nodes.max(other.nodes),
            edges: self.edges.max(other.edges),
            extensions: self.extensions || other.extensions,
            any_order: self.any_order && other.any_order,
            after_strings: self.after_strings || other.after_strings,
            references: self.references || other.references,
            numbers: self.numbers || other.numbers,
            memory: self.memory.min(other.memory),
        }
    }

    /// Whether it asks for strings.
    pub fn any_strings(&self) -> bool {
        self.strings != Strings::None
    }

    /// Whether it asks for nodes.
    pub fn any_nodes(&self) -> bool {
        self.nodes != Nodes::None
    }

    /// Whether it asks for more of nodes than [`Nodes::Brief`].
    pub fn node_details(&self) -> bool {
        self.nodes >= Nodes::Clues
    }

    /// Whether it asks for all fields of nodes.
    pub fn all_fields(&self) -> bool {
        self.nodes == Nodes::Full
    }

    /// By what nodes may come added up, if they may.
    pub fn sums(&self) -> Option<SumBy> {
        match self.nodes {
            Nodes::Sums(by) => Some(by),
            _ => None,
        }
    }

    /// Whether it asks for edges, whatever the source is.
    pub fn any_edges(&self) -> bool {
        self.edges > Edges::OfTexts
    }

    /// Whether it asks for edges of a source that has arrays of numbers, or has not.
    pub fn edges_with(&self, arrays: bool) -> bool {
        self.any_edges() || arrays && self.edges == Edges::OfTexts
    }
}
