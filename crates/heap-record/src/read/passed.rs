//! Edges that nobody asks for: passed over by the first and the last bytes of their lines.
//!
//! Edges come grouped by source. Once the sink has said that those of one node are of no use to it, the lines that begin
//! as canonical ones of this source and end in a brace are not read any further.

use memchr::memchr;
use wide::u8x16;

use super::fast;
use crate::model::Value;
use crate::sink::Sink;

const START: &[u8; 25] = b"{\"type\":\"edge\",\"subtype\":";

/// Where the subtype is.
const DIGIT: usize = START.len();

/// Bytes that the beginning of a line is held against.
const HEAD: usize = 48;

/// The source last asked about, and how its lines begin if they are passed over.
#[derive(Debug)]
pub(super) struct Passed {
    source: Option<Value>,
    over: bool,
    /// `{"type":"edge","subtype":0,"source":1,`, and all bits of the bytes that count: all but the digit of the subtype.
    head: [u8; HEAD],
    mask: [u8; HEAD],
    length: usize,
}

impl Default for Passed {
    fn default() -> Self {
        Self { source: None, over: false, head: [0; HEAD], mask: [0; HEAD], length: 0 }
    }
}

impl Passed {
    /// Whether `sink` passes over the edges of `source`, which is that of the first of `lines`.
    #[inline]
    pub(super) fn over(&mut self, source: Value, lines: &[u8], sink: &mut dyn Sink) -> bool {
        if self.source != Some(source) {
            self.source = Some(source);
            self.over = sink.passes_over(source) && self.learn(lines).is_some();
        }
        self.over
    }

    /// Takes the beginning from the line that has it.
    fn learn(&mut self, lines: &[u8]) -> Option<()> {
        let head = lines.first_chunk()?;
        let at = subtype_end(head)?;
        self.keep(head, at, fast::source(head, at)?.1)
    }

    /// Takes the beginning of the lines whose source is between `at` and `end` in this one.
    #[inline]
    fn keep(&mut self, line: &[u8; 64], at: usize, end: usize) -> Option<()> {
        let masks: [u8; 2 * HEAD] = std::array::from_fn(|i| if i < HEAD { 0xff } else { 0 });
        let length = DIGIT + 1 + (end + 1 - at);
        if line.get(end) != Some(&b',') || length > HEAD {
            return None;
        }
        self.head[..DIGIT].copy_from_slice(START);
        self.head[DIGIT + 1..].copy_from_slice(&line[at..at + HEAD - DIGIT - 1]);
        self.mask = *masks[HEAD - length..].first_chunk()?;
        self.mask[DIGIT] = 0;
        self.length = length;
        Some(())
    }

    /// The length of the line at the start of `lines`, with LF, if it is one to pass over. As long as lines are passed
    /// over, it asks `sink` about the sources of further ones.
    #[inline]
    pub(super) fn line(&mut self, lines: &[u8], sink: &mut dyn Sink) -> Option<usize> {
        if !self.over {
            return None;
        }
        // The end of a buffer is for the other paths.
        let line = lines.first_chunk::<64>()?;
        let mut begin = self.length;
        if !self.begins(line) {
            let at = subtype_end(line)?;
            let (source, end) = fast::source(line, at)?;
            if self.source != Some(source) {
                self.source = Some(source);
                self.over = sink.passes_over(source) && self.keep(line, at, end).is_some();
                if !self.over {
                    return None;
                }
            }
            begin = end;
        }
        let rest = &lines[begin..];
        let end = begin + near(rest).or_else(|| memchr(b'\n', rest))?;
        (lines[end - 1] == b'}').then_some(end + 1)
    }

    /// Whether a line begins as those of the source do, with one digit for the subtype.
    #[inline]
    fn begins(&self, line: &[u8; 64]) -> bool {
        let chunk =
            |bytes: &[u8], k: usize| bytes[16 * k..].first_chunk().map_or(u8x16::ZERO, |c| u8x16::new(*c));
        let different = |k: usize| (chunk(line, k) ^ chunk(&self.head, k)) & chunk(&self.mask, k);
        let different = different(0) | different(1) | different(2);
        different.simd_eq(u8x16::ZERO).all() && line[DIGIT].is_ascii_digit()
    }
}

/// Where the first LF is, if it is near: a call would cost as much as all else.
#[inline]
fn near(rest: &[u8]) -> Option<usize> {
    let near = rest.first_chunk::<32>()?;
    let mask = |bytes: &[u8; 16]| u8x16::new(*bytes).simd_eq(u8x16::splat(b'\n')).to_bitmask();
    let [low, high] = [&near.as_chunks::<16>().0[0], &near.as_chunks::<16>().0[1]];
    let newlines = mask(low) | mask(high) << 16;
    (newlines != 0).then(|| newlines.trailing_zeros() as usize)
}

/// Where the subtype of an edge line ends, if it has one or two digits.
#[inline]
fn subtype_end(line: &[u8; 64]) -> Option<usize> {
    let [first, second, third, ..] = *line[DIGIT..].first_chunk::<39>()?;
    match (line.starts_with(START), first, second, third) {
        (true, b'0'..=b'9', b',', _) => Some(DIGIT + 1),
        (true, b'1'..=b'9', b'0'..=b'9', b',') => Some(DIGIT + 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use crate::model::{Edge, Metadata};
    use crate::sink::{Pick, Sink};
    use crate::write::Writer;
    use crate::{Error, Result};

    /// Hears edges, and passes over those from even sources: of one snapshot, so that questions are asked anew.
    #[derive(Default)]
    struct Odd {
        all: bool,
        snapshots: i64,
        heard: Vec<(u64, Edge<'static>)>,
        even: usize,
    }

    impl Sink for Odd {
        fn passes_over(&mut self, source: i64) -> bool {
            !self.all && (source + self.snapshots) % 2 == 0
        }
        fn metadata(&mut self, record: &Metadata<'_>) -> Result {
            self.snapshots += i64::from(record.key == "heap.snapshot");
            Ok(())
        }
        fn edge(&mut self, edge: &Edge<'_>) -> Result {
            if (edge.source + self.snapshots) % 2 == 0 {
                self.even += 1;
            } else {
                let own = Edge { rest: b"", line: crate::Line::default(), ..*edge };
                self.heard.push((edge.line.number, own));
            }
            Ok(())
        }
    }

    #[test]
    fn all_others_are_heard_with_their_line_numbers() {
        let mut passed = 0;
        for i in 1..=300u32 {
            // The same input in every run: random bits above, the number of bytes below.
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 2048;
            arbtest::arbtest(|u| passed_over(u).map(|n| passed += n)).seed(seed);
        }
        assert!(passed > 100, "only {passed} edges were passed over");
    }

    /// How many edges of a stream are passed over.
    fn passed_over(u: &mut Unstructured<'_>) -> arbitrary::Result<usize> {
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
        assert!(super::super::read(text.as_slice(), Pick::All, &mut some).is_ok());
        assert!(super::super::read(text.as_slice(), Pick::All, &mut all).is_ok());
        assert_eq!(format!("{:?}", some.heard), format!("{:?}", all.heard));
        assert!(some.even <= all.even);
        Ok(all.even - some.even)
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
            let error = super::super::read(text.as_bytes(), Pick::All, &mut sink).expect_err(bad);
            assert!(error.to_string().starts_with("line 3: "), "{error}");
            assert_eq!((sink.even, sink.heard.len()), (0, 0));
        }
        // What another source's line says is not passed over, be its number the longer one or the shorter one.
        let text = line(2, 1) + &line(21, 3) + &line(2, 1) + &line(1, 1) + &more;
        let mut sink = Odd::default();
        let read: std::result::Result<(), Error> = super::super::read(text.as_bytes(), Pick::All, &mut sink);
        assert!(read.is_ok());
        let sources: Vec<_> = sink.heard.iter().map(|(line, edge)| (*line, edge.source)).collect();
        assert_eq!(sources, [(2, 21), (4, 1), (5, 3), (6, 3), (7, 3)]);
    }
}
