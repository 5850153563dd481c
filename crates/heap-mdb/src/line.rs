//! One line, taken apart.

use std::borrow::Cow;

use heap_base::json::unescape;

/// Text as it is between quotes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quoted<'a>(pub(crate) &'a [u8]);

impl<'a> Quoted<'a> {
    /// The text; what is not UTF-8 becomes U+FFFD.
    pub(crate) fn text(self) -> Cow<'a, str> {
        match String::from_utf8_lossy(self.0) {
            Cow::Borrowed(text) => unescape(text),
            Cow::Owned(text) => Cow::Owned(unescape(&text).into_owned()),
        }
    }
}

impl<'a> From<&'a str> for Quoted<'a> {
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}

/// A value in a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// `"…"`.
    Text(Quoted<'a>),
    /// `SMI n`.
    Small(i64),
    /// `addr x`.
    Address(u64),
    /// Anything else without a blank.
    Word(&'a str),
}

/// A line within `begin` and `end`.
#[derive(Debug, PartialEq)]
pub(crate) enum Line<'a> {
    Node { kind: Cow<'a, str>, address: u64, rest: Vec<(Option<&'a str>, Value<'a>)> },
    Edge { kind: Cow<'a, str>, source: u64, label: Value<'a>, dest: Value<'a> },
}

/// Values that a node may have: far more than any kind needs, far fewer than a forged line could hold.
const MOST_VALUES: usize = 100;

/// What a word of a line is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Quoted(Quoted<'a>),
    Bare(&'a str),
}

type Step<T> = Result<T, &'static str>;

impl<'a> Line<'a> {
    /// Takes a line apart. The error says what was expected.
    pub(crate) fn parse(line: &'a [u8]) -> Step<Self> {
        let mut words = Words { rest: line };
        match words.next()? {
            Some(Token::Bare("node")) => {
                let (kind, address) = (words.kind()?, words.address()?);
                Ok(Self::Node { kind, address, rest: words.values()? })
            }
            Some(Token::Bare("edge")) => {
                let (kind, source) = (words.kind()?, words.address()?);
                let label = match words.next()? {
                    Some(Token::Quoted(text)) => Value::Text(text),
                    Some(Token::Bare(word)) => Value::Word(word),
                    None => return Err("expected a label"),
                };
                let Some(dest) = words.value()? else { return Err("expected SMI or addr") };
                match words.next()? {
                    None => Ok(Self::Edge { kind, source, label, dest }),
                    Some(_) => Err("expected nothing more in an edge"),
                }
            }
            _ => Err("expected node, edge or end"),
        }
    }
}

struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Step<Option<Token<'a>>> {
        self.rest = self.rest.trim_ascii_start();
        let Some(&first) = self.rest.first() else { return Ok(None) };
        if first == b'"' {
            let mut at = 1;
            loop {
                let more = self.rest.get(at..).and_then(|r| memchr::memchr2(b'"', b'\\', r));
                at += more.ok_or("a text lacks its closing quote")?;
                if self.rest[at] == b'"' {
                    break;
                }
                at += 2;
            }
            let text = Quoted(&self.rest[1..at]);
            self.rest = &self.rest[at + 1..];
            return match self.rest.first() {
                None | Some(b' ' | b'\t') => Ok(Some(Token::Quoted(text))),
                Some(_) => Err("expected a blank after a text"),
            };
        }
        let end = self.rest.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(self.rest.len());
        let word = std::str::from_utf8(&self.rest[..end]).map_err(|_| "expected UTF-8")?;
        self.rest = &self.rest[end..];
        Ok(Some(Token::Bare(word)))
    }

    fn kind(&mut self) -> Step<Cow<'a, str>> {
        match self.next()? {
            Some(Token::Quoted(text)) => Ok(text.text()),
            Some(Token::Bare(word)) => Ok(word.into()),
            None => Err("expected a kind"),
        }
    }

    fn address(&mut self) -> Step<u64> {
        match self.next()? {
            Some(Token::Bare(word)) => address(word),
            _ => Err("expected an address"),
        }
    }

    /// The next value; `SMI` and `addr` take the word behind them along.
    fn value(&mut self) -> Step<Option<Value<'a>>> {
        Ok(Some(match self.next()? {
            None => return Ok(None),
            Some(Token::Quoted(text)) => Value::Text(text),
            Some(Token::Bare("SMI")) => match self.next()? {
                Some(Token::Bare(word)) => {
                    // Tagging takes one bit.
                    let n = word.parse::<i64>().ok().filter(|n| n.unsigned_abs() < 1 << 62);
                    Value::Small(n.ok_or("expected a small integer after SMI")?)
                }
                _ => return Err("expected a small integer after SMI"),
            },
            Some(Token::Bare("addr")) => Value::Address(self.address()?),
            Some(Token::Bare(word)) => Value::Word(word),
        }))
    }

    /// Values to the end of the line, each after its name or alone. A bare word is a name if something follows
    /// it and it does not look like a number.
    fn values(&mut self) -> Step<Vec<(Option<&'a str>, Value<'a>)>> {
        let mut values = Vec::new();
        while let Some(value) = self.value()? {
            let is_name = |w: &str| {
                w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && w.parse::<f64>().is_err()
            };
            let pair = match value {
                Value::Word(name) if is_name(name) => match self.value()? {
                    Some(value) => (Some(name), value),
                    None => (None, Value::Word(name)),
                },
                value => (None, value),
            };
            if values.len() >= MOST_VALUES {
                return Err("too many values");
            }
            values.push(pair);
        }
        Ok(values)
    }
}

fn address(word: &str) -> Step<u64> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    if digits.is_empty() || digits.len() > 16 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err("expected an address");
    }
    u64::from_str_radix(digits, 16).map_err(|_| "expected an address")
}
