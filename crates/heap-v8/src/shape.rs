//! Counts the integers of a long list, and finds where it can be cut, without reading one of them.
//!
//! Who asks for nodes only still wants to know that the file is whole. That the edges are a list of the right
//! number of integers can be seen sixty-four bytes at a time; what the integers say is checked by who uses them.

use heap_base::{Blob, Result};

use crate::ints::Section;
use crate::lex::{self, plain};

/// Bytes of text at a time.
const TEXT: usize = 256 << 10;

/// In how many parts a list is cut, so that two threads that take one after the other come to an end together.
pub(crate) const PARTS: u64 = 32;

/// What a list looks like.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The number of its integers.
    pub(crate) ints: u64,
    /// Offset of its closing bracket.
    pub(crate) end: u64,
    /// Where it can be cut.
    pub(crate) cuts: Cuts,
}

/// The shape of `section`, whose end need not be known and whose records have `width` integers; `None` if the list is not
/// as V8 writes it, or ends early: then only lexing it tells.
pub(crate) fn look(blob: &Blob, section: &Section, width: usize) -> Result<Option<Shape>> {
    // One more than is taken, because the last byte of a block is judged by the one after it.
    let mut text = lex::boxed::<u8, { TEXT + 64 }>(0);
    let (mut at, mut kept, mut commas) = (section.start, 0, 0);
    let mut first = true;
    let mut cut = Cutter::new(section, width, PARTS);
    loop {
        let n = kept + blob.read_at(&mut text[kept..], at)?;
        at += (n - kept) as u64;
        if first {
            match text[0] {
                b']' if n > 0 => return Ok(Some(Shape { ints: 0, end: section.start, cuts: cut.cuts })),
                b'0'..=b'9' => first = false,
                _ => return Ok(None),
            }
        }
        let mut pos = 0;
        let base = at - n as u64;
        let shape = |cut: Cutter, pos: usize, (commas, end): (u64, usize)| Shape {
            ints: commas + 1,
            end: base + (pos + end) as u64,
            cuts: cut.cuts,
        };
        while let Some(block) = text[..n].get(pos..).and_then(|t| t.first_chunk::<65>()) {
            if plain(block).is_none() {
                return Ok(last(block).map(|(more, end)| shape(cut, pos, (commas + more, end))));
            }
            if base + pos as u64 + 64 > cut.from {
                cut.look(&block[..64], base + pos as u64, commas);
            }
            commas += ones(&block[..64]);
            pos += 64;
        }
        if n < text.len() {
            let mut block = [b' '; 65];
            block[..n - pos].copy_from_slice(&text[pos..n]);
            return Ok(last(&block).map(|(more, end)| shape(cut, pos, (commas + more, end))));
        }
        text.copy_within(pos..n, 0);
        kept = n - pos;
    }
}

/// Where a list can be cut: into parts of about the same length, each of whole records.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    section: Section,
    /// Offset of the comma, and the number of the record behind it, ascending.
    commas: Vec<(u64, u64)>,
}

/// Some records of a list, one behind the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) section: Section,
    /// The number of the first of them.
    pub(crate) first: u64,
}

impl Cuts {
    /// Nowhere.
    pub(crate) fn none(section: &Section) -> Self {
        Self { section: *section, commas: Vec::new() }
    }

    /// The list in two; `None` if it cannot be cut.
    pub(crate) fn halves(&self) -> Option<[Piece; 2]> {
        let &(comma, first) = self.commas.get(self.commas.len() / 2)?;
        let before = Section { end: comma, ..self.section };
        let after = Section { start: comma + 1, ..self.section };
        Some([Piece { section: before, first: 0 }, Piece { section: after, first }])
    }

    /// The list in all its parts.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let starts = [(self.section.start, 0)].into_iter();
        let starts = starts.chain(self.commas.iter().map(|&(comma, first)| (comma + 1, first)));
        let ends = self.commas.iter().map(|&(comma, _)| comma).chain([self.section.end]);
        let piece = |((start, first), end)| Piece { section: Section { start, end, ..self.section }, first };
        starts.zip(ends).map(piece).collect()
    }
}

/// Where `section`, whose records have `width` integers, can be cut in two.
pub(crate) fn middle(blob: &Blob, section: &Section, width: usize) -> Result<Cuts> {
    let mut text = lex::boxed::<u8, TEXT>(0);
    let mut cut = Cutter::new(section, width, 2);
    let (mut at, mut commas) = (section.start, 0u64);
    while at < section.end && cut.from < u64::MAX {
        let room = usize::try_from(section.end - at).unwrap_or(TEXT).min(TEXT);
        let n = blob.read_at(&mut text[..room], at)?;
        if n == 0 {
            break;
        }
        if at + n as u64 > cut.from {
            cut.look(&text[..n], at, commas);
        }
        commas += text[..n].chunks(64).map(ones).sum::<u64>();
        at += n as u64;
    }
    Ok(cut.cuts)
}

/// Looks for places where a section can be cut.
#[derive(Debug)]
struct Cutter {
    cuts: Cuts,
    width: u64,
    parts: u64,
    /// The next cut is from here on; [`u64::MAX`] if there are enough.
    from: u64,
}

impl Cutter {
    fn new(section: &Section, width: usize, parts: u64) -> Self {
        let mut this = Self { cuts: Cuts::none(section), width: width as u64, parts, from: 0 };
        this.from = this.target();
        this
    }

    /// Where the next cut should be.
    fn target(&self) -> u64 {
        let Section { start, end, .. } = self.cuts.section;
        let (length, part) = (end - start, self.cuts.commas.len() as u64 + 1);
        if part == self.parts {
            return u64::MAX;
        }
        start + length / self.parts * part + length % self.parts * part / self.parts
    }

    /// Looks at text that stands at `at`, behind so many commas.
    #[cold]
    fn look(&mut self, text: &[u8], at: u64, mut commas: u64) {
        for (i, _) in text.iter().enumerate().filter(|(_, b)| **b == b',') {
            commas += 1;
            let comma = at + i as u64;
            if comma >= self.from && commas.is_multiple_of(self.width) {
                self.cuts.commas.push((comma, commas / self.width));
                self.from = self.target();
            }
        }
    }
}

/// The commas of a block.
fn ones(block: &[u8]) -> u64 {
    block.iter().map(|&b| u8::from(b == b',')).sum::<u8>().into()
}

/// The commas of the block in which the list ends, and where; `None` if it does not end in it as it should.
#[cold]
fn last(block: &[u8; 65]) -> Option<(u64, usize)> {
    let end = block.iter().position(|&b| b == b']')?;
    let text = block[..end].trim_ascii_end();
    let mut filled = [b'0'; 65];
    filled[..text.len()].copy_from_slice(text);
    // What stands before the block was judged with the block's first byte; so an empty text follows a digit.
    (text.last().is_none_or(u8::is_ascii_digit) && plain(&filled).is_some()).then(|| (ones(text), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> Option<u64> {
        let blob = Blob::from_bytes(text.as_bytes());
        let section = Section { name: "edges", start: 0, end: text.len() as u64, closed: false };
        let shape = look(&blob, &section, 3).expect("memory never fails")?;
        assert_eq!(text.as_bytes()[shape.end as usize], b']', "{text}");
        assert!(!text[..shape.end as usize].contains(']'), "{text}");
        Some(shape.ints)
    }

    #[test]
    fn lists_of_any_length_are_counted() {
        for separator in [",", "\n,"] {
            for n in 1..300u64 {
                for end in ["]", "\n]", "],\"strings\":[]", &format!("]{}", "x".repeat(90))] {
                    let list: Vec<_> = (0..n).map(|i| (i * i * 77).to_string()).collect();
                    assert_eq!(counted(&(list.join(separator) + end)), Some(n), "{separator:?} {n} {end:?}");
                }
            }
        }
        let long: Vec<_> = (0..400_000u64).map(|i| i.to_string()).collect();
        assert_eq!(counted(&(long.join(",") + "]")), Some(400_000));
        assert_eq!(counted("]"), Some(0));
    }

    #[test]
    fn a_list_is_cut_in_parts_and_in_its_middle() {
        for separator in [",", "\n,"] {
            for n in [200u64, 333, 666, 1000, 400_000] {
                let list: Vec<_> = (0..n).map(|i| (i * i * 77).to_string()).collect();
                let text = list.join(separator) + "]";
                let blob = Blob::from_bytes(text.as_bytes());
                let section = Section { name: "edges", start: 0, end: text.len() as u64 - 1, closed: true };
                let shape = look(&blob, &section, 3).expect("memory never fails");
                let cuts = shape.expect("a list as V8 writes it").cuts;
                let [before, after] =
                    middle(&blob, &section, 3).expect("memory").halves().expect("a list to cut");
                let seen = cuts.halves().expect("a list to cut");
                let ends = |pieces: &[Piece]| -> Vec<_> {
                    pieces.iter().map(|p| (p.section.start, p.section.end, p.first)).collect()
                };
                assert_eq!(ends(&seen), ends(&[before, after]));
                let pieces = cuts.pieces();
                // The last block of a list is not cut, which matters in short ones.
                let all = PARTS as usize;
                assert!(
                    pieces.len() == all || n < 500 && pieces.len() > all * 3 / 4,
                    "{n}: {}",
                    pieces.len()
                );
                let mut read = Vec::new();
                for &Piece { section: Section { start, end, .. }, first } in &pieces {
                    assert_eq!(read.len(), 3 * first as usize);
                    let part = text[start as usize..end as usize].trim_ascii_end();
                    assert!(part.len() + 50 > text.len() / all && part.len() < text.len() / all + 90);
                    read.extend(part.split(',').map(str::trim_ascii));
                }
                assert_eq!(read, list);
                let (before, first, after) = (before.section, after.first, after.section);
                let [start, middle] = [after.start, before.end].map(|at| &text[..at as usize]);
                assert_eq!(start, list[..3 * first as usize].join(separator) + separator);
                assert!(middle.len() >= text.len() / 2 - 1 && middle.len() < text.len() / 2 + 50);
            }
        }
    }

    #[test]
    fn whatever_else_stands_there_is_left_to_the_lexer() {
        let list = (0..100).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
        let whole = list.clone() + "]";
        assert_eq!(counted(&whole), Some(100));
        for i in 0..=list.len() {
            for c in ["-", ".", "\"", " ", ",,", "\n", "a", "[", "\u{e9}"] {
                let mut text = whole.clone();
                text.insert_str(i, c);
                // White space before the bracket is fine, so is a digit more or a comma between two digits.
                let fine =
                    i == list.len() && (c == " " || c == "\n") || c == "\n" && whole[i..].starts_with(',');
                assert_eq!(counted(&text).is_some(), fine, "{text}");
            }
        }
        for text in ["", "1", "1,2", ",1]", "1,]", "x]"] {
            assert_eq!(counted(text), None, "{text:?}");
        }
    }
}
