//! Edges that the sink has no use for: skipped by the first and the last bytes of their lines.
//!
//! Edges come grouped by source. Once the sink's [`EdgeFilter`] says to skip all edges of a source, lines that begin like
//! canonical ones of this source and end in a brace are not read further. If it says to skip some, it is asked about the
//! destination of each. A sink that wants no edges at all gets none: the source of a line does not matter then.

use memchr::memchr;
use wide::u8x16;

use super::fast;
use crate::model::Value;
use crate::sink::{EdgeFilter, Sink, Skip};
use crate::wants::Wants;
use heap_base::json::digits8;

const START: &[u8; 25] = b"{\"type\":\"edge\",\"subtype\":";

/// From byte 32 − n on, the mask of a text of n bytes.
static MASKS: [u8; 64] = {
    let mut masks = [0; 64];
    let mut i = 0;
    while i < 32 {
        masks[i] = 0xff;
        i += 1;
    }
    masks
};

/// The source last asked about, and how its lines go on after their subtype if any are to be skipped.
#[derive(Debug, Default)]
pub(super) struct EdgeSkipper {
    /// The sink wants no edges.
    unwanted: bool,
    /// What the sink wants, if it wants edges of some streams.
    of_texts: Option<Wants>,
    source: Option<Value>,
    skip: Skip,
    /// `,"source":1,` and zeros.
    text: [u8x16; 2],
    /// All bits of the bytes of `text` that count.
    mask: [u8x16; 2],
    length: usize,
}

impl EdgeSkipper {
    pub(super) fn new(wants: Wants) -> Self {
        let of_texts = (!wants.any_edges() && wants.edges_with(true)).then_some(wants);
        Self { unwanted: !wants.any_edges(), of_texts, ..Self::default() }
    }

    /// Forgets what the filter said: identifiers mean other nodes from here on.
    pub(super) fn forget(&mut self) {
        *self = Self { unwanted: self.unwanted, of_texts: self.of_texts, ..Self::default() };
    }

    /// A stream has arrays of numbers or, where it begins, none yet.
    pub(super) fn has_arrays(&mut self, arrays: bool) {
        if let Some(wants) = self.of_texts {
            self.unwanted = !wants.edges_with(arrays);
        }
    }

    /// Whether to skip all edges of `source`, which is that of the first of `lines`.
    #[expect(clippy::inline_always, reason = "asked for each edge")]
    #[inline(always)]
    pub(super) fn skips_all(&mut self, source: Value, lines: &[u8], sink: &mut dyn Sink) -> bool {
        if self.unwanted {
            return true;
        }
        if self.source != Some(source) {
            self.source = Some(source);
            self.skip = sink.edge_filter().map_or(Skip::None, |filter| filter.skip_edges_of(source));
            if self.is_active() && self.learn(lines).is_none() {
                self.skip = Skip::None;
            }
        }
        self.skip == Skip::All
    }

    /// Takes the text from the line that has it.
    fn learn(&mut self, lines: &[u8]) -> Option<()> {
        let start = subtype_end(lines.first_chunk()?)?;
        let end = fast::source(lines, start)?.1;
        self.keep(lines[start..].first_chunk()?, end + 1 - start)
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

    /// Whether edges are to be skipped: all or some of the last source, or any.
    #[inline]
    pub(super) fn is_active(&self) -> bool {
        self.unwanted || self.skip != Skip::None
    }

    /// How many of `lines` to skip, from the first on, and their length. As long as it skips lines, it asks the filter of
    /// `sink` about the sources of further ones.
    #[inline]
    pub(super) fn skip(&mut self, lines: &[u8], sink: &mut dyn Sink) -> (u64, usize) {
        let (mut count, mut used) = (0, 0);
        if self.unwanted {
            while let Some(length) = edge_line(&lines[used..]) {
                count += 1;
                used += length;
            }
        } else if let Some(filter) = sink.edge_filter() {
            while let Some(length) = self.skip_line(&lines[used..], filter) {
                count += 1;
                used += length;
            }
        }
        (count, used)
    }

    /// The length of the first of `lines`, with LF, if it is one to skip.
    #[inline]
    fn skip_line(&mut self, lines: &[u8], filter: &mut dyn EdgeFilter) -> Option<usize> {
        if !self.is_active() {
            return None;
        }
        // The end of a buffer is for the other paths.
        let head = lines.first_chunk::<64>()?;
        if head[..START.len()] != START[..] {
            return None;
        }
        let start = subtype_end(head)?;
        let text = head[start..].first_chunk()?;
        if !self.begins(text) {
            let (source, end) = fast::source(head, start)?;
            self.source = Some(source);
            self.skip = filter.skip_edges_of(source);
            if !self.is_active() || self.keep(text, end + 1 - start).is_none() {
                self.skip = Skip::None;
                return None;
            }
        }
        let rest = &lines[start + self.length..];
        if self.skip == Skip::Some && !dest(rest).is_some_and(|dest| filter.skip_edges_to(dest)) {
            return None;
        }
        let end = start + self.length + near(rest).or_else(|| memchr(b'\n', rest))?;
        (lines[end - 1] == b'}').then_some(end + 1)
    }

    #[inline]
    fn begins(&self, text: &[u8; 32]) -> bool {
        let [low, high] = halves(text);
        let same = (low & self.mask[0]).simd_eq(self.text[0]) & (high & self.mask[1]).simd_eq(self.text[1]);
        same.to_bitmask() == 0xffff
    }
}

/// The length of the first of `lines`, with LF, if it begins like a canonical edge and ends in a brace.
#[inline]
fn edge_line(lines: &[u8]) -> Option<usize> {
    let rest = lines.strip_prefix(START)?;
    let end = near(rest).or_else(|| memchr(b'\n', rest))?;
    (end > 0 && rest[end - 1] == b'}').then_some(START.len() + end + 1)
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

/// Where the first LF is, if it is within 48 bytes: a call would cost as much as all else. Two numbers of eight digits
/// and their keys take 33 bytes.
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

    use crate::batch::EdgeBatch;
    use crate::model::{Edge, Metadata, Value};
    use crate::sink::{EdgeFilter, Sink, Skip, SnapshotSelector};
    use crate::wants::Wants;
    use crate::write::Writer;
    use heap_base::Result;

    /// Skips edges from even sources, and from some odd ones those to even nodes. Which ones depends on the snapshot, so
    /// that the answers of the one before are wrong. Counts the edges it would skip but receives.
    #[derive(Default)]
    struct SkipEven {
        keep_all: bool,
        snapshots: i64,
        /// Line number, source, destination and label.
        kept: Vec<(u64, Value, Option<Value>, Option<i64>)>,
        from_skipped: usize,
        to_skipped: usize,
    }

    impl SkipEven {
        fn skip(&self, source: i64) -> Skip {
            match (source + self.snapshots).rem_euclid(4) {
                0 | 2 => Skip::All,
                3 => Skip::Some,
                _ => Skip::None,
            }
        }
    }

    impl EdgeFilter for SkipEven {
        fn skip_edges_of(&mut self, source: i64) -> Skip {
            self.skip(source)
        }
        fn skip_edges_to(&mut self, dest: i64) -> bool {
            dest % 2 == 0
        }
    }

    impl Sink for SkipEven {
        fn wants(&self) -> Wants {
            Wants { any_order: true, ..Wants::ALL }
        }
        fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
            if self.keep_all { None } else { Some(self) }
        }
        fn metadata(&mut self, record: &Metadata<'_>) -> Result {
            self.snapshots += i64::from(record.key == "heap.snapshot");
            Ok(())
        }
        fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
            for edge in batch.iter() {
                match self.skip(edge.source) {
                    Skip::All => self.from_skipped += 1,
                    Skip::Some if edge.dest.is_some_and(|dest| dest % 2 == 0) => self.to_skipped += 1,
                    _ => self.kept.push((edge.line.number, edge.source, edge.dest, edge.label)),
                }
            }
            Ok(())
        }
    }

    #[test]
    fn all_other_edges_come_with_their_line_numbers() {
        let (mut of_source, mut by_dest) = (0, 0);
        for i in 1..=300u32 {
            // The same input in every run: random bits above, the number of bytes below.
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 2048;
            arbtest::arbtest(|u| {
                let (source, dest) = skipped(u)?;
                of_source += source;
                by_dest += dest;
                Ok(())
            })
            .seed(seed);
        }
        assert!(of_source > 100 && by_dest > 30, "only {of_source} and {by_dest} edges were skipped");
    }

    /// How many edges of a stream are skipped by their source, and by their destination.
    fn skipped(u: &mut Unstructured<'_>) -> arbitrary::Result<(usize, usize)> {
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
            let _ = writer.edges(&EdgeBatch::one(&edge));
        }
        let _ = writer.finish(true);
        let text = writer.into_inner();
        let (mut some, mut all) = (SkipEven::default(), SkipEven { keep_all: true, ..SkipEven::default() });
        assert!(super::super::read(text.as_slice(), SnapshotSelector::All, &mut some).is_ok());
        assert!(super::super::read(text.as_slice(), SnapshotSelector::All, &mut all).is_ok());
        assert_eq!(some.kept, all.kept);
        assert!(some.from_skipped <= all.from_skipped && some.to_skipped <= all.to_skipped);
        Ok((all.from_skipped - some.from_skipped, all.to_skipped - some.to_skipped))
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
            let mut sink = SkipEven::default();
            let error = super::super::read(text.as_bytes(), SnapshotSelector::All, &mut sink).expect_err(bad);
            assert!(error.to_string().starts_with("line 3: "), "{error}");
            assert_eq!((sink.from_skipped, sink.kept.len()), (0, 0));
        }
        // Lines of another source are not skipped, whether its number is longer or shorter.
        let text = line(2, 1) + &line(21, 3) + &line(2, 1) + &line(1, 1) + &more;
        let mut sink = SkipEven::default();
        assert!(super::super::read(text.as_bytes(), SnapshotSelector::All, &mut sink).is_ok());
        let sources: Vec<_> = sink.kept.iter().map(|kept| (kept.0, kept.1)).collect();
        assert_eq!(sources, [(2, 21), (4, 1), (5, 3), (6, 3), (7, 3)]);
    }
    #[test]
    fn a_sink_that_wants_no_edges_gets_none_and_every_other_line_has_its_number() {
        #[derive(Default)]
        struct Nodes {
            lines: Vec<u64>,
            edges: usize,
        }
        impl Sink for Nodes {
            fn wants(&self) -> Wants {
                Wants::NODES
            }
            fn nodes(&mut self, batch: &crate::batch::NodeBatch<'_>) -> Result {
                self.lines.extend(batch.iter().map(|node| node.line.number));
                Ok(())
            }
            fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
                self.edges += batch.len();
                Ok(())
            }
        }
        let edge = "{\"type\":\"edge\",\"subtype\":1,\"source\":2,\"dest\":3,\"label\":1}\n";
        let node = "{\"type\":\"node\",\"subtype\":1,\"identifier\":2,\"heap\":{\"size\":1,\"name\":1}}\n";
        let text = edge.repeat(2) + node + &edge.repeat(3) + node;
        let mut sink = Nodes::default();
        assert!(super::super::read(text.as_bytes(), SnapshotSelector::All, &mut sink).is_ok());
        assert_eq!((&sink.lines[..], sink.edges), (&[3, 7][..], 0));
        let cut = edge.to_owned() + "{\"type\":\"edge\",\"subtype\":1,\"source\":2,\"des\n" + node;
        let error = super::super::read(cut.as_bytes(), SnapshotSelector::All, &mut sink).expect_err("cut");
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }
}
