//! Gates: a condition that must hold for no row, apart from known ones. What `--fail-on` and `--baseline` do.

use std::fmt::Write as _;

use heap_base::Result;

use crate::select::condition::{Columns, Condition, Values, Watch};

/// A condition, the rows that are known, and what was found.
#[derive(Debug)]
pub struct Gate {
    condition: Condition,
    watch: Watch,
    text: String,
    known: Vec<Known>,
    findings: Vec<Finding>,
    /// Why the gate cannot be judged.
    refused: Option<String>,
    /// Rows that fail prove nothing.
    is_void: bool,
}

/// An entry of a baseline.
#[derive(Debug)]
struct Known {
    condition: Condition,
    text: String,
    reason: String,
    line: u64,
    used: bool,
}

/// A row for which the condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What distinguishes it from other rows: a class.
    pub name: String,
    /// What is the matter with it.
    pub message: String,
    /// Why it is known, if it is.
    pub known: Option<String>,
}

impl Gate {
    /// A gate that `condition` closes.
    ///
    /// # Errors
    /// The condition does not parse, or no number that a column may have meets it; says what was expected.
    pub fn new(condition: &str, columns: &dyn Columns) -> std::result::Result<Self, String> {
        let parsed = Condition::parse(condition, columns)?;
        if let Some(why) = parsed.beyond(columns) {
            return Err(format!("no row can meet the condition: {why}"));
        }
        Ok(Self {
            watch: Watch::new(&parsed),
            condition: parsed,
            refused: None,
            is_void: false,
            text: condition.to_owned(),
            known: Vec::new(),
            findings: Vec::new(),
        })
    }

    /// Takes the entries of a baseline in: a line `CONDITION # REASON` each. Empty lines and lines that begin with `#` say
    /// nothing.
    ///
    /// # Errors
    /// The number of a line, and what is wrong there.
    pub fn baseline(&mut self, text: &str, columns: &dyn Columns) -> std::result::Result<(), (u64, String)> {
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (condition, comment) = Condition::with_comment(text, columns).map_err(|e| (line, e))?;
            let reason = comment.unwrap_or_default().trim();
            if reason.is_empty() {
                return Err((line, "expected a reason behind the condition: CONDITION # REASON".to_owned()));
            }
            let text = text[..text.len() - comment.map_or(0, |comment| comment.len() + 1)].trim_end();
            let (text, reason) = (text.to_owned(), reason.to_owned());
            self.known.push(Known { condition, text, reason, line, used: false });
        }
        Ok(())
    }

    /// Whether the gate lets the row of this name pass. If the condition holds for it, it is a finding; with the first entry
    /// of the baseline that holds for it too, it is a known one, which passes.
    ///
    /// # Errors
    /// Strings that cannot be read back.
    pub fn passes(&mut self, row: &dyn Values, name: &str, message: Option<String>) -> Result<bool> {
        self.watch.row(&self.condition, row)?;
        if !self.condition.holds(row)? {
            return Ok(true);
        }
        let mut reason = None;
        for known in &mut self.known {
            if known.condition.holds(row)? {
                known.used = true;
                reason.get_or_insert_with(|| known.reason.clone());
            }
        }
        let passes = reason.is_some();
        let message = match message {
            Some(message) => message,
            None => self.message(row)?,
        };
        self.findings.push(Finding { name: name.to_owned(), message, known: reason });
        Ok(passes)
    }

    /// What the row has in the columns that the condition names.
    fn message(&self, row: &dyn Values) -> Result<String> {
        let (mut message, mut said) = (String::new(), Vec::new());
        for name in self.condition.names() {
            if said.contains(&name) {
                continue;
            }
            said.push(name);
            if let Some(content) = row.get(name)? {
                let gap = if message.is_empty() { "" } else { ", " };
                let _ = write!(message, "{gap}{name} = {}", content.text());
            }
        }
        Ok(message)
    }

    /// The condition.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// A warning about each text that the condition asks for, and each pattern, and no row had: it can never hold for it.
    pub fn unmet(&self) -> impl Iterator<Item = String> {
        self.condition.unmet(|_| true).map(|(column, operator, text)| match operator {
            "=" => format!("no row has the {column} '{text}' of --fail-on"),
            _ => format!("'{text}' of --fail-on matches the {column} of no row"),
        })
    }

    /// The gate cannot be judged, for this reason; the first one stands.
    pub fn refuse(&mut self, why: impl Into<String>) {
        self.refused.get_or_insert_with(|| why.into());
    }

    /// The gate cannot be judged, whatever its rows say: their figures mean nothing.
    pub fn void(&mut self, why: impl Into<String>) {
        if !std::mem::replace(&mut self.is_void, true) {
            self.refused = Some(why.into());
        }
    }

    /// Refuses a gate whose condition can hold for no row: `lacks` says why no row can have a column, or this value in it.
    pub fn needs<'w>(&mut self, lacks: impl Fn(&str, Option<&str>) -> Option<&'w str>) {
        if let Some(why) = self.condition.never(lacks) {
            self.refuse(why);
        }
    }

    /// Refuses a gate whose condition could have held for no row of the input, or compares numbers with texts. Call when all rows that there are have come
    /// to [`passes`](Self::passes).
    pub fn end(&mut self) {
        if let Some(mistake) = self.condition.mistake() {
            self.refuse(mistake);
        }
        if let Some(why) = self.watch.never(&self.condition) {
            self.refuse(why);
        }
    }

    /// As [`end`](Self::end) where rows need not have all columns: only patterns count, and not those of the columns in
    /// `composed`, whose texts are made of several.
    pub fn end_of_texts(&mut self, composed: &[&str]) {
        self.watch.forget_rows();
        for column in composed {
            self.watch.open(&self.condition, column);
        }
        self.end();
    }

    /// True if the condition asks for a text or a pattern that nothing has had yet.
    pub fn seeks(&self) -> bool {
        self.watch.seeks() || self.condition.seeks()
    }

    /// Takes a text of the input in that a row may come to have.
    pub fn text_of_input(&mut self, text: &str) {
        self.watch.text(&self.condition, text);
        self.condition.may_have(text);
    }

    /// Why the gate cannot be judged, if so. A row that fails answers all the same, unless the gate is [void](Self::void).
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref().filter(|_| self.is_void || !self.fails())
    }

    /// Whether a condition, the gate's or one of the baseline, names what is known only with the graph.
    pub fn needs_retained(&self) -> bool {
        let conditions =
            std::iter::once(&self.condition).chain(self.known.iter().map(|known| &known.condition));
        conditions.flat_map(Condition::names).any(|name| name.contains("retained"))
    }

    /// The condition as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The rows for which the condition holds, known ones too.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// True if the condition holds for a row that is not known.
    pub fn fails(&self) -> bool {
        self.findings.iter().any(|finding| finding.known.is_none())
    }

    /// Line and condition of the entries of the baseline that hold for no finding.
    pub fn unused(&self) -> impl Iterator<Item = (u64, &str)> {
        self.known.iter().filter(|known| !known.used).map(|known| (known.line, known.text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Content;
    use crate::select::condition::{Kind, Of};

    struct Two;

    impl Columns for Two {
        fn kind(&self, name: &str) -> Option<Kind> {
            match name {
                "class" => Some(Kind::Text),
                "count" | "share" => Some(Kind::Number),
                _ => None,
            }
        }

        fn has_base(&self, _name: &str, _of: Of) -> bool {
            false
        }

        fn bounds(&self, name: &str) -> (f64, f64) {
            (1.0, if name == "share" { 2.0 } else { f64::INFINITY })
        }

        fn names(&self) -> Vec<String> {
            vec!["class".to_owned(), "count".to_owned()]
        }
    }

    fn judge(gate: &mut Gate, class: &str, count: i128) -> bool {
        let row = |name: &str| {
            Some(if name == "class" { Content::Text(class.to_owned()) } else { Content::Int(count) })
        };
        gate.passes(&row, class, None).expect("a row")
    }

    #[test]
    fn classes_that_no_row_has_are_named() {
        let text = "class = a and count > 10 or class in (b, c) or class != d";
        let mut gate = Gate::new(text, &Two).expect("a condition");
        for (class, unmet) in [("x", "abc"), ("b", "ac"), ("a", "c"), ("c", "")] {
            judge(&mut gate, class, 1);
            let named: String =
                gate.unmet().filter_map(|what| what.split('\'').nth(1).map(str::to_owned)).collect();
            assert_eq!(named, unmet, "behind {class}");
        }
    }

    #[test]
    fn numbers_beyond_those_of_a_column_are_refused() {
        let share = Some("'share' is a number from 1 to 2");
        let count = Some("'count' is 1 or more");
        for (text, why) in [
            ("share > 2", share),
            ("share >= 2", None),
            ("share < 1", share),
            ("share <= 1", None),
            ("share = 2.5", share),
            ("share in (0, 3)", share),
            ("share in (0, 1.5)", None),
            ("share != 3", None),
            ("share >= 2.5 or class = a", None),
            ("class = a and share > 50", share),
            ("not share > 50", None),
            ("not (share > 50 or class = a)", None),
            ("count < 1", count),
            ("count = 0 or count = -1", count),
            ("count > 1e300", None),
        ] {
            let said = Gate::new(text, &Two).err();
            let expected = why.map(|why| format!("no row can meet the condition: {why}"));
            assert_eq!(said, expected, "{text}");
        }
    }

    #[test]
    fn known_rows_pass_with_their_reason() {
        let mut gate = Gate::new("count > 10", &Two).expect("a condition");
        let baseline =
            "\n# known\nclass = 'a # b' and count < 20   # bounded\nclass = #x # private\nclass=gone # was\n";
        gate.baseline(baseline, &Two).expect("a baseline");
        assert!(judge(&mut gate, "small", 1));
        assert!(judge(&mut gate, "a # b", 15) && judge(&mut gate, "#x", 99));
        assert!(!gate.fails());
        assert!(!judge(&mut gate, "a # b", 25));
        assert!(gate.fails());
        let found: Vec<_> =
            gate.findings().iter().map(|f| (f.message.as_str(), f.known.as_deref())).collect();
        assert_eq!(
            found,
            [("count = 15", Some("bounded")), ("count = 99", Some("private")), ("count = 25", None)]
        );
        assert_eq!(gate.unused().collect::<Vec<_>>(), [(5, "class=gone")]);
    }

    #[test]
    fn a_row_that_fails_answers_unless_rows_mean_nothing() {
        let gate = |void: bool, count| {
            let mut gate = Gate::new("count > 10", &Two).expect("a condition");
            gate.refuse("a reason");
            if void {
                gate.void("another");
                gate.void("a third");
            }
            judge(&mut gate, "x", count);
            gate.refused().map(str::to_owned)
        };
        assert_eq!((gate(false, 11), gate(false, 1)), (None, Some("a reason".to_owned())));
        assert_eq!((gate(true, 11), gate(true, 1)), (Some("another".to_owned()), Some("another".to_owned())));
    }

    #[test]
    fn entries_without_a_reason_are_refused() {
        let mut gate = Gate::new("count > 10", &Two).expect("a condition");
        for (text, line, what) in [
            ("class = a", 1, "expected a reason"),
            ("\nclass = a #  ", 2, "expected a reason"),
            ("# x\n\nklass = a # b", 3, "no column 'klass'"),
            ("class = a b # c", 1, "expected 'and', 'or' or the end"),
        ] {
            let (at, why) = gate.baseline(text, &Two).expect_err(text);
            assert!(at == line && why.contains(what), "{text}: line {at}: {why}");
        }
        assert!(Gate::new("count >", &Two).is_err());
    }
}
