//! Lengths, cut texts, and what equal strings waste.

use heap_ops::select::Selection;
use heap_record::{Sink, SnapshotSelector, read};

use super::{DuplicateString, DuplicateStrings, HeldStrings, WholeStrings};

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

/// Five strings of one text. The first, the second and the last have an array each, the two between share one. The root refers
/// to the second's, too, and weakly to the first's.
const ARRAYS: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"type","name":"edge","fields":{"subtype":"integer","source":"value","dest":"value","label":"string"}}
{"type":"node_type","nodetypeid":1,"name":"string_flat","fields":{"data":"string"}}
{"type":"node_type","nodetypeid":2,"name":"x.primitive_array"}
{"type":"node_type","nodetypeid":3,"name":"object"}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"edge_type","edgetypeid":2,"name":"x.weak","heap":{"retains":"no"}}
{"type":"string","stringid":1,"data":"text"}
{"type":"node","subtype":3,"identifier":1,"heap":{"size":8}}
{"type":"node","subtype":1,"identifier":3,"data":1,"heap":{"size":24}}
{"type":"node","subtype":2,"identifier":5,"heap":{"size":100}}
{"type":"node","subtype":1,"identifier":7,"data":1,"heap":{"size":24}}
{"type":"node","subtype":2,"identifier":9,"heap":{"size":200}}
{"type":"node","subtype":1,"identifier":11,"data":1,"heap":{"size":24}}
{"type":"node","subtype":2,"identifier":13,"heap":{"size":400}}
{"type":"node","subtype":1,"identifier":15,"data":1,"heap":{"size":24}}
{"type":"node","subtype":1,"identifier":17,"data":1,"heap":{"size":24}}
{"type":"node","subtype":2,"identifier":19,"heap":{"size":800}}
{"type":"edge","subtype":1,"source":1,"dest":3,"label":1}
{"type":"edge","subtype":1,"source":1,"dest":7,"label":1}
{"type":"edge","subtype":1,"source":1,"dest":11,"label":1}
{"type":"edge","subtype":1,"source":1,"dest":15,"label":1}
{"type":"edge","subtype":1,"source":1,"dest":17,"label":1}
{"type":"edge","subtype":2,"source":1,"dest":5,"label":1}
{"type":"edge","subtype":1,"source":1,"dest":9,"label":1}
{"type":"edge","subtype":1,"source":3,"dest":5,"label":1}
{"type":"edge","subtype":1,"source":7,"dest":9,"label":1}
{"type":"edge","subtype":1,"source":11,"dest":13,"label":1}
{"type":"edge","subtype":1,"source":15,"dest":13,"label":1}
{"type":"edge","subtype":1,"source":17,"dest":19,"label":1}
"#;

#[test]
fn strings_take_the_arrays_that_they_alone_refer_to() {
    let report = || DuplicateStrings::new(Selection::default(), 2);
    let read = |sink: &mut dyn Sink| {
        read::read(ARRAYS.as_bytes(), SnapshotSelector::All, sink).expect("a sound stream");
    };
    let said = |rows: &[DuplicateString]| -> Vec<_> {
        rows.iter().map(|row| (row.count, row.size, row.wasted)).collect()
    };
    // The first string's array is not wasted, the second's and the common one are not its own.
    let wanted = [(5, 5 * 24 + 100 + 800, 4 * 24 + 800)];

    let mut whole = WholeStrings::new(report(), None);
    read(&mut whole);
    whole.finish(true).expect("memory takes everything");
    assert_eq!(said(whole.into_strings().into_report().rows()), wanted);

    for memory in [None, Some(1 << 20)] {
        let mut held = HeldStrings::new(report(), memory);
        read(&mut held);
        assert_eq!(said(held.build().expect("a sound graph").0.rows()), wanted);
    }
}
