use heap_record::testing::Recorder;

use super::make::{HOTSPOT, Style, sample};
use super::{SUMS, nodes, read, read_as};
use crate::Options;

/// Objects in the order of the file, by identifier.
fn objects(recorder: &Recorder) -> Vec<i64> {
    let nodes = recorder.all_nodes().into_iter();
    nodes
        .filter(|node| node.id > 0 && recorder.node_type(node.subtype) != "java.class")
        .map(|n| n.id)
        .collect()
}

#[test]
fn what_is_intact_before_a_cut_is_delivered() {
    for segments in [false, true] {
        let bytes = sample(Style { segments, ..HOTSPOT });
        let all = objects(&read(&bytes));
        let mut most = 0;
        for len in 0..bytes.len() {
            let recorder = read(&bytes[..len]);
            let found = objects(&recorder);
            assert!(all.starts_with(&found), "cut at {len}");
            assert!(found.len() >= most, "cut at {len}: fewer than before");
            assert_eq!(recorder.problems(), Vec::<String>::new(), "cut at {len}");
            most = found.len();
            assert!(recorder.error.is_some(), "cut at {len}: no error");
            read_as(&bytes[..len], Options::default(), SUMS);
        }
        assert_eq!(most, all.len());
    }
}

#[test]
fn flipped_bytes_do_no_harm() {
    let intact = sample(Style { segments: true, ..HOTSPOT });
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let mut errors = 0;
    for _ in 0..10_000 {
        let mut bytes = intact.clone();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            bytes[at] = next(256) as u8;
        }
        let recorder = read(&bytes);
        errors += usize::from(recorder.error.is_some());
        assert!(nodes(&recorder).len() < 200);
    }
    assert!((1000..10_000).contains(&errors), "{errors}");
}

#[test]
fn claims_beyond_the_file_cost_no_memory() {
    let head = |id_size: u8| [b"JAVA PROFILE 1.0.2\0\0\0\0".as_slice(), &[id_size], &[0; 8]].concat();
    let huge = [0xff; 4];
    let heap = |sub: &[u8]| [&head(8)[..], &[0x1c, 0, 0, 0, 0], &huge, sub].concat();
    let cases: [(Vec<u8>, &str); 7] = [
        (head(3), "identifiers of 3 bytes"),
        ([&head(8)[..], &[1, 0, 0, 0, 0], &huge, b"text"].concat(), "ends early"),
        (heap(&[&[0x21][..], &[0; 20], &huge].concat()), "ends early"),
        (heap(&[&[0x22][..], &[0; 12], &huge, &[0; 8]].concat()), "ends early"),
        (heap(&[&[0x23][..], &[0; 12], &huge, &[11]].concat()), "ends early"),
        (heap(&[&[0x20][..], &[0; 40]].concat()), "ends early"),
        (heap(&[0x44; 40]), "unknown sub-record 0x44"),
    ];
    for (bytes, expected) in cases {
        let error = read(&bytes).error.unwrap_or_default();
        assert!(error.contains(expected) && error.starts_with("byte "), "{error}: {expected}");
    }
}
