//! Tokens: what replaces a text that is redacted.

use blake3::{Hasher, OutputReader};
use heap_base::Names;

/// What tokens are spelled with.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/// Texts of up to this many units are remembered with their tokens, because two might be given the same one. For
/// longer ones that would take chance of one in 2^78.
const SHORT: usize = 12;

/// The secret that tokens are made with. Debug output does not show it.
#[derive(Clone, Copy)]
pub struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Key {
    /// The key that is made of these bytes of the owner.
    pub fn new(bytes: &[u8]) -> Self {
        Self(blake3::derive_key("heap-redact 1 key file", bytes))
    }
}

/// Takes in the texts of an input, from which a key is made where the owner gives none.
#[derive(Clone, Debug)]
pub(crate) struct KeyMaker(Hasher);

impl Default for KeyMaker {
    fn default() -> Self {
        Self(Hasher::new_derive_key("heap-redact 1 texts of the input"))
    }
}

impl KeyMaker {
    pub(crate) fn text(&mut self, text: &[u8]) {
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    pub(crate) fn key(&self) -> Key {
        Key(*self.0.finalize().as_bytes())
    }
}

/// Gives each text its token: as many UTF-16 units, equal for equal texts, different for different ones.
///
/// A token is the keyed hash of the text, as letters. Where a short text's token is taken, the next letters of the
/// same hash count; then its token depends on which text came first. Memory: the texts of up to twelve units.
#[derive(Debug)]
pub struct Tokens {
    key: Key,
    /// Short texts that have a token, each behind its exact form and a NUL, which no exact form holds.
    given: Names,
    /// The number of each one's token in `taken`.
    numbers: Vec<u32>,
    /// Tokens, and texts that no token may be.
    taken: Names,
    token: String,
    text: String,
    buf: Vec<u8>,
}

impl Tokens {
    /// Tokens of a key.
    pub fn new(key: Key) -> Self {
        Self {
            key,
            given: Names::default(),
            numbers: Vec::new(),
            taken: Names::default(),
            token: String::new(),
            text: String::new(),
            buf: Vec::new(),
        }
    }

    /// Makes no token equal to this text: it stays in the output.
    pub fn reserve(&mut self, text: &str) {
        if text.encode_utf16().take(SHORT + 1).count() <= SHORT {
            self.taken.insert(text);
        }
    }

    /// The token of `text`. `exact` differs between texts that are the same once written as Unicode.
    pub fn token(&mut self, text: &str, exact: &[u8]) -> &str {
        let units: usize = text.chars().map(char::len_utf16).sum();
        self.token.clear();
        if units > SHORT {
            let mut hash = self.hash(text, exact);
            letters(&mut hash, units, &mut self.buf, &mut self.token);
            return &self.token;
        }
        if units == 0 {
            return &self.token;
        }
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(exact));
        self.text.push('\0');
        self.text.push_str(text);
        let given = self.given.find(&self.text).and_then(|number| self.numbers.get(number as usize));
        if let Some(token) = given.and_then(|&number| self.taken.get(number)) {
            self.token.push_str(token);
            return &self.token;
        }
        let mut hash = self.hash(text, exact);
        // There are 64 letters and 4096 pairs; what is left over is spelled with Chinese characters and Korean
        // syllables, of which there are 32,164. All lengths of more than one have room for any input.
        for attempt in 0..128 {
            self.token.clear();
            if attempt < 8 {
                letters(&mut hash, units, &mut self.buf, &mut self.token);
            } else {
                characters(&mut hash, units, &mut self.token);
            }
            if self.token != text && self.taken.find(&self.token).is_none() {
                break;
            }
        }
        self.given.insert(&self.text);
        self.numbers.push(self.taken.insert(&self.token));
        &self.token
    }

    fn hash(&self, text: &str, exact: &[u8]) -> OutputReader {
        let mut hasher = Hasher::new_keyed(&self.key.0);
        hasher.update(text.as_bytes());
        if !exact.is_empty() {
            // No text holds this byte.
            hasher.update(&[0xff]);
            hasher.update(exact);
        }
        hasher.finalize_xof()
    }
}

fn letters(hash: &mut OutputReader, units: usize, buf: &mut Vec<u8>, token: &mut String) {
    let mut left = units;
    while left > 0 {
        buf.resize(left.min(1 << 16), 0);
        hash.fill(buf);
        token.extend(buf.iter().map(|&b| char::from(LETTERS[usize::from(b & 63)])));
        left -= buf.len();
    }
}

fn characters(hash: &mut OutputReader, units: usize, token: &mut String) {
    for _ in 0..units {
        let mut four = [0; 4];
        hash.fill(&mut four);
        let n = u32::from_le_bytes(four) % 32_164;
        let c = if n < 20_992 { 0x4E00 + n } else { 0xAC00 + n - 20_992 };
        token.push(char::from_u32(c).unwrap_or('\u{4E00}'));
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Tokens};
    use std::collections::HashSet;

    fn tokens() -> Tokens {
        Tokens::new(Key::new(b"a key for tests only"))
    }

    #[test]
    fn as_long_and_equal_for_equal() {
        let mut tokens = tokens();
        for text in
            ["", "a", "é", "😀", "Ada Lovelace", "Ada Lovelace!", "naïve 😀 text", &"x".repeat(100_000)]
        {
            let token = tokens.token(text, b"").to_owned();
            assert_eq!(token.encode_utf16().count(), text.encode_utf16().count());
            assert_eq!(tokens.token(text, b""), token);
            assert!(text.is_empty() || token != text);
        }
        let other = Tokens::new(Key::new(b"another key for tests")).token("Ada Lovelace", b"").to_owned();
        assert_ne!(tokens.token("Ada Lovelace", b""), other);
        // Two lone surrogates are written alike and are not the same text.
        let one = tokens.token("\u{fffd}", b"d800").to_owned();
        assert_ne!(tokens.token("\u{fffd}", b"d801"), one);
    }

    #[test]
    fn no_two_texts_have_the_same_token() {
        let mut tokens = tokens();
        tokens.reserve("ok");
        let ones = (0x20..0x3000).filter_map(char::from_u32).map(|c| c.to_string());
        let twos = (0..20_000u32).map(|n| {
            let c = |n| char::from_u32(0x20 + n % 150).expect("below the surrogates");
            format!("{}{}", c(n / 150), c(n))
        });
        let more = (0..20_000u32).map(|n| n.to_string());
        let texts: HashSet<String> = ones.chain(twos).chain(more).collect();
        let mut seen = HashSet::new();
        for text in &texts {
            let token = tokens.token(text, b"").to_owned();
            assert!(token != *text && token != "ok" && seen.insert(token), "{text}");
        }
    }
}
