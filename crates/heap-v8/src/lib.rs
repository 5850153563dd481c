//! V8 heap snapshots (`.heapsnapshot`), as Node, Chrome, Deno, Bun, Julia and others write them.
//!
//! The file is one JSON object: a header (`snapshot`) that names the fields of a record, two long flat lists of
//! integers (`nodes`, `edges`), some short lists, and `strings`, which come last and name everything. There is no
//! specification; the format is what V8's `src/profiler/heap-snapshot-generator.cc` writes and what Chrome
//! DevTools' `HeapSnapshot.ts` reads. Fields are found by name and types go by name, so that all versions from
//! 5.1 on, permuted fields and unknown ones are read alike; keys may come in any order, with any white space.
//!
//! ```
//! use heap_base::Blob;
//! use heap_record::{SnapshotSelector, Writer};
//!
//! let snapshot = br#"{"snapshot":{"meta":{
//!   "node_fields":["type","name","id","self_size","edge_count"],
//!   "node_types":[["synthetic","object"],"string","number","number","number"],
//!   "edge_fields":["type","name_or_index","to_node"],
//!   "edge_types":[["property"],"string_or_number","node"]},"node_count":2,"edge_count":1},
//!   "nodes":[0,0,1,0,1, 1,1,3,24,0],
//!   "edges":[0,2,5],
//!   "strings":["","Session","open"]}"#;
//! let mut stream = Writer::new(Vec::new());
//! heap_v8::read(&Blob::from_bytes(*snapshot), SnapshotSelector::Last, &mut stream)?;
//! let counts = stream.counts();
//! assert_eq!((counts.nodes, counts.edges, counts.strings), (2, 1, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The main line is [`read`]:
//!
//! 1. **Scan** (`scan`): where the sections are and what strings mean. Nodes stand before the strings, so they are read
//!    on the way (`nodes`: 11 bytes of each are kept), while a second thread counts the integers of the edges
//!    (`scan::count`), which finds their end and places to cut them. Nobody lexes an edge before it is emitted.
//! 2. **Ahead** (`emit::ahead`): few nodes have fields that are destinations of edges (closures, concatenated and sliced
//!    strings), and metadata names children of the root. Their edges are reached by counting the commas of all others.
//! 3. **Emit** (`emit`): metadata, declarations, strings, nodes, edges (`emit::edges`, which checks them too, and emits the
//!    string of an array index before the first edge that uses it), and the short lists (`emit::lists`).
//!
//! A sink that wants no edges gets here as well: edges are counted, and step 3 leaves them out. What they say is then not
//! checked, only that they are as many integers as the nodes claim. If they are not, or not a list as V8 writes it, one
//! pass over them in step 2 (`check_edges`) finds how many are intact and where damage begins.
//!
//! On damage all intact records before it are emitted first; then it is returned, with section, record and byte. A file
//! that was cut off still gives all its intact nodes and edges.
//!
//! Two threads: nodes and the count of edges side by side, nodes in pieces where they have lines; edges by index in
//! pieces, one thread from the first on into the sink, behind all other records, another from the last on into shards of
//! it; elsewhere the second thread lexes ahead. Nearly all nodes and edges have one plain shape that is lexed at once
//! (`lex::nodes`, `lex::edges`); any other is lexed integer by integer (`lex::ints`).
//!
//! Memory: about 4 MB, and for each node 11 bytes (4 for sums by class, 10 for others; one more where ids exceed
//! 2^32, four where they exceed 2^40), for each string one, for each closure and sliced string 4, for each concatenated
//! string 8; for a moment up to twelve bytes per node more to see whether ids repeat. Where a sink says how much memory there
//! is and that is little, ten of the eleven bytes go to files then.
//!
//! Not covered: `.heapprofile` (another format), and what DevTools derives rather than reads (detached DOM nodes
//! that inherit their state, sizes given to owners, interfaces).

mod emit;
mod info;
mod layout;
mod lex;
mod nodes;
mod scan;
mod sniff;
pub mod writer;

use heap_base::{Blob, Error, Result, join};
use heap_record::{Sink, SnapshotSelector};

pub use info::info;
pub use sniff::sniff;

use emit::Snapshot;
use emit::edges::Intact;
use layout::Header;
use layout::marks::Entries;
use lex::Divide;
use nodes::{Keep, Nodes, Request};
use scan::Scan;
use scan::count::count;

/// Reads the snapshot in `blob` and emits its records to `sink`. See the crate's description.
///
/// # Errors
/// Damage, with section, record and byte, after all intact records before it were emitted; errors of the sink at once.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    pick.range(1)?;
    let wants = sink.wants();
    blob.plan_passes(if wants.any_edges() || wants.all_fields() { 3 } else { 2 });

    // Scan. Nodes are read and edges counted on the way to the strings, which stand behind them.
    let mut scan = Scan::to_edges(blob)?;
    let header = scan.take_header()?;
    let (nodes_at, edges_at) = (scan.section("nodes"), scan.section("edges"));
    let (keep, width) = (Keep::new(wants), header.edge.width);
    let request = Request { blob, section: &nodes_at, header: &header, keep, name_limit: u32::MAX.into() };
    let counting = || count(blob, &edges_at, width);
    let (mut nodes, counted) = Nodes::read(request, edges_at.worth_a_thread(), counting)?;
    scan.finish(counted.as_ref().map(|counted| counted.end))?;

    // Edges whose number is right are checked when they are emitted; others are checked before.
    let claimed = nodes.edges.checked_mul(width as u64).filter(|_| nodes.damage.is_none());
    let counted = counted.filter(|counted| claimed == Some(counted.ints));
    let name_limit = scan.strings.limit();
    if !nodes.named_below(name_limit) || counted.is_none() && !keep.sources {
        let keep = Keep { sources: true, ..keep };
        nodes = Nodes::read_alone(Request { keep, name_limit, ..request })?;
    }
    let counted = counted.filter(|_| nodes.damage.is_none());

    // What identifiers and WeakMap entries are.
    let entries =
        || if wants.any_edges() { scan.strings.marks.entries(nodes.ids()) } else { Entries::default() };
    let (entries, rule) = join(nodes_at.worth_a_thread(), entries, || nodes.possible_rule());
    nodes.rule = rule;
    nodes.fit(wants.memory)?;
    let (root, rootless) = root(&header, &nodes);
    let traced = emit::lists::is_traced(blob, &scan, &header)?;
    let snapshot =
        Snapshot { blob, scan: &scan, header: &header, nodes: &nodes, root, entries: &entries, traced };

    // What metadata and fields of nodes take from edges.
    let pieces = counted.map(|counted| counted.pieces()).unwrap_or_default();
    let (ahead, intact) = if pieces.is_empty() {
        snapshot.check_edges(wants.all_fields())?
    } else {
        let ahead = snapshot.reach(&pieces, wants.all_fields())?;
        (ahead, Intact { count: nodes.edges, damage: None })
    };

    // The records.
    snapshot.metadata(&ahead, sink)?;
    snapshot.declare(sink)?;
    let [lists, edges] = snapshot.emit(wants, &ahead, &pieces, intact.count, sink)?;
    nodes.check()?;

    let damage = [lists, nodes.damage.take(), intact.damage.or(edges), scan.damage.take(), rootless];
    emit::first(damage).map_or(Ok(()), Err)
}

/// The ordinal of the root, and what is wrong with it.
fn root(header: &Header, nodes: &Nodes) -> (Option<usize>, Option<Error>) {
    let index = header.root_index;
    let ordinal = Divide::by(header.node.width).exact(index);
    match ordinal {
        Some(n) if n < u64::from(nodes.count) => (Some(n as usize), None),
        Some(0) => (None, None),
        Some(_) if nodes.damage.is_some() => (None, None),
        _ => (None, Some(Error::at_byte(header.at, format!("snapshot: root_index {index} is not a node")))),
    }
}

#[cfg(test)]
mod tests;
