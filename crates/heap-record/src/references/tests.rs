use super::References;
use crate::testing::Recorder;
use crate::{SnapshotSelector, read};

const HEAD: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"type","name":"node","fields":{"identifier":"value","my.ref":"value","heap.idom":"value"}}
{"type":"node_type","nodetypeid":2,"name":"concatenated string"}
{"type":"node_type","nodetypeid":3,"name":"thing","fields":{"s1":"integer"}}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
"#;

const NODES: &str = r#"{"type":"node","subtype":2,"identifier":3,"length":4,"s1":5,"s2":"0x7","heap":{"idom":1}}
{"type":"node","subtype":3,"identifier":5,"s1":7,"heap":{"size":1},"my":{"ref":3}}
{"type":"node","subtype":3,"identifier":7,"heap":{"size":1},"my":{"ref":6}}
{"type":"edge","subtype":1,"source":3,"dest":5,"label":1}
"#;

/// Edges with the texts of their labels.
fn edges(stream: &str) -> Vec<String> {
    let recorder = Recorder::record(|sink| {
        let mut references = References::new(sink);
        read::read(stream.as_bytes(), SnapshotSelector::Last, &mut references)?;
        references.end()
    });
    assert_eq!(recorder.error, None);
    let text = |e: &crate::testing::EdgeRecord| {
        let label = e.label.map(|id| recorder.text(id).into_owned()).unwrap_or_default();
        format!("{} {:?} {} {label}", e.source, e.dest, recorder.edge_type(e.subtype))
    };
    recorder.all_edges().into_iter().map(text).collect()
}

#[test]
fn fields_of_the_kind_value_are_edges() {
    let stream = format!("{HEAD}{{\"type\":\"string\",\"stringid\":1,\"data\":\"name\"}}\n{NODES}");
    let found = edges(&stream);
    assert_eq!(
        found,
        [
            "3 Some(5) heap.field s1",
            "3 Some(7) heap.field s2",
            "5 Some(3) heap.field my.ref",
            "3 Some(5) object property name",
        ]
    );
    // At the end where no edges come, and in each of several streams.
    let nodes = NODES.rsplit_once("{\"type\":\"edge\"").expect("an edge").0;
    let stream = format!("{HEAD}{nodes}");
    assert_eq!(edges(&stream), found[..3]);
    assert_eq!(edges(&format!("{stream}{stream}")), [&found[..3], &found[..3]].concat());
}

#[test]
fn a_stream_may_say_that_edges_say_it_all() {
    let says = "{\"type\":\"metadata\",\"key\":\"heap.references\",\"value\":\"edges\"}\n";
    assert_eq!(edges(&format!("{says}{HEAD}{NODES}")).len(), 4);
    let head = HEAD.replacen('\n', &format!("\n{says}"), 1);
    assert_eq!(edges(&format!("{head}{NODES}")), ["3 Some(5) object property ?"]);
}
