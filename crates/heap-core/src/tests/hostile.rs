//! Cores that are cut off, or in which bytes are wrong: an error or what is intact, never a panic.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use heap_record::wants::{Nodes, SumBy};
use heap_record::{Discard, NodeBatch, Sink, SnapshotSelector, Wants};

use super::{dump, record, sample};
use crate::elf;

/// Numbers that look like chance and are the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn a_core_cut_anywhere_gives_what_is_there() {
    let bytes = sample("22");
    let intact = record(bytes.clone()).all_nodes().len();
    let mut most = 0;
    for part in 0..8 {
        let cut = bytes.len() * part / 8;
        let recorder = record(bytes[..cut].to_vec());
        let nodes = recorder.all_nodes().len();
        assert!(nodes <= intact, "{nodes} nodes at byte {cut}");
        assert!(recorder.error.is_some(), "no error at byte {cut}");
        most = most.max(nodes);
    }
    assert!(most > intact / 2, "{most} of {intact}");
}

/// Adds up the objects that a source counts.
#[derive(Default)]
struct Counted(u64);

impl Sink for Counted {
    fn wants(&self) -> Wants {
        Wants { nodes: Nodes::Sums(SumBy::Class), ..Wants::HEAD }
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> heap_base::Result {
        batch.try_for_each(|node| {
            self.0 += node.heap.count.unwrap_or(1);
            Ok(())
        })
    }
}

#[test]
fn a_core_cut_at_many_places_counts_no_more_than_there_is() {
    let bytes = sample("24");
    let counted = |length: usize| {
        let mut sink = Counted::default();
        let result = crate::read(&dump(bytes[..length].to_vec()), SnapshotSelector::Last, &mut sink);
        (sink.0, result)
    };
    let (all, whole) = counted(bytes.len());
    whole.unwrap();
    let mut most = 0;
    for place in 0..120 {
        // At ends of words and within them.
        let cut = bytes.len() * place / 120 + place % 9;
        let (some, result) = counted(cut);
        assert!(result.is_err(), "no error at byte {cut}");
        assert!(some <= all, "{some} of {all} at byte {cut}");
        most = most.max(some);
    }
    assert!(most > all / 2, "{most} of {all}");
}

#[test]
fn headers_cut_at_any_byte_are_errors() {
    let bytes = sample("20");
    for cut in 0..200 {
        assert!(crate::read(&dump(bytes[..cut].to_vec()), SnapshotSelector::Last, &mut Discard).is_err());
    }
}

#[test]
fn flipped_bits_do_no_harm() {
    let bytes = sample("24");
    let mut random = Random(0x5eed);
    for round in 0..8 {
        let mut damaged = bytes.clone();
        // Words with references are hit more often than texts: whole words are replaced, too.
        for _ in 0..1 << (2 * round) {
            let at = random.next() as usize % (damaged.len() - 8);
            match random.next() % 3 {
                0 => damaged[at] ^= 1 << (random.next() % 8),
                1 => damaged[at & !7..][..8].copy_from_slice(&random.next().to_le_bytes()),
                _ => {
                    let from = (random.next() as usize % (bytes.len() - 8)) & !7;
                    damaged[at & !7..][..8].copy_from_slice(&bytes[from..from + 8]);
                }
            }
        }
        let recorder = record(damaged);
        assert_eq!(recorder.problems(), Vec::<String>::new(), "round {round}");
    }
}

#[test]
fn a_count_of_segments_beyond_16_bits_stands_in_the_first_section() {
    let mut bytes = sample("20");
    let count = elf::u16_at(&bytes, 56);
    let section = bytes.len() as u64;
    bytes[40..48].copy_from_slice(&section.to_le_bytes());
    bytes[56..58].copy_from_slice(&u16::MAX.to_le_bytes());
    let mut header = [0; 64];
    header[44..48].copy_from_slice(&u32::from(count).to_le_bytes());
    bytes.extend_from_slice(&header);
    assert_eq!(record(bytes).all_nodes().len(), record(sample("20")).all_nodes().len());
}

#[test]
fn a_core_of_another_program_is_refused() {
    let mut bytes = sample("20");
    // No page agrees with its space any more.
    let start = elf::Elf::open(&dump(bytes.clone())).unwrap().segments[0].offset as usize;
    bytes[start..].fill(0);
    let error = crate::read(&dump(bytes), SnapshotSelector::Last, &mut Discard).unwrap_err();
    assert!(error.to_string().starts_with("no heap pages of V8 in this core"), "{error}");
}
