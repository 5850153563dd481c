//! `heap-fuzz TARGET`: mutates the corpus for a while. `heap-fuzz TARGET FILE...`: tries these files alone.
//!
//! Environment: `SECONDS` (20), `SEED` (1), `CORPUS` (the repository's `tests/data`), `OUT` (`fuzz-out`): the input
//! at hand is always in `OUT/TARGET.current`, so that it is there whatever ends the process. An input may take
//! `LIMIT` seconds (10) and the process 2 GiB.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use heap_fuzz::mutate::{Lot, mutate};

/// Inputs beyond this size are left out of the corpus: they would take all the time.
const LARGE: u64 = 200 << 10;

/// When the input at hand was begun, in milliseconds since the start, plus one; 0 between inputs.
static BEGUN: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_default();
    let Some(target) = heap_fuzz::target(&name) else {
        let names: Vec<_> = heap_fuzz::TARGETS.iter().map(|(name, _)| *name).collect();
        eprintln!("usage: heap-fuzz TARGET [FILE...]; targets: {}", names.join(" "));
        return ExitCode::from(2);
    };
    bound();
    let files: Vec<_> = args.collect();
    if !files.is_empty() {
        for file in files {
            let seen = target(&fs::read(&file).expect("the file is readable"));
            println!("{file}: {seen:x}");
        }
        return ExitCode::SUCCESS;
    }
    let out = PathBuf::from(variable("OUT", "fuzz-out"));
    fs::create_dir_all(&out).expect("OUT is a folder");
    let mut current = File::create(out.join(format!("{name}.current"))).expect("OUT takes files");
    let corpus = PathBuf::from(variable("CORPUS", concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data")));
    let mut inputs = Vec::new();
    gather(&corpus, &mut inputs);
    inputs.sort();
    assert!(!inputs.is_empty(), "CORPUS holds files");
    let mut lot = Lot(number("SEED", 1));
    let seconds = Duration::from_secs(number("SECONDS", 20));
    let start = Instant::now();
    watch(start, name.clone());
    let mut seen = HashSet::new();
    let mut executions = 0u64;
    let mut run = |data: &[u8], current: &mut File| {
        let kept = current.seek(SeekFrom::Start(0)).and_then(|_| current.write_all(data));
        kept.and_then(|()| current.set_len(data.len() as u64)).expect("OUT takes files");
        BEGUN.store(start.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
        let told = target(data);
        BEGUN.store(0, Ordering::Relaxed);
        executions += 1;
        seen.insert(told)
    };
    // Only what this target makes something of: the others are all refused alike.
    let mut corpus: Vec<Vec<u8>> = Vec::new();
    for input in inputs {
        if start.elapsed() < seconds && run(&input, &mut current) {
            corpus.push(input);
        }
    }
    let originals = corpus.len();
    while start.elapsed() < seconds {
        // Half of the time one that was found, the smaller the more often.
        let pick = |lot: &mut Lot| {
            let one = lot.below(corpus.len());
            let two = lot.below(corpus.len());
            if corpus[one].len() < corpus[two].len() { one } else { two }
        };
        let (from, other) = (pick(&mut lot), lot.below(corpus.len()));
        let data = mutate(&corpus[from], &corpus[other], &mut lot);
        if run(&data, &mut current) && corpus.len() < 20_000 {
            corpus.push(data);
        }
    }
    let time = start.elapsed().as_secs();
    println!(
        "{name}: {executions} executions in {time} s, {originals} files, {} kinds of outcome",
        corpus.len()
    );
    let _ = fs::remove_file(out.join(format!("{name}.current")));
    ExitCode::SUCCESS
}

fn variable(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

fn number(name: &str, default: u64) -> u64 {
    variable(name, &default.to_string()).parse().expect("a number")
}

/// No input may make the process larger than 2 GiB.
fn bound() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Rlimit { current: Some(2 << 30), maximum: Some(2 << 30) };
    setrlimit(Resource::As, limit).expect("the limit is below that of the system");
}

/// Ends the process where an input takes too long.
fn watch(start: Instant, name: String) {
    let limit = number("LIMIT", 10) * 1000;
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let begun = BEGUN.load(Ordering::Relaxed);
            if begun > 0 && start.elapsed().as_millis() as u64 > begun + limit {
                eprintln!("{name}: an input takes more than {limit} ms");
                std::process::exit(3);
            }
        }
    });
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
