//! Cut, flipped and hostile files: intact records are emitted, the error says what is wrong, and memory stays small.

use heap_base::Result;
use heap_record::wants::Edges;
use heap_record::{EdgeBatch, Extension, NodeBatch, Sink, SnapshotSelector, Wants};
use zstd::stream::raw::CParameter;

use super::make::{File, Packer, frame};
use super::records::{Records, read, read_wanting};
use super::{SAME, SUMS, blob, data};

/// Files and where to cut them: at every byte, or every seventh of the containers that differ little from others,
/// but for the 70,000 letters of the long string.
fn files() -> Vec<(&'static str, Vec<u8>, Vec<usize>)> {
    let mut small = File::new();
    for snapshot in [0, 2] {
        small.snapmeta("{}");
        add_snapshot(&mut small, &[9, 10, 1, 1], &[(3, 2), (0, 1), (1, 2), (0, 0)], &REFS);
        small.strings(&[b"a", b"bc"]);
        small.column(*b"reprname", 4, [snapshot]);
        small.column(*b"typename", 4, [snapshot + 1]);
        small.close();
    }
    let all: Vec<usize> = (0..small.bytes.len()).collect();
    let mut files = vec![("v3 small", small.bytes, all)];
    for name in SAME {
        let bytes = data(name);
        let step = if ["v1.heap", "v2-2019.11.mvmheap", "v3.mvmheap"].contains(&name) { 1 } else { 7 };
        let long = |i: usize| bytes[i.saturating_sub(20)..].starts_with(&[b'L'; 40]);
        let places = (0..bytes.len()).filter(|&i| i % if long(i) { 9973 } else { step } == 0).collect();
        files.push((name, bytes, places));
    }
    files
}

const REFS: [(u64, u64); 5] = [(1, 0), (2, 0), (0, 3), (6, 1), (2, 2)];

/// Intact snapshots of a cut file are those of the whole file, and no record is made up.
fn is_part(name: &str, n: usize, part: &Records, whole: &Records) {
    assert!(part.snapshots.len() <= whole.snapshots.len(), "{name} {n}");
    let last = part.snapshots.len().saturating_sub(1);
    for (i, (a, b)) in part.snapshots.iter().zip(&whole.snapshots).enumerate() {
        // Where names are written once, at the end, a cut file has none.
        if i < last && name != "v2-2017.12.mvmheap" {
            assert_eq!((&a.nodes, &a.edges), (&b.nodes, &b.edges), "{name} {n}");
        }
        // Rows may lack columns and names, never rows before them.
        assert!(a.nodes.len() <= b.nodes.len() && a.edges.len() <= b.edges.len(), "{name} {n}");
        let ends = |e: &String| e.split(' ').take(3).collect::<Vec<_>>().join(" ");
        assert!(a.edges.iter().zip(&b.edges).all(|(a, b)| ends(a) == ends(b)), "{name} {n}");
    }
}

#[test]
fn a_file_may_end_anywhere() {
    for (name, bytes, places) in files() {
        let whole = read(&bytes, SnapshotSelector::All);
        for n in places {
            let cut = read(&bytes[..n], SnapshotSelector::All);
            is_part(name, n, &cut, &whole);
            // Version 3 is whole after each snapshot, and the text is when the last line feed is missing or more.
            let between = name.starts_with("v3") && cut.snapshots.len() == 1 && cut.error.is_none();
            let done = name.starts_with("v3") && cut.snapshots.len() == 2 && cut.error.is_none();
            let text = name == "v1.heap" && bytes[n..].iter().all(|b| *b == b'\n')
                || name == "v1.heap" && cut.error.is_none() && bytes[..n].ends_with(b"\n");
            assert!(cut.error.is_some() || between || done || text, "{name} {n} {}", cut.snapshots.len());
            if between || done {
                assert_eq!(cut.snapshots[..], whole.snapshots[..cut.snapshots.len()], "{name} {n}");
            }
            if n % 8 > 0 {
                continue;
            }
            let last = read(&bytes[..n], SnapshotSelector::Last);
            if cut.snapshots.len() == 2
                && cut.snapshots[0] == whole.snapshots[0]
                && name != "v3-late-strings.mvmheap"
            {
                let full = [&whole.snapshots[0].edges, &whole.snapshots[1].edges];
                assert!(full.contains(&&last.head.edges), "{name} {n}: a whole snapshot is preferred");
            }
            let _ = crate::info(&blob(&bytes[..n]));
        }
    }
}

#[test]
fn dumps_of_killed_processes_are_read_as_far_as_they_go() {
    for (name, snapshots, error) in [
        ("v3-killed-between.mvmheap", &[(15, 35)][..], None),
        (
            "v3-cut-in-column.mvmheap",
            &[(15, 35), (17, 0)],
            Some("byte 2941: column reftrget ends early; snapshot 1: rows without a name in the tables: 2"),
        ),
        ("v3-cut-in-toc.mvmheap", &[(15, 35), (17, 35)], Some("byte 4097: block toc ends early")),
    ] {
        let records = read(&data(name), SnapshotSelector::All);
        let counts: Vec<_> = records.snapshots.iter().map(|s| (s.nodes.len(), s.edges.len())).collect();
        assert_eq!(counts, snapshots, "{name}");
        assert_eq!(records.error.as_deref(), error, "{name}");
    }
    // The last snapshot is the last whole one; a certain one is read without an error about the others.
    let last = read(&data("v3-cut-in-column.mvmheap"), SnapshotSelector::Last);
    assert_eq!((last.head.nodes.len(), last.head.edges.len()), (15, 35));
    assert!(last.error.is_some());
    let first = read(&data("v3-cut-in-column.mvmheap"), SnapshotSelector::Number(0));
    assert_eq!((first.head.edges.len(), first.error), (35, None));
}

/// Counts nodes, edges and extension records.
#[derive(Default)]
struct Counted(u64);

impl Sink for Counted {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.0 += batch.len() as u64;
        Ok(())
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.0 += batch.len() as u64;
        Ok(())
    }

    fn extension(&mut self, _: &Extension<'_>) -> Result {
        self.0 += 1;
        Ok(())
    }
}

#[test]
fn any_byte_may_be_wrong() {
    for (name, mut bytes, places) in files() {
        for n in places {
            let mask = [0x01, 0x80, 0xff, 0x10][n % 4];
            bytes[n] ^= mask;
            let mut counted = Counted::default();
            let _ = crate::read(&blob(&bytes), SnapshotSelector::All, &mut counted);
            let _ = crate::info(&blob(&bytes));
            assert!(counted.0 < 200_000, "{name} {n} {mask}");
            bytes[n] ^= mask;
        }
    }
}

#[test]
fn any_bytes_may_follow_the_magic() {
    let check = |magic: &[u8]| {
        arbtest::arbtest(|u| {
            let mut bytes = magic.to_vec();
            bytes.extend(u.arbitrary::<Vec<u8>>()?);
            read(&bytes, SnapshotSelector::All);
            let _ = crate::info(&blob(&bytes));
            Ok(())
        })
        .budget_ms(300)
        .run();
    };
    for magic in [&b"MoarHeapDumpv003"[..], b"MoarHeapDumpv002coll", b"strings: ["] {
        check(magic);
    }
}

/// A snapshot of `rows` objects, each with the reference range that `ranges` gives.
fn file(kinds: &[u64], ranges: &[(u64, u64)], refs: &[(u64, u64)]) -> File {
    let mut file = File::new();
    file.snapmeta("{}");
    add_snapshot(&mut file, kinds, ranges, refs);
    file.strings(&[b"R", b"T", b"\xffnot text"]);
    file.column(*b"reprname", 4, [0]);
    file.column(*b"typename", 4, [1]);
    file.close();
    file
}

fn add_snapshot(file: &mut File, kinds: &[u64], ranges: &[(u64, u64)], refs: &[(u64, u64)]) {
    let n = kinds.len();
    file.column(*b"colkind\0", 2, kinds.iter().copied());
    file.column(*b"colsize\0", 2, (0..n).map(|i| 10 + i as u64));
    file.column(*b"coltofi\0", 4, vec![0; n]);
    file.column(*b"colrfcnt", 4, ranges.iter().map(|r| r.1));
    file.column(*b"colrfstr", 8, ranges.iter().map(|r| r.0));
    file.column(*b"colusize", 8, vec![0; n]);
    file.column(*b"refdescr", 8, refs.iter().map(|r| r.0));
    file.column(*b"reftrget", 8, refs.iter().map(|r| r.1));
}

#[test]
fn ranges_that_do_not_tile_give_each_reference_one_owner() {
    let refs: Vec<_> = (0..6).map(|i| (i << 2 | 1, 0)).collect();
    let sources = |ranges: &[(u64, u64)]| {
        let records = read(&file(&vec![1; ranges.len()], ranges, &refs).bytes, SnapshotSelector::Last);
        let line = |e: &String| e.split(' ').skip(1).take(3).collect::<Vec<_>>().join(" ");
        (records.head.edges.iter().map(line).collect::<Vec<_>>(), records.error.unwrap_or_default())
    };
    let untiled = "the rows' ranges of references overlap or leave gaps";
    let (edges, error) = sources(&[(4, 2), (0, 4)]);
    assert_eq!(edges, ["3 1 \"0\"", "3 1 \"1\"", "3 1 \"2\"", "3 1 \"3\"", "1 1 \"4\"", "1 1 \"5\""]);
    assert_eq!(error, "");
    let (edges, error) = sources(&[(4, 1), (1, 2)]);
    assert_eq!(edges, ["3 1 \"1\"", "3 1 \"2\"", "1 1 \"4\""]);
    assert_eq!(error, format!("{untiled}; snapshot 0: references that belong to no row: 3"));
    let (edges, error) = sources(&[(0, 4), (2, 4)]);
    assert_eq!(edges, ["1 1 \"0\"", "1 1 \"1\"", "3 1 \"2\"", "3 1 \"3\"", "3 1 \"4\"", "3 1 \"5\""]);
    assert_eq!(error, untiled);
    let (edges, error) = sources(&[(0, 3), (3, 5)]);
    assert_eq!(edges.len(), 6);
    assert_eq!(error, "2 references are missing");
    let (edges, error) = sources(&[(0, 3)]);
    assert_eq!(edges.len(), 3);
    assert_eq!(error, "snapshot 0: references that belong to no row: 3");
}

#[test]
fn odd_numbers_are_kept_as_they_are() {
    let odd = [(7, 0), (4, 0), (5 << 2 | 2, 0), (1 << 2 | 2, 9), ((1 << 40) << 2 | 1, 0), (0, 1 << 63)];
    let records = read(&file(&[9, 200], &[(0, 6), (0, 0)], &odd).bytes, SnapshotSelector::Last);
    assert_eq!(
        records.head.edges,
        [
            "moar.reference 1 1 - \"moar\":{\"description\":7}",
            "moar.reference 1 1 - \"moar\":{\"description\":4}",
            "moar.reference 1 1 - \"moar\":{\"description\":22}",
            "moar.reference 1 19 \"T\"",
            "moar.reference 1 1 - \"moar\":{\"index\":1099511627776}",
        ]
    );
    assert_eq!(
        records.error.as_deref(),
        Some("snapshot 0: labels past the string table: 1, references past the last row: 2")
    );
    assert_eq!(records.node_types[&200], "moar.kind_200");
    assert_eq!(records.head.nodes, ["moar.root 1 10 - - 0", "moar.kind_200 3 11 - - 0"]);
    assert_eq!(records.strings[&2], "\u{fffd}not text");
    assert_eq!(records.string_rests, ["\"heap\":{\"bytes\":\"ff6e6f742074657874\"}"]);
}

#[test]
fn columns_of_different_length_are_an_error() {
    let mut short = File::new();
    short.snapmeta("{}");
    short.column(*b"colkind\0", 2, [1, 1, 1]);
    short.column(*b"colsize\0", 2, [5, 6]);
    short.column(*b"coltofi\0", 4, [0, 0, 0, 0]);
    short.column(*b"colusize", 3, [0]);
    short.close();
    let records = read_wanting(&blob(&short.bytes), SnapshotSelector::Last, SUMS);
    assert_eq!(
        records.head.nodes,
        ["moar.object 1 5 - - -", "moar.object 3 6 - - -", "moar.object 5 - - - -"]
    );
    let expected =
        "column colsize has not as many rows as its table; snapshot 0: rows without a name in the tables: 3";
    assert_eq!(records.error.as_deref(), Some(expected));
}

/// A frame of `n` bytes, all the same, some hundred bytes long.
fn bomb(byte: u8, n: usize) -> Vec<u8> {
    let mut packer = Packer::with_window(22);
    std::iter::repeat_n(byte, n).for_each(|b| packer.push(&[b]));
    packer.finish()
}

#[test]
fn a_bomb_fills_no_memory() {
    const ROWS: usize = 4 << 20;
    let mut file = File::new();
    file.snapmeta("{}");
    file.block(*b"colkind\0", Some(1), &bomb(1, ROWS));
    file.block(*b"colsize\0", Some(1), &bomb(1, ROWS));
    file.block(*b"coltofi\0", Some(1), &bomb(0, ROWS));
    file.block(*b"colrfcnt", Some(1), &bomb(1, ROWS));
    file.block(*b"colrfstr", Some(1), &bomb(0, ROWS));
    file.block(*b"colusize", Some(1), &bomb(0, ROWS));
    file.block(*b"refdescr", Some(1), &bomb(0, ROWS));
    file.block(*b"reftrget", Some(1), &bomb(0, ROWS));
    file.block(*b"reprname", Some(1), &bomb(0, 5 << 20));
    file.block(*b"typename", Some(1), &bomb(0, 5 << 20));
    file.close();
    assert!(file.bytes.len() < 8000);
    let wants = Wants { edges: Edges::ByIndex, ..SUMS };
    let records = read_wanting(&blob(&file.bytes), SnapshotSelector::Last, wants);
    assert_eq!(records.head.edges.len(), 0);
    assert_eq!(records.head.nodes, ["moar.object 1 4194304 - - 0  x4194304"]);
    let error = records.error.expect("damage");
    assert!(error.starts_with("column reprname has too many rows; "), "{error}");
}

#[test]
fn a_claimed_length_allocates_nothing() {
    let strings = |contents: &[u8]| {
        let mut file = File::new();
        file.snapmeta("{}");
        file.column(*b"colkind\0", 2, [9]);
        file.block(*b"strings\0", None, &frame(contents.iter().copied()));
        file.close();
        let records = read(&file.bytes, SnapshotSelector::Last);
        (records.strings.into_values().collect::<Vec<_>>(), records.error.unwrap_or_default())
    };
    let (snapshot, error) = strings(b"\x01\0\0\0a\xff\xff\xff\xffbc");
    assert_eq!(snapshot, ["a"]);
    assert!(error.contains("block strings is damaged"), "{error}");
    let (snapshot, error) = strings(b"\x01\0\0\0a\x00\x00\x10\x00bc");
    assert_eq!(snapshot, ["a"]);
    assert!(error.contains("block strings is damaged"), "{error}");
    let (snapshot, error) = strings(b"\x01\0\0\0a\x02\0");
    assert_eq!(snapshot, ["a"]);
    assert!(error.contains("block strings is damaged"), "{error}");
}

#[test]
fn a_window_of_128_mib_is_refused() {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).expect("an encoder");
    encoder.set_parameter(CParameter::WindowLog(27)).expect("a legal window");
    std::io::Write::write_all(&mut encoder, &[9, 0]).expect("memory");
    let mut file = File::new();
    file.snapmeta("{}");
    file.block(*b"colkind\0", Some(2), &encoder.finish().expect("memory"));
    file.close();
    let records = read(&file.bytes, SnapshotSelector::Last);
    assert!(records.head.nodes.is_empty());
    assert!(records.error.expect("damage").ends_with("column colkind is damaged"));
}

#[test]
fn a_table_of_contents_is_used_only_if_all_of_it_is_right() {
    let whole = read(&data("v3.mvmheap"), SnapshotSelector::All);
    let bytes = data("v3.mvmheap");
    // Each number in the outer table, pointed elsewhere: the blocks are then found front to back.
    let outer = u64::from_le_bytes(bytes[bytes.len() - 8..].try_into().expect("eight bytes")) as usize;
    for entry in 0..4 {
        for (field, value) in [(8, 0u64), (8, u64::MAX), (8, 16), (8, outer as u64), (16, 1 << 63)] {
            let mut bytes = bytes.clone();
            let at = outer + 16 + 24 * entry + field;
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            let records = read(&bytes, SnapshotSelector::All);
            assert_eq!(records.snapshots, whole.snapshots, "{entry} {field} {value}");
        }
    }
    let mut bytes = data("v3.mvmheap");
    bytes.extend_from_slice(b"trailing");
    let records = read(&bytes, SnapshotSelector::All);
    assert_eq!(records.snapshots, whole.snapshots);
    assert_eq!(records.error.as_deref(), Some("byte 4165: column trailing ends early"));
}
