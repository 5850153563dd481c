//! Tests of all formats.

mod damage;
mod flat;
mod hprof;
pub(crate) mod make;
mod stacks;
mod values;
mod write;

use heap_base::Blob;
use heap_record::testing::Recorder;
use heap_record::wants::{Edges, Nodes, Strings, SumBy, Wants};
use heap_record::{SnapshotSelector, Value};

use crate::Options;

/// Everything of a file.
fn read(bytes: &[u8]) -> Recorder {
    read_as(bytes, Options::default(), Wants::ALL)
}

fn read_as(bytes: &[u8], options: Options, wants: Wants) -> Recorder {
    let dump = Blob::from_bytes(bytes).into();
    Recorder::new(wants).with(|sink| crate::read(&dump, SnapshotSelector::Last, options, sink))
}

/// What heap-sum asks for.
const SUMS: Wants = Wants {
    strings: Strings::Classes,
    nodes: Nodes::Sums(SumBy::Class),
    edges: Edges::None,
    extensions: false,
    any_order: false,
    after_strings: false,
    references: false,
    numbers: false,
    memory: u64::MAX,
};

/// Nodes as lines: subtype, identifier as the source has it, class, name, size, members.
fn nodes(recorder: &Recorder) -> Vec<String> {
    let text = |id: Option<i64>| id.map_or_else(|| "-".into(), |id| recorder.text(id).into_owned());
    let line = |node: &heap_record::testing::NodeRecord| {
        let (class, name) = (text(node.heap.class), text(node.heap.name));
        let subtype = recorder.node_type(node.subtype);
        let size = node.heap.size.unwrap_or(u64::MAX);
        format!("{subtype} {} {class} {name} {size} {} {}", shown(node.id), node.own, node.rest)
            .trim_end()
            .to_owned()
    };
    recorder.all_nodes().into_iter().map(line).collect()
}

/// Edges as lines: subtype, source, destination, label.
fn edges(recorder: &Recorder) -> Vec<String> {
    let line = |edge: &heap_record::testing::EdgeRecord| {
        let label = edge.label.map_or_else(|| "-".into(), |id| recorder.text(id).into_owned());
        let subtype = recorder.edge_type(edge.subtype);
        format!("{subtype} {} {} {label}", shown(edge.source), shown(edge.dest.unwrap_or_default()))
    };
    recorder.all_edges().into_iter().map(line).collect()
}

/// An address in hexadecimal digits, or the number of a node of our own.
fn shown(id: Value) -> String {
    if id < 0 { id.to_string() } else { format!("{:x}", id & !1) }
}

/// Count and bytes by subtype and class.
fn sums(recorder: &Recorder) -> std::collections::BTreeMap<(u32, Option<String>), (u64, u64)> {
    let mut sums = std::collections::BTreeMap::new();
    for node in recorder.all_nodes() {
        let class = node.heap.class.map(|id| recorder.text(id).into_owned());
        let sum: &mut (u64, u64) = sums.entry((node.subtype, class)).or_default();
        sum.0 += node.heap.count.unwrap_or(1);
        sum.1 += node.heap.size.unwrap_or(0);
    }
    sums
}
