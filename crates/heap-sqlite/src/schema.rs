//! The tables: the draft's under the draft's names, ours under `heap_`, and how names become names of SQL.

use std::fmt::Write as _;

use heap_base::Set;
use heap_record::FieldKind;

/// `HEAP`, in the header of every SQLite file that this crate writes: distinguishes them from others.
pub(crate) const APPLICATION_ID: u32 = 0x4845_4150;

/// Version of this schema, in the header's user version.
pub(crate) const USER_VERSION: u32 = 1;

/// Number of a record in the stream, in every table that holds records: keeps their order, also over VACUUM.
pub(crate) const ROW: &str = "heap_row";

/// JSON of what the columns cannot give back.
pub(crate) const REST: &str = "heap_rest";

/// Which of several snapshots a record belongs to.
pub(crate) const SNAPSHOT: &str = "heap_snapshot";

/// Columns that may be in one table, and tables that streams may ask for; the rest goes to `heap_rest` and
/// `heap_other`. Dumps that we know have at most 30 and 60.
pub(crate) const MOST_COLUMNS: usize = 500;
/// See [`MOST_COLUMNS`].
pub(crate) const MOST_TABLES: usize = 500;

/// Fields of `node` that have a column whether or not they are declared, in the order of the table.
/// The last ten are the model's own, in the order of [`heap_record::Heap`].
pub(crate) const NODE_FIELDS: [(&str, &str); 12] = [
    ("identifier", "identifier"),
    ("subtype", "nodetypeid"),
    ("heap.size", "heap_size"),
    ("heap.class", "heap_class"),
    ("heap.name", "heap_name"),
    ("heap.external", "heap_external"),
    ("heap.count", "heap_count"),
    ("heap.retained", "heap_retained"),
    ("heap.retained_from", "heap_retained_from"),
    ("heap.idom", "heap_idom"),
    ("heap.distance", "heap_distance"),
    ("heap.reachable", "heap_reachable"),
];

/// The same for `edge`.
pub(crate) const EDGE_FIELDS: [(&str, &str); 4] =
    [("subtype", "edgetypeid"), ("source", "source"), ("dest", "dest"), ("label", "label")];

/// The same for `strings`.
pub(crate) const STRING_FIELDS: [(&str, &str); 2] = [("stringid", "stringid"), ("data", "data")];

/// The draft's tables for subtypes, with the draft's fields; `code` has none.
pub(crate) const DRAFT: [(&str, &[(&str, FieldKind)]); 12] = {
    use FieldKind::{Address, Float, Integer, Value};
    [
        ("array", &[("length", Integer)]),
        ("object", &[("constructor", Value)]),
        ("string_flat", &[("length", Value), ("data", Value)]),
        ("string_cons", &[("length", Value), ("s1", Value), ("s2", Value)]),
        ("string_sliced", &[("length", Value), ("source", Value), ("offset", Value)]),
        ("closure", &[("metadata", Value)]),
        ("function_metadata", &[("name", Value), ("script_name", Value), ("position", Value)]),
        ("regular_expression", &[("source", Value), ("flags", Value)]),
        ("date", &[("timestamp", Value)]),
        ("heap_number", &[("value", Float)]),
        ("native", &[("address", Address)]),
        ("oddball", &[("name", Value)]),
    ]
};

/// Names that no subtype or extension record may take for its table.
const RESERVED: [&str; 15] = [
    "metadata",
    "node",
    "edge",
    "strings",
    "node_types",
    "edge_types",
    "heap_types",
    "heap_fields",
    "heap_tables",
    "heap_other",
    "heap_classes",
    "objects",
    "classes",
    "edges",
    "heap_info",
];

/// How a column converts what is put in; a value that would not come back as it was goes to `heap_rest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Affinity {
    Integer,
    Real,
    Text,
}

impl Affinity {
    pub(crate) const fn of(kind: FieldKind) -> Self {
        match kind {
            FieldKind::Float => Self::Real,
            FieldKind::Text => Self::Text,
            _ => Self::Integer,
        }
    }

    pub(crate) const fn sql(self) -> &'static str {
        match self {
            Self::Integer => "INTEGER",
            Self::Real => "REAL",
            Self::Text => "TEXT",
        }
    }
}

/// An identifier in quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The name in a form that needs no quotes: `v8.detachedness` is `v8_detachedness`.
pub(crate) fn plain(name: &str) -> String {
    let mut out: String =
        name.chars().take(100).map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || out.starts_with("sqlite_") {
        out.insert(0, '_');
    }
    out
}

/// Names that are taken, without regard to case, as SQLite has it.
#[derive(Debug, Default)]
pub(crate) struct Names(Set<String>);

impl Names {
    /// The names of the tables that every file has.
    pub(crate) fn of_tables() -> Self {
        Self(RESERVED.iter().map(|&n| n.to_owned()).collect())
    }

    /// Takes `name` if it is free.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        self.0.insert(name.to_ascii_lowercase())
    }

    /// Takes `name` in plain form, or that with a number behind.
    pub(crate) fn unique(&mut self, name: &str) -> String {
        let base = plain(name);
        if self.take(&base) {
            return base;
        }
        let mut n = 2u32;
        loop {
            let name = format!("{base}_{n}");
            if self.take(&name) {
                return name;
            }
            n += 1;
        }
    }
}

/// The indexes, made after loading: on the draft's join columns and on what [`CLASSES`] has. That on `edge(dest)` is made
/// in `pairs.rs`.
pub(crate) const INDEXES: [(&str, &str); 5] = [
    ("strings_stringid", "strings(stringid)"),
    ("node_types_nodetypeid", "node_types(nodetypeid)"),
    ("node_identifier", "node(identifier)"),
    ("node_heap_class", "node(heap_class, nodetypeid)"),
    ("edge_source", "edge(source)"),
];

/// The names of classes, made after the indexes: a row for each class with a subtype, and for each subtype without a class.
/// So a condition on the class of `objects` goes from a name through two indexes to its nodes. Names are looked up one by
/// one, so that a string id that is declared twice does not double a row.
pub(crate) const CLASSES: &str =
    "CREATE TABLE heap_classes(heap_class INTEGER, nodetypeid INTEGER, class TEXT);
    INSERT INTO heap_classes SELECT heap_class, nodetypeid,
      coalesce((SELECT data FROM strings s WHERE s.stringid = n.heap_class),
        '(' || (SELECT name FROM node_types t WHERE t.nodetypeid = n.nodetypeid) || ')')
      FROM (SELECT DISTINCT heap_class, nodetypeid FROM node) n;
    CREATE INDEX heap_classes_class ON heap_classes(class);
    CREATE INDEX heap_classes_heap_class ON heap_classes(heap_class, nodetypeid);";

/// The views: nodes and edges with names written out, and columns with the names that reports have. `columns` are further
/// columns of `node`.
pub(crate) fn views<'a>(columns: impl Iterator<Item = &'a str>) -> String {
    let mut further = String::new();
    for column in columns {
        let name =
            column.strip_prefix("heap_").filter(|_| NODE_FIELDS.iter().any(|(_, known)| *known == column));
        match name {
            Some(name) => drop(write!(further, ", n.{} AS {name}", quoted(column))),
            None => drop(write!(further, ", n.{}", quoted(column))),
        }
    }
    let subtype = "(SELECT name FROM node_types t WHERE t.nodetypeid = n.nodetypeid)";
    let text = |id: &str| format!("(SELECT data FROM strings s WHERE s.stringid = {id})");
    let (name, label) = (text("n.heap_name"), text("e.label"));
    let nodes = "node n JOIN heap_classes c ON c.heap_class IS n.heap_class AND c.nodetypeid IS n.nodetypeid";
    format!(
        "CREATE VIEW objects AS SELECT n.identifier, c.class,\n\
         \x20{name} AS name,\n\
         \x20{subtype} AS subtype{further}\n\
         FROM {nodes};\n\
         CREATE VIEW classes AS\n\
         \x20-- What the nodes of a class retain is what their bytes cover together: nested ones count once.\n\
         \x20WITH n AS (SELECT n.*, c.class FROM {nodes}),\n\
         \x20m AS (SELECT n.*, max(heap_retained_from + heap_retained) OVER (PARTITION BY class\n\
         \x20ORDER BY heap_retained_from, heap_retained ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)\n\
         \x20AS reached FROM n)\n\
         \x20SELECT class, sum(ifnull(heap_count, 1)) AS count, sum(heap_size) AS size,\n\
         \x20CASE WHEN count(heap_retained) > 0 AND count(heap_retained) = count(heap_retained_from) THEN\n\
         \x20sum(max(0, heap_retained_from + heap_retained - max(heap_retained_from, ifnull(reached, 0))))\n\
         \x20END AS retained FROM m GROUP BY class;\n\
         CREATE VIEW edges AS SELECT e.source,\n\
         \x20(SELECT name FROM edge_types t WHERE t.edgetypeid = e.edgetypeid) AS subtype,\n\
         \x20{label} AS label, e.dest\n\
         FROM edge e;"
    )
}
