//! The fast lexer against its slow twin, and both against the standard library.

use std::fmt::Write as _;

use arbtest::arbitrary::Unstructured;
use heap_base::Blob;

use crate::lex::ints::{self as lex, Bad, Expect, INTS, Out, TEXT, Text};
use crate::lex::{Lexer, Section};

/// Integers, and which are negative.
type Lexed = (Vec<u64>, Vec<u32>);

/// Lexes by the slow twin alone.
fn slowly(text: &[u8]) -> (Lexed, Result<(usize, Expect), Bad>) {
    let mut ints = lex::boxed(0);
    let mut negatives = Vec::new();
    let mut expect = Expect::First;
    let mut out = Out { ints: &mut ints, n: 0, most: INTS, negatives: &mut negatives };
    let end = lex::slow(text, 0, text.len(), true, &mut expect, &mut out);
    let n = out.n;
    ((ints[..n].to_vec(), negatives), end.map(|end| (end, expect)))
}

/// Lexes as far as the fast lexer goes from each place where it may start, and the rest slowly.
fn fastly(text: &[u8]) -> (Lexed, Result<(usize, Expect), Bad>) {
    let mut buffer: Box<Text> = lex::boxed(b'7');
    buffer[..text.len()].copy_from_slice(text);
    let mut ints = lex::boxed(0);
    let mut negatives = Vec::new();
    let mut expect = Expect::First;
    let mut out = Out { ints: &mut ints, n: 0, most: INTS, negatives: &mut negatives };
    let mut pos = 0;
    let end = loop {
        let reached = lex::fast(&buffer, text.len(), pos, &mut expect, &mut out);
        match lex::slow(text, reached, reached + 1, true, &mut expect, &mut out) {
            Ok(end) if end == pos || end >= text.len() => break Ok((end, expect)),
            Ok(end) => pos = end,
            Err(bad) => break Err(bad),
        }
    };
    let n = out.n;
    ((ints[..n].to_vec(), negatives), end)
}

/// Text in one of the layouts that files have, now and then with something odd in it.
fn text(u: &mut Unstructured<'_>) -> arbtest::arbitrary::Result<String> {
    let style = u.int_in_range(0..=4)?;
    let oddity = u.ratio(1, 3)?;
    let mut text = String::new();
    for i in 0..u.int_in_range(1..=120)? {
        if i > 0 {
            text += match style {
                1 if i % 3 == 0 => "\n,",
                0 | 1 => ",",
                2 => ", ",
                3 => " ,\r\n\t",
                _ => *u.choose(&[",", "\n,", ",\n", " , ", ",,", "\n\n,", ";", ""])?,
            };
        }
        let bits = u.int_in_range(0..=64)?;
        let int = if bits == 0 { 0 } else { u.arbitrary::<u64>()? >> (64 - bits) };
        text += &int.to_string();
        if oddity && u.ratio(1, 40)? {
            let odd = [
                "-5",
                ",-9223372036854775808",
                ",-9223372036854775809",
                ",18446744073709551616",
                "é",
                ".5",
                "]",
                "00000000000000000000000",
                ",007",
                "\0",
                ":",
            ];
            text += u.choose(&odd)?;
        }
    }
    Ok(text)
}

#[test]
fn the_fast_lexer_agrees_with_the_slow_one() {
    arbtest::arbtest(|u| {
        let text = text(u)?;
        for start in 0..text.len().min(70) {
            let text = &text.as_bytes()[start..];
            assert_eq!(fastly(text), slowly(text), "{:?}", String::from_utf8_lossy(text));
        }
        Ok(())
    })
    .size_min(64)
    .size_max(4096)
    .budget_ms(1500);
}

#[test]
fn plain_text_takes_the_fast_path() {
    let numbers: Vec<u64> = (0..4000).map(|i: u64| i.pow(4) * 7 % 9_999_999_999_999_999).collect();
    for line in [usize::MAX, 3, 7] {
        let mut text = String::new();
        for (i, n) in numbers.iter().enumerate() {
            text += if i == 0 {
                ""
            } else if i % line == 0 {
                "\n,"
            } else {
                ","
            };
            text += &n.to_string();
        }
        let mut buffer: Box<Text> = lex::boxed(0);
        buffer[..text.len()].copy_from_slice(text.as_bytes());
        let mut ints = lex::boxed(0);
        let mut out = Out { ints: &mut ints, n: 0, most: INTS, negatives: &mut Vec::new() };
        let mut expect = Expect::First;
        let end = lex::fast(&buffer, text.len(), 0, &mut expect, &mut out);
        assert!(text.len() - end < 64 + 20, "{end} of {}", text.len());
        let n = out.n;
        assert_eq!(ints[..n], numbers[..n]);
    }
}

#[test]
fn any_byte_in_plain_text_is_seen() {
    let plain = (100_000..100_040).map(|n: u64| n.to_string()).collect::<Vec<_>>().join(",");
    for at in 0..plain.len() {
        for byte in 0..=255 {
            let mut text = plain.clone().into_bytes();
            text[at] = byte;
            assert_eq!(fastly(&text), slowly(&text), "{byte} at {at}");
        }
    }
}

#[test]
fn integers_of_all_lengths_are_right() {
    for limit in [9, 99, 12_345_678, 99_999_999, 100_000_000, u64::from(u32::MAX), 10_u64.pow(16), u64::MAX] {
        for n in [limit, limit - 1, limit / 10, limit / 3] {
            let text = format!("{n},").repeat(40);
            let ((ints, negatives), end) = fastly(text.as_bytes());
            assert_eq!((ints, negatives, end), (vec![n; 40], vec![], Ok((text.len(), Expect::Int))));
        }
    }
    let ((ints, negatives), _) = slowly(b"-1,2,-9223372036854775808,-0");
    assert_eq!((ints, negatives), (vec![u64::MAX, 2, 1 << 63, 0], vec![0, 2]));
}

fn batches(text: &[u8], width: usize, closed: bool) -> (Vec<u64>, Option<String>) {
    let blob = Blob::from_bytes(text);
    let section = Section { name: "nodes", start: 0, end: text.len() as u64, closed };
    let (mut ints, mut stopped) = (Vec::new(), None);
    Lexer::new(&blob, &section, width)
        .batches(true, |batch| {
            ints.extend(batch.records().flatten());
            stopped = batch.stopped(&section).map(|e| e.to_string());
            Ok(true)
        })
        .expect("memory can be read");
    (ints, stopped)
}

#[test]
fn batches_hold_whole_records_over_all_borders() {
    // Longer than several buffers and batches; positions of borders shift with the width.
    let numbers: Vec<u64> = (0..200_003).map(|i: u64| i * i).collect();
    let text = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    assert!(text.len() > 3 * TEXT);
    for width in [1, 3, 5, 6, 7, 64] {
        let (ints, stopped) = batches(text.as_bytes(), width, true);
        let whole = numbers.len() / width * width;
        assert_eq!(ints, numbers[..whole]);
        let rest = format!("byte {}: nodes: record {}: ends early", text.len(), whole / width);
        assert_eq!(stopped, (whole < numbers.len()).then_some(rest));
    }
}

#[test]
fn a_second_thread_lexes_the_same() {
    let mut text = String::new();
    let mut sum = 0u64;
    let mut n = 0u64;
    while text.len() < 9 << 20 {
        write!(text, "{},{}\n,", n % 13, n * 31).expect("memory");
        sum += n % 13 + n * 31;
        n += 1;
    }
    text.truncate(text.len() - 2);
    let (ints, stopped) = batches(text.as_bytes(), 2, true);
    assert_eq!((ints.len() as u64, ints.iter().sum::<u64>(), stopped), (2 * n, sum, None));
    let (ints, stopped) = batches(&text.as_bytes()[..text.len() - 1], 2, false);
    let early = format!("byte {}: nodes: record {}: ends early", text.len() - 1, n - 1);
    assert_eq!((ints.len() as u64, stopped), (2 * n - 2, Some(early)));
}
