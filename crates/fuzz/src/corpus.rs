//! Mutates the files of a folder, and what became of them, until the time is over.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use heap_fuzz::mutate::{Lot, mutate};

use crate::trial::Trial;

/// Inputs beyond this size are left out of the corpus: they would take all the time.
const LARGE: u64 = 200 << 10;

pub(crate) fn run(mut trial: Trial, folder: &str, mut lot: Lot, time: Duration) {
    let mut inputs = Vec::new();
    gather(Path::new(folder), &mut inputs);
    inputs.sort();
    assert!(!inputs.is_empty(), "CORPUS holds files");
    let start = Instant::now();
    let mut seen = HashSet::new();
    let mut executions = 0u64;
    let mut run = |data: &[u8]| {
        executions += 1;
        seen.insert(trial.run(data))
    };
    // Only what this target makes something of: the others are all refused alike.
    let mut corpus: Vec<Vec<u8>> = Vec::new();
    for input in inputs {
        if start.elapsed() < time && run(&input) {
            corpus.push(input);
        }
    }
    let originals = corpus.len();
    while start.elapsed() < time {
        // Half of the time one that was found, the smaller the more often.
        let pick = |lot: &mut Lot| {
            let one = lot.below(corpus.len());
            let two = lot.below(corpus.len());
            if corpus[one].len() < corpus[two].len() { one } else { two }
        };
        let (from, other) = (pick(&mut lot), lot.below(corpus.len()));
        let data = mutate(&corpus[from], &corpus[other], &mut lot);
        if run(&data) && corpus.len() < 20_000 {
            corpus.push(data);
        }
    }
    println!(
        "{}: {executions} executions in {} s, {originals} files, {} kinds of outcome",
        trial.name,
        start.elapsed().as_secs(),
        corpus.len()
    );
    trial.end();
}

/// All files below a folder, unpacked.
fn gather(path: &Path, inputs: &mut Vec<Vec<u8>>) {
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, inputs);
            continue;
        }
        let Ok(bytes) = fs::read(&path) else { continue };
        let mut plain = Vec::new();
        let unpacked = match bytes.as_slice() {
            [0x1f, 0x8b, ..] => {
                flate2::read::MultiGzDecoder::new(&*bytes).take(LARGE + 1).read_to_end(&mut plain).is_ok()
            }
            [0x28, 0xb5, 0x2f, 0xfd, ..] => {
                zstd::Decoder::new(&*bytes).is_ok_and(|d| d.take(LARGE + 1).read_to_end(&mut plain).is_ok())
            }
            _ => false,
        };
        for input in [bytes, plain].into_iter().take(1 + usize::from(unpacked)) {
            if input.len() as u64 <= LARGE && !input.is_empty() {
                inputs.push(input);
            }
        }
    }
}
