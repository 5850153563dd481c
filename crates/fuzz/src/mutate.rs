//! Mutations: of bytes, of numbers, of lines and pieces, of two inputs joined.

/// Numbers drawn by lot, the same for the same seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Lot(pub u64);

impl Lot {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.draw() % n as u64) as usize }
    }
}

/// Numbers that find limits.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740991",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "1e308",
];

/// Bytes that mean something to one format or another.
const PIECES: [&[u8]; 22] = [
    b"\"",
    b"\\",
    b"\\ud800",
    b"\\u0000",
    b"\n",
    b",",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b"null",
    b"\0",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
    b"\xc3\x28",
    b"{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n",
    b"{\"type\":\"metadata\",\"key\":\"heap.snapshot\",\"value\":\"1\"}\n",
    b"\"0xffffffffffffffff\"",
    b"\"heap\":{\"size\":1}",
    b"\xf0\x9f\xa6\x80",
];

/// Longest input made.
const MOST: usize = 1 << 20;

/// A mutant of `from`, with pieces of `other` perhaps.
pub fn mutate(from: &[u8], other: &[u8], lot: &mut Lot) -> Vec<u8> {
    let mut data = from.to_vec();
    for _ in 0..=lot.below(4) {
        once(&mut data, other, lot);
    }
    data.truncate(MOST);
    data
}

fn once(data: &mut Vec<u8>, other: &[u8], lot: &mut Lot) {
    let at = lot.below(data.len() + 1);
    match lot.below(13) {
        // A bit, a byte, some bytes.
        0 if at < data.len() => data[at] ^= 1 << lot.below(8),
        1 if at < data.len() => data[at] = lot.draw() as u8,
        2 => {
            for byte in data.iter_mut().skip(at).take(1 + lot.below(8)) {
                *byte = lot.draw() as u8;
            }
        }
        // Cut off, cut out, doubled.
        3 => data.truncate(at),
        4 => {
            let end = (at + 1 + small(lot)).min(data.len());
            data.drain(at.min(end)..end);
        }
        5 => {
            let end = (at + 1 + small(lot)).min(data.len());
            let piece = data[at.min(end)..end].to_vec();
            splice(data, at, &piece);
        }
        // A number in digits.
        6 | 7 => number(data, at, lot),
        8 => splice(data, at, PIECES[lot.below(PIECES.len())]),
        // A line doubled, moved or lost.
        9 => {
            let (start, end) = line(data, at);
            let piece = data[start..end].to_vec();
            match lot.below(3) {
                0 => splice(data, end, &piece),
                1 => drop(data.drain(start..end)),
                _ => {
                    data.drain(start..end);
                    let (to, _) = line(data, lot.below(data.len() + 1));
                    splice(data, to, &piece);
                }
            }
        }
        // Of another input: a line, a piece, its end.
        10 => {
            let (start, end) = line(other, lot.below(other.len() + 1));
            let (to, _) = line(data, at);
            splice(data, to, &other[start..end]);
        }
        11 => {
            let from = lot.below(other.len() + 1);
            let end = (from + small(lot)).min(other.len());
            splice(data, at, &other[from.min(end)..end]);
        }
        _ => {
            data.truncate(at);
            data.extend_from_slice(&other[at.min(other.len())..]);
        }
    }
}

fn small(lot: &mut Lot) -> usize {
    let most = 1 << lot.below(12);
    lot.below(most)
}

fn splice(data: &mut Vec<u8>, at: usize, piece: &[u8]) {
    if data.len() + piece.len() <= MOST {
        let at = at.min(data.len());
        data.splice(at..at, piece.iter().copied());
    }
}

fn line(data: &[u8], at: usize) -> (usize, usize) {
    let at = at.min(data.len());
    let start = data[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = data[at..].iter().position(|&b| b == b'\n').map_or(data.len(), |i| at + i + 1);
    (start, end)
}

/// Replaces the digits at or after `at`.
fn number(data: &mut Vec<u8>, at: usize, lot: &mut Lot) {
    let at = at.min(data.len());
    let Some(skip) = data[at..].iter().position(u8::is_ascii_digit) else { return };
    let mut start = at + skip;
    while start > 0 && data[start - 1].is_ascii_digit() {
        start -= 1;
    }
    let digits = data[start..].iter().take_while(|b| b.is_ascii_digit()).count();
    let old: u64 =
        std::str::from_utf8(&data[start..start + digits]).ok().and_then(|t| t.parse().ok()).unwrap_or(0);
    let new = match lot.below(4) {
        0 => old.wrapping_add(1).to_string(),
        1 => old.wrapping_sub(1).to_string(),
        2 => (old ^ 1 << lot.below(64)).to_string(),
        _ => NUMBERS[lot.below(NUMBERS.len())].to_owned(),
    };
    data.splice(start..start + digits, new.bytes());
}
