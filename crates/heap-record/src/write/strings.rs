//! String lines of the usual shape: text as the file spells it, and nothing else.
//!
//! Put together in place like edge lines. [`string_line`](super::string_line) is the obvious twin, and takes every
//! other shape.

use std::slice::from_ref;

use super::block::{Block, PAD, put, put_int};
use super::string_line;
use crate::model::{Data, Str};

/// Room for a line: 28 bytes before the identifier, a number of up to 21, the text, what is around it, and slack.
const ROOM: usize = 256 + PAD;

/// The longest text that is written in place.
const TEXT: usize = 128;

/// What comes before the identifier, with the sign and slack, and its length.
const START: (&[u8; 32], usize) = (b"{\"type\":\"string\",\"stringid\":-   ", 28);

/// What comes between the identifier and the text, with slack, and its length.
const DATA: (&[u8; 16], usize) = (b",\"data\":\"       ", 9);

/// Appends the line of `string` to `block`, whose lines come behind those of `buf`.
#[inline]
pub(super) fn line(block: &mut Block, buf: &mut Vec<u8>, string: &Str<'_>) {
    let text = match string.data {
        Data::Escaped(text) if string.rest.is_empty() && text.len() <= TEXT => Some(text.as_bytes()),
        _ => None,
    };
    if let Some(text) = text
        && block.fill::<ROOM, _>(from_ref(&string.id), |line, &id| Some(usual(line, id, text))).is_empty()
    {
        return;
    }
    block.pass_on(buf);
    string_line(buf, string);
    buf.push(b'\n');
}

/// Writes a line of the usual shape; gives its length.
#[inline]
fn usual(line: &mut [u8; ROOM], id: i64, text: &[u8]) -> usize {
    put(line, 0, START.0);
    let end = put_int(line, START.1, id) % 64;
    put(line, end, DATA.0);
    let end = end + DATA.1;
    line[end..][..text.len()].copy_from_slice(text);
    let end = end + text.len();
    put(line, end, b"\"}\n");
    end + 3
}

#[cfg(test)]
mod tests {
    use super::super::block::tests::number;
    use super::*;

    #[test]
    fn lines_are_those_of_the_twin() {
        arbtest::arbtest(|u| {
            let mut block = Block::new();
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            for _ in 0..u.int_in_range(0..=60)? {
                let text = "text, ".repeat(70);
                let text = &text[..u.int_in_range(0..=text.len())?];
                let string = Str {
                    id: number(u)?,
                    data: if u.ratio(3, 4)? { Data::Escaped(text) } else { Data::Plain(text) },
                    rest: if u.ratio(1, 5)? { b"\"heap\":{\"a\":1}" } else { b"" },
                    ..Str::default()
                };
                line(&mut block, &mut fast, &string);
                string_line(&mut slow, &string);
                slow.push(b'\n');
            }
            block.pass_on(&mut fast);
            assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&slow));
            Ok(())
        });
    }
}
