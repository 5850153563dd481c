//! Whole numbers that are written with a fraction, as `4.0`.

use std::io::{self, Read};

/// Bytes read at a time.
const PIECE: usize = 64 << 10;

/// Whether `head` has a list that begins with such a number.
pub(crate) fn is_written_so(head: &[u8]) -> bool {
    let mut at = 0;
    while let Some(i) = head.get(at..).and_then(|rest| memchr::memchr2(b'"', b'.', rest)) {
        at += i;
        if head[at] == b'.' && begins_list(&head[..at], &head[at + 1..]) {
            return true;
        }
        at = if head[at] == b'"' { super::texts::end(head, at + 1) + 1 } else { at + 1 };
    }
    false
}

/// Whether a point between these is that of a whole number which is the first of a list.
fn begins_list(before: &[u8], behind: &[u8]) -> bool {
    let digits = before.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let zeros = behind.iter().take_while(|b| **b == b'0').count();
    let next = behind[zeros..].trim_ascii_start().first();
    digits > 0
        && zeros > 0
        && before[..before.len() - digits].trim_ascii_end().ends_with(b"[")
        && matches!(next, Some(b',' | b']'))
}

/// Gives JSON without the fractions of whole numbers.
pub(super) struct Whole<R> {
    input: R,
    raw: Vec<u8>,
    text: Vec<u8>,
    at: usize,
    string: bool,
    escaped: bool,
    /// Whether the last byte was a digit of a number.
    digit: bool,
    /// Zeros that have come behind a point.
    zeros: Option<usize>,
}

impl<R: Read> Whole<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            raw: vec![0; PIECE],
            text: Vec::new(),
            at: 0,
            string: false,
            escaped: false,
            digit: false,
            zeros: None,
        }
    }

    fn byte(&mut self, byte: u8) {
        if self.string {
            self.string = byte != b'"' || self.escaped;
            self.escaped = byte == b'\\' && !self.escaped;
        } else if let Some(zeros) = self.zeros {
            if byte == b'0' {
                self.zeros = Some(zeros + 1);
                return;
            }
            // A fraction that is not all zeros stays, and so does what is no number.
            if zeros == 0 || byte.is_ascii_digit() || matches!(byte, b'e' | b'E' | b'.') {
                self.text.push(b'.');
                self.text.extend(std::iter::repeat_n(b'0', zeros));
            }
            self.zeros = None;
            self.digit = false;
            self.string = byte == b'"';
        } else if byte == b'.' && self.digit {
            self.zeros = Some(0);
            return;
        } else {
            self.digit = byte.is_ascii_digit();
            self.string = byte == b'"';
        }
        self.text.push(byte);
    }
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            self.text.clear();
            self.at = 0;
            let n = self.input.read(&mut self.raw)?;
            if n == 0 {
                // A fraction that was cut off is a number that was cut off.
                return if self.zeros.take().is_some() { (&b"."[..]).read(buf) } else { Ok(0) };
            }
            for i in 0..n {
                self.byte(self.raw[i]);
            }
        }
        let n = (&self.text[self.at..]).read(buf)?;
        self.at += n;
        Ok(n)
    }
}
