//! Numbers, read one by one and skipped.

use heap_base::Blob;

use super::twin::{signed, unsigned};
use crate::source::Source;
use crate::window::{Fault, Window};

fn window(bytes: &[u8]) -> Window {
    let mut window = Window::new(&Source::open(&Blob::from_bytes(bytes)).unwrap(), 0);
    window.near().unwrap();
    window
}

/// The slow twin: one byte at a time.
fn plain(bytes: &[u8]) -> Result<(u64, usize), Fault> {
    let mut n = 0u128;
    for (i, &byte) in bytes.iter().enumerate() {
        if i == 10 {
            return Err(Fault::Number);
        }
        n |= u128::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            return u64::try_from(n).map(|n| (n, i + 1)).map_err(|_| Fault::Number);
        }
    }
    Err(if bytes.len() >= 10 { Fault::Number } else { Fault::Ends })
}

#[test]
fn numbers_of_every_length() {
    for shift in 0..64 {
        for n in [1u64 << shift, (1 << shift) - 1, u64::MAX >> shift, 0x5555_5555_5555_5555 >> shift] {
            let mut bytes = Vec::new();
            unsigned(&mut bytes, n);
            let mut w = window(&bytes);
            assert_eq!(w.number(), Ok(n));
            assert_eq!(w.offset(), bytes.len() as u64);
            for end in 0..bytes.len() {
                assert_eq!(window(&bytes[..end]).number(), Err(Fault::Ends), "{n} cut to {end}");
            }
            for n in [n as i64, (n as i64).wrapping_neg()] {
                let mut bytes = Vec::new();
                signed(&mut bytes, n);
                let mut w = window(&bytes);
                assert_eq!(w.integer().map(|(_, signed)| signed), Ok(n));
                assert_eq!(w.offset(), bytes.len() as u64);
            }
        }
    }
}

#[test]
fn long_forms_are_taken_and_too_long_ones_are_not() {
    let cases: [(&[u8], Result<u64, Fault>); 6] = [
        (b"\x80\x00", Ok(0)),
        (b"\xff\x80\x80\x80\x80\x80\x80\x80\x80\x00", Ok(127)),
        (b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", Ok(u64::MAX)),
        (b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", Err(Fault::Number)),
        (b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", Err(Fault::Number)),
        (b"\xff\xff\xff\xff\xff\xff\xff\xff\xff", Err(Fault::Ends)),
    ];
    for (bytes, expected) in cases {
        assert_eq!(window(bytes).number(), expected, "{bytes:x?}");
        assert_eq!(window(bytes).skip_numbers(1), expected.map(|_| ()), "{bytes:x?}");
    }
    assert_eq!(window(b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f").integer(), Ok((1 << 63, i64::MIN)));
}

#[test]
fn skipping_equals_reading() {
    arbtest::arbtest(|u| {
        // Mostly short numbers; now and then long runs of bytes that do not end one.
        let mut bytes = Vec::new();
        while !u.is_empty() {
            let n: u64 = u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?;
            unsigned(&mut bytes, n);
            if u.ratio(1, 24)? {
                let run = u.int_in_range(1..=11)?;
                bytes.resize(bytes.len() + run, 0x80);
            }
        }
        let count = u.int_in_range(0..=bytes.len() as u64 + 1)?;
        let mut at = 0;
        let slow = (0..count).try_for_each(|_| plain(&bytes[at..]).map(|(_, len)| at += len));
        let mut w = window(&bytes);
        let fast = w.skip_numbers(count);
        assert_eq!(fast, slow);
        if slow.is_ok() {
            assert_eq!(w.offset(), at as u64);
        }
        let mut w = window(&bytes);
        let read = (0..count).try_for_each(|_| w.near().and_then(|()| w.reference().map(|_| ())));
        assert_eq!(read, slow);
        Ok(())
    });
}
