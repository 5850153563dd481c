#![cfg(test)]

use std::fmt::Write as _;

use heap_base::Result;
use heap_record::SnapshotSelector;

use super::{Growth, Line, Trend};
use crate::sum::By;
use heap_ops::select::Selection;

#[test]
fn lines_through_values() {
    use Growth::{Falling, Flat, Mixed, Rising, Steady};
    let line = |values: &[u64]| Line::through((1..).zip(values.iter().copied()));
    let growth = |values: &[u64]| line(values).growth;
    assert_eq!((line(&[]).slope, growth(&[])), (None, None));
    assert_eq!((line(&[7]).slope, growth(&[7]), line(&[7]).ends), (None, None, (7, 7)));
    for (values, slope, fit, growth) in [
        (&[1, 3][..], 2.0, Some(1.0), Steady),
        (&[1, 3, 5, 7], 2.0, Some(1.0), Steady),
        (&[5, 5, 5], 0.0, None, Flat),
        (&[0, 0, 6, 6], 2.4, Some(0.8), Rising),
        (&[6, 6, 0, 0], -2.4, Some(0.8), Falling),
        (&[1, 2, 1], 0.0, Some(0.0), Mixed),
        // As a fraction the mean is not exact.
        (&[0, 0, 1, 0, 0], 0.0, Some(0.0), Mixed),
        (&[0, 7, 0, 0, 0, 7, 0], 0.0, Some(0.0), Mixed),
        (&[u64::MAX - 1, u64::MAX - 1], 0.0, None, Flat),
    ] {
        let found = line(values);
        assert_eq!((found.slope, found.growth), (Some(slope), Some(growth)), "{values:?}");
        assert_eq!(found.fit.map(|fit| (fit * 1e9).round() / 1e9), fit, "{values:?}");
    }
    // A damaged dump keeps its place.
    assert_eq!(Line::through([(1, 10), (3, 30)]).slope, Some(10.0));
    assert_eq!(line(&[u64::MAX, 0]).delta(), i64::MIN);
}

/// A stream with snapshots of so many objects each.
fn stream(snapshots: &[(&str, u64)]) -> String {
    let mut text = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"node_type","nodetypeid":4,"name":"object","table_name":"object","fields":{}}
"#
    .to_owned();
    for (name, objects) in snapshots {
        if !name.is_empty() {
            let _ = writeln!(text, r#"{{"type":"metadata","key":"heap.snapshot","value":"{name}"}}"#);
        }
        for id in (0..*objects).map(|n| 2 * n + 1) {
            let _ = writeln!(text, r#"{{"type":"node","subtype":4,"identifier":{id},"heap":{{"size":8}}}}"#);
        }
    }
    text
}

fn trend(by: &[&str], inputs: &[(&str, &str, String)]) -> Result<Trend> {
    let mut trend = Trend::new(by.iter().map(|name| By::named(name)).collect(), Selection::default());
    for (file, pod, text) in inputs {
        let known = |name: &str| Some(if name == "file" { *file } else { *pod }.to_owned());
        let mut sum = trend.begin(known)?;
        heap_record::read::read(text.as_bytes(), SnapshotSelector::All, &mut sum)?;
        trend.end(file, sum)?;
    }
    Ok(trend)
}

#[test]
fn snapshots_of_files_are_one_series() {
    // Snapshot 10 comes behind 9, and an empty one counts.
    let inputs = [
        ("a", "", stream(&[("9", 1), ("10", 2)])),
        ("b", "", stream(&[("0", 0)])),
        ("c", "", stream(&[("", 4)])),
    ];
    let trend = trend(&[], &inputs).expect("sound streams");
    let dumps: Vec<_> = trend.dumps().iter().map(|d| (d.number, &*d.file, d.snapshot.as_deref())).collect();
    assert_eq!(dumps, [(1, "a", Some("9")), (2, "a", Some("10")), (3, "b", Some("0")), (4, "c", None)]);
    let series = trend.series();
    assert_eq!(series.len(), 1);
    let counts: Vec<_> = series[0].totals.iter().map(|totals| totals.count).collect();
    assert_eq!(counts, [1, 2, 0, 4]);
}

#[test]
fn inputs_of_one_tag_are_one_series() {
    let input = |file, pod, n| (file, pod, stream(&[("", n)]));
    let inputs = [
        input("a1", "a", 1),
        input("b1", "b", 9),
        input("a2", "a", 2),
        input("b2", "b", 8),
        input("a3", "a", 3),
    ];
    let trend = trend(&["tag.pod", "class"], &inputs).expect("sound streams");
    let found: Vec<_> = trend
        .series()
        .iter()
        .map(|s| {
            let line = s.count_line().expect("all are counted");
            (s.keys[0].as_ref().map(|k| k.text().into_owned()), s.totals.len(), line.growth, line.slope)
        })
        .collect();
    let expected = [("a", 3, Growth::Steady, 1.0), ("b", 2, Growth::Falling, -1.0)]
        .map(|(k, n, g, s)| (Some(k.to_owned()), n, Some(g), Some(s)));
    assert_eq!(found, expected);
}
