//! Whether a dump or a stream is sound: heap-check.
//!
//! [`Check`] takes the records of one input and makes [`Finding`]s. One pass checks every record by itself and against
//! those it refers to, in any order. The graph then shows whether sizes add up. Damage that stops a reader is one more
//! finding; what could be its consequence, such as references to records that were not read, is not checked.
//!
//! Memory: a bit for each node with a dense identifier (30 bytes for scattered ones), 8 bytes a string id, and up
//! to 100 bytes for each reference to what has not come yet, of which a stream in the usual order has none. The graph
//! costs what heap-graph needs. Findings are bounded for each rule.

mod fields;
mod graph;
mod numbers;
mod options;
mod records;
mod refs;
pub mod rows;
mod rules;
mod tests;
mod texts;
mod totals;

use heap_base::json::hex_text;
use heap_base::{Error, Place, Result};
use heap_base::{Map, error::Kind};
use heap_record::stacks;
use heap_record::write::END_EXPECTED;
use heap_record::{
    Declaration, Declared, EdgeBatch, Extension, Fact, IdRule, Info, Metadata, NodeBatch, Sink, Str,
    StringId, Types, Value, Wants,
};

use fields::{Fields, Owner};
use graph::GraphCheck;
use heap_ops::stream::IdSet;
use numbers::{Numbers, index_of};
use refs::{Dangling, Missing};
use rules::{At, Findings};
use texts::Texts;
use totals::{Totals, keeps_all};

pub use options::TOOL;
pub use rules::{About, Chosen, Finding, RULES, Rule};

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The rules.
    pub rules: Chosen,
    /// Rows for each rule; what is beyond is counted in one more.
    pub limit: usize,
    /// True if the graph is to be built.
    pub graph: bool,
    /// True if the input is a stored stream, which ends in an end mark.
    pub stored: bool,
}

/// Checks one input. See the module's description.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "these are independent facts of a stream, not a state")]
pub struct Check {
    config: Config,
    findings: Findings,
    types: Types,
    fields: Fields,
    texts: Texts,
    numbering: Option<IdRule>,
    /// Streams begun, and whether the present one has anything.
    any: bool,
    versioned: bool,
    /// The headers of a dump say that its end is missing.
    endless: bool,
    /// The end mark of the present stream has come.
    ended: bool,
    filtered: bool,
    counts: [u64; 3],
    ids: IdSet,
    /// The source's numbers, where the reader had to replace them by identifiers of its own.
    replaced: IdSet,
    numbers: Numbers,
    roots: Vec<(Value, u64)>,
    totals: Totals,
    graph: Option<GraphCheck>,
    /// By identifier, and whether a field or an edge refers to it.
    missing_nodes: Map<(Value, bool), Missing>,
    /// What the source leaves dangling.
    dangling: Vec<Dangling>,
    missing_texts: Map<StringId, Missing>,
    /// Names of fields in [`refs::What::Field`].
    paths: Vec<String>,
    /// Subtypes of nodes and edges that are known to be declared.
    last_types: [Option<u32>; 2],
    seen: [u64; 3],
    /// Edges without a target: how many, and the first. Some sources have such edges, and say so in their last records.
    no_dest: (u64, Vec<At>),
}

impl Check {
    /// Looks for what `config` says.
    pub fn new(config: Config) -> Self {
        let wants = |rule| config.rules.has(rule);
        let graph = config.graph && (wants(Rule::Conservation) || wants(Rule::Unreachable));
        Self {
            config,
            findings: Findings::new(config.rules, config.limit),
            types: Types::default(),
            fields: Fields::default(),
            texts: Texts::default(),
            numbering: None,
            any: false,
            versioned: false,
            ended: false,
            endless: false,
            filtered: false,
            counts: [0; 3],
            ids: IdSet::new(),
            replaced: IdSet::new(),
            numbers: Numbers::default(),
            roots: Vec::new(),
            totals: Totals::default(),
            graph: graph.then(GraphCheck::default),
            missing_nodes: Map::default(),
            dangling: Vec::new(),
            missing_texts: Map::default(),
            paths: Vec::new(),
            last_types: [None; 2],
            seen: [0; 3],
            no_dest: (0, Vec::new()),
        }
    }

    /// Takes in what the headers of a dump say of it.
    pub fn info(&mut self, info: &Info) {
        self.endless = info.facts.contains(&("complete", Fact::Flag(false)));
    }

    /// Ends the check, instead of [`Sink::finish`]. `read` is how reading ended. Damage of the input is a finding. The
    /// error of the reader comes back, for the message on standard error.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    pub fn end(&mut self, read: Result) -> Result<Option<Error>> {
        let Err(error) = read.and_then(|()| self.finish(true)) else {
            // Where reading ends early, its last row says the same.
            if self.endless {
                self.findings.add(Rule::MissingEnd, At::default(), || {
                    "the dump has no end: its writer was stopped before it would have written more".to_owned()
                });
            }
            return Ok(None);
        };
        match error.kind() {
            Kind::Write(_) => return Err(error),
            Kind::Input { .. } => self.damaged(&error),
            _ => {}
        }
        self.finish(false)?;
        Ok(Some(error))
    }

    fn damaged(&mut self, error: &Error) {
        let (line, byte, text) = match error.kind() {
            Kind::Input { place: Place::Line(n), what } => (*n, None, what.clone()),
            Kind::Input { place: Place::Byte(n), what } => (0, Some(*n), what.clone()),
            _ => (0, None, error.to_string()),
        };
        self.findings.damage(line, byte, text);
    }

    /// True if something was found; call after [`end`](Self::end).
    pub fn found(&self) -> bool {
        self.findings.faults() > 0
    }

    /// What was found, in the order of the rules. A rule with more than the limit has one row more that counts
    /// the rest.
    pub fn into_findings(self) -> Vec<Finding> {
        self.findings.into_rows()
    }

    fn at(&self, id: Value) -> String {
        if id & 1 == 1 {
            format!("@{}", self.findings.numbering.number(id))
        } else {
            format!("the even value {id}")
        }
    }

    /// Anything but metadata.
    #[inline]
    fn body(&mut self, line: u64) {
        if !self.versioned || self.ended {
            self.misplaced(line);
        }
    }

    #[cold]
    fn misplaced(&mut self, line: u64) {
        if !self.versioned {
            self.versioned = true;
            self.findings.add(Rule::MissingVersion, At::line(line), || {
                "records come before a metadata record version_major".to_owned()
            });
        }
        if self.ended {
            self.ended = false;
            self.findings.add(Rule::WrongEnd, At::line(line), || "records follow the end mark".to_owned());
        }
    }

    /// The snapshot ends: judges what hangs on its nodes. `intact` is false if records are missing for a known reason.
    fn end_snapshot(&mut self, intact: bool) -> Result {
        if intact {
            self.judge_references();
            self.totals.judge(!self.filtered, &self.types, &mut self.findings);
            if let Some(graph) = &mut self.graph {
                graph.judge(&self.totals, self.filtered, &mut self.findings)?;
            }
        } else {
            self.missing_nodes.clear();
            self.graph = None;
        }
        let judges = (intact && !self.filtered).then_some(&mut self.findings);
        self.numbers.end_stacks(judges);
        self.no_dest = (0, Vec::new());
        self.roots.clear();
        self.ids.clear();
        self.replaced.clear();
        self.totals = Totals::default();
        Ok(())
    }

    /// The stream ends: judges its texts and its end mark.
    fn end_stream(&mut self, intact: bool) {
        if intact {
            self.judge_texts();
            if !self.filtered {
                self.numbers.judge(&mut self.findings);
            }
            if self.config.stored && self.any && !self.ended {
                self.findings.add(Rule::MissingEnd, At::default(), || {
                    let [nodes, edges, strings] = self.counts;
                    format!("no heap.end after {nodes} nodes, {edges} edges and {strings} strings")
                });
            }
        }
        self.numbers = Numbers::default();
        self.replaced.clear();
        self.any = false;
        self.ended = false;
        self.versioned = false;
        self.filtered = false;
        self.counts = [0; 3];
        (self.numbering, self.findings.numbering) = (None, IdRule::default());
        self.types.clear();
        self.fields.clear();
        self.texts = Texts::default();
        self.missing_texts = Map::default();
        self.last_types = [None; 2];
        self.findings.snapshot = None;
    }

    fn end_mark(&mut self, value: &str, line: u64) {
        if self.ended {
            self.findings.add(Rule::WrongEnd, At::line(line), || "a second end mark".to_owned());
        }
        let [nodes, edges, strings] = self.counts;
        let found = format!("nodes={nodes} edges={edges} strings={strings}");
        if value != found {
            self.findings.add(Rule::WrongEnd, At::line(line), || {
                format!("the end mark says {value:?}, there are {found}")
            });
        }
        self.ended = true;
    }

    fn redeclared(&mut self, record: &Declaration<'_>, line: u64) {
        let other = match record.what {
            Declared::Record { .. } => None,
            Declared::Node { id, name, .. } => {
                let known = self.types.node(id).map(|t| t.name.as_str()).filter(|n| *n != name);
                let number = self.types.node_id(name).filter(|&n| n != id);
                clash("node", id, name, known, number)
            }
            Declared::Edge { id, name, .. } => {
                let known = self.types.edge(id).map(|t| t.name.as_str()).filter(|n| *n != name);
                let number = self.types.edge_id(name).filter(|&n| n != id);
                clash("edge", id, name, known, number)
            }
        };
        if let Some(text) = other {
            self.findings.add(Rule::Redeclared, At::line(line), || text);
        }
    }
}

fn clash(kind: &str, id: u32, name: &str, known: Option<&str>, number: Option<u32>) -> Option<String> {
    match (known, number) {
        (Some(known), _) => Some(format!("{kind} subtype {id} is declared as {known:?} and as {name:?}")),
        (_, Some(number)) => Some(format!("{kind} subtype {name:?} is declared as {number} and as {id}")),
        _ => None,
    }
}

impl Sink for Check {
    fn wants(&self) -> Wants {
        Wants { any_order: true, ..Wants::ALL }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let Metadata { key, value, line } = *record;
        match key {
            "version_major" => {
                // Metadata before the first version belongs to its stream.
                if self.versioned {
                    self.end_snapshot(true)?;
                    self.end_stream(true);
                    if let Some(graph) = &mut self.graph {
                        *graph = GraphCheck::default();
                    }
                }
                self.versioned = true;
                if value != "1" {
                    self.findings.add(Rule::UnknownVersion, At::line(line.number), || {
                        format!("version_major is {value:?}, expected \"1\"")
                    });
                }
            }
            "heap.snapshot" => {
                // What stands in front of the first one is said of all.
                if self.findings.snapshot.is_some() || self.counts[..2] != [0, 0] {
                    self.end_snapshot(true)?;
                }
                self.texts.next_snapshot();
                self.findings.snapshot = Some(value.to_owned());
            }
            "heap.end" => {
                if self.config.stored && value != END_EXPECTED {
                    self.end_mark(value, line.number);
                }
                return Ok(());
            }
            "heap.identifier" => {
                let rule = IdRule::named(value);
                self.findings.numbering = rule.unwrap_or_default();
                self.numbering = Some(self.findings.numbering);
                if rule.is_none() {
                    self.findings.add(Rule::IdentifierRule, At::line(line.number), || {
                        format!("heap.identifier is {value:?}, expected v8, index or address")
                    });
                }
            }
            "heap.root" | "heap.user_root" | "heap.distance_root" | "heap.weak_root" => {
                let id = value.parse().ok().or_else(|| hex_text(value).map(|n| n as i64));
                match id {
                    Some(id) => self.roots.push((id, line.number)),
                    None => {
                        self.findings.add(Rule::LostRoot, At::line(line.number), || {
                            format!("{key} is {value:?}, which is no identifier")
                        });
                    }
                }
            }
            // A source says the same few again for each snapshot.
            "heap.dangling" if self.dangling.len() < 64 => self.dangling.extend(Dangling::parse(value)),
            stacks::KEY => {
                if let Some(names) = stacks::Names::parse(value) {
                    self.numbers.stacks(&names, &self.types);
                }
            }
            "heap.pipeline" => self.filtered |= !keeps_all(value),
            _ if key.ends_with(".warning") => {
                self.findings.add(Rule::SourceWarning, At::line(line.number), || value.to_owned());
            }
            _ => self.totals.metadata(key, value, line.number),
        }
        self.any = true;
        if let Some(graph) = &mut self.graph {
            graph.metadata(record)?;
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.any = true;
        self.body(record.line.number);
        self.redeclared(record, record.line.number);
        self.types.declare(record);
        self.fields.clear();
        self.numbers.declared(&self.types);
        if let Some(graph) = &mut self.graph {
            graph.declare(record)?;
        }
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.body(record.line.number);
        // Texts that the view of heap-names has in place of ids have no records of their own.
        if record.id < heap_record::read::INTERNED || !record.line.bytes.is_empty() {
            self.counts[2] += 1;
            self.seen[2] += 1;
        }
        if self.texts.insert(record) {
            self.findings.add(Rule::StringTwice, At::line(record.line.number), || {
                format!("string {} had another text in a record before", record.id)
            });
        }
        if let Some(index) = index_of(record.id)
            && *record.data.text() != *index.to_string()
        {
            self.findings.add(Rule::IndexText, At::line(record.line.number), || {
                format!("string {} is that of array index {index}, and has another text", record.id)
            });
        }
        if !self.missing_texts.is_empty() {
            self.missing_texts.remove(&record.id);
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
        let line = other.line.number;
        self.body(line);
        if self.types.record(other.kind).is_none() {
            self.findings.count(Rule::UndeclaredRecord, other.kind.to_owned(), At::line(line), || {
                format!("records of type {:?} are not declared", other.kind)
            });
        } else {
            self.members(Owner::Record(other.kind), "", other.body, None, line);
        }
        self.totals.extension(other, &self.types, &self.texts, &mut self.findings);
        self.numbers.extension(other, &mut self.findings);
        Ok(())
    }

    fn finish(&mut self, intact: bool) -> Result {
        if intact && !self.versioned {
            self.misplaced(0);
        }
        self.end_snapshot(intact)?;
        self.end_stream(intact);
        let [nodes, edges, strings] = self.seen;
        self.findings.snapshot = None;
        self.findings
            .add(Rule::Checked, At::default(), || format!("{nodes} nodes, {edges} edges, {strings} strings"));
        Ok(())
    }
}
