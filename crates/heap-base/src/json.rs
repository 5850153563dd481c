//! JSON as the canonical form has it: numbers and text out, members in and out. Non-recursive throughout.

use std::borrow::Cow;

use wide::u8x16;

/// Largest integer that every JSON reader keeps exactly, 2^53 − 1.
pub const MAX_EXACT: u64 = (1 << 53) - 1;

/// Appends an integer; beyond ±(2^53 − 1) as `"0x…"`, `"-0x…"`.
#[inline]
pub fn push_int(out: &mut Vec<u8>, n: i64) {
    if n >= 0 {
        push_uint(out, n as u64);
    } else if n.unsigned_abs() <= MAX_EXACT {
        out.push(b'-');
        push_uint(out, n.unsigned_abs());
    } else {
        push_hex(out, true, n.unsigned_abs());
    }
}

/// Appends an unsigned integer; beyond 2^53 − 1 as `"0x…"`.
#[inline]
pub fn push_uint(out: &mut Vec<u8>, n: u64) {
    if n < 100_000_000 {
        let (digits, length) = short(n as u32);
        let end = out.len() + length;
        out.extend_from_slice(&digits);
        out.truncate(end);
    } else {
        push_long(out, n);
    }
}

/// Appends an unsigned integer of any length.
#[cold]
fn push_long(out: &mut Vec<u8>, n: u64) {
    if n <= MAX_EXACT {
        out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
    } else {
        push_hex(out, false, n);
    }
}

/// Value and number of the decimal digits at the start of eight bytes in memory order, the first in the lowest byte.
#[allow(clippy::inline_always, reason = "measured: a call costs as much as half of the work")]
#[inline(always)]
pub const fn digits8(chunk: u64) -> (u64, usize) {
    let x = chunk ^ 0x3030_3030_3030_3030;
    // The top bit of each byte that is no digit; a carry only ever reaches bytes behind the first such.
    let other = (x.wrapping_add(0x7676_7676_7676_7676) | x) & 0x8080_8080_8080_8080;
    let digits = (other.trailing_zeros() / 8) as usize;
    if digits == 0 {
        return (0, 0);
    }
    (value8(chunk, digits), digits)
}

/// Value of the first `digits`, 1 to 8, of eight bytes in memory order, which are decimal digits.
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
pub const fn value8(chunk: u64, digits: usize) -> u64 {
    let x = (chunk ^ 0x3030_3030_3030_3030) << (64 - 8 * digits);
    let x = (x.wrapping_mul(10) + (x >> 8)) & 0x00ff_00ff_00ff_00ff;
    let x = (x.wrapping_mul(100) + (x >> 16)) & 0x0000_ffff_0000_ffff;
    (x.wrapping_mul(10_000) + (x >> 32)) & 0xffff_ffff
}

/// The digits of a number below 10^8, from the first on, and how many they are. No branch, no table: most numbers
/// of a stream are short, and their lengths vary.
#[inline]
pub const fn short(n: u32) -> ([u8; 8], usize) {
    // Four digits in each half, then two in each quarter, then one in each byte; the first in the lowest. The rest of
    // a division goes up and its quotient down in one step: (x − q · base) · 2^k + q.
    let n = n as u64;
    let x = (n << 32) - (n / 10_000) * ((10_000 << 32) - 1);
    let hundreds = ((x * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let x = (x << 16) - hundreds * ((100 << 16) - 1);
    let tens = ((x * 103) >> 10) & 0x000F_000F_000F_000F;
    let x = (x << 8) - tens * ((10 << 8) - 1);
    // The last digit stays, be it 0.
    let zeros = (x | (1 << 56)).trailing_zeros() / 8;
    (((x | 0x3030_3030_3030_3030) >> (8 * zeros)).to_le_bytes(), 8 - zeros as usize)
}

#[cold]
fn push_hex(out: &mut Vec<u8>, negative: bool, n: u64) {
    out.extend_from_slice(if negative { b"\"-0x" } else { b"\"0x" });
    let digits = 16 - n.leading_zeros() / 4;
    for i in (0..digits).rev() {
        out.push(b"0123456789abcdef"[(n >> (i * 4) & 15) as usize]);
    }
    out.push(b'"');
}

/// Appends a float: the shortest decimal that reads back the same, or `"NaN"`, `"Infinity"`, `"-Infinity"`.
pub fn push_float(out: &mut Vec<u8>, x: f64) {
    if x.is_finite() {
        out.extend_from_slice(zmij::Buffer::new().format_finite(x).as_bytes());
    } else {
        let name: &[u8] = match () {
            () if x.is_nan() => b"\"NaN\"",
            () if x > 0.0 => b"\"Infinity\"",
            () => b"\"-Infinity\"",
        };
        out.extend_from_slice(name);
    }
}

/// Appends text in quotes, with the fewest escapes: `\"`, `\\`, `\b \f \n \r \t`, `\u00xx` below 0x20.
pub fn push_text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    escape(out, text);
    out.push(b'"');
}

/// Which of some bytes of text must be escaped.
#[inline]
fn special(bytes: [u8; 16]) -> u8x16 {
    let bytes = u8x16::new(bytes);
    let control = bytes.simd_eq(bytes.min(u8x16::splat(0x1f)));
    control | bytes.simd_eq(u8x16::splat(b'"')) | bytes.simd_eq(u8x16::splat(b'\\'))
}

/// Appends text with canonical escapes, without quotes.
pub fn escape(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    // Most texts have nothing to escape, which is seen sixteen bytes at a time.
    let (chunks, tail) = bytes.as_chunks::<16>();
    let mut last = [b' '; 16];
    last[..tail.len()].copy_from_slice(tail);
    let any = chunks.iter().fold(special(last), |any, &chunk| any | special(chunk));
    if any.to_bitmask() == 0 {
        out.extend_from_slice(bytes);
        return;
    }
    let mut start = 0;
    for (i, &b) in bytes.iter().enumerate() {
        if b >= 0x20 && b != b'"' && b != b'\\' {
            continue;
        }
        out.extend_from_slice(&bytes[start..i]);
        start = i + 1;
        match b {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            8 => out.extend_from_slice(b"\\b"),
            9 => out.extend_from_slice(b"\\t"),
            10 => out.extend_from_slice(b"\\n"),
            12 => out.extend_from_slice(b"\\f"),
            13 => out.extend_from_slice(b"\\r"),
            _ => {
                out.extend_from_slice(b"\\u00");
                out.push(b"0123456789abcdef"[usize::from(b >> 4)]);
                out.push(b"0123456789abcdef"[usize::from(b & 15)]);
            }
        }
    }
    out.extend_from_slice(&bytes[start..]);
}

/// Decodes the contents of a JSON string (any legal escapes, lone surrogates become U+FFFD).
pub fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(tail) = rest.strip_prefix('\\') {
        let mut chars = tail.chars();
        let c = chars.next().unwrap_or('\\');
        let mut after = chars.as_str();
        match c {
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => {
                let (unit, more) = hex4(after);
                after = more;
                let c = match unit {
                    0xD800..=0xDBFF => match after.strip_prefix("\\u").map(hex4) {
                        Some((low @ 0xDC00..=0xDFFF, more)) => {
                            after = more;
                            char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
                        }
                        _ => None,
                    },
                    _ => char::from_u32(unit),
                };
                out.push(c.unwrap_or('\u{fffd}'));
            }
            other => out.push(other),
        }
        let next = memchr::memchr(b'\\', after.as_bytes()).unwrap_or(after.len());
        out.push_str(&after[..next]);
        rest = &after[next..];
    }
    Cow::Owned(out)
}

fn hex4(text: &str) -> (u32, &str) {
    match text.get(..4).and_then(|h| u32::from_str_radix(h, 16).ok()) {
        Some(unit) => (unit, &text[4..]),
        None => (0xFFFD, text),
    }
}

/// Builds canonical members (`"a":1,"b":{"c":2}`) in a buffer that is used again and again.
#[derive(Clone, Debug, Default)]
pub struct Members {
    buf: Vec<u8>,
}

impl Members {
    /// An empty builder.
    pub const fn new() -> Self {
        Self { buf: Vec::new() }
    }

    /// Forgets everything, keeps the buffer.
    pub fn clear(&mut self) {
        self.buf.clear();
    }

    /// What was built.
    pub fn as_bytes(&self) -> &[u8] {
        &self.buf
    }

    /// True if nothing was built.
    pub fn is_empty(&self) -> bool {
        self.buf.is_empty()
    }

    fn key(&mut self, key: &str) {
        if !matches!(self.buf.last(), None | Some(b'{')) {
            self.buf.push(b',');
        }
        push_text(&mut self.buf, key);
        self.buf.push(b':');
    }

    /// An integer or value or string id.
    pub fn int(&mut self, key: &str, n: i64) -> &mut Self {
        self.key(key);
        push_int(&mut self.buf, n);
        self
    }

    /// An unsigned integer or address.
    pub fn uint(&mut self, key: &str, n: u64) -> &mut Self {
        self.key(key);
        push_uint(&mut self.buf, n);
        self
    }

    /// A float.
    pub fn float(&mut self, key: &str, x: f64) -> &mut Self {
        self.key(key);
        push_float(&mut self.buf, x);
        self
    }

    /// Text in place.
    pub fn text(&mut self, key: &str, text: &str) -> &mut Self {
        self.key(key);
        push_text(&mut self.buf, text);
        self
    }

    /// True or false.
    pub fn boolean(&mut self, key: &str, b: bool) -> &mut Self {
        self.key(key);
        self.buf.extend_from_slice(if b { b"true" } else { b"false" });
        self
    }

    /// A JSON value that is canonical already.
    pub fn raw(&mut self, key: &str, json: &[u8]) -> &mut Self {
        self.key(key);
        self.buf.extend_from_slice(json);
        self
    }

    /// Canonical members as they are.
    pub fn members(&mut self, members: &[u8]) -> &mut Self {
        if !members.is_empty() {
            if !matches!(self.buf.last(), None | Some(b'{')) {
                self.buf.push(b',');
            }
            self.buf.extend_from_slice(members);
        }
        self
    }

    /// Opens a namespace; every `open` needs its [`close`](Self::close).
    pub fn open(&mut self, key: &str) -> &mut Self {
        self.key(key);
        self.buf.push(b'{');
        self
    }

    /// Closes a namespace; one that stayed empty is left out altogether.
    pub fn close(&mut self) -> &mut Self {
        if self.buf.last() == Some(&b'{') {
            // Back over `"key":{` to the comma or brace before it; keys of namespaces hold no quotes.
            let quote = self.buf[..self.buf.len() - 3].iter().rposition(|&b| b == b'"').unwrap_or(0);
            self.buf.truncate(quote);
            if self.buf.last() == Some(&b',') {
                self.buf.pop();
            }
        } else {
            self.buf.push(b'}');
        }
        self
    }
}

/// A scalar found in members, or the raw text of something nested.
#[derive(Clone, Debug, PartialEq)]
pub enum Json<'a> {
    /// A whole number, also from `"0x…"`.
    Int(i128),
    /// A number with a fraction or exponent.
    Float(f64),
    /// Text, decoded.
    Text(Cow<'a, str>),
    /// True or false.
    Bool(bool),
    /// Null.
    Null,
    /// An object or array, raw.
    Nested(&'a [u8]),
}

impl Json<'_> {
    /// As a whole number that fits.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Json::Int(n) => i64::try_from(*n).ok().or_else(|| u64::try_from(*n).ok().map(|n| n as i64)),
            Json::Text(t) => hex_text(t).and_then(|n| Json::Int(n).as_int()),
            Json::Float(x) if x.fract() == 0.0 && x.abs() <= MAX_EXACT as f64 => Some(*x as i64),
            _ => None,
        }
    }

    /// As a number, `"NaN"` and infinities included.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Json::Int(n) => Some(*n as f64),
            Json::Float(x) => Some(*x),
            Json::Text(t) => match t.as_ref() {
                "NaN" => Some(f64::NAN),
                "Infinity" => Some(f64::INFINITY),
                "-Infinity" => Some(f64::NEG_INFINITY),
                other => hex_text(other).map(|n| n as f64),
            },
            _ => None,
        }
    }
}

/// The number written as `0x…` or `-0x…`.
pub fn hex_text(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.strip_prefix("0x")?),
        None => (false, text.strip_prefix("0x")?),
    };
    if digits.is_empty() || digits.len() > 16 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let n = i128::from(u64::from_str_radix(digits, 16).ok()?);
    Some(if negative { -n } else { n })
}

/// The number beyond ±(2^53 − 1) that the canonical form has as this text, and no other text.
pub fn wide_text(text: &str) -> Option<i64> {
    let n = i64::try_from(hex_text(text)?).ok().filter(|n| n.unsigned_abs() > MAX_EXACT)?;
    let mut canonical = Vec::with_capacity(24);
    push_int(&mut canonical, n);
    (canonical.get(1..canonical.len() - 1)? == text.as_bytes()).then_some(n)
}

/// What a raw JSON value is.
pub fn scalar(raw: &[u8]) -> Option<Json<'_>> {
    // Most are short numbers.
    if let Some(n) = short_int(raw) {
        return Some(Json::Int(n.into()));
    }
    let text = std::str::from_utf8(raw).ok()?;
    Some(match *raw.first()? {
        b'"' => Json::Text(unescape(text.get(1..text.len().checked_sub(1)?)?)),
        b't' => Json::Bool(true),
        b'f' => Json::Bool(false),
        b'n' => Json::Null,
        b'{' | b'[' => Json::Nested(raw),
        _ => match text.parse::<i128>() {
            Ok(n) => Json::Int(n),
            Err(_) => Json::Float(text.parse().ok()?),
        },
    })
}

/// The number that up to 16 digits make.
#[inline]
pub fn short_int(raw: &[u8]) -> Option<u64> {
    if raw.is_empty() || raw.len() > 16 {
        return None;
    }
    let digit = |n, b: &u8| b.is_ascii_digit().then_some(n * 10 + u64::from(b & 15));
    raw.iter().try_fold(0, digit)
}

/// The whole number at a dotted path among members; one below zero in two's complement.
pub fn uint(members: &[u8], path: &str) -> Option<u64> {
    Some(scalar(member(members, path)?)?.as_int()? as u64)
}

/// Goes over the members of valid JSON: key still escaped, value raw.
pub fn each(members: &[u8]) -> Each<'_> {
    Each { rest: members }
}

/// Iterator of [`each`].
#[derive(Clone, Debug)]
pub struct Each<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Each<'a> {
    type Item = (&'a str, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.rest.iter().position(|b| !matches!(b, b',' | b' ' | b'\t' | b'\r' | b'\n'))?;
        let rest = &self.rest[start..];
        let key_end = string_end(rest)?;
        let key = std::str::from_utf8(&rest[1..key_end - 1]).ok()?;
        let colon = key_end + rest[key_end..].iter().position(|&b| b == b':')?;
        let gap = rest[colon + 1..].iter().position(|b| !b.is_ascii_whitespace())?;
        let value = &rest[colon + 1 + gap..];
        let end = value_end(value)?;
        self.rest = &value[end..];
        Some((key, &value[..end]))
    }
}

/// End of the string literal at the start of `bytes`, after its closing quote.
fn string_end(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'"') {
        return None;
    }
    // Most are short words.
    if let Some(start) = bytes[1..].first_chunk() {
        let length = word(*start);
        if bytes.get(1 + length) == Some(&b'"') {
            return Some(length + 2);
        }
    }
    let mut i = 1;
    loop {
        i += memchr::memchr2(b'"', b'\\', bytes.get(i..)?)?;
        if bytes[i] == b'"' {
            return Some(i + 1);
        }
        i += 2;
    }
}

/// How many of 16 bytes of a string are ASCII and no escape, up to the first that is not.
#[allow(clippy::inline_always, reason = "measured: a call costs as much as the work")]
#[inline(always)]
pub fn word(bytes: [u8; 16]) -> usize {
    let bytes = u8x16::new(bytes);
    let printed = bytes - u8x16::splat(b' ');
    let other = !printed.simd_eq(printed.min(u8x16::splat(b'~' - b' ')));
    let other = other | bytes.simd_eq(u8x16::splat(b'"')) | bytes.simd_eq(u8x16::splat(b'\\'));
    (other.to_bitmask() | 1 << 16).trailing_zeros() as usize
}

/// End of the JSON value at the start of `bytes`.
fn value_end(bytes: &[u8]) -> Option<usize> {
    match *bytes.first()? {
        b'"' => string_end(bytes),
        b'{' | b'[' => {
            let mut depth = 0usize;
            let mut i = 0;
            while i < bytes.len() {
                match bytes[i] {
                    b'"' => {
                        i += string_end(&bytes[i..])?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return Some(i + 1);
                        }
                    }
                    _ => {}
                }
                i += 1;
            }
            None
        }
        _ => Some(
            bytes
                .iter()
                .position(|b| matches!(b, b',' | b'}' | b']') || b.is_ascii_whitespace())
                .unwrap_or(bytes.len()),
        ),
    }
}

/// The members inside a raw JSON object, without its braces.
pub fn inside(object: &[u8]) -> Option<&[u8]> {
    if object.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let object = object.trim_ascii();
    object.strip_prefix(b"{")?.strip_suffix(b"}")
}

/// False if no key, at any depth, begins with these two letters: most nodes have none of the keys that are looked for.
#[inline]
pub fn may_begin(members: &[u8], letters: [u8; 2]) -> bool {
    members.windows(3).any(|at| at[0] == b'"' && at[1..] == letters)
}

/// The raw value at a dotted path (`v8.detachedness`) in members.
pub fn member<'a>(members: &'a [u8], path: &str) -> Option<&'a [u8]> {
    let (head, tail) = match path.bytes().position(|b| b == b'.') {
        Some(dot) => (&path[..dot], Some(&path[dot + 1..])),
        None => (path, None),
    };
    let mut found = None;
    for (key, value) in each(members) {
        if key == head {
            found = Some(value);
        }
    }
    match tail {
        None => found,
        Some(tail) => member(inside(found?)?, tail),
    }
}

/// Appends valid JSON in canonical form: no blanks outside strings, text with the fewest escapes.
pub fn compact(out: &mut Vec<u8>, json: &[u8]) {
    let mut i = 0;
    while i < json.len() {
        match json[i] {
            b'"' => {
                let end = string_end(&json[i..]).map_or(json.len(), |n| i + n);
                match std::str::from_utf8(&json[i + 1..end - 1]) {
                    Ok(text) if text.contains('\\') => push_text(out, &unescape(text)),
                    _ => out.extend_from_slice(&json[i..end]),
                }
                i = end;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b => out.push(b),
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_escaped_is_seen_wherever_it_stands() {
        for length in 1..=40 {
            for place in 0..length {
                for byte in 0..0x80u8 {
                    let mut text = vec![b'x'; length];
                    text[place] = byte;
                    let text = String::from_utf8(text).expect("ASCII");
                    let mut out = Vec::new();
                    push_text(&mut out, &text);
                    let slow = serde_json::to_string(&text).expect("text");
                    assert_eq!(String::from_utf8_lossy(&out), slow, "{byte:#x} at {place} of {length}");
                }
            }
        }
    }
}
