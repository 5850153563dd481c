//! V8 heap snapshots (`.heapsnapshot`).

mod bits;
mod edges;
mod header;
mod info;
mod ints;
mod lex;
mod nodes;
mod others;
mod scan;
mod sniff;
mod tell;
mod text;
mod types;
mod weak;
mod window;

use std::sync::atomic::{AtomicBool, Ordering};

use heap_record::{Blob, Error, Pick, Result, Sink, Wants};

pub use info::info;
pub use sniff::sniff;

use edges::{Edges, Plan};
use header::Header;
use ints::{Section, worth_a_thread};
use nodes::Nodes;
use scan::Scan;
use tell::{Snapshot, first};

/// Reads the snapshot in `blob` and tells it to `sink`. See the crate's description.
///
/// # Errors
/// Damage is told with section, record and byte, after all that stands whole before it was delivered.
pub fn read(blob: &Blob, pick: Pick, sink: &mut dyn Sink) -> Result {
    pick.range(1)?;
    let wants = sink.wants();
    let whole = wants.edges || wants.details;
    blob.plan_passes(if whole { 3 } else { 2 });
    let mut scan = Scan::new(blob)?;
    let damage = scan.damage.take();
    let Some(header) = scan.header.take() else {
        return Err(damage.unwrap_or_else(|| Error::input("snapshot: the section is missing")));
    };
    if whole {
        graph(blob, &scan, &header, damage, wants, sink)
    } else {
        sums(blob, &scan, &header, damage, wants, sink)
    }
}

/// Everything: nodes, then edges are surveyed, then told.
fn graph(
    blob: &Blob,
    scan: &Scan,
    header: &Header,
    damage: Option<Error>,
    wants: Wants,
    sink: &mut dyn Sink,
) -> Result {
    let nodes_at = scan.section("nodes").copied().unwrap_or(Section::missing("nodes"));
    let edges_at = scan.section("edges").copied().unwrap_or(Section::missing("edges"));
    let mut nodes = Nodes::survey(blob, &nodes_at, header, &scan.strings, true)?;
    let (root, rootless) = root(header, &nodes);
    let plan = Plan {
        blob,
        section: &edges_at,
        header,
        strings: &scan.strings,
        indexes: wants.edges && wants.strings,
        slots: wants.details,
    };
    let mut edges = Edges::survey(plan, &nodes, root)?;
    let damage = first([nodes.damage.take(), edges.damage.take(), damage, rootless]);
    let snapshot = Snapshot { blob, scan, header, nodes: &nodes, root_edges: &edges, root };
    snapshot.metadata(sink)?;
    snapshot.declare(&edges.types, sink)?;
    if wants.strings {
        snapshot.strings(Some(&edges), sink)?;
    }
    if wants.nodes {
        snapshot.nodes(&nodes_at, &edges.slots, wants.details, sink)?;
    }
    if wants.edges {
        snapshot.edges(&edges_at, &edges, sink)?;
    }
    let others = snapshot.others(wants.others.then_some(sink));
    worst(others, damage)?.map_or(Ok(()), Err)
}

/// Nodes and strings only: edges are looked over by a second thread meanwhile, but nothing is kept of them.
fn sums(
    blob: &Blob,
    scan: &Scan,
    header: &Header,
    damage: Option<Error>,
    wants: Wants,
    sink: &mut dyn Sink,
) -> Result {
    let nodes_at = scan.section("nodes").copied().unwrap_or(Section::missing("nodes"));
    let edges_at = scan.section("edges").copied().unwrap_or(Section::missing("edges"));
    let plan =
        Plan { blob, section: &edges_at, header, strings: &scan.strings, indexes: false, slots: false };
    let stop = AtomicBool::new(false);
    let look = || Edges::survey_alone(plan, &|| !stop.load(Ordering::Relaxed));
    std::thread::scope(|scope| {
        let looking = worth_a_thread(&edges_at).then(|| scope.spawn(look));
        let outcome = tell_nodes(&nodes_at, plan, scan, wants, damage, sink);
        stop.store(outcome.is_err(), Ordering::Relaxed);
        let edges = match looking {
            Some(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None if outcome.is_ok() => look(),
            None => Ok(Edges::default()),
        };
        let (nodes, damage) = outcome?;
        let mut edges = edges?;
        if !edges.fits(&nodes) {
            // Something is wrong that the edges alone do not show: find its place.
            let nodes = Nodes::survey(blob, &nodes_at, header, &scan.strings, true)?;
            edges = Edges::survey(plan, &nodes, None)?;
        }
        first([edges.damage.take(), damage]).map_or(Ok(()), Err)
    })
}

/// Tells what there is without edges. Returns the nodes, and damage.
fn tell_nodes(
    section: &Section,
    plan: Plan<'_>,
    scan: &Scan,
    wants: Wants,
    damage: Option<Error>,
    sink: &mut dyn Sink,
) -> Result<(Nodes, Option<Error>)> {
    let Plan { blob, header, .. } = plan;
    let mut nodes = Nodes::survey(blob, section, header, &scan.strings, false)?;
    let (root, rootless) = root(header, &nodes);
    let root_edges = Edges::survey_root(plan, &nodes)?;
    let damage = first([nodes.damage.take(), damage, rootless]);
    let snapshot = Snapshot { blob, scan, header, nodes: &nodes, root_edges: &root_edges, root };
    snapshot.metadata(sink)?;
    snapshot.declare(&root_edges.types, sink)?;
    if wants.strings {
        snapshot.strings(None, sink)?;
    }
    if let Some(columns) = nodes.columns.as_ref().filter(|_| wants.nodes) {
        snapshot.summary(columns, sink)?;
    }
    let others = snapshot.others(wants.others.then_some(sink));
    let damage = worst(others, damage)?;
    Ok((nodes, damage))
}

/// Damage that was found while telling, or before; other errors come first.
fn worst(outcome: Result, damage: Option<Error>) -> Result<Option<Error>> {
    match outcome {
        Ok(()) => Ok(damage),
        Err(e) if matches!(e.kind(), heap_record::error::Kind::Input { .. }) => Ok(first([Some(e), damage])),
        Err(e) => Err(e),
    }
}

/// The ordinal of the root, and what is wrong with it.
fn root(header: &Header, nodes: &Nodes) -> (Option<usize>, Option<Error>) {
    let index = header.root_index;
    let ordinal = edges::Divide::by(header.node.width).exact(index);
    match ordinal {
        Some(n) if n < u64::from(nodes.count) => (Some(n as usize), None),
        Some(0) => (None, None),
        Some(_) if nodes.damaged => (None, None),
        _ => (None, Some(Error::at_byte(header.at, format!("snapshot: root_index {index} is not a node")))),
    }
}

#[cfg(test)]
mod tests;
