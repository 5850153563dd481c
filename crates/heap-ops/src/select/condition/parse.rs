//! From text to steps in postfix order, by operator precedence and without recursion.

use regex::Regex;

use super::value::Number;
use super::{Check, Columns, Glob, Kind, Of, Operand, Orders, Step, Test};

/// What waits for its right side, or for its bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Waiting {
    Bracket,
    Or,
    And,
    Not,
}

/// Advice on values that end too early.
const QUOTES: &str = "text with blanks, brackets, & or | needs quotes";

/// Comparison operators; longer spellings first.
const OPERATORS: &[&str] = &["==", "!=", "!~", "=~", "<=", ">=", "=", "<", ">", "~"];

/// Also returns the comment that ends the text, if one may: from `#` on.
pub(super) fn parse<'a>(
    text: &'a str,
    columns: &'a dyn Columns,
    comment: bool,
) -> Result<(Vec<Step>, &'a str), String> {
    let mut parser = Parser { text, at: 0, columns };
    let (mut steps, mut waiting): (Vec<Step>, Vec<Waiting>) = (Vec::new(), Vec::new());
    loop {
        // Before an operand.
        loop {
            if parser.takes("(") {
                waiting.push(Waiting::Bracket);
            } else if parser.takes_word("not") || parser.takes("!") {
                waiting.push(Waiting::Not);
            } else {
                break;
            }
        }
        steps.push(Step::Test(Box::new(parser.test()?)));
        // Behind an operand.
        loop {
            if parser.takes(")") {
                close(&mut steps, &mut waiting, Waiting::Or);
                if waiting.pop().is_none() {
                    return Err(parser.at_place("a bracket closes that none opens"));
                }
                continue;
            }
            let next = if parser.takes_word("and") || parser.takes("&&") {
                Waiting::And
            } else if parser.takes_word("or") || parser.takes("||") {
                Waiting::Or
            } else if parser.rest().is_empty() || comment && parser.rest().starts_with('#') {
                close(&mut steps, &mut waiting, Waiting::Or);
                return if waiting.is_empty() {
                    Ok((steps, parser.rest()))
                } else {
                    Err("a bracket is open at the end of the condition".to_owned())
                };
            } else {
                return Err(parser.expected(&format!("'and', 'or' or the end; {QUOTES}")));
            };
            close(&mut steps, &mut waiting, next);
            waiting.push(next);
            break;
        }
    }
}

/// Appends what waits and binds at least as closely as `than`, up to the last open bracket.
fn close(steps: &mut Vec<Step>, waiting: &mut Vec<Waiting>, than: Waiting) {
    while let Some(&last) = waiting.last()
        && last >= than
    {
        waiting.pop();
        steps.push(match last {
            Waiting::Not => Step::Not,
            Waiting::And => Step::And,
            Waiting::Or | Waiting::Bracket => Step::Or,
        });
    }
}

/// A value as it was written.
struct Word {
    text: String,
    quoted: bool,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    columns: &'a dyn Columns,
}

impl<'a> Parser<'a> {
    /// What is left, without blanks in front.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// Takes a word in any case, if it stands alone.
    fn takes_word(&mut self, word: &str) -> bool {
        let rest = self.rest();
        let found = rest.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word))
            && !rest[word.len()..].starts_with(is_name);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn at_place(&self, what: &str) -> String {
        format!("character {}: {what}", self.text[..self.at].chars().count() + 1)
    }

    fn expected(&mut self, what: &str) -> String {
        let rest = self.rest();
        let found = rest.split_whitespace().next().map_or("the end".to_owned(), |word| format!("'{word}'"));
        self.at_place(&format!("expected {what}, not {found}"))
    }

    /// `COLUMN OP VALUE` or `COLUMN [not] in (VALUE, …)`.
    fn test(&mut self) -> Result<Test, String> {
        let rest = self.rest();
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        if name.is_empty() {
            return Err(self.expected("a column's name"));
        }
        let kind = self.columns.kind(name).ok_or_else(|| self.unknown(name))?;
        let start = self.at;
        self.at += name.len();
        let negated = self.takes_word("not");
        let check = if self.takes_word("in") {
            Check::Among(!negated, self.list(name, kind)?)
        } else if negated {
            return Err(self.expected("'in' behind 'not'"));
        } else {
            self.comparison(name, kind)?
        };
        let values = self.columns.values(name);
        if let Check::Among(_, operands) = &check
            && let Some(other) = operands.iter().find(|o| !values.is_empty() && !values.contains(&&*o.text))
        {
            self.at = start;
            let values = values.join(", ");
            return Err(self.at_place(&format!("'{name}' is one of {values}, not '{}'", other.text)));
        }
        Ok(Test::new(name, check, matches!(kind, Kind::Text | Kind::Any) && values.is_empty()))
    }

    fn unknown(&self, name: &str) -> String {
        let names = self.columns.names();
        let list = if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) };
        self.at_place(&format!("no column '{name}'{list}"))
    }

    fn comparison(&mut self, name: &str, kind: Kind) -> Result<Check, String> {
        let rest = self.rest();
        let Some(operator) = OPERATORS.iter().find(|o| rest.starts_with(**o)) else {
            return Err(self.expected("one of = != < <= > >= ~ !~ =~ in"));
        };
        self.at += operator.len();
        let before = self.at;
        let word = self.word(&[])?;
        match *operator {
            "~" | "!~" => return Ok(Check::Glob(*operator == "~", Glob::new(&word.text))),
            "=~" => {
                let regex = Regex::new(&word.text).map_err(|e| {
                    let why = e.to_string();
                    format!("'{}': {}", word.text, why.lines().last().unwrap_or_default().trim())
                })?;
                return Ok(Check::Regex(true, Box::new(regex)));
            }
            _ => {}
        }
        let fails = |parser: &mut Self, what: &str| {
            parser.at = before;
            parser.expected(what)
        };
        if let Some(part) = word.text.strip_suffix('%').filter(|_| !word.quoted && kind != Kind::Text) {
            let Some(part) = part.parse::<f64>().ok().filter(|p| p.is_finite()) else {
                return Err(fails(self, "a percentage"));
            };
            let of = if self.takes_word("of") {
                if !self.takes_word("total") {
                    return Err(self.expected("'total' behind 'of'"));
                }
                Of::Total
            } else {
                Of::Before
            };
            if !self.columns.has_base(name, of) {
                let what = if of == Of::Before { "value before" } else { "total" };
                return Err(
                    self.at_place(&format!("'{name}' has no {what} for a percentage to be a part of"))
                );
            }
            return Ok(Check::Percent(orders(operator), part, of));
        }
        let operand = Self::operand(kind, word).ok_or_else(|| {
            let what = if kind == Kind::Flag { "true or false" } else { "a number" };
            fails(self, &format!("{what} beside '{name}'"))
        })?;
        match *operator {
            "=" | "==" => Ok(Check::Among(true, vec![operand])),
            "!=" => Ok(Check::Among(false, vec![operand])),
            _ => match operand.number {
                Some(number) if matches!(kind, Kind::Number | Kind::Any) => {
                    Ok(Check::Number(orders(operator), number))
                }
                _ => {
                    self.at = before;
                    Err(self.at_place(&format!(
                        "'{operator}' compares numbers, and '{name}' or its value is none"
                    )))
                }
            },
        }
    }

    /// The value as the column's kind has it; `None` if it cannot be one.
    fn operand(kind: Kind, word: Word) -> Option<Operand> {
        let is_text = word.quoted && kind != Kind::Number || kind == Kind::Text;
        let number = if is_text { None } else { Number::parse(&word.text) };
        let fits = match kind {
            Kind::Number => number.is_some(),
            Kind::Flag => matches!(word.text.as_str(), "true" | "false"),
            Kind::Text | Kind::Any => true,
        };
        fits.then(|| Operand { text: word.text.into(), number })
    }

    /// `(VALUE, …)`.
    fn list(&mut self, name: &str, kind: Kind) -> Result<Vec<Operand>, String> {
        if !self.takes("(") {
            return Err(self.expected("a list in brackets"));
        }
        let mut operands = Vec::new();
        loop {
            let before = self.at;
            let word = self.word(&[','])?;
            let Some(operand) = Self::operand(kind, word) else {
                self.at = before;
                return Err(self.expected(&format!("a value that fits '{name}'")));
            };
            operands.push(operand);
            if self.takes(")") {
                return Ok(operands);
            }
            if !self.takes(",") {
                return Err(self.expected("',' or ')'"));
            }
        }
    }

    /// A value: quoted, or up to a blank, a bracket that it does not open itself, `&`, `|` or one of `ends`. A bracket
    /// that it opens and does not close is an error: more of the text was meant.
    fn word(&mut self, ends: &[char]) -> Result<Word, String> {
        let rest = self.rest();
        if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            return self.quoted(quote);
        }
        let mut depth = 0usize;
        let end = rest.char_indices().find(|&(_, c)| {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => return true,
                ')' => depth -= 1,
                '&' | '|' | '"' => return true,
                _ => {}
            }
            c.is_whitespace() || ends.contains(&c)
        });
        let word = &rest[..end.map_or(rest.len(), |(at, _)| at)];
        if word.is_empty() {
            return Err(self.expected("a value"));
        }
        if depth > 0 {
            let what = format!("a bracket of '{word}' is open; {QUOTES}");
            return Err(self.at_place(&what));
        }
        self.at += word.len();
        Ok(Word { text: word.to_owned(), quoted: false })
    }

    /// Text in quotes; a backslash takes the character behind it as it stands.
    fn quoted(&mut self, quote: char) -> Result<Word, String> {
        let mut text = String::new();
        let mut chars = self.text[self.at..].char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => text.extend(chars.next().map(|(_, c)| c)),
                c if c == quote => {
                    self.at += at + c.len_utf8();
                    return Ok(Word { text, quoted: true });
                }
                c => text.push(c),
            }
        }
        Err(self.at_place(&format!("the text behind {quote} has no end")))
    }
}

fn orders(operator: &str) -> Orders {
    Orders {
        less: matches!(operator, "<" | "<=" | "!="),
        equal: matches!(operator, "<=" | ">=" | "=" | "=="),
        greater: matches!(operator, ">" | ">=" | "!="),
    }
}

/// Whether a column's name may have this character.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}
