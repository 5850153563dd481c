//! Conditions as people write them: `size >= 10K`, `class=Session and count_delta>0`.

use std::cmp::Ordering;

use crate::select::field::Content;
use crate::select::glob::Glob;

/// A comparison of a named field with a value.
#[derive(Clone, Debug)]
pub struct Comparison {
    name: Box<str>,
    op: Op,
    value: String,
    number: Option<f64>,
    glob: Glob,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Like,
    Unlike,
}

/// Longer spellings first.
const OPS: &[(&str, Op)] = &[
    ("==", Op::Equal),
    ("!=", Op::NotEqual),
    ("!~", Op::Unlike),
    ("~", Op::Like),
    ("<=", Op::LessEqual),
    (">=", Op::GreaterEqual),
    ("=", Op::Equal),
    ("<", Op::Less),
    (">", Op::Greater),
];

impl Comparison {
    /// Reads `FIELD OP VALUE`. A value may be in double quotes, a number may end in `K`, `M`, `G` or `T`.
    ///
    /// # Errors
    /// What is wrong with the text, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let bad = || format!("expected 'FIELD OP VALUE' with OP one of = != < <= > >= ~ !~, not '{text}'");
        let at = text.find(['=', '!', '<', '>', '~']).ok_or_else(bad)?;
        let (name, rest) = (text[..at].trim(), &text[at..]);
        let (op, value) =
            OPS.iter().find_map(|(s, op)| Some((*op, rest.strip_prefix(s)?))).ok_or_else(bad)?;
        let value = value.trim();
        let value = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value);
        if name.is_empty() {
            return Err(bad());
        }
        let number = bytes(value).map(|n| n as f64).or_else(|| value.parse().ok());
        Ok(Self { name: name.into(), op, value: value.to_owned(), number, glob: Glob::new(value) })
    }

    /// The field.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if it holds for what the field has.
    pub fn holds(&self, content: &Content) -> bool {
        if matches!(self.op, Op::Like | Op::Unlike) {
            return self.glob.matches(&content.text()) == (self.op == Op::Like);
        }
        let order = match (content, self.number) {
            // Whole numbers are compared exactly where both are.
            (Content::Int(n), Some(number)) => match self.value.parse::<i128>() {
                Ok(value) => Some(n.cmp(&value)),
                Err(_) => (*n as f64).partial_cmp(&number),
            },
            (Content::Float(x), Some(number)) => x.partial_cmp(&number),
            (content, _) => Some(content.text().as_ref().cmp(&self.value)),
        };
        match self.op {
            Op::NotEqual => order != Some(Ordering::Equal),
            Op::Less => order == Some(Ordering::Less),
            Op::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Op::Greater => order == Some(Ordering::Greater),
            Op::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Op::Equal | Op::Like | Op::Unlike => order == Some(Ordering::Equal),
        }
    }
}

/// Comparisons joined by `and` and `or`; `and` binds closer.
#[derive(Clone, Debug)]
pub struct Condition(Vec<Vec<Comparison>>);

impl Condition {
    /// Reads comparisons joined by `and` and `or`. Both words are found outside double quotes only.
    ///
    /// # Errors
    /// What is wrong with the text, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let either = split_word(text, "or");
        let all = |part: &str| split_word(part, "and").into_iter().map(Comparison::parse).collect();
        either.into_iter().map(all).collect::<Result<_, _>>().map(Self)
    }

    /// The fields that it compares.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(Comparison::name)
    }

    /// True if it holds for what `field` gives. A comparison with a field that is not there does not hold.
    pub fn holds(&self, field: impl Fn(&str) -> Option<Content>) -> bool {
        let one = |c: &Comparison| field(c.name()).is_some_and(|content| c.holds(&content));
        self.0.iter().any(|all| all.iter().all(one))
    }
}

/// The parts between occurrences of a word, outside quotes.
fn split_word<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut quoted) = (Vec::new(), 0, false);
    for (i, c) in text.char_indices() {
        quoted ^= c == '"';
        let alone = |before: &str, after: &str| {
            before.ends_with(char::is_whitespace)
                && (after.is_empty() || after.starts_with(char::is_whitespace))
        };
        if !quoted && text[i..].starts_with(word) && alone(&text[..i], &text[i + word.len()..]) && i >= start
        {
            parts.push(&text[start..i]);
            start = i + word.len();
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A number of bytes with an optional `K`, `M`, `G`, `T` (powers of 1024).
pub fn bytes(text: &str) -> Option<u64> {
    let shift = match text.as_bytes().last()?.to_ascii_uppercase() {
        b'K' => 10,
        b'M' => 20,
        b'G' => 30,
        b'T' => 40,
        _ => return text.parse().ok(),
    };
    let number = &text[..text.len() - 1];
    match number.parse::<u64>() {
        Ok(n) => n.checked_mul(1 << shift),
        Err(_) => {
            number.parse::<f64>().ok().filter(|n| *n >= 0.0).map(|n| (n * (1u64 << shift) as f64) as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Condition};
    use crate::select::field::Content;

    #[test]
    fn conditions() {
        let check = |text: &str, expected| {
            let condition = Condition::parse(text).expect("a sound condition");
            let field = |name: &str| match name {
                "class" => Some(Content::Text("Session and Co".to_owned())),
                "delta" => Some(Content::Int(-3)),
                "size" => Some(Content::Int(10_240)),
                _ => None,
            };
            assert_eq!(condition.holds(field), expected, "{text}");
        };
        check("delta < 0", true);
        check("delta=-3", true);
        check("delta > -3", false);
        check("size >= 10K and delta != 0", true);
        check("size > 10K", false);
        check("class ~ Sess*", true);
        check("class !~ Sess*", false);
        check("class=\"Session and Co\" and delta<0", true);
        check("class=x or delta<0 and size=10240", true);
        check("delta<0 and class=x or size=1", false);
        check("absent = 1", false);
        check("absent != 1", false);
        assert!(Condition::parse("").is_err());
        assert!(Condition::parse("a=1 and").is_err());
        assert!(Comparison::parse("= 5").is_err());
    }
}
