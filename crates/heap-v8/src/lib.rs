//! V8 heap snapshots (`.heapsnapshot`), as Node, Chrome, Deno, Bun, Julia and others write them.
//!
//! The file is one JSON object: a header (`snapshot`) that names the fields of a record, two long flat lists of
//! integers (`nodes`, `edges`), some short lists, and `strings`, which come last and name everything. There is no
//! specification; the format is what V8's `src/profiler/heap-snapshot-generator.cc` writes and what Chrome
//! DevTools' `HeapSnapshot.ts` reads. Fields are found by name and types go by name, so that all versions from
//! 5.1 on, permuted fields and unknown ones are read alike; keys may come in any order, with any white space.
//!
//! Three stages. `scan` finds the sections and looks at the strings; where the two long lists end it may guess
//! (`leap`), and is told if it was wrong. The survey (`nodes`, `edges`, and `skim` where edges are plain) finds where
//! damage begins and gathers what the stream wants to know earlier than the file says it: whether ids can be
//! identifiers, which array indexes occur, targets of edges that are fields of nodes. `tell` goes over the sections
//! once more and tells the records, strings first, up to the damage; then the damage is returned, with section,
//! record and byte. A file that was cut off still gives all its whole nodes and edges.
//!
//! Nodes are lexed once: the survey keeps six bytes of each (`columns`), which say all of most files' nodes, or
//! for sums adds them up by class (`fold`); nodes that say more are lexed again. Edges are lexed when they are told.
//! Two threads survey long lists, half of the edges each, of the nodes a part after another, and so they tell graphs nodes
//! and edges (`tell::edges`); for sums and where order counts, the second one lexes ahead. Nearly all records are lexed
//! straight into what is asked of them (`rows`, `plain`); for a sink that asks for none, only the shape and the number of
//! many are checked (`shape`).
//!
//! Memory: about 4 MB, and for each node 11 bytes (4 for sums by class, 10 for others; one more where ids exceed
//! 2^32, four where they exceed 2^40), for each string one, for each closure and sliced string 4, for each
//! concatenated string 8; for a moment two to four bytes per node more to see whether ids repeat. Time: 230 instructions to
//! lex a plain node, 90 to skim an edge, 140 to lex it and see that it is plain, 45 to tell it.
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
    blob.plan_passes(if wants.any_edges() || wants.full_nodes() { 3 } else { 2 });

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
    let (root, rootless) = root(&header, &nodes);
    let snapshot = Snapshot { blob, scan: &scan, header: &header, nodes: &nodes, root, entries: &entries };

    // What metadata and fields of nodes take from edges.
    let pieces = counted.map(|counted| counted.pieces()).unwrap_or_default();
    let (ahead, intact) = if pieces.is_empty() {
        snapshot.check_edges(wants.full_nodes())?
    } else {
        let ahead = snapshot.reach(&pieces, wants.full_nodes())?;
        (ahead, Intact { count: nodes.edges, damage: None })
    };

    // The records.
    snapshot.metadata(&ahead, sink)?;
    snapshot.declare(sink)?;
    snapshot.strings(wants, sink)?;
    let edges_damage = snapshot.nodes_and_edges(wants, &ahead, &pieces, intact.count, sink)?;
    let lists_damage = snapshot.lists(wants.extensions.then_some(sink))?;

    let damage = [nodes.damage.take(), intact.damage.or(edges_damage), scan.damage.take(), rootless];
    emit::first([lists_damage].into_iter().chain(damage)).map_or(Ok(()), Err)
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
