//! Conditions as people write them: `class = Session and count_delta > 5%`.
//!
//! The grammar stands in heap-tools(7). A condition is parsed against the columns that it may name, so that a misspelt
//! column, a number column beside a text, or a word too many is an error and never a condition that holds by accident.

mod parse;
mod possible;
mod tests;
mod value;

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};

use heap_base::Result;
use regex::Regex;

use super::field::lacking;
use super::{Content, Glob};
pub use possible::Watch;
pub use value::{Number, bytes};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Number,
    /// Text.
    Text,
    /// True or false.
    Flag,
    /// Only its values can say: a field that a stream declares.
    Any,
}

/// The columns that a condition may name.
pub trait Columns {
    /// What the column of this name holds; `None` if there is none.
    fn kind(&self, name: &str) -> Option<Kind>;

    /// Whether the values of the column can be compared with a part of something.
    fn has_base(&self, name: &str, of: Of) -> bool;

    /// The values of a column of text that has no others; empty for any other column.
    fn values(&self, _name: &str) -> &'static [&'static str] {
        &[]
    }

    /// The least and the greatest number that the column may have; any, if nothing is said.
    fn bounds(&self, _name: &str) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// The columns to name in the message about an unknown one; empty where there is no list.
    fn names(&self) -> Vec<String>;
}

/// What a percentage is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The value before: `5%`.
    Before,
    /// The total of the column: `5% of total`.
    Total,
}

/// The row that a condition is held against.
pub trait Values {
    /// What the row has in a column; `None` if it lacks it.
    ///
    /// # Errors
    /// Strings that cannot be read back.
    fn get(&self, name: &str) -> Result<Option<Content>>;

    /// What a percentage in a comparison of this column is a part of.
    fn base(&self, _name: &str, _of: Of) -> Option<f64> {
        None
    }
}

impl<F: Fn(&str) -> Option<Content>> Values for F {
    fn get(&self, name: &str) -> Result<Option<Content>> {
        Ok(self(name))
    }
}

/// A condition on rows.
#[derive(Clone, Debug)]
pub struct Condition {
    /// In postfix order.
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Test(Box<Test>),
    Not,
    And,
    Or,
}

/// A comparison of a column with a value.
#[derive(Clone, Debug)]
struct Test {
    column: Box<str>,
    check: Check,
    /// What rows had in the column, [`Test::ALIKE`] and [`Test::OTHER`], or nothing; from [`Test::FIRST`] on a bit for each text
    /// and pattern that a row had.
    met: Arc<AtomicU64>,
    /// The bits of the texts and patterns that it seeks: that no row has one is most likely a mistake.
    sought: u64,
}

#[derive(Clone, Debug)]
enum Check {
    /// The order of the column's value to a number is one of these.
    Number(Orders, Number),
    /// The same, of a part of something.
    Percent(Orders, f64, Of),
    /// Equal to one of these, or (`false`) to none.
    Among(bool, Vec<Operand>),
    Glob(bool, Glob),
    Regex(bool, Box<Regex>),
}

/// What `=`, `!=` and `in` compare with: text that may be a number as well.
#[derive(Clone, Debug)]
struct Operand {
    text: Box<str>,
    number: Option<Number>,
}

/// Which orders satisfy `<`, `<=`, `>`, `>=`.
#[derive(Clone, Copy, Debug)]
struct Orders {
    less: bool,
    equal: bool,
    greater: bool,
}

impl Orders {
    fn allow(self, order: Option<Ordering>) -> bool {
        match order {
            Some(Ordering::Less) => self.less,
            Some(Ordering::Equal) => self.equal,
            Some(Ordering::Greater) => self.greater,
            None => false,
        }
    }
}

impl Condition {
    /// Parses `text`. See the module's description.
    ///
    /// # Errors
    /// Says in one line what was expected, and where.
    pub fn parse(text: &str, columns: &dyn Columns) -> std::result::Result<Self, String> {
        parse::parse(text, columns, false).map(|(steps, _)| Self { steps })
    }

    /// Parses `text` up to a `#`, and returns what comes behind that; `None` if there is none.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn with_comment<'a>(
        text: &'a str,
        columns: &'a dyn Columns,
    ) -> std::result::Result<(Self, Option<&'a str>), String> {
        let (steps, comment) = parse::parse(text, columns, true)?;
        Ok((Self { steps }, comment.strip_prefix('#')))
    }

    /// The columns that it names, in the order of the text.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tests().map(|test| &*test.column)
    }

    /// True if it seeks a text or a pattern that no row has had so far.
    pub fn seeks(&self) -> bool {
        self.tests().any(|test| test.sought & !test.met.load(Atomic::Relaxed) != 0)
    }

    /// A row may come to have this text, in any column.
    pub fn may_have(&self, text: &str) {
        for test in self.tests().filter(|test| test.sought != 0) {
            let found = match &test.check {
                Check::Among(_, operands) => Test::bits(operands, |operand| &*operand.text == text),
                Check::Glob(_, glob) if glob.matches(text) => Test::FIRST,
                Check::Regex(_, regex) if regex.is_match(text) => Test::FIRST,
                _ => 0,
            };
            test.met.fetch_or(found, Atomic::Relaxed);
        }
    }

    /// The texts and patterns that it seeks and no row has had so far, as comparisons of their column: `=`, `~` or `=~`. Not of
    /// columns that no row had, unless `all_have` says that there is nothing without one.
    pub fn unmet<'a>(
        &'a self,
        all_have: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a str, &'static str, &'a str)> {
        self.tests().flat_map(move |test| {
            let met = test.met.load(Atomic::Relaxed);
            let comes = met & Test::ALIKE != 0 || met & Test::OTHER == 0 && all_have(&test.column);
            let lost = if comes { test.sought & !met } else { 0 };
            let all: Vec<_> = match &test.check {
                Check::Among(_, operands) => operands.iter().map(|operand| ("=", &*operand.text)).collect(),
                Check::Glob(_, glob) => vec![("~", glob.pattern())],
                Check::Regex(_, regex) => vec![("=~", regex.as_str())],
                _ => Vec::new(),
            };
            let is_lost = move |at: usize| lost & Test::bit(at) != 0;
            let lost = all.into_iter().enumerate().filter(move |&(at, _)| is_lost(at));
            lost.map(|(_, (operator, text))| (&*test.column, operator, text))
        })
    }

    /// The first comparison of a number with what is no number, or the other way round, in all rows so far that have the column.
    pub fn mistake(&self) -> Option<String> {
        self.tests().find_map(Test::mistake)
    }

    fn tests(&self) -> impl Iterator<Item = &Test> {
        self.steps.iter().filter_map(|step| match step {
            Step::Test(test) => Some(&**test),
            _ => None,
        })
    }

    /// Whether it holds for a row. A comparison with a column that the row lacks does not hold, nor one of a text with a number;
    /// `not` of it does.
    ///
    /// # Errors
    /// Strings that cannot be read back.
    pub fn holds(&self, row: &dyn Values) -> Result<bool> {
        let mut stack: smallvec::SmallVec<[bool; 8]> = smallvec::SmallVec::new();
        for step in &self.steps {
            match step {
                Step::Test(test) => stack.push(test.holds(row)?),
                Step::Not => {
                    if let Some(top) = stack.last_mut() {
                        *top = !*top;
                    }
                }
                Step::And | Step::Or => {
                    let right = stack.pop().unwrap_or_default();
                    if let Some(left) = stack.last_mut() {
                        *left = if matches!(step, Step::And) { *left && right } else { *left || right };
                    }
                }
            }
        }
        Ok(stack.pop().unwrap_or_default())
    }
}

impl Test {
    /// What can be compared with the value.
    const ALIKE: u64 = 1;
    /// A text where it is a number, or a number where it is none. A field may be a text of one subtype and a number of another.
    const OTHER: u64 = 2;
    /// The first text or pattern.
    const FIRST: u64 = 4;
    /// How many of a list have one.
    const MOST: usize = 60;

    /// `is_text`: the column may have any text.
    fn new(column: &str, check: Check, is_text: bool) -> Self {
        let mut test = Self { column: column.into(), check, met: Arc::default(), sought: 0 };
        test.sought = match &test.check {
            Check::Among(true, operands) if is_text => Self::bits(operands, Operand::is_sought),
            Check::Glob(true, _) | Check::Regex(true, _) if is_text => Self::FIRST,
            _ => 0,
        };
        test
    }

    /// The bit of the text at this place of a list; those behind [`MOST`](Self::MOST) have none.
    fn bit(at: usize) -> u64 {
        if at < Self::MOST { Self::FIRST << at } else { 0 }
    }

    /// The bits of the operands of which this is true.
    fn bits(operands: &[Operand], holds: impl Fn(&Operand) -> bool) -> u64 {
        (0..)
            .zip(operands)
            .filter(|(_, operand)| holds(operand))
            .fold(0, |bits, (at, _)| bits | Self::bit(at))
    }

    fn holds(&self, row: &dyn Values) -> Result<bool> {
        let Some(content) = row.get(&self.column)? else { return Ok(false) };
        let order = |orders: Orders, value: Number| match Number::of(&content) {
            Some(number) => (Self::ALIKE, orders.allow(number.order(value))),
            None => (Self::OTHER, false),
        };
        let (met, holds) = match &self.check {
            Check::Number(orders, value) => order(*orders, *value),
            Check::Percent(orders, part, of) => match row.base(&self.column, *of) {
                Some(base) => order(*orders, Number::Float(base * part / 100.0)),
                None => (Self::ALIKE, false),
            },
            Check::Among(among, operands) => {
                let (mut met, mut any) = (0, false);
                for (at, operand) in operands.iter().enumerate() {
                    let (kind, equal) = operand.equals(&content);
                    met |= kind | if equal { Self::bit(at) } else { 0 };
                    any |= equal;
                }
                (met, any == *among)
            }
            Check::Glob(matches, glob) => Self::pattern_met(glob.matches(&content.text()), *matches),
            Check::Regex(matches, regex) => Self::pattern_met(regex.is_match(&content.text()), *matches),
        };
        // Once is enough: of many rows, nearly all cost a read.
        if self.met.load(Atomic::Relaxed) | met != self.met.load(Atomic::Relaxed) {
            self.met.fetch_or(met, Atomic::Relaxed);
        }
        Ok(holds)
    }

    /// What a row shows of a pattern that is to match or not, and whether the comparison holds.
    fn pattern_met(is_match: bool, wanted: bool) -> (u64, bool) {
        (Self::ALIKE | if is_match { Self::FIRST } else { 0 }, is_match == wanted)
    }

    /// What is wrong with the comparison if all that rows had is of the other kind.
    fn mistake(&self) -> Option<String> {
        if self.met.load(Atomic::Relaxed) & (Self::ALIKE | Self::OTHER) != Self::OTHER {
            return None;
        }
        let column = &self.column;
        Some(match &self.check {
            Check::Among(_, operands) => {
                let text = operands.iter().find(|of| of.number.is_none()).map_or("", |of| &of.text);
                format!("'{column}' holds numbers, and '{text}' is none")
            }
            _ => format!("'{column}' holds texts, which are not compared with a number"),
        })
    }
}

impl Operand {
    /// Of which kind a content is beside it, and whether it is equal. True and false are 1 and 0 as well, as Java's dumps have them.
    fn equals(&self, content: &Content) -> (u64, bool) {
        let number = match content {
            Content::Bool(flag) if self.number.is_some() => Some(Number::Int((*flag).into())),
            other => Number::of(other),
        };
        match (number, self.number) {
            (Some(number), Some(value)) => (Test::ALIKE, number.order(value) == Some(Ordering::Equal)),
            // One that JSON lacks, `NaN`.
            (Some(_), None) if content.text() == *self.text => (Test::ALIKE, true),
            (Some(_), None) if lacking(&self.text).is_some() => (Test::ALIKE, false),
            (Some(Number::Int(flag @ 0..=1)), None) if self.flag().is_some() => {
                (Test::ALIKE, self.flag() == Some(flag == 1))
            }
            (Some(_), None) => (Test::OTHER, false),
            (None, _) => (Test::ALIKE, content.text() == *self.text),
        }
    }

    fn flag(&self) -> Option<bool> {
        self.text.parse().ok()
    }

    /// Whether it is a text that somebody may have misspelt, and no value that nothing may have.
    fn is_sought(&self) -> bool {
        self.number.is_none() && self.flag().is_none() && lacking(&self.text).is_none()
    }
}
