//! What is asked of a comparison, and what it says of itself. That its numbers are right is tested against sets, with
//! the other tools.
#![cfg(test)]

use heap_record::{Sink, SnapshotSelector, read};

use super::{Census, ChangeColumns, Diff, Fate, Shown, Wishes};
use crate::select::Selection;
use crate::select::condition::Condition;

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
    let cases: &[(&[String], &[&str])] = &[
        (&[of(V8), of(V8)], &[]),
        (&[of(V8), of(V8), of(V8)], &[]),
        (&[of(NONE), of(NONE)], &[NO_IDENTITY]),
        (&[of(&[]), of(&[])], &[NO_IDENTITY]),
        (&[of(V8), of(NONE)], &[NO_IDENTITY]),
        (&[of(V8), of(V8), of(NONE)], &[NO_IDENTITY]),
        (&[of(V8), of(DART)], &[SOURCES]),
        (&[of(V8), of(V8), of(DART)], &[SOURCES]),
        // Identifiers of two makers are no more the same than two ways to know an object again.
        (&[of(V8), of(&[("target_source", "other"), ("heap.identifier", "v8")])], &[SOURCES]),
        // One in ten is met again, and less than that.
        (&[of(V8), stream(V8, &objects(18..40))], &[]),
        (&[of(V8), stream(V8, &objects(19..40))], &[FEW]),
        (&[of(V8), stream(V8, &[])], &[FEW]),
        (&[stream(V8, &[]), of(V8)], &[]),
    ];
    for (streams, expected) in cases {
        let told = diff(true, streams);
        assert_eq!(told.doubts, *expected, "{streams:#?}");
        assert_eq!(told.by_identity, expected.iter().all(|doubt| *doubt == FEW));
        // Nothing is amiss where objects were not asked for.
        let classes = diff(false, streams);
        assert_eq!((classes.doubts.len(), classes.by_identity), (0, false));
    }
}

/// Each field that is missing is told once, before the doubts, whichever snapshots lack it.
#[test]
fn fields_that_no_node_has_are_told() {
    let mut selection = Selection::default();
    for condition in ["v8.b=1", "v8.a=1"] {
        assert_eq!(selection.flag("where", condition), Ok(true));
    }
    let streams = [stream(NONE, &objects(0..3)), stream(NONE, &objects(0..3))];
    let diff = Diff::of(streams.iter().map(|s| census(&selection, true, s)).collect());
    assert_eq!(diff.doubts, ["no node has a field 'v8.a'", "no node has a field 'v8.b'", NO_IDENTITY]);

    // Nodes that waited for their strings have fields as all others do.
    let declared = r#"{"type":"type","name":"node","fields":{"v8.text":"string"}}"#.to_owned();
    let early = |id: u32, field: &str| {
        format!(
            r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":8}},"v8":{{"text":1,"{field}":1}}}}"#
        )
    };
    let late = stream(V8, &[&[declared, early(1, "a"), early(3, "b")], &objects(5..6)[..]].concat());
    let diff = Diff::of(vec![census(&selection, true, &late), census(&selection, true, &late)]);
    assert_eq!((diff.doubts.len(), diff.matched), (0, (2, 2)));
}

#[test]
fn objects_that_cannot_be_told_apart_are_not_served() {
    let of = |metadata| diff(true, &[stream(metadata, &objects(0..3)), stream(metadata, &objects(0..3))]);
    let (known, unknown) = (of(V8), of(NONE));
    let leaked = Wishes { leaked: true, ..Wishes::default() };
    let nodes = |fate| Wishes { nodes: Some(fate), ..Wishes::default() };
    for wishes in [leaked, nodes(Fate::New), nodes(Fate::Gone), nodes(Fate::Leaked)] {
        assert!(known.serves(&wishes).is_ok(), "{wishes:?}");
        let error = unknown.serves(&wishes).expect_err("no identity").to_string();
        assert_eq!(error, "the objects of these files cannot be told apart: they carry no lasting identity");
    }
    let all = Wishes { all: true, classes: true, fail_on: Some(condition("new>0")), ..Wishes::default() };
    assert!(unknown.serves(&all).is_ok() && unknown.serves(&Wishes::default()).is_ok());
}

fn condition(text: &str) -> Condition {
    Condition::parse(text, &ChangeColumns).expect("a condition")
}

#[test]
fn wishes_that_cannot_be_had_are_refused() {
    const TWO: Result<(), &str> = Err("takes two files or more");
    const THREE: Result<(), &str> = Err("--leaked takes three files or more");
    const NONE: Result<(), &str> = Err("--classes compares no objects, which --leaked and --nodes ask for");
    const ALONE: Result<(), &str> = Err("--devtools compares two whole snapshots, without other options");
    let none = Wishes::default;
    let nodes = |fate| Wishes { nodes: Some(fate), ..none() };
    let devtools = Wishes { devtools: true, ..none() };
    // With one, two and three snapshots.
    for (wishes, expected) in [
        (none(), [TWO, Ok(()), Ok(())]),
        (
            Wishes { all: true, classes: true, fail_on: Some(condition("new>0")), ..none() },
            [TWO, Ok(()), Ok(())],
        ),
        (nodes(Fate::New), [TWO, Ok(()), Ok(())]),
        (nodes(Fate::Gone), [TWO, Ok(()), Ok(())]),
        (nodes(Fate::Leaked), [THREE, THREE, Ok(())]),
        (Wishes { leaked: true, ..none() }, [THREE, THREE, Ok(())]),
        (Wishes { leaked: true, ..nodes(Fate::New) }, [THREE, THREE, Ok(())]),
        (Wishes { leaked: true, classes: true, ..none() }, [THREE, THREE, NONE]),
        (Wishes { classes: true, ..nodes(Fate::Gone) }, [TWO, NONE, NONE]),
        (devtools.clone(), [TWO, Ok(()), ALONE]),
        (Wishes { leaked: true, ..devtools.clone() }, [THREE, THREE, ALONE]),
        (Wishes { all: true, ..devtools.clone() }, [TWO, ALONE, ALONE]),
        (Wishes { classes: true, ..devtools.clone() }, [TWO, ALONE, ALONE]),
        (Wishes { nodes: Some(Fate::Gone), ..devtools.clone() }, [TWO, ALONE, ALONE]),
        (Wishes { fail_on: Some(condition("new>0")), ..devtools.clone() }, [TWO, ALONE, ALONE]),
    ] {
        let got = [1, 2, 3].map(|snapshots| wishes.check(snapshots, false));
        assert_eq!(got, expected, "{wishes:?}");
    }
    assert_eq!(devtools.check(2, true), ALONE);
    assert_eq!(none().check(2, true), Ok(()));
}

#[test]
fn rows_are_those_that_are_asked_for() {
    let none = Wishes::default;
    assert!(matches!(none().shown(), Shown::Changed));
    assert!(matches!(Wishes { all: true, ..none() }.shown(), Shown::All));
    assert!(matches!(Wishes { leaked: true, all: true, ..none() }.shown(), Shown::Leaked));
    let wishes = Wishes { leaked: true, all: true, fail_on: Some(condition("new>0")), ..none() };
    assert!(matches!(wishes.shown(), Shown::Where(condition) if condition.names().eq(["new"])));
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
    // What is among the identifiers stands in that snapshot.
    let told =
        diff(true, &[stream(V8, &objects(0..2)), stream(V8, &objects(1..4)), stream(V8, &objects(1..5))]);
    for (fate, expected) in [(Fate::New, [5, 7, 9].as_slice()), (Fate::Gone, &[1]), (Fate::Leaked, &[5, 7])] {
        let ids = told.ids(fate);
        let found: Vec<i64> = (0..12).filter(|&id| ids.contains(id)).collect();
        assert_eq!(found, expected, "{fate:?}");
    }
}
