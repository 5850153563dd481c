//! Texts of every kind, made for these tests.

use super::figures::{Pair, parse};
use super::{Rule, decode, sniff};
use crate::profile::Profile;

const GPERFTOOLS: &str = "\
heap profile:      3:     3300 [     4:     4300] @ heapprofile
     2:     3000 [     3:     4000] @ 0x1101 0x1201 0x9000
     1:      300 [     1:      300] @ 0x1101

MAPPED_LIBRARIES:
00001000-00002000 r-xp 00000400 00:00 77    /opt/my app (deleted)
00008000-00009000 rw-p 00000000 00:00 0
00008000-0000a000 r-xp 00000000 08:01 5     /lib/libc.so.6
";

const JEMALLOC: &str = "\
heap_v2/4096
  t*: 5: 9000 [0: 0]
  t0: 4: 8000 [0: 0]
  t1: 1: 1000 [0: 0] a worker: 7
@ 0x1101 0x1201
  t*: 2: 4096 [0: 0]
  t0: 2: 4096 [0: 0]
@
  t*: 1: 8192 [0: 0]
  t1: 1: 8192 [0: 0] a worker: 7

MAPPED_LIBRARIES:
";

const GO: &str = "\
heap profile: 3: 304 [5: 432] @ heap/2
2: 256 [3: 384] @ 0x101 0x202 0x202 0x202 0x303 0x404
#\t0x100\tmain.leaf+0x2f\t\t/src/main.go:12
#\t0x201\tmain.rec+0x11\t\t/src/main.go:20
#\t0x201\tmain.rec+0x11\t\t/src/main.go:20
#\t0x201\tmain.rec+0x11\t\t/src/main.go:20
#\t0x302\tmain.inlined+0x5\t/src/more.go:3
#\t0x302\tmain.main+0x5\t\t/src/main.go:30

1: 48 [1: 48] @ 0x505
#\t0x504

0: 0 [1: 0] @ 0x404


# runtime.MemStats
# Alloc = 4711
# PauseNs = [1 2 3]
";

/// Samples: their values, and names or addresses of their frames, the innermost first.
fn samples(profile: &Profile) -> Vec<(Vec<i64>, Vec<String>)> {
    let text = |n: u64| String::from_utf8_lossy(profile.text(n)).into_owned();
    let frames = |id: &u64| -> Vec<String> {
        let location = profile.locations.iter().find(|l| l.id == *id).expect("a location");
        if location.lines.is_empty() {
            return vec![format!("{:#x}@{}", location.address, location.mapping)];
        }
        let line = |line: &crate::Line| {
            let function = profile.functions.iter().find(|f| f.id == line.function).expect("a function");
            format!("{} {}:{}", text(function.names[0]), text(function.names[2]), line.line)
        };
        location.lines.iter().map(line).collect()
    };
    let sample = |s: &crate::Sample| (s.values.clone(), s.locations.iter().flat_map(frames).collect());
    profile.samples.iter().map(sample).collect()
}

fn strings(all: &[&str]) -> Vec<String> {
    all.iter().map(|&s| s.to_owned()).collect()
}

#[test]
fn gperftools_counts_everything_and_knows_the_files() {
    for text in [GPERFTOOLS.to_owned(), GPERFTOOLS.replace('\n', "\r\n")] {
        let (profile, origin, damage) = decode(text.as_bytes());
        assert_eq!(damage.map(|e| e.to_string()), None);
        assert_eq!(origin.source, "gperftools.heap");
        let first = (vec![3, 4000, 2, 3000], strings(&["0x1100@1", "0x1200@1", "0x8fff@2"]));
        assert_eq!(samples(&profile), [first, (vec![1, 300, 1, 300], strings(&["0x1100@1"]))]);
        let files: Vec<_> = profile.mappings.iter().map(|m| profile.text(m.file[0])).collect();
        assert_eq!(files, [&b"/opt/my app (deleted)"[..], b"/lib/libc.so.6"]);
        assert_eq!(profile.mappings[0].range, [0x1000, 0x2000, 0x400]);
    }
}

#[test]
fn jemalloc_takes_samples_and_counts_threads_apart() {
    let (profile, origin, damage) = decode(JEMALLOC.as_bytes());
    assert_eq!(damage.map(|e| e.to_string()), None);
    // 2048 bytes of 4096: one object in 1 − e^−½ was seen; 8192: one in 1 − e^−2.
    let first = (vec![5, 10410], strings(&["0x1100@0", "0x1200@0"]));
    assert_eq!(samples(&profile), [first, (vec![1, 9474], Vec::new())]);
    let of = |key: &str| origin.metadata.iter().filter(|(k, _)| k == key).map(|(_, v)| v.as_str()).collect();
    let sampled: Vec<&str> = of("heap.sampled");
    assert_eq!(sampled, ["4096"]);
    let headers: Vec<&str> = of("profile.header");
    assert_eq!(headers.len(), 4);
    assert_eq!(headers[3], "t1: 1: 1000 [0: 0] a worker: 7");
}

#[test]
fn go_names_frames_in_comments() {
    let (profile, origin, damage) = decode(GO.as_bytes());
    assert_eq!(damage.map(|e| e.to_string()), None);
    let rec = "main.rec /src/main.go:20";
    let names = ["main.leaf /src/main.go:12", rec, rec, rec, "main.inlined /src/more.go:3"];
    let stack = [strings(&names), strings(&["main.main /src/main.go:30", "0x403@0"])].concat();
    let others = [(vec![1, 48, 1, 48], strings(&["0x504@0"])), (vec![1, 0, 0, 0], strings(&["0x403@0"]))];
    let [second, third] = others;
    assert_eq!(samples(&profile), [(vec![3, 384, 2, 256], stack), second, third]);
    assert!(origin.metadata.contains(&("go.memstats.PauseNs".to_owned(), "[1 2 3]".to_owned())));
}

#[test]
fn names_in_front_are_those_of_the_addresses() {
    let text = format!(
        "--- symbol\nbinary=/opt/app\n0x1101 leaf--inlined_into\n0x0000000000001201 main\n0x9000 0x9000\n---\n--- heap\n{GPERFTOOLS}"
    );
    assert!(sniff(text.as_bytes()));
    let (profile, _, damage) = decode(text.as_bytes());
    assert_eq!(damage.map(|e| e.to_string()), None);
    let stack = strings(&["leaf :0", "inlined_into :0", "main :0", "0x8fff@2"]);
    assert_eq!(samples(&profile)[0].1, stack);
}

#[test]
fn figures_have_any_blanks_and_signs() {
    let pair = |count, bytes| Pair { count, bytes };
    for text in ["1: 2 [3: 4] @ x", "  1:2[3:4]@ x", "1 :  2  [ 3:   4 ]  @ x"] {
        let (figures, rest) = parse(text.as_bytes()).expect("figures");
        assert_eq!((figures.live, figures.all), (pair(1, 2), pair(3, 4)));
        assert_eq!(rest.trim_ascii(), b"@ x");
    }
    let (figures, _) = parse(b"-1: -20 @").expect("figures");
    assert_eq!((figures.live, figures.all), (pair(-1, -20), pair(-1, -20)));
    for text in ["", "1", "1:", "a: 1", "1: 2 [3: 4", "1: 99999999999999999999"] {
        assert!(parse(text.as_bytes()).is_none(), "{text}");
    }
}

#[test]
fn rules_scale_as_pprof_does() {
    let pair = Pair { count: 1, bytes: 1000 };
    let scaled = |rule: Rule| rule.scale(pair);
    assert_eq!(scaled(Rule::None), pair);
    assert_eq!(scaled(Rule::Fixed(131_072.0)), Pair { count: 131, bytes: 131_072 });
    assert_eq!(scaled(Rule::Poisson(1.0)), pair);
    // 1 / (1 − e^(−1000 / 65536)) = 66.04.
    assert_eq!(scaled(Rule::Poisson(65536.0)), Pair { count: 66, bytes: 66037 });
    let none = Pair::default();
    assert_eq!(Rule::Poisson(65536.0).scale(none), none);
}

/// What is said of the sums of rows.
fn said(text: &str) -> Option<String> {
    let (_, origin, damage) = decode(text.as_bytes());
    assert!(damage.is_none(), "{damage:?}");
    let values = |key: &str| origin.metadata.iter().find(|(k, _)| k == key).map(|(_, value)| value.clone());
    assert_eq!(values("profile.note"), values("profile.warning"));
    values("profile.note")
}

#[test]
fn rows_that_are_missing_are_said_by_what_differs() {
    assert_eq!(said(GPERFTOOLS), None);
    let alive = said(&GPERFTOOLS.replace("     1:      300 [", "     0:        0 ["));
    assert_eq!(
        alive.as_deref(),
        Some(
            "the header says 3 objects of 3300 bytes, the rows have 2 objects of 3000 bytes: rows are missing"
        )
    );
    let gone = said(&GPERFTOOLS.replace("[     1:      300]", "[     0:        0]"));
    assert_eq!(
        gone.as_deref(),
        Some(
            "the header says 4 objects of 4300 bytes allocated, the rows have 3 objects of 4000 bytes allocated: \
             rows are missing"
        )
    );
    let more = said(&GPERFTOOLS.replace("     1:      300 [", "     1:      301 ["));
    assert!(more.is_some_and(|more| more.ends_with("rows were added or changed")));
}

#[test]
fn what_is_cut_off_or_glued_is_said() {
    for (text, kinds) in [(GPERFTOOLS, 1), (JEMALLOC, 0), (GO, 1)] {
        let stacks = text.find("MAPPED").or_else(|| text.find("# runtime")).expect("an end");
        let lines = text[..stacks].matches('\n').count();
        let (all, ..) = decode(text.as_bytes());
        for cut in 1..stacks {
            let (profile, origin, damage) = decode(&text.as_bytes()[..cut]);
            let found = samples(&profile);
            assert!(found.len() <= all.samples.len());
            // jemalloc's sums prove nothing: between two stacks it may have ended.
            let whole = kinds == 0 && text[..cut].ends_with('\n') && !text[..cut - 1].ends_with("202")
                || found.len() == all.samples.len();
            let noted = origin.metadata.iter().any(|(key, _)| key == "profile.note");
            assert!(damage.is_some() || noted || whole, "{cut} of {lines}: {:?}", &text[..cut]);
        }
        let (.., damage) = decode(format!("{text}{text}").as_bytes());
        assert!(damage.is_some_and(|e| e.to_string().contains("another profile")), "{text}");
    }
}

#[test]
fn other_texts_are_none() {
    for text in ["", "heap", "heap_v2/x", "goroutine profile: total 4", "--- contentionz 1 ---", "{}"] {
        assert!(!sniff(text.as_bytes()), "{text}");
    }
}

#[test]
fn flipped_bits_never_panic() {
    arbtest::arbtest(|u| {
        let mut bytes = u.choose(&[GPERFTOOLS, JEMALLOC, GO])?.as_bytes().to_vec();
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.choose_index(bytes.len())?;
            bytes[at] = u.arbitrary()?;
        }
        decode(&bytes);
        Ok(())
    });
}
