//! The string records of a stream, held for later: by number, in bounded memory.

use std::borrow::Cow;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::Write;
use std::sync::LazyLock;

use heap_base::away::{Away, AwayWriter, width_of};
use heap_base::hash::Seed;
use heap_base::json::{escape, unescape};
use heap_base::spool::{no_room, temporary};
use heap_base::{BitSet, Error, Map, NumberMap, Result, sys};
use heap_record::{Data, Line, Str, StringId};

use crate::stream::IdSet;

/// Text held in memory; what comes beyond goes to an unlinked file in `TMPDIR`.
const IN_MEMORY: usize = 32 << 20;

/// So much of it stays there when no more comes: few texts are asked for then.
const STAYS: usize = 8 << 20;

/// Bits of hashes by which texts are known apart, at most: 16 MB twice.
const MOST_BITS: u32 = 27;

/// Bytes of the lengths in front of a stored entry at most: see [`Head`].
const HEAD: usize = 15;
/// Bytes of an entry in the file that are read at once: most texts are short.
const SHORT: usize = 128;

/// String records by number. Memory: 9 bytes per record, or half a byte when they are [put away](Strings::put_away), or some 230
/// if its number is far from all others, and the text up to 32 MiB. Array indexes (negative ids whose text is the index) cost a
/// bit where they are dense.
#[derive(Debug, Default)]
pub struct Strings {
    places: NumberMap<Place>,
    /// In place of these, those in files.
    away: Option<PlacesAway>,
    /// The i of ids −(i+1) whose text is i, unless another one has come since.
    indexes: IdSet,
    /// Entries from `spilled` on: [`Head`], data, rest and (if it is not canonical) line.
    text: Vec<u8>,
    /// Room for a text.
    escaped: Vec<u8>,
    spilled: u64,
    file: Option<File>,
}

/// Where an entry begins, plus one; 0 = absent. And the hash of its text and rest. As bytes, so that no room is between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    at: [u8; 5],
    hash: [u8; 4],
}

impl Place {
    /// All texts are less than [`MOST`] bytes.
    fn new(at: u64, hash: u32) -> Self {
        let mut place = Self { at: [0; 5], hash: hash.to_le_bytes() };
        place.at.copy_from_slice(&(at + 1).to_le_bytes()[..5]);
        place
    }

    fn at(self) -> Option<u64> {
        let mut bytes = [0; 8];
        bytes[..5].copy_from_slice(&self.at);
        u64::from_le_bytes(bytes).checked_sub(1)
    }

    fn hash(self) -> u32 {
        u32::from_le_bytes(self.hash)
    }
}

/// Bytes that all texts can have: what 40 bits count.
const MOST: u64 = (1 << 40) - 1;

/// Numbers that share a page of [`PlacesAway`], as a power of two.
const PAGE: u32 = 4;

/// Places in files, in the order of the numbers.
#[derive(Debug)]
struct PlacesAway {
    /// By page of 16 numbers how many are before it, and which of them are there.
    pages: NumberMap<(u32, u16)>,
    at: Away,
    hashes: Away,
}

impl PlacesAway {
    fn new(places: &NumberMap<Place>) -> Result<Self> {
        let width = width_of(places.iter().filter_map(|(_, place)| place.at()).max().unwrap_or(0));
        let (mut at, mut hashes) = (AwayWriter::new(width)?, AwayWriter::new(size_of::<u32>())?);
        let (mut pages, mut count) = (NumberMap::<(u32, u16)>::default(), 0);
        for (id, place) in places.iter() {
            let Some(start) = place.at() else { continue };
            let page = pages.slot(id >> PAGE);
            if page.1 == 0 {
                page.0 = count;
            }
            page.1 |= 1 << (id & 15);
            count += 1;
            at.push(start)?;
            hashes.push(place.hash().into())?;
        }
        Ok(Self { pages, at: at.finish()?, hashes: hashes.finish()? })
    }

    fn number(&self, id: StringId) -> Option<usize> {
        let ((first, members), bit) = (self.pages.get(id >> PAGE), 1u16 << (id & 15));
        (members & bit != 0).then(|| first as usize + (members & (bit - 1)).count_ones() as usize)
    }
}

/// A string record as it was stored.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    bytes: Cow<'a, [u8]>,
    /// Where the rest begins, and the line.
    rest: usize,
    line: usize,
}

impl Entry<'_> {
    /// The text with canonical escapes.
    pub fn escaped(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.rest]).unwrap_or("\u{fffd}")
    }

    /// The text.
    pub fn text(&self) -> Cow<'_, str> {
        unescape(self.escaped())
    }

    /// Canonical members after the text.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.rest..self.line]
    }

    /// The record, to be passed on as number `id`.
    pub fn record(&self, id: StringId) -> Str<'_> {
        let line = Line { bytes: &self.bytes[self.line..], canonical: false, number: 0 };
        Str { id, data: Data::Escaped(self.escaped()), rest: self.rest(), line }
    }
}

impl Strings {
    /// Forgets everything: a new stream begins.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes a record in; a later one of the same number replaces the earlier.
    ///
    /// # Errors
    /// A text of 4 GiB or more, texts of 1 TiB or more in all, or the temporary file cannot be written.
    pub fn insert(&mut self, string: &Str<'_>) -> Result {
        if self.away.is_some() {
            return Err(Error::refused("a string comes after all have come"));
        }
        let line = if string.line.canonical { b"" } else { string.line.bytes };
        if string.id < 0 && says_index(string) && line.is_empty() {
            if self.places.get(string.id).at().is_some() {
                *self.places.slot(string.id) = Place::default();
            }
            self.indexes.insert(!string.id);
            return Ok(());
        }
        let data = match string.data {
            Data::Escaped(text) => text.as_bytes(),
            Data::Plain(text) => {
                self.escaped.clear();
                escape(&mut self.escaped, text);
                &self.escaped
            }
        };
        let at = self.spilled + self.text.len() as u64;
        if at >= MOST {
            return Err(Error::refused("texts of 1 TiB or more"));
        }
        *self.places.slot(string.id) = Place::new(at, hash(&[data, string.rest]));
        let short =
            |part: &[u8]| u32::try_from(part.len()).map_err(|_| Error::refused("a string of 4 GiB or more"));
        let has_more = !(string.rest.is_empty() && line.is_empty());
        push_number(&mut self.text, u64::from(short(data)?) << 1 | u64::from(has_more));
        if has_more {
            push_number(&mut self.text, short(string.rest)?.into());
            push_number(&mut self.text, short(line)?.into());
        }
        self.text.extend_from_slice(data);
        // Few have more to say.
        if has_more {
            self.text.extend_from_slice(string.rest);
            self.text.extend_from_slice(line);
        }
        if self.text.len() >= IN_MEMORY { self.spill() } else { Ok(()) }
    }

    #[cold]
    fn spill(&mut self) -> Result {
        if self.file.is_none() {
            self.file = Some(temporary().map_err(Error::write)?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(&self.text).map_err(no_room)?;
        }
        self.spilled += self.text.len() as u64;
        self.text.clear();
        Ok(())
    }

    /// Gives memory back: no more records come, and few texts are asked for. Where there is much text, all of it is in the file.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn shrink(&mut self) -> Result {
        self.places.shrink();
        if self.file.is_some() || self.text.len() > STAYS {
            self.spill()?;
        }
        self.text.shrink_to_fit();
        Ok(())
    }

    /// Puts what is known of each record into files: no more records come.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn put_away(&mut self) -> Result {
        if self.away.is_none() {
            self.away = Some(PlacesAway::new(&self.places)?);
            self.places = NumberMap::default();
        }
        Ok(())
    }

    /// Says that what was [put away](Self::put_away) could not be read.
    ///
    /// # Errors
    /// It could not.
    pub fn check(&self) -> Result {
        self.away.as_ref().map_or(Ok(()), |away| away.at.check().and(away.hashes.check()))
    }

    /// Where the record of this number is kept, if it has come: a number that no other record has.
    pub(crate) fn place(&self, id: StringId) -> Option<u64> {
        match &self.away {
            None => self.places.get(id).at(),
            Some(away) => away.number(id).map(|number| away.at.get(number)),
        }
    }

    fn is_index(&self, id: StringId) -> bool {
        id < 0 && self.indexes.contains(!id)
    }

    /// True if a record of this number has come.
    pub fn contains(&self, id: StringId) -> bool {
        self.place(id).is_some() || self.is_index(id)
    }

    /// The record of this number, if it has come.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn get(&self, id: StringId) -> Result<Option<Entry<'_>>> {
        let Some(at) = self.place(id) else {
            let index = self.is_index(id).then(|| index_text(id).into_bytes());
            return Ok(index.map(|text| Entry {
                rest: text.len(),
                line: text.len(),
                bytes: Cow::Owned(text),
            }));
        };
        if at >= self.spilled {
            let bytes = &self.text[(at - self.spilled) as usize..];
            let Head { start, data, rest, line } = Head::of(bytes);
            let bytes = Cow::Borrowed(&bytes[start..start + data + rest + line]);
            return Ok(Some(Entry { bytes, rest: data, line: data + rest }));
        }
        let Some(file) = &self.file else { return Ok(None) };
        let mut bytes = vec![0; SHORT.min((self.spilled - at) as usize)];
        sys::read_exact_at(file, &mut bytes, at).map_err(Error::read)?;
        let Head { start, data, rest, line } = Head::of(&bytes);
        let (read, whole) = (bytes.len(), start + data + rest + line);
        bytes.resize(whole, 0);
        if read < whole {
            sys::read_exact_at(file, &mut bytes[read..], at + read as u64).map_err(Error::read)?;
        }
        bytes.drain(..start);
        Ok(Some(Entry { bytes: Cow::Owned(bytes), rest: data, line: data + rest }))
    }

    /// The text of this number; where no record has come, an array index or `string 17` in angle brackets.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn text_or_number(&self, id: StringId) -> Result<String> {
        Ok(match self.get(id)? {
            Some(entry) => entry.text().into_owned(),
            None if id < 0 => index_text(id),
            None => format!("<string {id}>"),
        })
    }
}

impl Strings {
    /// The hash of a text and of what it says beside: that of equal texts in all streams that this process reads. `None` if no
    /// record has come.
    pub fn hash(&self, id: StringId) -> Option<u32> {
        match &self.away {
            _ if self.is_index(id) => Some(hash(&[index_text(id).as_bytes(), b""])),
            None => Some(self.places.get(id)).filter(|place| place.at().is_some()).map(Place::hash),
            Some(away) => away.number(id).map(|number| away.hashes.get(number) as u32),
        }
    }

    /// The hash that a text with canonical escapes has, of which nothing is said beside.
    pub fn hash_of(escaped: &[u8]) -> u32 {
        hash(&[escaped, b""])
    }

    /// Each number, in an order that depends on these alone, with the hash of its text and of what it says beside. Array indexes
    /// are left out.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = (StringId, u32)> + '_ {
        let here = self.places.iter().map(|(id, place)| (id, place.hash()));
        let away = self.away.iter().flat_map(|away| {
            let ids = away.pages.iter().flat_map(|(page, (first, members))| {
                let bits = (0..1 << PAGE).filter(move |bit| members >> bit & 1 == 1);
                (first as usize..).zip(bits).map(move |(at, bit)| (at, page << PAGE | bit))
            });
            ids.map(|(at, id)| (id, away.hashes.get(at) as u32))
        });
        here.chain(away)
    }

    /// Which records have the text of one before them in order of number, and the number of the first such: equal
    /// also in what says what a text was that is not Unicode. Memory: 32 MB at most, and some 24 bytes for each that has an
    /// equal one.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn equal(&self) -> Result<Map<StringId, StringId>> {
        // Most texts differ from all others, which some bits of their hashes show.
        let bits = self.hashes().count().max(1).ilog2().saturating_add(4).min(MOST_BITS);
        let short = |hash: u32| hash >> (u32::BITS - bits);
        let (mut met, mut again) = (BitSet::new(1 << bits), BitSet::new(1 << bits));
        for (_, hash) in self.hashes() {
            if !met.insert(short(hash)) {
                again.insert(short(hash));
            }
        }
        drop(met);
        let is_doubtful = |&(_, hash): &(StringId, u32)| again.contains(short(hash));
        let mut doubtful: Vec<(u32, StringId)> =
            self.hashes().filter(is_doubtful).map(|(id, hash)| (hash, id)).collect();
        doubtful.sort_unstable();
        let mut equal = Map::default();
        for same in doubtful.chunk_by(|a, b| a.0 == b.0) {
            let mut firsts: Vec<(StringId, Entry<'_>)> = Vec::new();
            for &(_, id) in same.iter().filter(|_| same.len() > 1) {
                let Some(entry) = self.get(id)? else { continue };
                let is_same = |(_, first): &&(StringId, Entry<'_>)| {
                    (first.escaped(), first.rest()) == (entry.escaped(), entry.rest())
                };
                match firsts.iter().find(is_same) {
                    Some(&(first, _)) => drop(equal.insert(id, first)),
                    None => firsts.push((id, entry)),
                }
            }
        }
        Ok(equal)
    }
}

/// UTF-16 units of a text.
pub fn units(text: &str) -> u64 {
    text.chars().map(|c| c.len_utf16() as u64).sum()
}

/// Whether a source that cuts texts beyond so many UTF-16 units may have cut this one.
pub fn may_be_cut(text: &str, limit: Option<u64>) -> bool {
    // A text has at least as many bytes as units, and most are short.
    limit.is_some_and(|limit| text.len() as u64 >= limit && units(text) >= limit)
}

/// All streams that a process reads have one seed, so that texts of several can be compared.
fn hash(parts: &[&[u8]; 2]) -> u32 {
    static SEED: LazyLock<Seed> = LazyLock::new(Seed::default);
    (SEED.hash_one(parts) >> 32) as u32
}

/// What stands in front of a stored entry: in LEB128 twice the length of the data, and one more if lengths of rest and line
/// follow.
struct Head {
    /// Where the data begins.
    start: usize,
    data: usize,
    rest: usize,
    line: usize,
}

impl Head {
    #[inline]
    fn of(bytes: &[u8]) -> Self {
        let mut start = 0;
        let mut number = || {
            let (mut n, mut shift) = (0u64, 0);
            for &byte in bytes[start..].iter().take(HEAD / 3) {
                start += 1;
                n |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            n as usize
        };
        let first = number();
        let [rest, line] = if first & 1 == 1 { [number(), number()] } else { [0, 0] };
        Self { start, data: first >> 1, rest, line }
    }
}

/// Appends a number in LEB128.
#[inline]
fn push_number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn index_text(id: StringId) -> String {
    (!id).to_string()
}

/// True for the record of an array index and nothing else.
fn says_index(string: &Str<'_>) -> bool {
    let (Data::Plain(text) | Data::Escaped(text)) = string.data;
    string.rest.is_empty() && text.len() <= 20 && {
        let mut digits = itoa::Buffer::new();
        digits.format(!string.id) == text
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use super::*;

    fn insert(strings: &mut Strings, id: StringId, text: &str, rest: &[u8]) {
        strings.insert(&Str { id, data: Data::Plain(text), rest, ..Str::default() }).unwrap();
    }

    /// Hashes are those of texts: of records, of array indexes and of what is in files, in all streams.
    #[test]
    fn hashes_of_equal_texts_are_equal() {
        let (mut one, mut other) = (Strings::default(), Strings::default());
        let texts = ["", "order 7", "a\"b\n", "\u{1d11e}", "41", "-0"];
        for (id, text) in (1..).zip(texts) {
            insert(&mut one, id, text, b"");
            insert(&mut other, 1_000_000 - 17 * id, text, b"");
        }
        // 41, as an index of an array.
        insert(&mut one, !41, "41", b"");
        insert(&mut other, !41, "41", b"");
        // An index whose record has another text is no index.
        insert(&mut other, !5, "order 7", b"");
        let hashes = |one: &Strings, other: &Strings| {
            for id in 1..=texts.len() as i64 {
                assert!(one.hash(id).is_some());
                assert_eq!(one.hash(id), other.hash(1_000_000 - 17 * id), "{id}");
                assert!((1..id).all(|before| one.hash(before) != one.hash(id)), "{id}");
            }
            assert_eq!([one.hash(!41), other.hash(!41)], [one.hash(5), one.hash(5)]);
            assert_eq!(other.hash(!5), one.hash(2));
            assert_eq!([one.hash(0), one.hash(99), one.hash(!40), other.hash(1)], [None; 4]);
        };
        hashes(&one, &other);
        let before = one.hash(2);
        one.put_away().unwrap();
        assert_eq!(one.hash(2), before);
        hashes(&one, &other);
        other.put_away().unwrap();
        hashes(&one, &other);
        one.check().unwrap();
    }

    /// Entries of all lengths come back as they were, from memory and from the file.
    #[test]
    fn records_are_those_that_were_inserted() {
        let lengths = [0, 1, 63, 64, 111, 112, 126, 127, 128, 8191, 8192, 70_000];
        let mut strings = Strings::default();
        let of = |n: usize| {
            let rest =
                if n.is_multiple_of(2) { "\"a\":1".repeat(lengths[n % 12] / 7) } else { String::new() };
            let line = if n.is_multiple_of(3) { "x".repeat(lengths[n % 11]) } else { String::new() };
            ("é".repeat(lengths[n % 12] / 2), rest, line)
        };
        for n in 0..72 {
            let (text, rest, line) = of(n);
            let line = Line { bytes: line.as_bytes(), canonical: line.is_empty(), number: 0 };
            let (id, data) = (n as StringId * 1000, Data::Plain(&text));
            strings.insert(&Str { id, data, rest: rest.as_bytes(), line }).unwrap();
        }
        let check = |strings: &Strings| {
            for n in 0..72 {
                let (text, rest, line) = of(n);
                let entry = strings.get(n as StringId * 1000).unwrap().unwrap();
                assert_eq!((&*entry.text(), entry.rest()), (&*text, rest.as_bytes()), "{n}");
                assert_eq!(entry.record(0).line.bytes, line.as_bytes(), "{n}");
            }
        };
        check(&strings);
        strings.spill().unwrap();
        check(&strings);
        insert(&mut strings, 7, "last", b"");
        strings.shrink().unwrap();
        assert!(strings.text.is_empty());
        assert_eq!(strings.text_or_number(7).unwrap(), "last");
        check(&strings);
    }

    /// What a text was that is not Unicode is a part of it.
    #[test]
    fn the_exact_form_is_in_the_hash() {
        let mut strings = Strings::default();
        insert(&mut strings, 1, "\u{fffd}", b"\"heap\":{\"utf16\":\"d800\"}");
        insert(&mut strings, 2, "\u{fffd}", b"\"heap\":{\"utf16\":\"d801\"}");
        insert(&mut strings, 3, "\u{fffd}", b"\"heap\":{\"utf16\":\"d800\"}");
        assert_ne!(strings.hash(1), strings.hash(2));
        assert_eq!(strings.hash(1), strings.hash(3));
        // A later record takes the place of an earlier one.
        insert(&mut strings, 2, "x", b"");
        insert(&mut strings, 3, "x", b"");
        assert_eq!(strings.hash(2), strings.hash(3));
    }
}
