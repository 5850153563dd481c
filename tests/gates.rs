//! Gates that cannot fail, or whose rows mean nothing, are errors: status 2 with a reason, and no report.

use crate::harness::Scratch;

/// A call of a tool with its gate, and what standard error has to say. `$1` to `$3` are dumps of one process in order,
/// `$x` is one of another process; `$profiles` and `$snapshots` are two each, the younger one first.
const CANNOT: &[(&str, &str)] = &[
    // Growth of one dump.
    ("heap-suspects --fail-on 'growth > 1M' $1", "two dumps or more"),
    ("heap-suspects --fail-on 'growth > 0' $3", "two dumps or more"),
    ("heap-suspects --fail-on 'turnover > 0' $3", "two dumps or more"),
    ("heap-suspects --fail-on 'kind = growth' $3", "two dumps or more"),
    ("heap-suspects --fail-on 'kind in (growth)' $3", "two dumps or more"),
    ("heap-suspects --fail-on 'growth > 5% of total' $3", "two dumps or more"),
    ("heap-suspects --fail-on 'kind = growth or growth > 1K' $3", "two dumps or more"),
    ("heap-suspects --fail-on 'kind = accumulation and growth > 1K' $3", "two dumps or more"),
    ("heap-trend --fail-on 'growth = steady' $1", "two dumps or more"),
    ("heap-trend --fail-on 'growth = steady and size > 1M' $1", "two dumps or more"),
    ("heap-trend --fail-on 'slope > 0' $1", "two dumps or more"),
    ("heap-trend --fail-on 'count_slope > 10' $1", "two dumps or more"),
    ("heap-trend --fail-on 'size_delta > 1M' $1", "two dumps or more"),
    ("heap-trend --fail-on 'size_delta > 5%' $1", "two dumps or more"),
    ("heap-trend --fail-on 'count_delta > 5%' $1", "two dumps or more"),
    ("heap-trend --fail-on 'retained_delta > 1M' $1", "two dumps or more"),
    ("heap-trend --fail-on 'fit > 0.9' $1", "two dumps or more"),
    // One dump or two never prove a leak.
    ("heap-suspects --fail-on 'level = leak' $3", "three dumps or more"),
    ("heap-suspects --fail-on 'level = leak and share > 0.1' $3", "three dumps or more"),
    ("heap-suspects --fail-on 'level = leak' $1 $3", "three dumps or more"),
    ("heap-suspects --fail-on 'level in (leak)' $1 $3", "three dumps or more"),
    ("heap-suspects --fail-on 'kind = growth and level = leak' $1 $3", "three dumps or more"),
    // Patterns that nothing in the input matches.
    ("heap-suspects --fail-on 'class ~ Sesion*' $3", "nothing in the input matches 'Sesion*'"),
    ("heap-suspects --fail-on 'class =~ ^Sesion$' $3", "nothing in the input matches '^Sesion$'"),
    ("heap-suspects --fail-on 'holds ~ Sesion*' $1 $2 $3", "nothing in the input matches 'Sesion*'"),
    ("heap-suspects --fail-on 'behind ~ *Sesion*' $1 $2 $3", "nothing in the input matches '*Sesion*'"),
    ("heap-sum --fail-on 'class ~ Sesion* and count > 0' $3", "nothing in the input matches 'Sesion*'"),
    ("heap-sum --fail-on 'class =~ \"^Sesion\" and count > 0' $3", "nothing in the input matches '^Sesion'"),
    ("heap-sum --by subtype --fail-on 'subtype ~ obejct*' $3", "nothing in the input matches 'obejct*'"),
    ("heap-trend --fail-on 'class ~ Sesion* and size > 1' $1 $3", "nothing in the input matches 'Sesion*'"),
    ("heap-diff --fail-on 'class ~ Sesion* and count_delta > 0' $1 $3", "nothing in the input matches"),
    (
        "heap-diff --classes --fail-on 'class =~ Sesion and count_delta > 0' $1 $3",
        "nothing in the input matches",
    ),
    // Columns that no row can have.
    ("heap-diff --fail-on 'leaked > 0' $1 $3", "'leaked'"),
    ("heap-diff --classes --fail-on 'new > 0' $1 $3", "'new'"),
    ("heap-sum --fail-on 'klass = Map' $3", "no column 'klass'"),
    ("heap-suspects --fail-on 'grwoth > 1M' $1 $3", "no column 'grwoth'"),
    ("heap-suspects --fail-on 'level = leek' $1 $3", "is one of leak"),
    ("heap-trend --fail-on 'growth = stedy' $1 $3", "is one of"),
    // Numbers that no row can have: a share is a part of 1.
    ("heap-suspects --fail-on 'share > 50' $1 $2 $3", "'share' is a number from 0 to 1"),
    ("heap-suspects --fail-on 'level = leak and rank < 1' $1 $2 $3", "'rank' is 1 or more"),
    ("heap-suspects --fail-on 'runtime = 2' $3", "'runtime' is a number from 0 to 1"),
    ("heap-trend --fail-on 'fit > 90' $1 $2 $3", "'fit' is a number from 0 to 1"),
    ("heap-sum --fail-on 'count < 0' $3", "'count' is 0 or more"),
    ("heap-diff --fail-on 'total.size_after < -1' $1 $3", "'total.size_after' is 0 or more"),
    // Dumps in another order, or of two processes.
    ("heap-suspects --fail-on 'growth > 1M' $3 $1", "not in the order of time"),
    ("heap-suspects --fail-on 'level = leak' $3 $2 $1", "not in the order of time"),
    ("heap-suspects --fail-on 'level = leak' $1 $3 $2", "not in the order of time"),
    ("heap-diff --fail-on 'new_size > 1G' $3 $1", "not in the order of time"),
    ("heap-diff --fail-on 'class = Map and new > 1M' $2 $1", "not in the order of time"),
    ("heap-diff --fail-on 'new_size > 1G' $1 $x", "different processes"),
    ("heap-diff --fail-on 'count_delta < 1T' $3 $1", "not in the order of time"),
    ("heap-diff --fail-on 'count_delta > 1T' $profiles", "not in the order of time"),
    ("heap-diff --classes --fail-on 'count_delta > 1T' $profiles", "not in the order of time"),
    ("heap-trend --fail-on 'count_delta > 1T' $profiles", "not in the order of time"),
    ("heap-diff --fail-on 'size_delta > 1T' $snapshots", "not in the order of time"),
    // Whatever rows say, where they mean nothing.
    ("heap-diff --fail-on 'gone > 0' $1 $x", "different processes"),
    ("heap-suspects --fail-on 'share > 0' $1 $x", "cannot be judged"),
    ("heap-suspects --fail-on 'external > 0' $1 $2 $3", "outside of the heap"),
    ("heap-suspects --fail-on 'growth > 1T and external > 0' $1 $2 $3", "outside of the heap"),
    ("heap-suspects --fail-on 'snapshot = 1' $1 $2 $3", "has one heap"),
    ("heap-trend --fail-on 'count >= 0' $3 $1", "not in the order of time"),
    // Of a dump that is there twice nothing has grown.
    ("heap-diff --fail-on 'count_delta > 0' $3 $3", "it may be the same dump"),
    (
        "heap-diff --fail-on 'size_delta > 0' data/java/shop.hprof.zst data/java/shop.hprof.zst",
        "the same dump",
    ),
    ("heap-trend --fail-on 'size_delta > 0' $3 $3", "it may be the same dump"),
    ("heap-suspects --fail-on 'growth > 1T' $3 $3", "it may be the same dump"),
    // So it is of a selection, which has few objects of the dump.
    ("heap-diff --class Map --fail-on 'count_delta > 0' $3 $3", "it may be the same dump"),
    ("heap-diff --class Map --fail-on 'count_delta > 1T' $3 $1", "not in the order of time"),
    ("heap-diff --class Map --fail-on 'gone > 0' $1 $x", "different processes"),
    // Of a file that does not say when it was taken.
    ("heap-diff --fail-on 'size_delta > 0' $ruby $ruby", "is the file of number 1 again"),
    ("heap-trend --fail-on 'size_delta > 1T' $v3 $v3", "is the file of number 1 again"),
    ("heap-suspects --fail-on 'growth > 1T' $ruby $ruby", "is the file of number 1 again"),
    // What the gate says cannot be written, or what it is to be held against cannot be read.
    ("heap-sum --fail-on 'size > 1T' --report junit=none/gate.xml $3", "none/gate.xml"),
    ("heap-sum --fail-on 'size > 1T' --report gitlab=none/gate.json $3", "none/gate.json"),
    ("heap-sum --fail-on 'size > 1T' --baseline none.txt $3", "none.txt"),
    // Of a damaged input no gate is passed.
    ("heap-sum --fail-on 'size > 1T' cut.heapsnapshot", "cut.heapsnapshot"),
];

/// Gates that can be judged, and pass or fail.
const CAN: &[(&str, i32)] = &[
    ("heap-suspects --fail-on 'level = leak or share > 0.999' $3", 0),
    ("heap-suspects --fail-on 'level in (leak, large) and share > 0.999' $3", 0),
    ("heap-suspects --fail-on 'not level = leak and share > 0.999' $3", 0),
    ("heap-suspects --fail-on 'growth > 1T' $1 $3", 0),
    ("heap-suspects --fail-on 'growth < -1T' $1 $3", 0),
    ("heap-suspects --fail-on 'rank = 1 and share >= 1' $3", 0),
    ("heap-diff --fail-on 'total.size_delta < -1T' $1 $3", 0),
    ("heap-trend --fail-on 'slope < -1T' $1 $3", 0),
    ("heap-suspects --fail-on 'growth > 1K' $1 $3", 1),
    ("heap-suspects --fail-on 'level = leak and path ~ *nowhere*' $1 $2 $3", 0),
    ("heap-sum --fail-on 'class ~ Map and count > 1M' $3", 0),
    ("heap-sum --fail-on 'class ~ Ma* or class ~ Sesion*' $3", 1),
    ("heap-trend --fail-on 'count > 1' $1", 1),
    ("heap-trend --fail-on 'size_delta > 1T' $1 $3", 0),
    ("heap-diff --fail-on 'class ~ Ma* and new_size > 1T' $1 $3", 0),
    ("heap-diff --fail-on 'leaked > 1M' $1 $2 $3", 0),
    // That objects are of another process is no matter where classes alone are compared.
    ("heap-diff --classes --fail-on 'count_before > 0' $1 $x", 1),
    // A row that fails answers, though a dump is there twice.
    ("heap-diff --fail-on 'count_after > 0' $3 $3", 1),
    ("heap-trend --fail-on 'count > 0' $3 $3", 1),
];

fn script(command: &str) -> String {
    let dumps =
        (1..=3).map(|n| format!("data/suspects/growing-{n}.heapsnapshot.zst")).collect::<Vec<_>>().join(" ");
    let more = "x=data/suspects/cache.heapsnapshot.zst; profiles='data/pprof/orders-3.pb.gz data/pprof/orders-1.pb.gz'; \
                snapshots='data/moarvm/v3.mvmheap@1 data/moarvm/v3.mvmheap@0'; v3=data/moarvm/v3.mvmheap; ruby=data/ruby/cache-1.json.gz";
    format!("{more}; set -- {dumps}; {command} > out")
}

#[test]
fn gates_that_cannot_fail_are_errors() {
    let scratch = Scratch::new();
    let cut = std::fs::read(scratch.path("data/suspects/cache.heapsnapshot.zst")).expect("a sample");
    scratch.write("cut.heapsnapshot", &cut[..cut.len() / 2]);
    for (command, why) in CANNOT {
        let run = scratch.bash(&script(command));
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains(why), "{command}: {said}");
    }
}

#[test]
fn gates_that_can_fail_are_judged() {
    let scratch = Scratch::new();
    for (command, status) in CAN {
        let run = scratch.bash(&script(command));
        assert_eq!(run.status.code(), Some(*status), "{command}: {}", String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn a_gate_that_cannot_be_judged_writes_no_report() {
    let scratch = Scratch::new();
    let run = scratch.bash(&script("heap-suspects --fail-on level=leak --report junit=gate.xml $3"));
    assert_eq!(run.status.code(), Some(2));
    assert!(!scratch.path("gate.xml").exists());
}

/// A text that nothing has is most likely misspelt; a gate that asks for it says so and passes.
#[test]
fn texts_that_nothing_has_are_named() {
    let scratch = Scratch::new();
    for (command, warning) in [
        ("heap-suspects --fail-on 'class = Sesion' $1 $2 $3", "no row has the class 'Sesion' of --fail-on"),
        ("heap-suspects --fail-on 'holds = Sesion' $3", "no row has the holds 'Sesion' of --fail-on"),
        (
            "heap-suspects --fail-on 'level = leak and path ~ *nowhere*' $1 $2 $3",
            "'*nowhere*' of --fail-on matches the path of no row",
        ),
        ("heap-suspects --fail-on 'class = Map and share > 0.999' $3", ""),
        ("heap-suspects --fail-on 'class = (closure) and share > 0.999' $3", ""),
        ("heap-suspects --fail-on 'level = large and share > 0.999' $3", ""),
        ("heap-diff --fail-on 'class = Sesion' $1 $3", "no row has the class 'Sesion' of --fail-on"),
        ("heap-diff --by package --fail-on 'package = nobody' $1 $3", "no row has the package 'nobody' of"),
        ("heap-diff --fail-on 'class = Map and count_delta > 1T' $1 $3", ""),
        ("heap-trend --by subtype --fail-on 'subtype = obejct' $1 $3", "no row has the subtype 'obejct' of"),
        ("heap-sum --by name --fail-on 'name = nobody' $3", "no row has the name 'nobody' of --fail-on"),
        ("heap-sum --fail-on 'class = Map and count > 1T' $3", ""),
    ] {
        let run = scratch.bash(&script(command));
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{command}: {said}");
        let fits = if warning.is_empty() { !said.contains("--fail-on") } else { said.contains(warning) };
        assert!(fits, "{command}: {said}");
    }
}
