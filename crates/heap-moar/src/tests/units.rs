//! Parts against slow twins: ends of zstd frames, owners of references, strings of version 1.

use heap_base::Blob;
use heap_record::SnapshotSelector;
use zstd::stream::raw::CParameter;

use super::records::read;
use crate::bytes::Cursor;
use crate::frame::{Extent, extent};
use crate::ranges::Ranges;
use crate::rows::Rows;

#[test]
fn frames_end_where_the_decoder_says() {
    arbtest::arbtest(|u| {
        let contents: Vec<u8> = (0..u.int_in_range(0..=300_000)?).map(|i: u32| (i >> 7) as u8).collect();
        let mut encoder =
            zstd::stream::write::Encoder::new(Vec::new(), u.int_in_range(-5..=12)?).expect("an encoder");
        encoder.set_parameter(CParameter::ChecksumFlag(u.arbitrary()?)).expect("a flag");
        if u.arbitrary()? {
            encoder.set_pledged_src_size(Some(contents.len() as u64)).expect("a size");
        }
        std::io::Write::write_all(&mut encoder, &contents).expect("memory");
        let packed = encoder.finish().expect("memory");
        let at = u.int_in_range(0..=9)?;
        let file = [&vec![7; at][..], &packed, b"more"].concat();
        let blob = Blob::from_bytes(&file[..]);
        let end = (at + packed.len()) as u64;
        let walk = |end: u64| extent(&mut Cursor::new(&blob, at as u64, end, 64)).expect("memory");
        assert_eq!(walk(file.len() as u64), Extent::Complete(end));
        assert_eq!(walk(end), Extent::Complete(end));
        assert_eq!(walk(end - 1), Extent::Cut);
        assert_eq!(walk(at as u64 + u.int_in_range(0..=packed.len() as u64 - 1)?), Extent::Cut);
        Ok(())
    });
    let blob = Blob::from_bytes(&b"not a frame at all"[..]);
    assert_eq!(extent(&mut Cursor::new(&blob, 3, 18, 64)).expect("memory"), Extent::Bad(3));
}

#[test]
fn owners_are_those_of_a_search_through_all_rows() {
    arbtest::arbtest(|u| {
        let mut rows = Rows::default();
        let tiling = u.arbitrary()?;
        let n: u64 = u.int_in_range(0..=12)?;
        let mut next = 0;
        let mut ranges = Vec::new();
        for _ in 0..n {
            let count = u.int_in_range(0..=4)?;
            let start = if tiling { next } else { u.int_in_range(0..=20)? };
            next += count;
            ranges.push((start, count));
        }
        // Rows are in any order.
        for i in (1..ranges.len()).rev() {
            let j = u.int_in_range(0..=i)?;
            ranges.swap(i, j);
        }
        rows.kind = ranges.iter().map(|r| if r.1 == 3 { 10 } else { 1 }).collect();
        rows.start = ranges.iter().map(|r| r.0).collect();
        rows.count = ranges.iter().map(|r| r.1).collect();
        let mut kept = Ranges::new(u64::MAX);
        kept.add(&rows);
        let total = ranges.iter().map(|r| r.1).sum::<u64>();
        let claims = |at: u64| ranges.iter().filter(move |r| (r.0..r.0 + r.1).contains(&at)).count();
        let tiles = (0..total).all(|at| claims(at) == 1);
        assert_eq!(kept.tile(), tiles);
        assert!(tiles || !tiling);
        let counts = (!tiles).then(|| ranges.iter().map(|r| r.1 as u32).collect());
        let mut owners = kept.sort(counts);
        let mut at = 0;
        while at < 60 {
            let (owner, until) = owners.at(at);
            assert!(until > at);
            for at in at..until.min(60) {
                let row = |(i, r): (usize, &(u64, u64))| (r.1 > 0 && r.0 <= at).then_some((r.0, i));
                // The last start wins; what lies beyond its range is no one's.
                let last = ranges.iter().enumerate().filter_map(row).max();
                let twin = last.filter(|&(start, i)| at < start + ranges[i].1).map(|(_, i)| i as u64);
                assert_eq!(owner.map(|o| o.row), twin, "{ranges:?} {at}");
                assert!(owner.is_none_or(|o| o.intergen == (ranges[o.row as usize].1 == 3)));
            }
            at = until;
        }
        Ok(())
    });
}

#[test]
fn more_than_words_can_hold_is_refused() {
    for (start, count, fits) in
        [(0, 1, true), ((1 << 33) - 2, 1, true), (1 << 33, 1, false), (u64::MAX, 9, false)]
    {
        let mut ranges = Ranges::new(10);
        let (start, count) = (vec![start], vec![count]);
        ranges.add(&Rows { kind: vec![1], start, count, ..Rows::default() });
        assert_eq!(ranges.hopeless().is_none(), fits);
    }
    let mut ranges = Ranges::new(2);
    let (start, count) = (vec![0, 1, 2], vec![1, 1, 1]);
    ranges.add(&Rows { kind: vec![1; 3], start, count, ..Rows::default() });
    assert!(ranges.hopeless().is_some());
}

/// The writer of version 1 escapes nothing if the first quote or backslash is the first character.
#[test]
fn strings_of_version_1_are_read_leniently() {
    for (text, expected) in [
        (r#"["a","b"]"#, &["a", "b"][..]),
        ("[]", &[]),
        (r#"[""]"#, &[""]),
        (r#"["","",""]"#, &["", "", ""]),
        (r#"["a\"b","c\\d\\"]"#, &["a\"b", "c\\d\\"]),
        (r#"["\"","x"]"#, &["\"", "x"]),
        (r#"["\\","x"]"#, &["\\", "x"]),
        // Not escaped at all.
        (r#"["""]"#, &["\""]),
        (r#"[""quoted"","x"]"#, &["\"quoted\"", "x"]),
        (r#"["\","x"]"#, &["\\", "x"]),
        (r#"["\d+","x"]"#, &["\\d+", "x"]),
        ("[\"line\nbreak\",\"tab\there\"]", &["line\nbreak", "tab\there"]),
        (r#"["a]b","c],d"]"#, &["a]b", "c],d"]),
        (r#"["a", "b"]"#, &["a", "b"]),
    ] {
        let file = format!(
            "strings: {text}\ntypes: \nstatic_frames: \n\nsnapshot 0\ncollectables: 9,0,0,0,0,0\nreferences: \n"
        );
        let records = read(file.as_bytes(), SnapshotSelector::Last);
        assert_eq!(records.strings.into_values().collect::<Vec<_>>(), expected, "{text}");
        assert_eq!((records.error, records.head.nodes.len()), (None, 1), "{text}");
    }
}

#[test]
fn errors_of_version_1_say_where() {
    let head = "strings: [\"a\"]\ntypes: 0,0\nstatic_frames: \n\n";
    for (rest, nodes, error) in [
        ("", 0, ""),
        ("snapshot 0\ncollectables: 9,0,0,0,0,0\nreferences: \n\n", 1, ""),
        ("snapshot 0\r\ncollectables: 9,0,0,0,0,0\r\nreferences: \r\n\r\n", 1, ""),
        ("# comment\nsnapshot 0\n\ncollectables: 9,0,0,0,0,0;\nreferences: \n\n", 1, ""),
        ("snapshot 0\ncollectables: 9,0,0,0,0,0;1,0,5,0,0,0", 1, "byte 91: a snapshot ends early"),
        (
            "snapshot 0\ncollectables: 9,0,0,0,0,0;1,x,5,0,0,0\nreferences: \n",
            1,
            "byte 80: expected a row of numbers",
        ),
        ("snapshot 0\ncollectables: 9,0,0,0,0\nreferences: \n", 0, "byte 67: expected a row of numbers"),
        (
            "snapshot 0\ncollectables: 99999999999999999999,0,0,0,0,0\nreferences: \n",
            0,
            "byte 67: expected a row of numbers",
        ),
        ("what?\n", 0, "byte 43: expected a table"),
    ] {
        let records = read(format!("{head}{rest}").as_bytes(), SnapshotSelector::Last);
        assert_eq!(
            (records.head.nodes.len(), records.error.as_deref().unwrap_or_default()),
            (nodes, error),
            "{rest:?}"
        );
    }
}
