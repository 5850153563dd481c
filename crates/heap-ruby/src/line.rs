//! One line, taken apart: first as the JSON that it mostly is, then as what Ruby writes where it forgets to escape.
//!
//! Ruby escapes `value`, `method`, `edge_name`, `mid` and `called_id`, and no other text. What follows from that:
//!
//! - `file` is taken as it stands, up to the last `", "line":`. A file name may hold quotes, and `C:\new` holds no line
//!   feed.
//! - `name` and `real_class_name` go on to the next key that is known.
//! - Ruby 3.0 and 3.1 tear a method name beyond ASCII: `\u00ff`, a zero byte and five bytes of rubbish for each byte of it,
//!   line feeds among them. The name is lost; the rest of the line is found by its key. Where the line ends first, its end
//!   is the next line, which has no address.
//!
//! Programs such as jq leave out the blanks and escape as they should. In such a line all texts are JSON.

use memchr::{memchr, memchr2, memmem};

/// A text of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text<'a> {
    /// The bytes between the quotes.
    pub(crate) bytes: &'a [u8],
    /// Whether backslashes in it are escapes of JSON.
    pub(crate) escaped: bool,
}

/// Members of one line. What a line does not have is absent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line<'a> {
    pub(crate) address: Option<u64>,
    pub(crate) kind: &'a [u8],
    pub(crate) root: Option<Text<'a>>,
    pub(crate) class: Option<u64>,
    pub(crate) superclass: Option<u64>,
    pub(crate) default: Option<u64>,
    pub(crate) receiver_class: Option<u64>,
    pub(crate) name: Option<Text<'a>>,
    pub(crate) real_class_name: Option<Text<'a>>,
    pub(crate) value: Option<Text<'a>>,
    pub(crate) encoding: Option<Text<'a>>,
    pub(crate) coderange: Option<Text<'a>>,
    pub(crate) structure: Option<Text<'a>>,
    pub(crate) imemo: Option<Text<'a>>,
    pub(crate) node_type: Option<Text<'a>>,
    pub(crate) called: Option<Text<'a>>,
    pub(crate) file: Option<Text<'a>>,
    pub(crate) method: Option<Text<'a>>,
    pub(crate) shape_type: Option<Text<'a>>,
    pub(crate) edge_name: Option<Text<'a>>,
    pub(crate) flags: Option<&'a [u8]>,
    pub(crate) line: Option<i64>,
    pub(crate) generation: Option<i64>,
    pub(crate) memsize: Option<u64>,
    pub(crate) slot_size: Option<u64>,
    pub(crate) shape: Option<u64>,
    pub(crate) bytesize: Option<u64>,
    pub(crate) capacity: Option<u64>,
    pub(crate) length: Option<u64>,
    pub(crate) size: Option<u64>,
    pub(crate) ivars: Option<u64>,
    pub(crate) fd: Option<i64>,
    pub(crate) id: Option<u64>,
    pub(crate) parent: Option<u64>,
    pub(crate) depth: Option<u64>,
    pub(crate) edges: Option<u64>,
    pub(crate) truths: Truths,
    /// Whether the line is not the JSON that Ruby meant.
    pub(crate) repaired: bool,
    /// Whether it ends inside a method name; its rest is in the next line.
    pub(crate) torn: bool,
}

/// Members that are true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Truths(u16);

impl Truths {
    pub(crate) const FROZEN: Self = Self(1);
    pub(crate) const EMBEDDED: Self = Self(2);
    pub(crate) const SHARED: Self = Self(4);
    pub(crate) const FSTRING: Self = Self(8);
    pub(crate) const BROKEN: Self = Self(16);
    pub(crate) const CHILLED: Self = Self(32);
    pub(crate) const SINGLETON: Self = Self(64);
    pub(crate) const COMPLEX_SHAPE: Self = Self(128);

    /// Whether it holds all of `other`.
    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

type Step<T> = Result<T, &'static str>;

/// Keys that may follow a text that Ruby did not escape.
const AFTER_NAME: [&[u8]; 7] =
    [b"references", b"file", b"method", b"generation", b"memsize", b"singleton", b"flags"];

/// Takes lines apart. The references of the last line stay here, so that their buffer is used again.
#[derive(Debug)]
pub(crate) struct Parser {
    pub(crate) references: Vec<u64>,
    line: memmem::FinderRev<'static>,
    method: memmem::FinderRev<'static>,
    generation: memmem::FinderRev<'static>,
    memsize: memmem::FinderRev<'static>,
}

impl Parser {
    pub(crate) fn new() -> Self {
        Self {
            references: Vec::new(),
            line: memmem::FinderRev::new(b"\", \"line\":"),
            method: memmem::FinderRev::new(b"\", \"method\":\""),
            generation: memmem::FinderRev::new(b", \"generation\":"),
            memsize: memmem::FinderRev::new(b", \"memsize\":"),
        }
    }

    /// Takes a line apart. The error says what was expected.
    pub(crate) fn parse<'a>(&mut self, text: &'a [u8]) -> Step<Line<'a>> {
        self.references.clear();
        let mut line = Line::default();
        let mut rest = Rest { text, at: 0 };
        rest.expect(b'{', "expected a JSON object")?;
        // Ruby writes a blank behind each comma, except in lines of shapes before `edge_name`.
        let mut plain = false;
        let mut first = true;
        loop {
            rest.blanks();
            match (rest.peek(), first) {
                (Some(b'}'), _) => {
                    rest.at += 1;
                    break;
                }
                (Some(b','), false) => {
                    rest.at += 1;
                    plain |= rest.peek() == Some(b' ');
                    rest.blanks();
                }
                (Some(b'"'), true) => {}
                _ => return Err("expected a comma or the end of the object"),
            }
            first = false;
            let key = rest.string()?;
            rest.blanks();
            rest.expect(b':', "expected a colon")?;
            rest.blanks();
            if rest.peek() == Some(b'"') && plain {
                match key.bytes {
                    b"file" => {
                        self.file(&mut rest, &mut line)?;
                        continue;
                    }
                    b"name" | b"real_class_name" => {
                        let name = rest.unescaped(&mut line)?;
                        let place =
                            if key.bytes == b"name" { &mut line.name } else { &mut line.real_class_name };
                        *place = Some(name);
                        continue;
                    }
                    b"method" => {
                        if self.method(&mut rest, &mut line)? {
                            return Ok(line);
                        }
                        continue;
                    }
                    _ => {}
                }
            }
            self.member(key.bytes, &mut rest, &mut line)?;
        }
        rest.blanks();
        if rest.at < text.len() {
            return Err("expected nothing behind the object");
        }
        Ok(line)
    }

    fn member<'a>(&mut self, key: &[u8], rest: &mut Rest<'a>, line: &mut Line<'a>) -> Step<()> {
        match rest.peek() {
            Some(b'"') => {
                let text = rest.string()?;
                let some = Some(text);
                match key {
                    b"address" => line.address = Some(address(text.bytes)?),
                    b"type" => line.kind = text.bytes,
                    b"class" => line.class = Some(address(text.bytes)?),
                    b"superclass" => line.superclass = Some(address(text.bytes)?),
                    b"default" => line.default = Some(address(text.bytes)?),
                    b"receiver_class" => line.receiver_class = Some(address(text.bytes)?),
                    b"value" => line.value = some,
                    b"encoding" => line.encoding = some,
                    b"coderange" => line.coderange = some,
                    b"file" => line.file = some,
                    b"method" => line.method = some,
                    b"name" => line.name = some,
                    b"real_class_name" => line.real_class_name = some,
                    b"root" => line.root = some,
                    b"struct" => line.structure = some,
                    b"imemo_type" => line.imemo = some,
                    b"node_type" => line.node_type = some,
                    b"called_id" | b"mid" => line.called = some,
                    b"shape_type" => line.shape_type = some,
                    b"edge_name" => line.edge_name = some,
                    _ => {}
                }
            }
            Some(b'[') if key == b"references" => rest.references(&mut self.references)?,
            Some(b'{') if key == b"flags" => {
                let start = rest.at;
                rest.skip()?;
                line.flags = Some(&rest.text[start..rest.at]);
            }
            Some(b't') => {
                rest.skip()?;
                let truth = match key {
                    b"frozen" => Truths::FROZEN,
                    b"embedded" => Truths::EMBEDDED,
                    b"shared" => Truths::SHARED,
                    b"fstring" => Truths::FSTRING,
                    b"broken" => Truths::BROKEN,
                    b"chilled" => Truths::CHILLED,
                    b"singleton" => Truths::SINGLETON,
                    b"too_complex_shape" | b"complex_shape" => Truths::COMPLEX_SHAPE,
                    _ => Truths::default(),
                };
                line.truths.0 |= truth.0;
            }
            Some(b'0'..=b'9' | b'-') => {
                let number = rest.integer()?;
                let natural = number.and_then(|n| u64::try_from(n).ok());
                match key {
                    b"memsize" => line.memsize = natural,
                    b"slot_size" => line.slot_size = natural,
                    b"shape_id" => line.shape = natural,
                    b"bytesize" => line.bytesize = natural,
                    b"capacity" => line.capacity = natural,
                    b"length" => line.length = natural,
                    b"size" => line.size = natural,
                    b"ivars" => line.ivars = natural,
                    b"line" => line.line = number,
                    b"generation" => line.generation = number,
                    b"fd" => line.fd = number,
                    b"id" => line.id = natural,
                    b"parent_id" => line.parent = natural,
                    b"depth" => line.depth = natural,
                    b"edges" => line.edges = natural,
                    _ => {}
                }
            }
            _ => rest.skip()?,
        }
        Ok(())
    }

    /// The name of a file goes up to the last mark behind it: a method behind it is escaped, so it holds no such mark.
    fn file<'a>(&self, rest: &mut Rest<'a>, line: &mut Line<'a>) -> Step<()> {
        let text = &rest.text[rest.at + 1..];
        let end = self.line.rfind(text).filter(|at| text.get(at + 10).is_some_and(u8::is_ascii_digit));
        let end = end.or_else(|| self.method.rfind(text));
        let end = end.or_else(|| self.generation.rfind(text)?.checked_sub(1).filter(|&at| text[at] == b'"'));
        let Some(end) = end else {
            line.file = Some(Text { escaped: false, ..rest.string()? });
            return Ok(());
        };
        let bytes = &text[..end];
        line.repaired |= memchr2(b'"', b'\\', bytes).is_some();
        line.file = Some(Text { bytes, escaped: false });
        rest.at += end + 2;
        Ok(())
    }

    /// The name of a method. True if the line ends inside of it.
    fn method<'a>(&self, rest: &mut Rest<'a>, line: &mut Line<'a>) -> Step<bool> {
        let start = rest.at;
        let name = rest.string();
        let whole = name.is_ok() && matches!(rest.peek(), Some(b',' | b'}'));
        if let Ok(name) = name
            && whole
            && memchr(0, name.bytes).is_none()
        {
            line.method = Some(name);
            return Ok(false);
        }
        line.repaired = true;
        let text = &rest.text[start..];
        let torn = memchr(0, text).is_some();
        let end = self.generation.rfind(text).or_else(|| self.memsize.rfind(text));
        match end {
            Some(end) => {
                // Up to Ruby 2.7 the name stands there as it is.
                if !torn && end > 1 && text[end - 1] == b'"' {
                    line.method = Some(Text { bytes: &text[1..end - 1], escaped: false });
                }
                rest.at = start + end;
                Ok(false)
            }
            None if torn => {
                line.torn = true;
                Ok(true)
            }
            None => Err("a method name lacks its end"),
        }
    }
}

struct Rest<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Step<()> {
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(what)
    }

    /// A string of JSON. Control characters in it are taken as they are.
    fn string(&mut self) -> Step<Text<'a>> {
        self.expect(b'"', "expected a text")?;
        let start = self.at;
        let mut escaped = false;
        loop {
            let more = self.text.get(self.at..).and_then(|rest| memchr2(b'"', b'\\', rest));
            self.at += more.ok_or("a text lacks its closing quote")?;
            if self.text[self.at] == b'"' {
                let bytes = &self.text[start..self.at];
                self.at += 1;
                return Ok(Text { bytes, escaped });
            }
            escaped = true;
            self.at += 2;
        }
    }

    /// A text without escapes: it ends at the first quote that the end of the object or a known key follows.
    fn unescaped(&mut self, line: &mut Line<'a>) -> Step<Text<'a>> {
        self.expect(b'"', "expected a text")?;
        let start = self.at;
        while let Some(more) = self.text.get(self.at..).and_then(|rest| memchr(b'"', rest)) {
            self.at += more;
            let after = &self.text[self.at + 1..];
            let ends = after.starts_with(b"}")
                || after.strip_prefix(b", \"").is_some_and(|after| {
                    AFTER_NAME
                        .iter()
                        .any(|key| after.strip_prefix(*key).is_some_and(|after| after.starts_with(b"\":")))
                });
            if ends {
                let bytes = &self.text[start..self.at];
                line.repaired |= memchr2(b'"', b'\\', bytes).is_some();
                self.at += 1;
                return Ok(Text { bytes, escaped: false });
            }
            self.at += 1;
        }
        // A key that is not known follows.
        self.at = start - 1;
        self.string()
    }

    fn references(&mut self, out: &mut Vec<u64>) -> Step<()> {
        self.at += 1;
        loop {
            self.blanks();
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b',') if !out.is_empty() => {
                    self.at += 1;
                    self.blanks();
                }
                Some(b'"') if out.is_empty() => {}
                _ => return Err("expected a comma or the end of references"),
            }
            self.expect(b'"', "expected an address")?;
            let end = self.text[self.at..].iter().take(20).position(|&b| b == b'"');
            let end = self.at + end.ok_or("expected an address")?;
            out.push(address(&self.text[self.at..end])?);
            self.at = end + 1;
        }
    }

    /// A number; one that is no whole number of 64 bits is absent.
    fn integer(&mut self) -> Step<Option<i64>> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.text[start..self.at]).map_err(|_| "expected a number")?;
        if digits.parse::<f64>().is_err() {
            return Err("expected a number");
        }
        Ok(digits.parse().ok())
    }

    /// Goes past any value.
    fn skip(&mut self) -> Step<()> {
        let mut depth = 0_usize;
        loop {
            self.blanks();
            match self.peek() {
                Some(b'"') => drop(self.string()?),
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                Some(b'0'..=b'9' | b'-') => drop(self.integer()?),
                _ => {
                    let word = [&b"true"[..], b"false", b"null"]
                        .into_iter()
                        .find(|word| self.text[self.at..].starts_with(word));
                    self.at += word.ok_or("expected a value")?.len();
                }
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// A hexadecimal address, with `0x` or without.
fn address(text: &[u8]) -> Step<u64> {
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    let mut number = 0_u64;
    for &digit in digits {
        let value = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => return Err("expected an address"),
        };
        if number >> 60 != 0 {
            return Err("expected an address");
        }
        number = number << 4 | u64::from(value);
    }
    if digits.is_empty() { Err("expected an address") } else { Ok(number) }
}
