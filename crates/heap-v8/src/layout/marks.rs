//! Strings that mean something: WeakMap entries, and the names that DevTools' rules ask for.

use heap_base::{BitSet, Map};

/// What a string means as the name of a node or an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mark {
    /// Nothing.
    None,
    /// `shared`: a closure's function data.
    Shared,
    /// `first`: of a concatenated string.
    First,
    /// `second`: of a concatenated string.
    Second,
    /// `parent`: of a sliced string.
    Parent,
    /// `sloppy_function_map`.
    SloppyMap,
    /// `system / NativeContext`.
    NativeContext,
    /// `(map descriptors)`.
    MapDescriptors,
    /// `(Document DOM trees)`.
    DomTrees,
    /// `(Internalized strings)`, `(External strings)`: the machine's tables of strings, which hold none of them.
    StringTable,
    /// `Node / Worker`: a thread with a heap of its own.
    Worker,
    /// A WeakMap entry, see [`Pair`].
    Pair,
    /// A number (as JavaScript's `parseInt` reads it) that is at least 2 and leaves 1 when divided by 3.
    Third,
}

/// The ids in the name of a WeakMap entry's two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Id of the key.
    pub(crate) key: u64,
    /// Id of the WeakMap's table.
    pub(crate) table: u64,
}

/// Key and table of a WeakMap entry, by ordinal, where such nodes exist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Option<u32>,
    pub(crate) table: Option<u32>,
}

/// WeakMap entries, by the string that names their two edges.
pub(crate) type Entries = Map<u64, Entry>;

/// What the strings of a snapshot mean, by index.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    marks: Vec<Mark>,
    pairs: Map<u64, Pair>,
}

impl Marks {
    /// Adds the text of the next string.
    #[inline]
    pub(crate) fn add(&mut self, text: &[u8]) {
        let mark = match text.first() {
            Some(b'0'..=b'9') => self.numbered(text),
            Some(b'f' | b's' | b'p' | b'(' | b'N') if text.len() <= 22 => named(text),
            _ => Mark::None,
        };
        self.marks.push(mark);
    }

    fn numbered(&mut self, text: &[u8]) -> Mark {
        if let Some(pair) = pair(text) {
            self.pairs.insert(self.marks.len() as u64, pair);
            return Mark::Pair;
        }
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        match number(&text[..digits]) {
            Some(n) if n >= 2 && n % 3 == 1 => Mark::Third,
            _ => Mark::None,
        }
    }

    /// What the string means.
    #[inline]
    pub(crate) fn get(&self, string: u64) -> Mark {
        usize::try_from(string).ok().and_then(|i| self.marks.get(i)).copied().unwrap_or(Mark::None)
    }

    /// The WeakMap entries, by string.
    pub(crate) fn pairs(&self) -> &Map<u64, Pair> {
        &self.pairs
    }

    /// The WeakMap entries, by string, with the nodes they name; `ids` are those of all nodes.
    pub(crate) fn entries(&self, ids: impl Iterator<Item = u64>) -> Entries {
        let mut wanted: Map<u64, Option<u32>> =
            self.pairs.values().flat_map(|p| [(p.key, None), (p.table, None)]).collect();
        if !wanted.is_empty() {
            // Most ids differ from all of these in their low bits.
            let low = |id: u64| (id >> 1) as u32 & 0xFFFF;
            let mut likely = BitSet::new(1 << 16);
            for &id in wanted.keys() {
                likely.insert(low(id));
            }
            for (ordinal, id) in (0..).zip(ids) {
                if likely.contains(low(id))
                    && let Some(found @ None) = wanted.get_mut(&id)
                {
                    *found = Some(ordinal);
                }
            }
        }
        let found = |id| wanted.get(&id).copied().flatten();
        self.pairs
            .iter()
            .map(|(&string, p)| (string, Entry { key: found(p.key), table: found(p.table) }))
            .collect()
    }
}

fn named(text: &[u8]) -> Mark {
    match text {
        b"shared" => Mark::Shared,
        b"first" => Mark::First,
        b"second" => Mark::Second,
        b"parent" => Mark::Parent,
        b"sloppy_function_map" => Mark::SloppyMap,
        b"system / NativeContext" => Mark::NativeContext,
        b"(map descriptors)" => Mark::MapDescriptors,
        b"(Document DOM trees)" => Mark::DomTrees,
        b"(Internalized strings)" | b"(External strings)" => Mark::StringTable,
        b"Node / Worker" => Mark::Worker,
        _ => Mark::None,
    }
}

/// The number that 1 to 19 digits make.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 19 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, b| n * 10 + u64::from(b - b'0')))
}

/// Reads `N / part of key (… @K) -> value (… @V) pair in WeakMap (table @T)` as DevTools does, whose expression is
/// `^\d+ \/ part of key \(.*? @\d+\) -> value \(.*? @\d+\) pair in WeakMap \(table @\d+\)$`.
pub(crate) fn pair(text: &[u8]) -> Option<Pair> {
    let text = text.strip_suffix(b")")?;
    let at = memchr::memrchr(b'@', text)?;
    let table = number(&text[at + 1..])?;
    let text = text[..at].strip_suffix(b" pair in WeakMap (table ")?;
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let middle = text[digits..].strip_prefix(b" / part of key (")?;
    // `.` matches no line end.
    let line_end = middle.iter().enumerate().any(|(i, b)| match b {
        b'\n' | b'\r' => true,
        0xE2 => matches!(middle.get(i + 1..i + 3), Some([0x80, 0xA8 | 0xA9])),
        _ => false,
    });
    if digits == 0 || line_end {
        return None;
    }
    let value = middle.strip_suffix(b")")?;
    number(&value[memchr::memmem::rfind(value, b" @")? + 2..])?;
    // The shortest key: the first ` @K) -> value (` with a value behind it.
    memchr::memmem::find_iter(middle, b") -> value (").find_map(|end| {
        let at = memchr::memmem::rfind(&middle[..end], b" @")?;
        memchr::memmem::rfind(&value[end.min(value.len())..], b" @")?;
        Some(Pair { key: number(&middle[at + 2..end])?, table })
    })
}
