//! What is asked of a comparison, and what it says of itself. That its numbers are right is tested against sets, with
//! the other tools.
#![cfg(test)]

use heap_record::{Sink, SnapshotSelector, read};

use super::{Census, Diff, DiffOptions, Fate, RowFilter};
use heap_ops::select::Selection;
use heap_ops::series::Doubt;

const V8: &[(&str, &str)] = &[("target_source", "v8"), ("heap.identifier", "v8")];
const DART: &[(&str, &str)] = &[("target_source", "dart"), ("heap.identity", "dart.hash dart.class")];
const NONE: &[(&str, &str)] = &[("target_source", "memory-infra"), ("heap.identity", "none")];

/// A stream with these metadata, then these lines.
fn stream(metadata: &[(&str, &str)], lines: &[String]) -> String {
    let head = [("version_major", "1")].iter().chain(metadata);
    let head = head.map(|(key, value)| format!(r#"{{"type":"metadata","key":"{key}","value":"{value}"}}"#));
    head.chain(lines.iter().cloned()).map(|line| line + "\n").collect()
}

/// Objects with these identifiers.
fn objects(ids: std::ops::Range<u32>) -> Vec<String> {
    let line =
        |id| format!(r#"{{"type":"node","subtype":1,"identifier":{},"heap":{{"size":8}}}}"#, 2 * id + 1);
    ids.map(line).collect()
}

fn census(selection: &Selection, with_objects: bool, stream: &str) -> Census {
    let mut census = Census::new(selection.clone(), with_objects);
    read::read(stream.as_bytes(), SnapshotSelector::All, &mut census).expect("a sound stream");
    census.finish(true).expect("memory takes everything");
    census.into_report()
}

fn diff(with_objects: bool, streams: &[String]) -> Diff {
    Diff::of(streams.iter().map(|stream| census(&Selection::default(), with_objects, stream)).collect())
}

const SOURCES: &str = "the files come from different sources: only counts and sizes are compared";
const NO_IDENTITY: &str = "objects carry no lasting identity: only counts and sizes are compared";
const FEW: &str = "few objects are met again: do the files come from one process?";

#[test]
fn a_comparison_says_what_is_doubtful() {
    let some = || objects(0..20);
    let of = |metadata| stream(metadata, &some());
    let later = |metadata| stream(metadata, &objects(0..21));
    let cases: &[(&[String], &[&str])] = &[
        (&[of(V8), later(V8)], &[]),
        (&[of(V8), later(V8), stream(V8, &objects(0..22))], &[]),
        (&[of(NONE), of(NONE)], &[NO_IDENTITY]),
        (&[of(&[]), of(&[])], &[NO_IDENTITY]),
        (&[of(V8), of(NONE)], &[NO_IDENTITY]),
        (&[of(V8), later(V8), of(NONE)], &[NO_IDENTITY]),
        (&[of(V8), of(DART)], &[SOURCES]),
        (&[of(V8), later(V8), of(DART)], &[SOURCES]),
        // Identifiers of two makers are no more the same than two ways to know an object again.
        (&[of(V8), of(&[("target_source", "other"), ("heap.identifier", "v8")])], &[SOURCES]),
        // One in ten is met again, and less than that.
        (&[of(V8), stream(V8, &objects(18..40))], &[]),
        (&[of(V8), stream(V8, &objects(19..40))], &[FEW]),
        (&[of(V8), stream(V8, &[])], &[FEW]),
        (&[stream(V8, &[]), of(V8)], &[]),
    ];
    for (streams, expected) in cases {
        let compared = diff(true, streams);
        assert_eq!(compared.doubts, *expected, "{streams:#?}");
        assert_eq!(compared.by_identity, expected.iter().all(|doubt| *doubt == FEW));
        // There is no doubt where objects were not asked for.
        let classes = diff(false, streams);
        assert_eq!((classes.doubts.len(), classes.by_identity), (0, false));
    }
}

/// Of a selection all may have been exchanged; in what order dumps were taken all of their objects say.
#[test]
fn a_selection_shows_an_order_and_not_that_few_are_met_again() {
    let mut selection = Selection::default();
    assert_eq!(selection.flag("min-size", "1"), Ok(true));
    for (one, other, is_order) in [(0..20, 19..40, false), (20..40, 0..20, true)] {
        let streams = [stream(V8, &objects(one)), stream(V8, &objects(other))];
        let all = diff(true, &streams);
        assert!(!all.doubts.is_empty());
        let some = Diff::of(streams.iter().map(|s| census(&selection, true, s)).collect());
        let expected = all.doubt.filter(|_| is_order);
        assert_eq!((some.doubts.len(), some.doubt), (usize::from(is_order), expected));
    }
}

/// Of a selection, whose few objects are the same, a sample of all objects tells two processes apart.
#[test]
fn a_selection_of_two_processes_is_one() {
    let mut selection = Selection::default();
    assert_eq!(selection.flag("min-size", "100"), Ok(true));
    let of = |class: &str, last: u32| {
        let node = |id: u32| {
            let (size, class) = if id == 0 { (100, "Kept") } else { (8, class) };
            format!(
                r#"{{"type":"node","subtype":1,"identifier":{},"heap":{{"size":{size},"class":"{class}"}}}}"#,
                2 * id + 1
            )
        };
        census(&selection, true, &stream(V8, &(0..last).map(node).collect::<Vec<_>>()))
    };
    let doubt = |one: &str, other: &str| Diff::of(vec![of(one, 4000), of(other, 4001)]).doubt;
    assert_eq!(doubt("Row", "Row"), None);
    let found = doubt("Row", "Cell");
    assert!(found.as_ref().is_some_and(|of| of.text().contains("different processes")), "{found:?}");
}

/// When dumps were taken counts without identities, too, and of a selection.
#[test]
fn dumps_in_another_order_or_there_twice_are_found_by_their_time() {
    let mut selection = Selection::default();
    assert_eq!(selection.flag("min-size", "1"), Ok(true));
    let at = |time: &'static str| stream(&[("target_source", "java"), ("java.time", time)], &objects(0..3));
    for (one, other, expected) in [("7", "9", ""), ("9", "7", "Unsound"), ("7", "7", "Repeated")] {
        for selection in [&Selection::default(), &selection] {
            for with_objects in [true, false] {
                let census = |time| census(selection, with_objects, &at(time));
                let diff = Diff::of(vec![census(one), census(other)]);
                let found = diff.doubt.as_ref().map_or("", |doubt| match doubt {
                    Doubt::Unsound(_) => "Unsound",
                    Doubt::Repeated(_) => "Repeated",
                });
                assert_eq!(found, expected, "{one} {other} {with_objects}");
                assert!(diff.doubt.is_none_or(|doubt| diff.doubts.iter().any(|text| text == doubt.text())));
            }
        }
    }
    // Times of two virtual machines have nothing in common.
    let mixed = [at("9"), stream(&[("target_source", "pprof"), ("pprof.time_nanos", "7")], &objects(0..3))];
    assert_eq!(diff(false, &mixed).doubt, None);
}

/// Each field that is missing is reported once, before the doubts, whichever snapshots lack it.
#[test]
fn fields_that_no_node_has_are_reported() {
    let mut selection = Selection::default();
    assert_eq!(selection.flag("where", "v8.b=1 or v8.a=1"), Ok(true));
    let streams = [stream(NONE, &objects(0..3)), stream(NONE, &objects(0..3))];
    let diff = Diff::of(streams.iter().map(|s| census(&selection, true, s)).collect());
    assert_eq!(diff.doubts, ["no node has a field 'v8.a'", "no node has a field 'v8.b'", NO_IDENTITY]);

    // Nodes that waited for their strings have fields as all others do.
    let declared = r#"{"type":"type","name":"node","fields":{"v8.text":"string"}}"#.to_owned();
    let deferred = |id: u32, field: &str| {
        format!(
            r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":8}},"v8":{{"text":1,"{field}":1}}}}"#
        )
    };
    let stream = stream(V8, &[&[declared, deferred(1, "a"), deferred(3, "b")], &objects(5..6)[..]].concat());
    let diff = Diff::of(vec![census(&selection, true, &stream), census(&selection, true, &stream)]);
    // It is twice the same stream, and nothing else is said.
    assert_eq!((diff.doubts.len(), diff.matched), (1, (2, 2)));
}

#[test]
fn objects_without_identity_are_refused() {
    let of = |metadata| diff(true, &[stream(metadata, &objects(0..3)), stream(metadata, &objects(0..3))]);
    let (known, unknown) = (of(V8), of(NONE));
    let leaked = DiffOptions { leaked: true, ..DiffOptions::default() };
    let nodes = |fate| DiffOptions { nodes: Some(fate), ..DiffOptions::default() };
    for options in [leaked, nodes(Fate::New), nodes(Fate::Gone), nodes(Fate::Leaked)] {
        assert!(known.serves(&options).is_ok(), "{options:?}");
        let error = unknown.serves(&options).expect_err("no identity").to_string();
        assert_eq!(error, "the objects of these files cannot be matched: they carry no lasting identity");
    }
    let all = DiffOptions { all: true, classes: true, gate: true, ..DiffOptions::default() };
    assert!(unknown.serves(&all).is_ok() && unknown.serves(&DiffOptions::default()).is_ok());
}

#[test]
fn two_virtual_machines_are_compared_only_if_asked_for() {
    let of = |source: &'static str| stream(&[("target_source", source)], &objects(0..3));
    let serves = |sources: &[&'static str], mixed| {
        let diff = diff(true, &sources.iter().map(|source| of(source)).collect::<Vec<_>>());
        diff.serves(&DiffOptions { mixed, ..DiffOptions::default() }).map_err(|e| e.to_string())
    };
    let refused =
        "the files are of different virtual machines, dart.x and v8.y; --mixed compares them all the same";
    assert_eq!(serves(&["dart.x", "v8.y"], false), Err(refused.to_owned()));
    assert_eq!(serves(&["dart.x", "v8.y"], true), Ok(()));
    // Two formats of one machine, and a stream that does not say.
    assert_eq!(serves(&["java.hprof", "java.phd", ""], false), Ok(()));
}

/// Objects with equal identifiers and other classes: not of one process.
#[test]
fn clones_are_suspected() {
    let typed = |subtypes: [u32; 3]| {
        let line = |id: u32| {
            let subtype = subtypes[id as usize % 3];
            format!(
                r#"{{"type":"node","subtype":{subtype},"identifier":{},"heap":{{"size":8}}}}"#,
                2 * id + 1
            )
        };
        stream(V8, &(0..60).map(line).collect::<Vec<_>>())
    };
    let same = diff(true, &[typed([1, 2, 3]), typed([1, 2, 3])]);
    assert!(matches!(same.doubt, Some(Doubt::Repeated(_))), "{same:?}");
    let other = diff(true, &[typed([1, 2, 3]), typed([1, 2, 4])]);
    assert!(
        other.doubts[0].starts_with("20 of 60 objects with equal identifiers differ in class"),
        "{:?}",
        other.doubts
    );
}

/// Strings that were put together are made whole when they are first used as keys.
#[test]
fn strings_that_are_kept_otherwise_make_no_clones() {
    let typed = |subtype: u32| {
        let names = [(1, "string_flat"), (2, "string_cons"), (3, "symbol")];
        let line = |id: u32| {
            format!(
                r#"{{"type":"node","subtype":{subtype},"identifier":{},"heap":{{"size":8}}}}"#,
                2 * id + 1
            )
        };
        let types =
            names.map(|(id, name)| format!(r#"{{"type":"node_type","nodetypeid":{id},"name":"{name}"}}"#));
        stream(V8, &types.into_iter().chain((0..60).map(line)).collect::<Vec<_>>())
    };
    assert!(!diff(true, &[typed(2), typed(1)]).doubts.concat().contains("differ in class"));
    let other = diff(true, &[typed(3), typed(1)]).doubts.concat();
    assert!(other.contains("60 of 60 objects with equal identifiers differ in class"), "{other}");
}

#[test]
fn wishes_that_cannot_be_had_are_refused() {
    const TWO: Result<(), &str> = Err("takes two files or more");
    const THREE: Result<(), &str> = Err("--leaked takes three files or more");
    const NONE: Result<(), &str> = Err("--classes compares no objects, which --leaked and --nodes ask for");
    const ALONE: Result<(), &str> = Err("--devtools compares two whole snapshots, without other options");
    let none = DiffOptions::default;
    let nodes = |fate| DiffOptions { nodes: Some(fate), ..none() };
    let devtools = DiffOptions { devtools: true, ..none() };
    // With one, two and three snapshots.
    for (options, expected) in [
        (none(), [TWO, Ok(()), Ok(())]),
        (DiffOptions { all: true, classes: true, gate: true, ..none() }, [TWO, Ok(()), Ok(())]),
        (nodes(Fate::New), [TWO, Ok(()), Ok(())]),
        (nodes(Fate::Gone), [TWO, Ok(()), Ok(())]),
        (nodes(Fate::Leaked), [THREE, THREE, Ok(())]),
        (DiffOptions { leaked: true, ..none() }, [THREE, THREE, Ok(())]),
        (DiffOptions { leaked: true, ..nodes(Fate::New) }, [THREE, THREE, Ok(())]),
        (DiffOptions { leaked: true, classes: true, ..none() }, [THREE, THREE, NONE]),
        (DiffOptions { classes: true, ..nodes(Fate::Gone) }, [TWO, NONE, NONE]),
        (devtools.clone(), [TWO, Ok(()), ALONE]),
        (DiffOptions { leaked: true, ..devtools.clone() }, [THREE, THREE, ALONE]),
        (DiffOptions { all: true, ..devtools.clone() }, [TWO, ALONE, ALONE]),
        (DiffOptions { classes: true, ..devtools.clone() }, [TWO, ALONE, ALONE]),
        (DiffOptions { nodes: Some(Fate::Gone), ..devtools.clone() }, [TWO, ALONE, ALONE]),
        (DiffOptions { gate: true, ..devtools.clone() }, [TWO, ALONE, ALONE]),
    ] {
        let got = [1, 2, 3].map(|snapshots| options.check(snapshots, false));
        assert_eq!(got, expected, "{options:?}");
    }
    assert_eq!(devtools.check(2, true), ALONE);
    assert_eq!(none().check(2, true), Ok(()));
}

#[test]
fn rows_are_those_that_are_asked_for() {
    let none = DiffOptions::default;
    assert!(matches!(none().shown(), RowFilter::Changed));
    assert!(matches!(DiffOptions { all: true, ..none() }.shown(), RowFilter::All));
    assert!(matches!(DiffOptions { leaked: true, all: true, ..none() }.shown(), RowFilter::Leaked));
}

#[test]
fn objects_are_where_their_fate_says() {
    for (word, fate, takes, place) in
        [("new", Fate::New, 2, 3), ("gone", Fate::Gone, 2, 0), ("leaked", Fate::Leaked, 3, 3)]
    {
        assert_eq!(Fate::named(word), Some(fate));
        assert_eq!((fate.takes(), fate.place(4)), (takes, place), "{word}");
    }
    assert_eq!(Fate::named("kept"), None);
    // The identifiers are those of that snapshot.
    let diff =
        diff(true, &[stream(V8, &objects(0..2)), stream(V8, &objects(1..4)), stream(V8, &objects(1..5))]);
    for (fate, expected) in [(Fate::New, [5, 7, 9].as_slice()), (Fate::Gone, &[1]), (Fate::Leaked, &[5, 7])] {
        let ids = diff.ids(fate);
        let found: Vec<i64> = (0..12).filter(|&id| ids.contains(id)).collect();
        assert_eq!(found, expected, "{fate:?}");
    }
}
