//! Texts of strings that a virtual machine keeps as a pair of others: joined, in bounded memory.
//!
//! A program that appends to a string makes a pair of each result and the next piece. So texts share their parts, a chain
//! may be a million pairs long, and the texts together may be far longer than the heap. What is joined is kept up to
//! [`LIMIT`]; of a longer text only the surroundings of its joint are looked at.

use std::cell::RefCell;

use heap_base::json::member;
use heap_base::{Map, Result};
use heap_record::{Node, StringId, Types, Value};

use super::Strings;
use crate::select::field::{int_field, small_field, source_of_part};

/// Bytes of the longest text that is joined as a whole.
pub const LIMIT: usize = 16 << 10;
/// Bytes on either side of the joint in the middle of a longer text.
const AROUND: usize = 1 << 10;
/// Texts of more bytes are decoded once, and joined ones kept for what they are part of.
const LONG: usize = 512;
/// Bytes of joined texts that are kept.
const KEPT: usize = 4 << 20;
/// UTF-16 units between two marks of a decoded text.
const STEP: usize = 256;
/// The index of a part that is not there.
const MISSING: usize = usize::MAX;
/// Stands for a part that the source does not give.
const GAP: char = '\u{fffd}';

/// The strings of a snapshot. Memory: 40 bytes each; once texts are joined, long texts of string records that are part of
/// others, and 4 MiB.
#[derive(Debug, Default)]
pub struct Ropes {
    pieces: Vec<Piece>,
    /// Whether `pieces` are sorted and refer to each other by index.
    sorted: bool,
    joined: usize,
    /// UTF-16 units after which the source cuts strings.
    limit: Option<u64>,
    cache: RefCell<Cache>,
}

/// Long texts that many others may be part of or begin with. Without it the time to join texts would be the number of
/// strings times the length of one.
#[derive(Debug, Default)]
struct Cache {
    /// Decoded texts, by the place of their string record.
    decoded: Map<u64, Decoded>,
    /// Joined texts, by index of the node. All are dropped where they are [`KEPT`] bytes.
    joined: Map<usize, Box<str>>,
    bytes: usize,
}

/// A long text of a string record.
#[derive(Debug)]
struct Decoded {
    text: Box<str>,
    units: usize,
    /// For each [`STEP`] UTF-16 units: where the character of that unit begins, in bytes and units. None if all are ASCII.
    marks: Vec<(u32, u32)>,
}

impl Decoded {
    fn new(text: Box<str>) -> Self {
        let (mut units, mut marks) = (0, Vec::new());
        if text.is_ascii() {
            return Self { units: text.len(), text, marks };
        }
        for (at, c) in text.char_indices() {
            if units + c.len_utf16() > marks.len() * STEP {
                marks.push((at as u32, units as u32));
            }
            units += c.len_utf16();
        }
        Self { text, units, marks }
    }

    fn view(&self) -> View<'_> {
        View { text: &self.text, units: self.units, marks: &self.marks }
    }
}

/// The text of a string record, and what is known of its UTF-16 units.
#[derive(Clone, Copy, Debug)]
struct View<'a> {
    text: &'a str,
    units: usize,
    marks: &'a [(u32, u32)],
}

impl<'a> View<'a> {
    /// So many bytes of the beginning or (`back`) of the end, and a little more.
    fn some(self, back: bool, most: usize) -> &'a str {
        let mut at =
            if back { self.text.len().saturating_sub(most + 1) } else { self.text.len().min(most + 1) };
        while !self.text.is_char_boundary(at) {
            at = if back { at - 1 } else { at + 1 };
        }
        if back { &self.text[at..] } else { &self.text[..at] }
    }

    /// The text between two UTF-16 units.
    fn between(self, from: usize, to: usize) -> String {
        if self.units == self.text.len() {
            return self.text[from.min(self.units)..to.min(self.units)].to_owned();
        }
        let (at, unit) = self.marks.get(from / STEP).or(self.marks.last()).copied().unwrap_or_default();
        let units = self.text[at as usize..].encode_utf16().skip(from - unit as usize).take(to - from);
        String::from_utf16_lossy(&units.collect::<Vec<_>>())
    }
}

/// A string node.
#[derive(Clone, Copy, Debug)]
struct Piece {
    id: Value,
    kind: Kind,
    subtype: u32,
    selected: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Flat(StringId),
    /// Identifiers of the two parts; their indexes plus one once sorted, 0 for what is not there.
    Pair(Value, Value),
    /// Identifier of the source (then its index plus one), where it begins, and its length in UTF-16 units.
    Slice(Value, u32, u32),
    /// A part of another text; the source does not say which.
    Unknown,
}

/// The index of a part.
fn at(reference: Value) -> Option<usize> {
    usize::try_from(reference).ok()?.checked_sub(1)
}

/// What one part of a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The text of a string record.
    Flat(StringId),
    /// Another pair, by index.
    Pair(usize),
    /// Nothing that is known.
    Other,
}

/// How much of a joined text is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// The source left out some of it.
    Gaps,
    /// It is longer than [`LIMIT`].
    Long,
}

impl Ropes {
    /// Sets after how many UTF-16 units the source cuts strings: metadata `heap.string_limit`.
    pub fn set_limit(&mut self, limit: Option<u64>) {
        self.limit = limit;
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        *self = Self { limit: self.limit, ..Self::default() };
    }

    /// True if no text has to be joined.
    pub fn is_empty(&self) -> bool {
        self.joined == 0
    }

    /// Takes a node in, if it is a string.
    pub fn insert(&mut self, node: &Node<'_>, types: &Types, selected: bool) {
        if node.own.is_empty() {
            return;
        }
        let field = |name| member(node.own, name).and_then(int_field);
        let small = |name| u32::try_from(small_field(node, name, types)?).ok();
        let kind = if let Some(data) = field("data") {
            Kind::Flat(data)
        } else if let (Some(first), Some(second)) = (field("s1"), field("s2")) {
            Kind::Pair(first, second)
        } else if let Some(source) = source_of_part(node, types) {
            match (small("offset"), small("length")) {
                (Some(offset), Some(length)) => Kind::Slice(source, offset, length),
                _ => Kind::Unknown,
            }
        } else {
            return;
        };
        self.joined += usize::from(matches!(kind, Kind::Pair(..) | Kind::Slice(..)));
        self.sorted = false;
        self.cache.get_mut().joined.clear();
        self.pieces.push(Piece { id: node.id, kind, subtype: node.subtype, selected });
    }

    /// Sorts the nodes, and looks up which one is which part.
    fn sort(&mut self) {
        if self.sorted {
            return;
        }
        self.sorted = true;
        self.pieces.sort_by_key(|piece| piece.id);
        let ids: Vec<Value> = self.pieces.iter().map(|piece| piece.id).collect();
        let find = |id: Value| ids.binary_search(&id).map_or(0, |index| index as Value + 1);
        for piece in &mut self.pieces {
            match &mut piece.kind {
                Kind::Pair(first, second) => (*first, *second) = (find(*first), find(*second)),
                Kind::Slice(source, ..) => *source = find(*source),
                Kind::Flat(_) | Kind::Unknown => {}
            }
        }
    }

    /// Identifier of a node by index.
    pub fn id(&self, index: usize) -> Value {
        self.pieces[index].id
    }

    /// Subtype of a node by index.
    pub fn subtype(&self, index: usize) -> u32 {
        self.pieces[index].subtype
    }

    /// The joined text of a node by index, up to [`LIMIT`].
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn joined(&self, index: usize, strings: &Strings) -> Result<String> {
        let mut text = String::new();
        self.append(&mut text, index, LIMIT, strings)?;
        Ok(text)
    }

    /// Whether the node was selected.
    pub fn is_selected(&self, index: usize) -> bool {
        self.pieces[index].selected
    }

    /// The parts of a pair by index, once sorted.
    pub fn parts(&self, index: usize) -> [Part; 2] {
        let part = |reference| match at(reference).map(|index| (index, self.pieces[index].kind)) {
            Some((_, Kind::Flat(data))) => Part::Flat(data),
            Some((index, Kind::Pair(..))) => Part::Pair(index),
            _ => Part::Other,
        };
        match self.pieces[index].kind {
            Kind::Pair(first, second) => [first, second].map(part),
            _ => [Part::Other; 2],
        }
    }

    /// The beginning of the joined text of a node, if it is one that has to be joined, up to so many bytes.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn text(&mut self, id: Value, most: usize, strings: &Strings) -> Result<Option<(String, Extent)>> {
        self.sort();
        let Ok(index) = self.pieces.binary_search_by_key(&id, |piece| piece.id) else { return Ok(None) };
        if matches!(self.pieces[index].kind, Kind::Flat(_) | Kind::Unknown) {
            return Ok(None);
        }
        let mut text = String::new();
        let extent = self.append(&mut text, index, most, strings)?;
        Ok(Some((text, extent)))
    }

    /// Calls `found` with every text that has to be joined: the node by index, the text, and how much that is. Parts come
    /// before what they are part of. Of a long text `found` gets what surrounds its joint.
    ///
    /// # Errors
    /// That of `found`, or the temporary file of strings cannot be read.
    pub fn each(
        &mut self,
        strings: &Strings,
        mut found: impl FnMut(&Self, usize, &str, Extent) -> Result,
    ) -> Result {
        self.sort();
        let this = &*self;
        let mut states = vec![State::New; this.pieces.len()];
        let mut stack = Vec::new();
        // The text of the last node: what was appended to comes next.
        let mut last: Option<(usize, Extent)> = None;
        let mut text = String::new();
        for start in 0..this.pieces.len() {
            if matches!(this.pieces[start].kind, Kind::Flat(_) | Kind::Unknown) || states[start] != State::New
            {
                continue;
            }
            stack.push(start);
            while let Some(&index) = stack.last() {
                let parts = this.parts(index);
                if states[index] == State::New {
                    states[index] = State::Open;
                    for part in parts.into_iter().rev() {
                        if let Part::Pair(part) = part
                            && states[part] == State::New
                        {
                            stack.push(part);
                        }
                    }
                    continue;
                }
                stack.pop();
                if states[index] != State::Open {
                    continue; // It was on the stack twice.
                }
                let long =
                    parts.iter().any(|part| matches!(part, Part::Pair(part) if states[*part] == State::Long));
                let extent = if long { Extent::Long } else { this.join(&mut text, index, last, strings)? };
                states[index] = if extent == Extent::Long { State::Long } else { State::Short };
                if extent == Extent::Whole && text.len() >= LONG {
                    this.cache.borrow_mut().keep(index, &text);
                }
                last = Some((index, extent));
                if extent == Extent::Long {
                    last = None;
                    this.surroundings(&mut text, index, strings)?;
                }
                found(this, index, &text, extent)?;
            }
        }
        Ok(())
    }

    /// Puts the text of a node into `text`, which holds that of `last`.
    fn join(
        &self,
        text: &mut String,
        index: usize,
        last: Option<(usize, Extent)>,
        strings: &Strings,
    ) -> Result<Extent> {
        if let (Kind::Pair(_, second), [Part::Pair(first), _], Some((known, extent))) =
            (self.pieces[index].kind, self.parts(index), last)
            && first == known
            && extent == Extent::Whole
        {
            if let Some(second) = at(second) {
                return self.append(text, second, LIMIT, strings);
            }
            text.push(GAP);
            return Ok(Extent::Gaps);
        }
        text.clear();
        self.append(text, index, LIMIT, strings)
    }

    /// Appends the text of a node to one of up to `most` bytes.
    fn append(&self, text: &mut String, index: usize, most: usize, strings: &Strings) -> Result<Extent> {
        let mut extent = Extent::Whole;
        let all = self.walk(index, false, most, |piece| {
            self.leaf(piece, false, most, strings, |part| {
                let Some((part, whole)) = part else {
                    text.push(GAP);
                    extent = Extent::Gaps;
                    return true;
                };
                if text.len() + part.len() > most {
                    let mut end = most.saturating_sub(text.len());
                    while !part.is_char_boundary(end) {
                        end -= 1;
                    }
                    text.push_str(&part[..end]);
                    extent = Extent::Long;
                    return false;
                }
                text.push_str(part);
                if !whole {
                    text.push(GAP);
                    extent = Extent::Gaps;
                }
                true
            })
        })?;
        Ok(if all { extent } else { Extent::Long })
    }

    /// Puts what lies on both sides of the joint of a pair into `text`.
    fn surroundings(&self, text: &mut String, index: usize, strings: &Strings) -> Result {
        text.clear();
        let Kind::Pair(first, second) = self.pieces[index].kind else { return Ok(()) };
        // Pieces from the last to the first, and where each ends.
        let (mut before, mut ends) = (String::new(), vec![0]);
        if let Some(first) = at(first) {
            self.walk(first, true, AROUND, |piece| {
                self.leaf(piece, true, AROUND, strings, |part| {
                    let (part, whole) = part.unwrap_or(("", false));
                    before.push_str(part);
                    if !whole {
                        before.push(GAP);
                    }
                    ends.push(before.len());
                    before.len() < AROUND
                })
            })?;
        }
        ends.windows(2).rev().for_each(|ends| text.push_str(&before[ends[0]..ends[1]]));
        let mut cut = text.len().saturating_sub(AROUND);
        while !text.is_char_boundary(cut) {
            cut += 1;
        }
        text.drain(..cut);
        if let Some(second) = at(second) {
            let most = text.len() + AROUND;
            self.append(text, second, most, strings)?;
        }
        Ok(())
    }

    /// Goes over the leaves of a node, and pairs whose text is kept, from its beginning or (`back`) its end, as long as
    /// `leaf` says true. False if it ended early. The number of steps is in proportion to `most`: nodes without text do not make it endless.
    fn walk(
        &self,
        index: usize,
        back: bool,
        most: usize,
        mut leaf: impl FnMut(usize) -> Result<bool>,
    ) -> Result<bool> {
        let mut stack = vec![index];
        let mut steps = 4 * most + 64;
        while let Some(index) = stack.pop() {
            if steps == 0 {
                return Ok(false);
            }
            steps -= 1;
            let pair = match self.pieces.get(index) {
                Some(Piece { kind: Kind::Pair(first, second), .. }) if !self.cache.borrow().has(index) => {
                    Some([first, second])
                }
                _ => None,
            };
            let Some([first, second]) = pair else {
                if !leaf(index)? {
                    return Ok(false);
                }
                continue;
            };
            let parts = if back { [first, second] } else { [second, first] };
            stack.extend(parts.map(|&part| at(part).unwrap_or(MISSING)));
        }
        Ok(true)
    }

    /// Gives `found` the text of a node that is no pair or whose text is kept, and whether that is all that it should be;
    /// nothing if it is not known. Of a text of more than `most` bytes it is the beginning or (`back`) the end, of more
    /// bytes than that.
    fn leaf(
        &self,
        index: usize,
        back: bool,
        most: usize,
        strings: &Strings,
        found: impl FnOnce(Option<(&str, bool)>) -> bool,
    ) -> Result<bool> {
        let Some(piece) = self.pieces.get(index) else { return Ok(found(None)) };
        match piece.kind {
            Kind::Flat(data) => self.flat(data, strings, |text| {
                let is_whole = |text: View<'_>| self.limit.is_none_or(|limit| (text.units as u64) < limit);
                found(text.map(|text| (text.some(back, most), is_whole(text))))
            }),
            Kind::Slice(source, offset, length) => {
                let Some(Kind::Flat(data)) = at(source).map(|source| self.pieces[source].kind) else {
                    return Ok(found(None));
                };
                self.flat(data, strings, |text| {
                    let Some(text) = text else { return found(None) };
                    let (from, end) = (offset as usize, offset as usize + length as usize);
                    let to = end.min(text.units).max(from);
                    let (some_from, some_to) = if back {
                        (from.max(to.saturating_sub(most + 1)), to)
                    } else {
                        (from, to.min(from + most + 1))
                    };
                    found(Some((&text.between(some_from, some_to), to == end)))
                })
            }
            Kind::Pair(..) => {
                let cache = self.cache.borrow();
                let text = cache.joined.get(&index).map(|text| View { text, units: 0, marks: &[] });
                Ok(found(text.map(|text| (text.some(back, most), true))))
            }
            Kind::Unknown => Ok(found(None)),
        }
    }

    /// Gives `found` the text of a string record, if it is there.
    fn flat(
        &self,
        data: StringId,
        strings: &Strings,
        found: impl FnOnce(Option<View<'_>>) -> bool,
    ) -> Result<bool> {
        let place = strings.place(data);
        let cache = self.cache.borrow();
        if let Some(known) = place.and_then(|place| cache.decoded.get(&place)) {
            return Ok(found(Some(known.view())));
        }
        drop(cache);
        let Some(entry) = strings.get(data)? else { return Ok(found(None)) };
        let text = entry.text();
        if let Some(place) = place.filter(|_| text.len() > LONG) {
            let mut cache = self.cache.borrow_mut();
            let decoded = cache.decoded.entry(place).or_insert_with(|| Decoded::new(text.into()));
            return Ok(found(Some(decoded.view())));
        }
        let units = text.encode_utf16().count();
        Ok(found(Some(View { text: &text, units, marks: &[] })))
    }
}

impl Cache {
    /// Whether the text of a pair is kept.
    fn has(&self, index: usize) -> bool {
        !self.joined.is_empty() && self.joined.contains_key(&index)
    }

    /// Keeps the text of a pair.
    fn keep(&mut self, index: usize, text: &str) {
        self.bytes += text.len();
        if self.joined.is_empty() || self.bytes > KEPT {
            self.joined.clear();
            self.bytes = text.len();
        }
        self.joined.insert(index, text.into());
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    /// Its parts come first.
    Open,
    Short,
    Long,
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use arbitrary::{Result as Gen, Unstructured};
    use heap_record::{Data, Declared, FieldKind, Node, Str, Types};

    use super::{Extent, GAP, LIMIT, Part, Ropes};
    use crate::stream::Strings;

    /// Strings out of parts; those of an even number are flat.
    #[derive(Default)]
    struct Heap {
        strings: Strings,
        ropes: Ropes,
        types: Types,
    }

    impl Heap {
        fn flat(&mut self, id: i64, text: &str) {
            let record = Str { id, data: Data::Plain(text), ..Str::default() };
            self.strings.insert(&record).expect("memory");
            self.node(id, &format!("\"data\":{id}"));
        }

        fn pair(&mut self, id: i64, first: i64, second: i64) {
            self.node(id, &format!("\"s1\":{first},\"s2\":{second}"));
        }

        fn node(&mut self, id: i64, own: &str) {
            let node = Node { subtype: 1, id, own: own.as_bytes(), ..Node::default() };
            self.ropes.insert(&node, &self.types, true);
        }

        /// All joined texts by identifier.
        fn all(&mut self) -> HashMap<i64, (String, Extent)> {
            let mut all = HashMap::new();
            let found = |ropes: &Ropes, index: usize, text: &str, extent| {
                assert!(all.insert(ropes.id(index), (text.to_owned(), extent)).is_none(), "each comes once");
                Ok(())
            };
            self.ropes.each(&self.strings, found).expect("memory");
            all
        }
    }

    #[test]
    fn texts_are_those_of_a_slow_twin() {
        arbtest::arbtest(|u| {
            let mut heap = Heap::default();
            // Parts come before what they are part of, but for some that are missing.
            let mut texts: Vec<Option<String>> = Vec::new();
            for i in 0..u.int_in_range(1..=40)? {
                let id = 2 * i64::from(i) + 1;
                let part = |u: &mut Unstructured<'_>| -> Gen<i64> {
                    Ok(if u.ratio(1, 20)? {
                        9999
                    } else {
                        2 * i64::from(u.int_in_range(0..=i.max(1) - 1)?) + 1
                    })
                };
                if i < 2 || u.ratio(1, 3)? {
                    let text = (*u.choose(&["b", "a", "é", "xyz"])?).to_owned();
                    heap.flat(id, &text);
                    texts.push(Some(text));
                } else {
                    let (first, second) = (part(u)?, part(u)?);
                    heap.pair(id, first, second);
                    let of = |id: i64| texts.get(id as usize / 2).cloned().flatten();
                    let joined = of(first).zip(of(second)).map(|(a, b)| a + &b);
                    texts.push(joined.filter(|text| text.len() <= LIMIT));
                }
            }
            for (id, (text, extent)) in heap.all() {
                let expected = texts[id as usize / 2].as_deref();
                assert_eq!((extent == Extent::Whole).then_some(&*text), expected, "{id}: {text} {extent:?}");
                assert_eq!(extent == Extent::Gaps, text.contains(GAP) && extent != Extent::Long);
                let (one, _) = heap.ropes.text(id, LIMIT, &heap.strings).expect("memory").expect("a pair");
                assert!(extent == Extent::Long || one == text);
            }
            Ok(())
        });
    }

    #[test]
    fn long_chains_and_circles_come_to_an_end() {
        let mut heap = Heap::default();
        heap.flat(1, "ab");
        for i in 1..100_000 {
            heap.pair(2 * i + 1, 2 * i - 1, 1);
        }
        // One that is a part of itself, and one that doubles without end.
        heap.pair(-1, -1, 1);
        let all = heap.all();
        assert_eq!(all.len(), 100_000);
        let (text, extent) = &all[&(2 * 1000 + 1)];
        assert_eq!((text.len(), *extent), (2002, Extent::Whole));
        let (text, extent) = &all[&199_999];
        assert!(*extent == Extent::Long && text.len() <= 2 * 1024 + 2 && text.starts_with("abab"));
        assert_eq!(all[&-1].1, Extent::Long);
        assert_eq!(heap.ropes.parts(1), [Part::Other; 2]);
    }

    #[test]
    fn parts_of_others_need_a_place() {
        let fields = ["source", "offset", "length"].map(|name| (name.into(), FieldKind::Integer));
        let mut heap = Heap::default();
        heap.types.declare(&Declared::Node { id: 1, name: "sliced", table: None, fields: &fields }.into());
        heap.flat(1, "a😀bcdef");
        heap.node(3, "\"source\":1,\"offset\":3,\"length\":3");
        heap.node(5, "\"source\":1");
        heap.pair(7, 3, 5);
        heap.ropes.set_limit(Some(100));
        let all = heap.all();
        assert_eq!(all[&3], ("bcd".to_owned(), Extent::Whole));
        assert_eq!(all[&7], (format!("bcd{GAP}"), Extent::Gaps));
        assert_eq!(all.len(), 2);
        // What the source has cut is not all.
        heap.ropes.clear();
        heap.flat(1, "abcdef");
        heap.pair(7, 1, 1);
        heap.ropes.set_limit(Some(6));
        assert_eq!(heap.all()[&7], (format!("abcdef{GAP}abcdef{GAP}"), Extent::Gaps));
    }

    #[test]
    fn long_texts_are_cut_where_a_slow_twin_cuts_them() {
        let mut cut = 0;
        for i in 1..=100u32 {
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 4096;
            arbtest::arbtest(|u| {
                let mut heap = Heap::default();
                let fields = ["source", "offset", "length"].map(|name| (name.into(), FieldKind::Integer));
                heap.types.declare(&Declared::Node { id: 1, name: "s", table: None, fields: &fields }.into());
                let pieces =
                    if u.ratio(1, 3)? { &["a", "b"][..] } else { &["a", "é", "😀", "\n", "漢"][..] };
                let mut text = String::new();
                for _ in 0..u.int_in_range(0..=4000)? {
                    text.push_str(pieces[text.len() % 7 % pieces.len()]);
                }
                heap.flat(1, &text);
                let units: Vec<u16> = text.encode_utf16().collect();
                for id in (3..=41).step_by(2) {
                    let offset = u.int_in_range(0..=units.len())?;
                    let length = u.int_in_range(0..=units.len())?;
                    heap.node(id, &format!("\"source\":1,\"offset\":{offset},\"length\":{length}"));
                    let (some, extent) =
                        heap.ropes.text(id, LIMIT, &heap.strings).expect("memory").expect("it is");
                    let all = &units[offset..(offset + length).min(units.len())];
                    let mut twin = String::from_utf16_lossy(all);
                    if all.len() < length {
                        twin.push(GAP);
                    }
                    if extent == Extent::Long {
                        assert!(twin.len() > LIMIT && some.len() > LIMIT - 4 && twin.starts_with(&some));
                    } else {
                        assert_eq!(some, twin);
                    }
                    cut += 1;
                }
                // Pairs of it with itself are longer than what is joined, or joined from what is kept.
                heap.pair(101, 1, 1);
                heap.pair(103, 101, 1);
                for (id, times) in [(101, 2), (103, 3)] {
                    let (some, extent) = &heap.all()[&id];
                    let twin = text.repeat(times);
                    let long = (2 * super::AROUND).min(text.len());
                    assert!(twin.contains(&**some) && some.len() + 8 >= long);
                    assert!(*extent != Extent::Whole || some == &twin);
                }
                Ok(())
            })
            .seed(seed);
        }
        assert!(cut > 1000);
    }

    #[test]
    fn what_many_share_is_looked_at_once() {
        // Each of 20,000 texts has a long one in front or behind, or is a pair of 8192 leaves and nothing.
        let mut heap = Heap::default();
        heap.flat(1, &"long ".repeat(200_000));
        heap.flat(3, "ab");
        heap.flat(5, "");
        for i in 0..12 {
            heap.pair(7 + 2 * i, if i == 0 { 3 } else { 5 + 2 * i }, if i == 0 { 3 } else { 5 + 2 * i });
        }
        for i in 0..20_000 {
            let id = 1001 + 2 * i;
            match i % 3 {
                0 => heap.pair(id, 29, 5),
                1 => heap.pair(id, 1, 3),
                _ => heap.pair(id, 3, 1),
            }
        }
        let all = heap.all();
        assert_eq!(all[&1001], ("ab".repeat(4096), Extent::Whole));
        assert_eq!((all[&1003].1, all[&1005].1), (Extent::Long, Extent::Long));
        assert!(all[&1003].0.ends_with("long ab") && all[&1005].0.starts_with("ablong "));
    }
}
