//! Damaged and hostile files: intact records are emitted, then an error says where the damage is.

use heap_base::Blob;
use heap_record::SnapshotSelector;
use heap_record::testing::Recorder;

use super::recorded::{lines, read};
use super::samples;
use super::twin::unsigned;

#[test]
fn a_cut_anywhere_leaves_the_records_before_it() {
    for snapshot in [samples::kinds(), samples::first_version(), samples::resaved()] {
        let file = snapshot.write();
        let (whole, _) = read(&file.bytes);
        let meaning = file.bytes.len() - snapshot.padding as usize;
        for cut in 0..meaning {
            let (part, error) = read(&file.bytes[..cut]);
            let objects = file.object_ends.iter().filter(|&&end| end <= cut).count();
            let classes = file.class_ends.iter().filter(|&&end| end <= cut).count();
            assert_eq!(part.nodes.len(), objects, "cut at {cut}");
            assert_eq!(part.extensions("dart.class").len(), classes, "cut at {cut}");
            let edges: usize = snapshot.objects[..objects].iter().map(|o| o.references.len()).sum();
            assert_eq!(part.edges.len(), edges, "cut at {cut}");
            // What only the end of the file says is missing: integers' width, external sizes, hashes.
            for (node, all) in part.nodes.iter().zip(&whole.nodes) {
                assert_eq!(
                    (node.subtype, node.id, node.heap.size, node.heap.class),
                    (all.subtype, all.id, all.heap.size, all.heap.class)
                );
            }
            match error {
                Some(error) => {
                    assert!(error.ends_with("ends early") || cut < 8, "{cut}: {error}");
                }
                None => assert_eq!(cut, file.hashes_at, "cut at {cut} went unnoticed"),
            }
        }
    }
}

#[test]
fn flipped_bytes_do_no_harm() {
    let file = samples::kinds().write();
    for at in 0..file.bytes.len() {
        for mask in [1, 2, 0x40, 0x80, 0xff] {
            let mut bytes = file.bytes.clone();
            bytes[at] ^= mask;
            lines(&bytes);
        }
    }
}

#[test]
fn any_bytes_do_no_harm() {
    arbtest::arbtest(|u| {
        let mut bytes = samples::kinds().write().bytes;
        for _ in 0..u.int_in_range(1..=6)? {
            let at = u.int_in_range(0..=bytes.len() - 1)?;
            let n = u.int_in_range(0..=12)?;
            let new = u.bytes(n.min(u.len()))?;
            let end = (at + u.int_in_range(0..=12)?).min(bytes.len());
            bytes.splice(at..end, new.iter().copied());
            if bytes.is_empty() {
                break;
            }
        }
        lines(&bytes);
        Ok(())
    });
}

/// Bytes of a snapshot with numbers, as written here, after the magic.
fn claims(parts: &[u64]) -> Vec<u8> {
    let mut bytes = b"dartheap".to_vec();
    for &n in parts {
        unsigned(&mut bytes, n);
    }
    bytes
}

#[test]
fn claims_allocate_nothing() {
    const HUGE: u64 = 1 << 60;
    let cases: [(&[u64], &str); 12] = [
        (&[0, HUGE], "byte 18: the header ends early"),
        (&[0, 0, 0, 0, 0, HUGE], "byte 22: class 1 ends early"),
        (&[0, 0, 0, 0, 0, 1, 0, HUGE], "byte 24: class 1 ends early"),
        (&[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, HUGE], "byte 28: class 1 ends early"),
        (&[0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, HUGE, HUGE], "byte 39: class 1 ends early"),
        (&[0, 0, 0, 0, 0, 0, HUGE, HUGE], "byte 32: object 1 ends early"),
        (&[0, 0, 0, 0, 0, 0, 0, 1, HUGE, HUGE, 0, HUGE], "byte 44: object 1 ends early"),
        (&[0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 5, HUGE, HUGE], "byte 37: object 1 ends early"),
        (&[0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 6, HUGE, 1 << 63], "byte 38: object 1 ends early"),
        (&[0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 8, HUGE], "byte 28: object 1 ends early"),
        (&[0, 0, 0, 0, 0, 0, 0, 0, HUGE], "byte 25: external property 1 ends early"),
        (&[0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 9, 0], "byte 19: object 1 has data of unknown kind 9"),
    ];
    for (parts, expected) in cases {
        let bytes = claims(parts);
        let (_, error) = read(&bytes);
        assert_eq!(error.as_deref(), Some(expected), "{parts:?}");
    }
}

#[test]
fn there_is_one_snapshot() {
    let blob = Blob::from_bytes(samples::kinds().write().bytes);
    let all = Recorder::record(|sink| crate::read(&blob, SnapshotSelector::All, sink));
    assert_eq!((all.error.as_deref(), all.values("heap.snapshot")), (None, vec![]));
    let second = Recorder::record(|sink| crate::read(&blob, SnapshotSelector::Number(1), sink));
    assert_eq!(second.error.as_deref(), Some("no snapshot 1: the file has only snapshot 0"));
}
