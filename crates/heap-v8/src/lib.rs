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

mod bits;
mod columns;
mod digits;
mod edges;
mod fold;
mod header;
mod ids;
mod info;
mod ints;
mod leap;
mod lex;
mod nodes;
mod others;
mod plain;
mod rows;
mod scan;
mod shape;
mod skim;
mod sniff;
mod sources;
mod tell;
mod text;
mod triple;
mod types;
mod weak;
mod window;
pub mod writer;

use std::sync::Arc;

use heap_base::{Blob, Error, Result, join};
use heap_record::wants::{Edges as WantEdges, Nodes as WantNodes, Strings as WantStrings, SumBy};
use heap_record::{Sink, SnapshotSelector, Wants};

pub use info::info;
pub use sniff::sniff;

use edges::{Edges, Plan};
use header::Header;
use ints::{Section, worth_a_thread};
use nodes::{Ask, Keep, KeepNodes, Nodes};
use scan::Scan;
use shape::{Cuts, Shape};
use tell::{Snapshot, first};
use text::Strings;
use weak::Entries;

/// Reads the snapshot in `blob` and tells it to `sink`. See the crate's description.
///
/// # Errors
/// Damage is told with section, record and byte, after all that stands whole before it was delivered.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    pick.range(1)?;
    read_as(blob, true, sink)
}

/// Reads the snapshot. Only tests forbid it to leap: then every byte is scanned before it is lexed.
fn read_as(blob: &Blob, leaps: bool, sink: &mut dyn Sink) -> Result {
    let wants = sink.wants();
    let whole = wants.any_edges() || wants.full_nodes();
    blob.plan_passes(if whole { 3 } else { 2 });
    if whole {
        let scan = Scan::new(blob, leaps, &mut |_, _, _| Ok(None))?;
        let leapt = scan.leapt;
        let surveyed = Surveyed::new(blob, scan, wants)?;
        if leapt && !surveyed.sound() {
            let scan = Scan::new(blob, false, &mut |_, _, _| Ok(None))?;
            return Surveyed::new(blob, scan, wants)?.tell(blob, wants, sink);
        }
        surveyed.tell(blob, wants, sink)
    } else {
        sums(blob, leaps, wants, sink)
    }
}

/// The header, without which nothing can be read, and damage.
fn header(scan: &mut Scan) -> Result<(Arc<Header>, Option<Error>)> {
    let damage = scan.damage.take();
    match scan.header.take() {
        Some(header) => Ok((header, damage)),
        None => Err(damage.unwrap_or_else(|| Error::input("snapshot: the section is missing"))),
    }
}

/// Everything that must be known before it is told.
struct Surveyed {
    scan: Scan,
    header: Arc<Header>,
    nodes: Nodes,
    edges: Edges,
    root: Option<usize>,
    entries: Entries,
    damage: Option<Error>,
    /// Where the edges can be cut, if that was seen.
    cuts: Cuts,
    /// The edges end where the scan says.
    ends: bool,
}

impl Surveyed {
    /// Surveys nodes, then edges.
    fn new(blob: &Blob, mut scan: Scan, wants: Wants) -> Result<Self> {
        let (header, damage) = header(&mut scan)?;
        let nodes_at = section(&scan, "nodes");
        let edges_at = section(&scan, "edges");
        // Without nodes' own fields and array indexes, there is little to know of the edges before they are told.
        let glance = !(wants.full_nodes() || indexes(wants));
        let kept = match wants {
            Wants { nodes: WantNodes::None, .. } => KeepNodes::No,
            Wants { nodes: WantNodes::Full, .. } => KeepNodes::Whole,
            _ => KeepNodes::Columns,
        };
        let keep = Keep { edges: true, nodes: kept, classes: wants.strings == WantStrings::Classes };
        let ask = Ask { blob, section: &nodes_at, header: &header, strings: &scan.strings, keep };
        let many = worth_a_thread(&edges_at);
        let seen = || {
            if many {
                Seen::new(blob, &edges_at, header.edge.width, glance)
            } else {
                Ok(Seen::nothing(&edges_at))
            }
        };
        let (mut nodes, Seen { shape, cuts }) = Nodes::survey(ask, many, seen)?;
        let (root, rootless) = root(&header, &nodes);
        let plan = Plan { halves: cuts.halves(), ..plan(blob, &scan, &edges_at, &header, wants) };
        let edges = || Edges::glance(plan, &nodes, root, shape.map(|(ints, _)| ints));
        let entries =
            || if wants.any_edges() { scan.strings.marks.entries(nodes.ids()) } else { Entries::default() };
        let ((edges, entries), rule) =
            join(worth_a_thread(&nodes_at), || (edges(), entries()), || nodes.possible_rule());
        nodes.rule = rule;
        let mut edges = edges?;
        let damage = first([nodes.damage.take(), edges.damage.take(), damage, rootless]);
        let ends = shape.is_none_or(|(_, end)| end == edges_at.end);
        Ok(Self { scan, header, nodes, edges, root, entries, damage, cuts, ends })
    }

    /// Whether lists end where the scan says: every byte of them was looked at.
    fn sound(&self) -> bool {
        self.damage.is_none() && self.ends
    }

    /// Tells nodes, then edges.
    fn tell(self, blob: &Blob, wants: Wants, sink: &mut dyn Sink) -> Result {
        let Self { scan, header, nodes, edges, root, entries, mut damage, cuts, ends: _ } = self;
        let pieces = if damage.is_none() { cuts.pieces() } else { Vec::new() };
        let (scan, header, nodes, edges) = (&scan, &header, &nodes, &edges);
        let (nodes_at, edges_at) = (section(scan, "nodes"), section(scan, "edges"));
        let snapshot = Snapshot { blob, scan, header, nodes, root_edges: edges, root, entries: &entries };
        snapshot.metadata(sink)?;
        snapshot.declare(edges, sink)?;
        snapshot.strings(wants, Some(edges), sink)?;
        let tell_nodes = |sink: &mut dyn Sink| match &nodes.columns {
            Some(columns) => snapshot.nodes_kept(columns, &edges.slots, wants.full_nodes(), sink),
            None if wants.any_nodes() => snapshot.nodes(&nodes_at, &edges.slots, sink),
            None => Ok(()),
        };
        let tell = || -> Result {
            if !wants.any_edges() {
                return tell_nodes(sink);
            }
            let whole = if let Some(whole) = snapshot.in_two(&tell_nodes, &pieces, edges, sink)? {
                whole
            } else {
                tell_nodes(sink)?;
                snapshot.edges(&edges_at, edges, sink)?
            };
            if !whole && edges.unread {
                let plan = plan(blob, scan, &edges_at, header, wants);
                damage = first([Edges::survey_alone(plan, nodes, root)?.damage, damage.take()]);
            }
            Ok(())
        };
        // If nobody asks for the other lists, they are only looked at.
        let look = || (!wants.extensions).then(|| snapshot.others(None));
        let (told, looked) = join(!wants.extensions && worth_a_thread(&edges_at), tell, look);
        told?;
        worst(looked.unwrap_or_else(|| snapshot.others(Some(sink))), damage)?.map_or(Ok(()), Err)
    }
}

/// A list of the file, or an empty one if it has none.
fn section(scan: &Scan, name: &'static str) -> Section {
    scan.section(name).copied().unwrap_or(Section::missing(name))
}

/// Whether it asks for the strings of array indexes that edges use.
fn indexes(wants: Wants) -> bool {
    wants.edges == WantEdges::ById && wants.strings == WantStrings::All
}

/// What is asked of the edges.
fn plan<'a>(
    blob: &'a Blob,
    scan: &'a Scan,
    section: &'a Section,
    header: &'a Header,
    wants: Wants,
) -> Plan<'a> {
    Plan {
        blob,
        section,
        header,
        strings: &scan.strings,
        indexes: indexes(wants),
        slots: wants.full_nodes(),
        halves: None,
    }
}

/// Nodes and strings only. Of many edges only the shape is looked at, by a second thread, while this one surveys the
/// nodes: what edges point to is for those who ask for them. Each byte of both lists is read once.
fn sums(blob: &Blob, leaps: bool, wants: Wants, sink: &mut dyn Sink) -> Result {
    let kept = match wants.nodes {
        WantNodes::None => KeepNodes::No,
        WantNodes::Sums(SumBy::Class) => KeepNodes::Totals,
        _ => KeepNodes::Columns,
    };
    let keep = Keep { edges: false, nodes: kept, classes: false };
    let mut early: Option<(Nodes, u64)> = None;
    let scan = |leaps: bool, early: &mut Option<(Nodes, u64)>| {
        let look = &mut |scan: &Scan, header: &Arc<Header>, edges: Section| {
            *early = None;
            let nodes = scan.section("nodes").filter(|nodes| nodes.closed && worth_a_thread(&edges));
            let Some(nodes) = nodes else { return Ok(None) };
            // Their names are held against the strings when these are known.
            let ask = Ask { blob, section: nodes, header, strings: &Strings::default(), keep };
            let (nodes, shape) =
                join(true, || Nodes::survey_alone(ask), || shape::look(blob, &edges, header.edge.width));
            let (nodes, shape) = (nodes?, shape?);
            let end = shape.as_ref().map(|shape| shape.end);
            *early = shape.map(|shape| (nodes, shape.ints));
            Ok(end)
        };
        Scan::new(blob, leaps, look)
    };
    let mut found = scan(leaps, &mut early)?;
    if found.leapt && early.as_ref().is_none_or(|(nodes, _)| nodes.damage.is_some()) {
        found = scan(false, &mut early)?;
    }
    let mut scan = found;
    let (header, damage) = header(&mut scan)?;
    let (nodes_at, edges_at) = (section(&scan, "nodes"), section(&scan, "edges"));
    let ask = Ask { blob, section: &nodes_at, header: &header, strings: &scan.strings, keep };
    let early = early.and_then(|(mut nodes, ints)| {
        let sound = nodes.damage.is_none() && nodes.name(&scan.strings);
        (sound && Some(ints) == nodes.edges.checked_mul(header.edge.width as u64)).then_some(nodes)
    });
    let whole = early.is_some();
    let nodes = early.map_or_else(|| Nodes::survey_alone(ask), Ok)?;
    let plan = Plan {
        blob,
        section: &edges_at,
        header: &header,
        strings: &scan.strings,
        indexes: false,
        slots: false,
        halves: None,
    };
    let damage = tell_nodes(nodes, plan, &scan, wants, damage, sink)?;
    let mut worse = None;
    if !whole {
        // Small, or not as it should be: the lexer says where.
        worse = Edges::survey_closely(plan, &Nodes::survey_alone(Ask { keep: Keep::EDGES, ..ask })?, None)?
            .damage;
    }
    first([worse, damage]).map_or(Ok(()), Err)
}

/// What is seen of the edges without reading them.
#[derive(Debug)]
struct Seen {
    /// How many integers there are, and where the list ends.
    shape: Option<(u64, u64)>,
    /// Where they can be cut.
    cuts: Cuts,
}

impl Seen {
    /// Of edges that nobody looks at.
    fn nothing(edges: &Section) -> Self {
        Self { shape: None, cuts: Cuts::none(edges) }
    }

    /// Of edges that have `width` integers each; their shape, if that is asked for.
    fn new(blob: &Blob, edges: &Section, width: usize, shape: bool) -> Result<Self> {
        if !shape {
            return Ok(Self { shape: None, cuts: shape::middle(blob, edges, width)? });
        }
        Ok(match shape::look(blob, edges, width)? {
            Some(Shape { ints, end, cuts }) => Self { shape: Some((ints, end)), cuts },
            None => Self::nothing(edges),
        })
    }
}

/// Tells what there is without edges. Returns damage.
fn tell_nodes(
    mut nodes: Nodes,
    plan: Plan<'_>,
    scan: &Scan,
    wants: Wants,
    damage: Option<Error>,
    sink: &mut dyn Sink,
) -> Result<Option<Error>> {
    let Plan { blob, header, .. } = plan;
    nodes.rule = nodes.possible_rule();
    let (root, rootless) = root(header, &nodes);
    let root_edges = Edges::survey_root(plan, &nodes)?;
    let damage = first([nodes.damage.take(), damage, rootless]);
    let snapshot = Snapshot {
        blob,
        scan,
        header,
        nodes: &nodes,
        root_edges: &root_edges,
        root,
        entries: &Entries::default(),
    };
    snapshot.metadata(sink)?;
    snapshot.declare(&root_edges, sink)?;
    if let Some(fold) = &nodes.fold {
        snapshot.totals(&fold.totals(), wants.any_strings(), sink)?;
    } else {
        snapshot.strings(wants, None, sink)?;
        if let Some(columns) = &nodes.columns {
            snapshot.nodes_kept(columns, &[], false, sink)?;
        }
    }
    let others = snapshot.others(wants.extensions.then_some(sink));
    worst(others, damage)
}

/// Damage that was found while telling, or before; other errors come first.
fn worst(outcome: Result, damage: Option<Error>) -> Result<Option<Error>> {
    match outcome {
        Ok(()) => Ok(damage),
        Err(e) if matches!(e.kind(), heap_base::error::Kind::Input { .. }) => Ok(first([Some(e), damage])),
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
