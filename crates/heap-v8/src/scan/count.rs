//! Counts the integers of the edges, finds their end and where they can be cut, without lexing one of them.
//!
//! The edges stand before the strings, so that everybody must get past them. That they are a list of the right number of
//! integers can be seen sixty-four bytes at a time; what the integers say is checked by who uses them.

use heap_base::{Blob, Result};

use crate::lex::ints::{boxed, plain};
use crate::lex::{Piece, Section};

/// Bytes of text at a time.
const TEXT: usize = 256 << 10;

/// In how many pieces a list is cut, so that two threads that take one after another end at the same time.
pub(crate) const PIECES: u64 = 32;

/// A list of integers as V8 writes it, counted.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// Number of integers.
    pub(crate) ints: u64,
    /// Offset of the closing bracket.
    pub(crate) end: u64,
    /// Where it can be cut.
    cuts: Cuts,
}

impl Counted {
    /// The list in pieces of about the same length, each of whole records.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let Cuts { section, commas, .. } = &self.cuts;
        let starts = [(section.start, 0)].into_iter();
        let starts = starts.chain(commas.iter().map(|&(comma, first)| (comma + 1, first)));
        let ends = commas.iter().map(|&(comma, _)| comma).chain([self.end]);
        let piece = |((start, first), end)| Piece {
            section: Section { start, end, closed: true, ..*section },
            first,
        };
        starts.zip(ends).map(piece).collect()
    }
}

/// Counts `section`, whose end need not be known and whose records have `width` integers; `None` if the list is not as V8
/// writes it, or ends early: then only lexing it says what is wrong.
pub(crate) fn count(blob: &Blob, section: &Section, width: usize) -> Result<Option<Counted>> {
    if section.start == 0 {
        return Ok(None);
    }
    // One more than is taken, because the last byte of a block is judged by the one after it.
    let mut text = boxed::<u8, { TEXT + 64 }>(0);
    let (mut at, mut kept, mut commas) = (section.start, 0, 0);
    let mut first = true;
    let mut cuts = Cuts::new(section, width);
    loop {
        let n = kept + blob.read_at(&mut text[kept..], at)?;
        at += (n - kept) as u64;
        if first {
            match text[0] {
                b']' if n > 0 => return Ok(Some(Counted { ints: 0, end: section.start, cuts })),
                b'0'..=b'9' => first = false,
                _ => return Ok(None),
            }
        }
        let mut pos = 0;
        let base = at - n as u64;
        let counted = |cuts: Cuts, pos: usize, (commas, end): (u64, usize)| Counted {
            ints: commas + 1,
            end: base + (pos + end) as u64,
            cuts,
        };
        while let Some(block) = text[..n].get(pos..).and_then(|t| t.first_chunk::<65>()) {
            if plain(block).is_none() {
                return Ok(last(block).map(|(more, end)| counted(cuts, pos, (commas + more, end))));
            }
            if base + pos as u64 + 64 > cuts.from {
                cuts.find(&block[..64], base + pos as u64, commas);
            }
            commas += ones(&block[..64]);
            pos += 64;
        }
        if n < text.len() {
            let mut block = [b' '; 65];
            block[..n - pos].copy_from_slice(&text[pos..n]);
            return Ok(last(&block).map(|(more, end)| counted(cuts, pos, (commas + more, end))));
        }
        text.copy_within(pos..n, 0);
        kept = n - pos;
    }
}

/// Where a list can be cut.
#[derive(Clone, Debug)]
struct Cuts {
    section: Section,
    width: u64,
    /// Offset of the comma, and the number of the record behind it, ascending.
    commas: Vec<(u64, u64)>,
    /// The next cut is from here on; [`u64::MAX`] if there are enough.
    from: u64,
}

impl Cuts {
    fn new(section: &Section, width: usize) -> Self {
        let mut this = Self { section: *section, width: width as u64, commas: Vec::new(), from: 0 };
        this.from = this.target();
        this
    }

    /// Where the next cut should be.
    fn target(&self) -> u64 {
        let Section { start, end, .. } = self.section;
        let (length, cut) = (end - start, self.commas.len() as u64 + 1);
        if cut == PIECES {
            return u64::MAX;
        }
        start + length / PIECES * cut + length % PIECES * cut / PIECES
    }

    /// Looks for the next cut in `text`, which stands at `at` behind so many commas.
    #[cold]
    fn find(&mut self, text: &[u8], at: u64, mut commas: u64) {
        for (i, _) in text.iter().enumerate().filter(|(_, b)| **b == b',') {
            commas += 1;
            let comma = at + i as u64;
            if comma >= self.from && commas.is_multiple_of(self.width) {
                self.commas.push((comma, commas / self.width));
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
        let text = &format!("[{text}");
        let blob = Blob::from_bytes(text.as_bytes());
        let section = Section { name: "edges", start: 1, end: text.len() as u64, closed: false };
        let counted = count(&blob, &section, 3).expect("memory never fails")?;
        assert_eq!(text.as_bytes()[counted.end as usize], b']', "{text}");
        assert!(!text[1..counted.end as usize].contains(']'), "{text}");
        Some(counted.ints)
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
    fn a_list_is_cut_in_pieces_of_whole_records() {
        for separator in [",", "\n,"] {
            for n in [200u64, 333, 666, 1000, 400_000] {
                let list: Vec<_> = (0..n).map(|i| (i * i * 77).to_string()).collect();
                let text = format!("[{}]", list.join(separator));
                let blob = Blob::from_bytes(text.as_bytes());
                let section = Section { name: "edges", start: 1, end: text.len() as u64 - 1, closed: true };
                let counted = count(&blob, &section, 3).expect("memory never fails");
                let pieces = counted.expect("a list as V8 writes it").pieces();
                // The last block of a list is not cut, which matters in short ones.
                let all = PIECES as usize;
                let enough = pieces.len() == all || n < 500 && pieces.len() > all * 3 / 4;
                assert!(enough, "{n}: {}", pieces.len());
                let mut read = Vec::new();
                for &Piece { section: Section { start, end, .. }, first } in &pieces {
                    assert_eq!(read.len(), 3 * first as usize);
                    let part = text[start as usize..end as usize].trim_ascii_end();
                    assert!(part.len() + 50 > text.len() / all && part.len() < text.len() / all + 90);
                    read.extend(part.split(',').map(str::trim_ascii));
                }
                assert_eq!(read, list);
            }
        }
    }

    #[test]
    fn any_other_list_is_left_to_the_lexer() {
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
