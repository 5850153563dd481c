//! Retained sizes of heaps that do not fit in the memory that they may take.

use crate::harness::{Scratch, grown_sample, stream_sample};

/// Files with limits below what their graphs take in memory.
const FILES: &[(&str, &str)] = &[
    ("data/v8/leak-3.heapsnapshot.zst", "3M"),
    ("data/java/shop.hprof.zst", "700K"),
    ("data/ruby/cache-2.json.gz", "400K"),
    ("large.heapsnapshot", "1M"),
    ("large.ndjson", "1M"),
    ("edges-first.ndjson", "1M"),
];

fn files(scratch: &Scratch) {
    scratch.write("large.heapsnapshot", grown_sample(30_000));
    let stream = stream_sample(30_000);
    let (edges, others): (Vec<&str>, Vec<&str>) =
        stream.lines().partition(|line| line.starts_with("{\"type\":\"edge\","));
    let (nodes, head): (Vec<&str>, Vec<&str>) = others
        .into_iter()
        .partition(|line| line.starts_with("{\"type\":\"node\"") || line.contains("heap.end"));
    scratch.write(
        "edges-first.ndjson",
        [head.join("\n"), edges.join("\n"), nodes.join("\n"), String::new()].join("\n"),
    );
    scratch.write("large.ndjson", stream);
}

#[test]
fn what_goes_through_files_is_what_memory_says() {
    let scratch = Scratch::new();
    files(&scratch);
    for (file, memory) in FILES {
        // Without a folder for files it fails, so it needs one.
        let command = format!("heap-sum --sort retained -n all --json --memory {memory} {file}");
        scratch.run(&format!("TMPDIR=/nosuch {command}")).complains(
            2,
            "heap-sum: ",
            "temporary file in /nosuch",
        );
        for more in ["", "--by subtype", "--by package", "--class Array --class Class3 --class Session"] {
            let all = "heap-sum --sort retained -n all --json";
            let wanted = scratch.run(&format!("{all} {more} {file}"));
            let found = scratch.run(&format!("{all} {more} --memory {memory} {file}"));
            assert_eq!(
                (&found.out, &found.err, found.status),
                (&wanted.out, &wanted.err, wanted.status),
                "{file} {more}"
            );
        }
    }
    let left = scratch.run("ls -A tmp | grep -v '^[.]\\(out\\|err\\)$'");
    assert_eq!(left.out, "");
}

#[test]
fn a_limit_that_is_too_small_is_refused_with_one_that_would_do() {
    let scratch = Scratch::new();
    files(&scratch);
    for file in ["data/v8/leak-3.heapsnapshot.zst", "large.ndjson"] {
        let wanted = scratch.run(&format!("heap-sum --sort retained --json {file}")).quiet(0);
        let mut memory = "100K".to_owned();
        for _ in 0..4 {
            let found = scratch.run(&format!("heap-sum --sort retained --json --memory {memory} {file}"));
            if found.status == Some(0) {
                assert_eq!(found.out, wanted.out);
                break;
            }
            let found = found.complains(2, "heap-sum: ", "do not fit in ");
            let (_, more) = found.err.trim().rsplit_once(": ").expect("a limit");
            memory = more.strip_suffix(" would do").expect("a limit").to_owned();
        }
        assert_ne!(memory, "100K", "{file}");
        scratch.run(&format!("heap-sum --sort retained --json --memory {memory} {file}")).quiet(0);
    }
    scratch.run("heap-sum --retained --memory lots large.ndjson").complains(
        2,
        "heap-sum: ",
        "expected a size",
    );
}

#[test]
fn a_disk_may_be_full_in_any_phase() {
    let scratch = Scratch::new();
    files(&scratch);
    let command = "heap-sum --sort retained --json --memory 1M large.ndjson";
    let wanted = scratch.run(command).quiet(0).out;
    let mut full = 0;
    // The system refuses to make files longer than so many blocks of a kilobyte.
    for blocks in [4, 20, 40, 60, 80, 100, 120, 150, 200, 300, 400, 600, 10_000] {
        let run = scratch.run(&format!("trap '' XFSZ; ulimit -f {blocks}; {command}"));
        if run.status == Some(0) {
            assert_eq!(run.out, wanted, "{blocks}");
        } else {
            full += 1;
            run.complains(2, "heap-sum: ", "temporary file in ");
        }
    }
    assert!((1..13).contains(&full), "{full}");
}
