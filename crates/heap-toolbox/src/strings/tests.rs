//! Lengths, cut texts, and what equal strings waste.

use heap_ops::select::Selection;
use heap_record::{Sink, SnapshotSelector, read};

use super::{DuplicateString, DuplicateStrings};

/// The strings of a stream whose head has `lines`; each of `nodes` is the text's number with further members, and its size.
fn rows(lines: &str, nodes: &[(&str, u64)]) -> Vec<DuplicateString> {
    let head = r#"{"type":"metadata","key":"version_major","value":"1"}"#;
    let texts = [(0, "short"), (1, "as long as the limit")];
    let texts = texts.map(|(id, data)| format!(r#"{{"type":"string","stringid":{id},"data":"{data}"}}"#));
    let nodes = (1..).step_by(2).zip(nodes).map(|(id, (data, size))| {
        let more = format!(r#""data":{data},"heap":{{"size":{size}}}"#);
        format!(r#"{{"type":"node","subtype":1,"identifier":{id},{more}}}"#)
    });
    let all = [head.to_owned(), lines.to_owned()].into_iter().chain(texts).chain(nodes);
    let text = all.map(|line| line + "\n").collect::<String>();
    let mut strings = DuplicateStrings::new(Selection::default(), 1);
    read::read(text.as_bytes(), SnapshotSelector::All, &mut strings).expect("a sound stream");
    strings.finish(true).expect("memory takes everything");
    let mut rows = strings.into_report().into_rows();
    rows.sort_by_key(|row| row.first);
    rows
}

const LIMIT: &str = r#"{"type":"metadata","key":"heap.string_limit","value":"20"}"#;

/// A declaration of strings whose length is of this kind.
fn strings(kind: &str) -> String {
    format!(
        r#"{{"type":"node_type","nodetypeid":1,"name":"string_flat","fields":{{"length":"{kind}","data":"string"}}}}"#
    )
}

#[test]
fn lengths_are_read_as_they_are_declared() {
    let nodes = [(r#"0,"length":10"#, 8), (r#"1,"length":40"#, 8), (r#"1,"length":38"#, 8)];
    let said =
        |kind| -> Vec<_> { rows(&strings(kind), &nodes).iter().map(|row| (row.length, row.cut)).collect() };
    assert_eq!(said("integer"), [(10, Some(true)), (40, Some(true)), (38, Some(true))]);
    // The draft's small integers are twice their number.
    assert_eq!(said("value"), [(5, Some(false)), (20, Some(false)), (19, Some(false))]);
}

#[test]
fn cut_texts_of_different_sizes_differ() {
    let lines = [LIMIT, &strings("integer")].join("\n");
    let said = |nodes: &[(&str, u64)]| -> Vec<_> {
        rows(&lines, nodes).iter().map(|row| (row.count, row.wasted, row.length, row.cut)).collect()
    };
    let cut = [("1", 100), ("1", 200), ("1", 200), ("1", 300)];
    assert_eq!(said(&cut), [(1, 0, 20, None), (2, 200, 20, None), (1, 0, 20, None)]);
    // What is seen as a whole is equal, whatever it takes; and a length says what a size can.
    assert_eq!(said(&[("0", 24), ("0", 40)]), [(2, 40, 5, Some(false))]);
    let long = [(r#"1,"length":30"#, 100), (r#"1,"length":30"#, 100), (r#"1,"length":20"#, 100)];
    assert_eq!(said(&long), [(2, 100, 30, Some(true)), (1, 0, 20, Some(false))]);
}
