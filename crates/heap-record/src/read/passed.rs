//! Edges that nobody asks for: passed over by the first and the last bytes of their lines.
//!
//! Edges come grouped by source. Once the sink has said that those of one node are of no use to it, the lines that begin
//! as canonical ones of this source and end in a brace are not read any further. If some of them may be of use, it is
//! asked about the destination of each.

use memchr::memchr;
use wide::u8x16;

use super::fast;
use crate::model::Value;
use crate::sink::{Over, Sink};
use heap_base::json::digits8;

const START: &[u8; 25] = b"{\"type\":\"edge\",\"subtype\":";

/// The mask of a text of some length, from that many bytes before the middle on.
static MASKS: [u8; 64] = {
    let mut masks = [0; 64];
    let mut i = 0;
    while i < 32 {
        masks[i] = 0xff;
        i += 1;
    }
    masks
};

/// The source last asked about, and how its lines go on after their subtype if they are passed over.
#[derive(Debug, Default)]
pub(super) struct Passed {
    source: Option<Value>,
    over: Over,
    /// `,"source":1,` and zeros; all bits of the bytes that count.
    text: [u8x16; 2],
    mask: [u8x16; 2],
    length: usize,
}

impl Passed {
    /// Whether `sink` passes over all edges of `source`, which is that of the first of `lines`.
    #[inline]
    pub(super) fn over(&mut self, source: Value, lines: &[u8], sink: &mut dyn Sink) -> bool {
        if self.source != Some(source) {
            self.ask(source, sink);
            if self.is_over() && self.learn(lines).is_none() {
                self.over = Over::Nothing;
            }
        }
        self.over == Over::All
    }

    /// Asks `sink` about another source.
    #[inline]
    fn ask(&mut self, source: Value, sink: &mut dyn Sink) {
        self.source = Some(source);
        self.over = sink.passes_over(source);
    }

    /// Takes the text from the line that has it.
    fn learn(&mut self, lines: &[u8]) -> Option<()> {
        let at = subtype_end(lines.first_chunk()?)?;
        let end = fast::source(lines, at)?.1;
        self.keep(lines[at..].first_chunk()?, end + 1 - at)
    }

    #[inline]
    fn keep(&mut self, text: &[u8; 32], length: usize) -> Option<()> {
        if text.get(length.checked_sub(1)?) != Some(&b',') {
            return None;
        }
        let (text, mask) = (halves(text), halves(MASKS[32 - length..].first_chunk()?));
        self.text = [text[0] & mask[0], text[1] & mask[1]];
        self.mask = mask;
        self.length = length;
        Some(())
    }

    /// Whether edges of the last source are passed over, or some may be.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.over != Over::Nothing
    }

    /// How many of `lines` from the first on are to be passed over, and how long they are. As long as lines are passed
    /// over, it asks `sink` about the sources of further ones.
    #[inline]
    pub(super) fn lines(&mut self, lines: &[u8], sink: &mut dyn Sink) -> (u64, usize) {
        let (mut count, mut used) = (0, 0);
        while let Some(length) = self.line(&lines[used..], sink) {
            count += 1;
            used += length;
        }
        (count, used)
    }

    /// The length of the line at the start of `lines`, with LF, if it is one to pass over.
    #[inline]
    fn line(&mut self, lines: &[u8], sink: &mut dyn Sink) -> Option<usize> {
        if !self.is_over() {
            return None;
        }
        // The end of a buffer is for the other paths.
        let head = lines.first_chunk::<64>()?;
        if head[..START.len()] != START[..] {
            return None;
        }
        let at = subtype_end(head)?;
        let text = head[at..].first_chunk()?;
        if !self.begins(text) {
            let (source, end) = fast::source(head, at)?;
            self.ask(source, sink);
            if !self.is_over() || self.keep(text, end + 1 - at).is_none() {
                self.over = Over::Nothing;
                return None;
            }
        }
        let rest = &lines[at + self.length..];
        if self.over == Over::Some && !dest(rest).is_some_and(|dest| sink.passes_over_to(dest)) {
            return None;
        }
        let end = at + self.length + near(rest).or_else(|| memchr(b'\n', rest))?;
        (lines[end - 1] == b'}').then_some(end + 1)
    }

    #[inline]
    fn begins(&self, text: &[u8; 32]) -> bool {
        let [low, high] = halves(text);
        let same = (low & self.mask[0]).simd_eq(self.text[0]) & (high & self.mask[1]).simd_eq(self.text[1]);
        same.to_bitmask() == 0xffff
    }
}

#[inline]
fn halves(bytes: &[u8; 32]) -> [u8x16; 2] {
    let (low, high) = bytes.split_at(16);
    [low, high].map(|half| half.try_into().map_or(u8x16::ZERO, u8x16::new))
}

/// The destination that comes next, if it is a number of at most eight digits.
#[inline]
fn dest(rest: &[u8]) -> Option<Value> {
    let text = rest.strip_prefix(b"\"dest\":")?.first_chunk::<9>()?;
    let (dest, digits) = digits8(u64::from_le_bytes(*text.first_chunk()?));
    let canonical = digits > 0 && (text[0] != b'0' || digits == 1) && matches!(text[digits], b',' | b'}');
    canonical.then_some(dest as Value)
}

/// Where the first LF is, if it is near: a call would cost as much as all else. Two numbers of eight digits and their
/// keys take 33 bytes.
#[inline]
fn near(rest: &[u8]) -> Option<usize> {
    let chunks = rest.first_chunk::<48>()?.as_chunks::<16>().0;
    let newlines =
        |k: usize| u64::from(u8x16::new(chunks[k]).simd_eq(u8x16::splat(b'\n')).to_bitmask()) << (16 * k);
    let newlines = newlines(0) | newlines(1) | newlines(2);
    (newlines != 0).then(|| newlines.trailing_zeros() as usize)
}

/// Where the subtype of an edge line ends, if it has one or two digits.
#[inline]
fn subtype_end(head: &[u8; 64]) -> Option<usize> {
    let [first, second, third, ..] = *head[START.len()..].first_chunk::<39>()?;
    match (first, second, third) {
        (b'0'..=b'9', b',', _) => Some(START.len() + 1),
        (b'1'..=b'9', b'0'..=b'9', b',') => Some(START.len() + 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use crate::model::{Edge, Metadata};
    use crate::sink::{Over, Sink, SnapshotSelector};
    use crate::write::Writer;
    use heap_base::{Error, Result};

    /// Hears edges, and passes over those from even sources, and from some odd ones those to even nodes: of one snapshot,
    /// so that questions are asked anew.
    #[derive(Default)]
    struct Odd {
        all: bool,
        snapshots: i64,
        heard: Vec<(u64, Edge<'static>)>,
        even: usize,
        to_even: usize,
    }

    impl Odd {
        /// Which edges from a node it passes over.
        fn over(&self, source: i64) -> Over {
            match (source + self.snapshots).rem_euclid(4) {
                0 | 2 => Over::All,
                3 => Over::Some,
                _ => Over::Nothing,
            }
        }
    }

    impl Sink for Odd {
        fn passes_over(&mut self, source: i64) -> Over {
            if self.all { Over::Nothing } else { self.over(source) }
        }
        fn passes_over_to(&mut self, dest: i64) -> bool {
            dest % 2 == 0
        }
        fn metadata(&mut self, record: &Metadata<'_>) -> Result {
            self.snapshots += i64::from(record.key == "heap.snapshot");
            Ok(())
        }
        fn edge(&mut self, edge: &Edge<'_>) -> Result {
            match self.over(edge.source) {
                Over::All => self.even += 1,
                Over::Some if edge.dest.is_some_and(|dest| dest % 2 == 0) => self.to_even += 1,
                _ => {
                    let own = Edge { rest: b"", line: crate::Line::default(), ..*edge };
                    self.heard.push((edge.line.number, own));
                }
            }
            Ok(())
        }
    }

    #[test]
    fn all_others_are_heard_with_their_line_numbers() {
        let (mut passed, mut by_dest) = (0, 0);
        for i in 1..=300u32 {
            // The same input in every run: random bits above, the number of bytes below.
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 2048;
            arbtest::arbtest(|u| {
                let (source, dest) = passed_over(u)?;
                passed += source;
                by_dest += dest;
                Ok(())
            })
            .seed(seed);
        }
        assert!(passed > 100 && by_dest > 30, "only {passed} and {by_dest} edges were passed over");
    }

    /// How many edges of a stream are passed over by their source, and by their destination.
    fn passed_over(u: &mut Unstructured<'_>) -> arbitrary::Result<(usize, usize)> {
        let mut writer = Writer::new(Vec::new());
        let number = |u: &mut Unstructured<'_>| -> arbitrary::Result<i64> {
            Ok(u.arbitrary::<i64>()? >> u.int_in_range(11..=63)?)
        };
        let mut source = 0;
        for i in 0..u.int_in_range(0..=40)? {
            if u.ratio(1, 3)? {
                source = if u.ratio(1, 4)? { number(u)? } else { u.int_in_range(0..=3)? };
            }
            if u.ratio(1, 20)? {
                let value = &i.to_string();
                let _ = writer.metadata(&Metadata { key: "heap.snapshot", value, ..Metadata::default() });
            }
            let edge = Edge {
                subtype: *u.choose(&[0, 1, 9, 10, 63, 64, 99, 100, 12_345])?,
                source,
                dest: if u.ratio(9, 10)? { Some(number(u)?) } else { None },
                label: if u.ratio(9, 10)? { Some(number(u)?) } else { None },
                rest: if u.ratio(1, 10)? { b"\"v8\":{\"a\":1}" } else { b"" },
                ..Edge::default()
            };
            let _ = writer.edge(&edge);
        }
        let _ = writer.finish(true);
        let text = writer.into_inner();
        let (mut some, mut all) = (Odd::default(), Odd { all: true, ..Odd::default() });
        assert!(super::super::read(text.as_slice(), SnapshotSelector::All, &mut some).is_ok());
        assert!(super::super::read(text.as_slice(), SnapshotSelector::All, &mut all).is_ok());
        assert_eq!(format!("{:?}", some.heard), format!("{:?}", all.heard));
        assert!(some.even <= all.even && some.to_even <= all.to_even);
        Ok((all.even - some.even, all.to_even - some.to_even))
    }

    #[test]
    fn a_line_that_ends_early_is_damage_wherever_it_stands() {
        let line = |source: u32, dest: u32| {
            format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":{source},\"dest\":{dest},\"label\":1}}\n")
        };
        let more = line(3, 5).repeat(3);
        for bad in [
            "{\"type\":\"edge\",\"subtype\":1,\"source\":2,\"dest\":5,\"lab\n",
            "{\"type\":\"edge\",\"subtype\":1,\"source\":2,\n",
        ] {
            let text = line(2, 1) + &line(2, 3) + bad + &more;
            let mut sink = Odd::default();
            let error = super::super::read(text.as_bytes(), SnapshotSelector::All, &mut sink).expect_err(bad);
            assert!(error.to_string().starts_with("line 3: "), "{error}");
            assert_eq!((sink.even, sink.heard.len()), (0, 0));
        }
        // What another source's line says is not passed over, be its number the longer one or the shorter one.
        let text = line(2, 1) + &line(21, 3) + &line(2, 1) + &line(1, 1) + &more;
        let mut sink = Odd::default();
        let read: std::result::Result<(), Error> =
            super::super::read(text.as_bytes(), SnapshotSelector::All, &mut sink);
        assert!(read.is_ok());
        let sources: Vec<_> = sink.heard.iter().map(|(line, edge)| (*line, edge.source)).collect();
        assert_eq!(sources, [(2, 21), (4, 1), (5, 3), (6, 3), (7, 3)]);
    }
}
