//! The rules, and what was found against them.

use std::fmt::Write as _;

use heap_base::{Map, sort_by_key};
use heap_record::{IdRule, Value};

/// What a dump or a stream must hold to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "`RULES` says of each what it means")]
pub enum Rule {
    MissingVersion,
    UnknownVersion,
    MissingEnd,
    WrongEnd,
    Redeclared,
    UndeclaredSubtype,
    UndeclaredRecord,
    UndeclaredField,
    MistypedField,
    StringTwice,
    IndexText,
    MissingString,
    DuplicateIdentifier,
    IdentifierRule,
    AbsurdSize,
    DanglingEdge,
    NoDest,
    DanglingField,
    LostRoot,
    RecordNumber,
    Sequence,
    Contradiction,
    Total,
    Conservation,
    Annotation,
    LeftOut,
    SourceWarning,
    Damaged,
    Unreachable,
    LeftDangling,
    Checked,
}

/// A rule's name and meaning.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The rule.
    pub rule: Rule,
    /// Its name, which does not change.
    pub name: &'static str,
    /// What breaks it: lower case, no full stop.
    pub about: &'static str,
}

const fn about(rule: Rule, name: &'static str, about: &'static str) -> About {
    About { rule, name, about }
}

/// All rules, in the order of the findings.
pub const RULES: [About; 31] = [
    about(Rule::MissingVersion, "missing-version", "records come before version_major, or without it"),
    about(Rule::UnknownVersion, "unknown-version", "version_major is not 1"),
    about(Rule::MissingEnd, "missing-end", "a stream has no end mark: it was cut off, or went through jq"),
    about(
        Rule::WrongEnd,
        "wrong-end",
        "the end mark counts other records than there are, or records follow it",
    ),
    about(Rule::Redeclared, "redeclared", "two declarations give one number or name another meaning"),
    about(
        Rule::UndeclaredSubtype,
        "undeclared-subtype",
        "a node or edge has a subtype that nothing before it declares, or a type that its dump does not list",
    ),
    about(
        Rule::UndeclaredRecord,
        "undeclared-record",
        "an extension record of a type that nothing before it declares",
    ),
    about(Rule::UndeclaredField, "undeclared-field", "a record has a field that its type does not declare"),
    about(Rule::MistypedField, "mistyped-field", "a field holds something else than its declaration says"),
    about(Rule::StringTwice, "string-twice", "one string id has two texts"),
    about(
        Rule::IndexText,
        "index-text",
        "the string of an array index, whose id is below 0, has another text",
    ),
    about(Rule::MissingString, "missing-string", "a record refers to a string id that has no text"),
    about(
        Rule::DuplicateIdentifier,
        "duplicate-identifier",
        "two nodes of one snapshot have the same identifier, or the same number in the source",
    ),
    about(
        Rule::IdentifierRule,
        "identifier-rule",
        "an identifier is even, or not one that heap.identifier allows",
    ),
    about(
        Rule::AbsurdSize,
        "absurd-size",
        "a size or count that no machine has room for, or a sum beyond 64 bits",
    ),
    about(Rule::DanglingEdge, "dangling-edge", "an edge starts or ends at a node that is not there"),
    about(Rule::NoDest, "no-dest", "an edge has neither a dest nor a value of its own"),
    about(
        Rule::DanglingField,
        "dangling-field",
        "a field other than source and dest names a node that is not there",
    ),
    about(
        Rule::LostRoot,
        "lost-root",
        "a root is named that is no node, or there are nodes and none can be a root",
    ),
    about(
        Rule::RecordNumber,
        "record-number",
        "a class, type, call or stack is named by a number that no record has, or two have",
    ),
    about(Rule::Sequence, "sequence", "records that follow in time go back"),
    about(Rule::Contradiction, "contradiction", "two fields of a record cannot both be true"),
    about(Rule::Total, "total", "a total that the dump states differs from what it holds"),
    about(
        Rule::Conservation,
        "conservation",
        "shallow sizes do not add up to what the roots retain and what they do not reach",
    ),
    about(Rule::Annotation, "annotation", "a node retains less than its own size"),
    about(Rule::LeftOut, "left-out", "the reader could not place parts of the dump"),
    about(Rule::SourceWarning, "source-warning", "the reader met something that it had to make sense of"),
    about(Rule::Damaged, "damaged", "reading ended here; nothing behind it was seen"),
    about(Rule::Unreachable, "unreachable", "information: nodes that no root reaches"),
    about(
        Rule::LeftDangling,
        "left-dangling",
        "information: edges to nodes that the source always leaves out",
    ),
    about(Rule::Checked, "checked", "information: what was looked at"),
];

impl Rule {
    fn entry(self) -> &'static About {
        &RULES[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The rule with this name.
    pub fn named(name: &str) -> Option<Self> {
        RULES.iter().find(|a| a.name == name).map(|a| a.rule)
    }

    /// True if its findings are no faults.
    pub fn is_information(self) -> bool {
        matches!(self, Self::Unreachable | Self::LeftDangling | Self::Checked)
    }
}

/// Some of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen(u32);

impl Chosen {
    /// All but information.
    pub const FAULTS: Self = Self((1 << Rule::Unreachable as u32) - 1);
    /// None.
    pub const NONE: Self = Self(0);

    /// Information.
    const INFORMATION: Self =
        Self(1 << Rule::Unreachable as u32 | 1 << Rule::LeftDangling as u32 | 1 << Rule::Checked as u32);

    /// What is asked for: the rules in `only`, or all that find faults where that is [`NONE`](Self::NONE); with `info`
    /// the others too; and never one in `ignored`.
    #[must_use]
    pub fn of(only: Self, ignored: Self, info: bool) -> Self {
        let asked = if only == Self::NONE { Self::FAULTS } else { only };
        let more = if info { Self::INFORMATION } else { Self::NONE };
        Self((asked.0 | more.0) & !ignored.0)
    }

    /// With one more.
    #[must_use]
    pub fn with(self, rule: Rule) -> Self {
        Self(self.0 | 1 << rule as u32)
    }

    /// With one less.
    #[must_use]
    pub fn without(self, rule: Rule) -> Self {
        Self(self.0 & !(1 << rule as u32))
    }

    /// True if it is among them.
    pub fn has(self, rule: Rule) -> bool {
        self.0 >> rule as u32 & 1 == 1
    }
}

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The node concerned.
    pub id: Option<Value>,
    /// The source's own number of it, as in `@N`.
    pub number: Option<i64>,
    /// The line it was met in, from 1.
    pub line: Option<u64>,
    /// The offset it was met at.
    pub byte: Option<u64>,
    /// The snapshot, where the input says which.
    pub snapshot: Option<String>,
    /// What was found: lower case, one line, no full stop.
    pub text: String,
}

/// Where something was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct At {
    pub(super) id: Option<Value>,
    pub(super) line: u64,
}

impl At {
    pub(super) fn line(line: u64) -> Self {
        Self { id: None, line }
    }

    pub(super) fn node(id: Value, line: u64) -> Self {
        Self { id: Some(id), line }
    }
}

/// Findings, a bounded number for each rule. Memory: `limit` rows a rule.
#[derive(Debug)]
pub(super) struct Findings {
    chosen: Chosen,
    limit: usize,
    rows: Vec<Finding>,
    /// Rows by rule so far, and how many findings have none.
    counts: [(usize, u64); RULES.len()],
    /// Findings with one row and a count, by what they are about: place in `rows` and number.
    again: Map<(Rule, String), (usize, u64)>,
    pub(super) snapshot: Option<String>,
    /// How identifiers become the source's numbers.
    pub(super) numbering: IdRule,
}

impl Findings {
    pub(super) fn new(chosen: Chosen, limit: usize) -> Self {
        Self {
            chosen,
            limit,
            rows: Vec::new(),
            counts: [(0, 0); RULES.len()],
            again: Map::default(),
            snapshot: None,
            numbering: IdRule::default(),
        }
    }

    /// Takes one in; true if it has a row of its own. `text` is only asked for then.
    pub(super) fn add(&mut self, rule: Rule, at: At, text: impl FnOnce() -> String) -> bool {
        if !self.chosen.has(rule) {
            return false;
        }
        let (rows, rest) = &mut self.counts[rule as usize];
        if *rows >= self.limit && !rule.is_information() {
            *rest += 1;
            return false;
        }
        *rows += 1;
        self.rows.push(Finding {
            rule,
            id: at.id,
            number: at.id.map(|id| self.numbering.number(id)),
            line: Some(at.line).filter(|&n| n > 0),
            byte: None,
            snapshot: self.snapshot.clone(),
            text: text(),
        });
        true
    }

    /// Adds a finding that has one row for all records it concerns. `about` names it among those of the rule.
    pub(super) fn count(&mut self, rule: Rule, about: String, at: At, text: impl FnOnce() -> String) {
        if !self.chosen.has(rule) {
            return;
        }
        if let Some((_, n)) = self.again.get_mut(&(rule, about.clone())) {
            *n += 1;
        } else if self.add(rule, at, text) {
            self.again.insert((rule, about), (self.rows.len() - 1, 1));
        }
    }

    /// Counts findings that have no rows.
    pub(super) fn more(&mut self, rule: Rule, n: u64) {
        if self.chosen.has(rule) {
            self.counts[rule as usize].1 += n;
        }
    }

    /// Damage at a byte, which ends the reading.
    pub(super) fn damage(&mut self, line: u64, byte: Option<u64>, text: String) {
        if self.add(Rule::Damaged, At::line(line), || text)
            && let Some(row) = self.rows.last_mut()
        {
            row.byte = byte;
        }
    }

    /// The number of findings so far, information left out.
    pub(super) fn faults(&self) -> u64 {
        let rows = self.rows.iter().filter(|row| !row.rule.is_information()).count() as u64;
        rows + self.counts.iter().map(|(_, rest)| rest).sum::<u64>()
    }

    /// All findings in the order of the rules; last of each rule how many more there are.
    pub(super) fn into_rows(mut self) -> Vec<Finding> {
        for (place, n) in self.again.values() {
            if *n > 1 {
                let _ = write!(self.rows[*place].text, ", and in {} more records", n - 1);
            }
        }
        for (i, (rows, rest)) in self.counts.iter().enumerate() {
            if *rest > 0 {
                let before = if *rows == 0 { "" } else { " more" };
                let text = format!("{rest}{before} of this kind");
                let rule = RULES[i].rule;
                self.rows.push(Finding {
                    rule,
                    id: None,
                    number: None,
                    line: None,
                    byte: None,
                    snapshot: None,
                    text,
                });
            }
        }
        sort_by_key(&mut self.rows, |row| row.rule);
        self.rows
    }
}
