//! Whether a condition can hold at all: a gate that cannot fail is a mistake, not a pass.

use std::cmp::Ordering;

use heap_base::Result;

use super::{Check, Columns, Condition, Number, Orders, Step, Test, Values};

/// What rows have shown of one comparison.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    /// A row had the column.
    column: bool,
    /// The pattern matched a text of it; true where there is no pattern.
    pattern: bool,
}

/// What rows have shown of the comparisons of a condition, in the order of its text.
#[derive(Clone, Debug)]
pub struct Watch {
    met: Vec<Met>,
    rows: u64,
}

impl Test {
    /// The pattern that a text must match, as it was written.
    fn pattern(&self) -> Option<&str> {
        match &self.check {
            Check::Glob(true, glob) => Some(glob.pattern()),
            Check::Regex(true, regex) => Some(regex.as_str()),
            _ => None,
        }
    }

    fn matches(&self, text: &str) -> bool {
        match &self.check {
            Check::Glob(_, glob) => glob.matches(text),
            Check::Regex(_, regex) => regex.is_match(text),
            _ => true,
        }
    }

    /// What the numbers of its column are, if none of them, between the least and the greatest, is what it asks for.
    fn beyond(&self, columns: &dyn Columns) -> Option<String> {
        let column = &*self.column;
        let (least, greatest) = columns.bounds(column);
        let beside = |value: Number, bound| value.order(Number::Float(bound));
        let is_above = |value| beside(value, least).is_some_and(Ordering::is_gt);
        let is_below = |value| beside(value, greatest).is_some_and(Ordering::is_lt);
        let is_within = |value| {
            beside(value, least).is_some_and(Ordering::is_ge)
                && beside(value, greatest).is_some_and(Ordering::is_le)
        };
        let is_met = match self.check {
            Check::Number(Orders { less, equal, greater }, value) => {
                less && is_above(value) || equal && is_within(value) || greater && is_below(value)
            }
            Check::Among(true, ref operands) => {
                operands.iter().any(|operand| operand.number.is_none_or(is_within))
            }
            _ => true,
        };
        if is_met {
            return None;
        }
        Some(if greatest.is_finite() {
            format!("'{column}' is a number from {least} to {greatest}")
        } else {
            format!("'{column}' is {least} or more")
        })
    }
}

impl Watch {
    /// Watches the comparisons of `condition`.
    pub fn new(condition: &Condition) -> Self {
        let met = |test: &Test| Met { column: false, pattern: test.pattern().is_none() };
        Self { met: condition.tests().map(met).collect(), rows: 0 }
    }

    /// Takes a row in; of many rows, nearly all cost nothing.
    ///
    /// # Errors
    /// Strings that cannot be read back.
    pub fn row(&mut self, condition: &Condition, row: &dyn Values) -> Result {
        self.rows += 1;
        for (met, test) in self.met.iter_mut().zip(condition.tests()) {
            if met.column && met.pattern {
                continue;
            }
            if let Some(content) = row.get(&test.column)? {
                met.column = true;
                met.pattern = met.pattern || test.matches(&content.text());
            }
        }
        Ok(())
    }

    /// Columns that no row had count as ones that a row may have.
    pub fn forget_rows(&mut self) {
        self.rows = 0;
    }

    /// A text may come to match any pattern of this column.
    pub fn open(&mut self, condition: &Condition, column: &str) {
        for (met, _) in self.met.iter_mut().zip(condition.tests()).filter(|(_, test)| *test.column == *column)
        {
            met.pattern = true;
        }
    }

    /// True if some pattern has matched no text yet.
    pub fn seeks(&self) -> bool {
        self.met.iter().any(|met| !met.pattern)
    }

    /// Takes a text in that a row may come to have in any column.
    pub fn text(&mut self, condition: &Condition, text: &str) {
        for (met, test) in self.met.iter_mut().zip(condition.tests()) {
            met.pattern = met.pattern || test.matches(text);
        }
    }

    /// Why the condition can hold for no row, if that is so: no row has a column that it needs, or no text matches its
    /// pattern. Without any row that is not known.
    pub fn never(&self, condition: &Condition) -> Option<String> {
        let needs_column = self.rows > 0;
        let met = |at: usize| {
            let met = self.met[at];
            met.pattern && (met.column || !needs_column)
        };
        if condition.can_hold(|at, _| met(at)) {
            return None;
        }
        let (at, test) = condition.tests().enumerate().find(|&(at, _)| !met(at))?;
        Some(match test.pattern() {
            Some(pattern) if !self.met[at].pattern => {
                format!("nothing in the input matches '{pattern}', which is asked of '{}'", test.column)
            }
            _ => format!("no row has the column '{}'", test.column),
        })
    }
}

impl Condition {
    /// Why the condition can hold for no row, if that is so. `lacks` says why no row can have a column, or one of these
    /// values in it.
    pub fn never<'w>(&self, lacks: impl Fn(&str, Option<&str>) -> Option<&'w str>) -> Option<&'w str> {
        self.fails_by(|test| match &test.check {
            Check::Among(true, operands) => {
                let mut all = operands.iter().map(|operand| lacks(&test.column, Some(&operand.text)));
                let first = all.next()??;
                all.all(|why| why.is_some()).then_some(first)
            }
            _ => lacks(&test.column, None),
        })
    }

    /// Why the condition can hold for no row, if it asks for numbers beyond the [bounds](Columns::bounds) of a column.
    pub fn beyond(&self, columns: &dyn Columns) -> Option<String> {
        self.fails_by(|test| test.beyond(columns))
    }

    /// The first reason that `why` gives for a comparison that can never hold, if without those the condition cannot.
    fn fails_by<W>(&self, why: impl Fn(&Test) -> Option<W>) -> Option<W> {
        if self.can_hold(|_, test| why(test).is_none()) { None } else { self.tests().find_map(why) }
    }

    /// Whether the condition can hold if a comparison can where `can` says so, and can fail in any case.
    fn can_hold(&self, can: impl Fn(usize, &Test) -> bool) -> bool {
        // Whether a part can be true, and whether it can be false.
        let mut stack: Vec<(bool, bool)> = Vec::new();
        let mut at = 0;
        for step in &self.steps {
            match step {
                Step::Test(test) => {
                    stack.push((can(at, test), true));
                    at += 1;
                }
                Step::Not => {
                    if let Some(top) = stack.last_mut() {
                        *top = (top.1, top.0);
                    }
                }
                Step::And | Step::Or => {
                    let right = stack.pop().unwrap_or((true, true));
                    if let Some(left) = stack.last_mut() {
                        *left = if matches!(step, Step::And) {
                            (left.0 && right.0, left.1 || right.1)
                        } else {
                            (left.0 || right.0, left.1 && right.1)
                        };
                    }
                }
            }
        }
        stack.pop().is_none_or(|(can, _)| can)
    }
}
