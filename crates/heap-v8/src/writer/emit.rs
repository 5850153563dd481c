//! The file, put together once all records are there.

use std::io::Write;

use heap_base::Result;
use heap_base::json::push_text;
use heap_record::{LeftOut, Retains, Value};

use super::graph::{DEFERRED, EDGE, Graph};
use super::head::{self, EdgeField, Totals};
use super::kinds;
use super::reach::Reach;
use super::wide::{Wide, fixed};

/// How many edges out of order are sorted at a time: 24 bytes each.
pub(super) const SORTED: u64 = 4 << 20;

/// How many bytes are gathered before they are written.
pub(super) const FULL: usize = 256 << 10;

/// Where nodes of the stream stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where they stood.
    Same,
    /// All behind a root that was made.
    Behind,
    /// This one first, the others in their order.
    First(u32),
}

impl Place {
    #[inline]
    pub(super) fn of(self, ordinal: u32) -> u64 {
        let ordinal_wide = u64::from(ordinal);
        match self {
            Self::Same => ordinal_wide,
            Self::Behind => ordinal_wide + 1,
            Self::First(root) if ordinal == root => 0,
            Self::First(root) => ordinal_wide + u64::from(ordinal < root),
        }
    }
}

/// A node that the stream does not have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub(super) code: u16,
    pub(super) name: u32,
    pub(super) id: u64,
    pub(super) size: u64,
    pub(super) edges: u64,
}

/// An edge in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) code: u16,
    pub(super) name: u32,
    /// Ordinal in the file.
    pub(super) to: u64,
    /// Fields that only this file has.
    pub(super) slots: &'a [u8],
}

pub(super) struct Emit<'a, W: Write> {
    pub(super) graph: Graph,
    pub(super) out: &'a mut W,
    pub(super) buf: Vec<u8>,
    pub(super) place: Place,
    /// Edges of each node, deferred ones too.
    pub(super) counts: Vec<u32>,
    pub(super) width: u64,
    /// True if edges are type, name, target, parted by commas.
    pub(super) plain: bool,
    /// True if a record was written in this section.
    pub(super) any: bool,
}

/// Writes the file.
pub(crate) fn emit<W: Write>(
    mut graph: Graph,
    roots: &[Value],
    extra: &[(String, String)],
    out: &mut W,
    left_out: &mut LeftOut,
    notes: &mut Vec<String>,
) -> Result {
    // 1. How many nodes and edges there are. Counts stand in the head, ahead of everything.
    graph.ids.seal()?;
    let counts = with_deferred(&graph, left_out)?;
    let n = graph.ids.len() as u64;
    let edges: u64 = counts.iter().map(|&c| u64::from(c)).sum();
    // As the original has it; annotations make it wider.
    let old_width = graph.shape.node_fields.len() as u64;
    let more = graph.shape.annotate(graph.used);
    let header = &graph.shape.header;
    let width = graph.shape.node_fields.len() as u64;

    // 2. Which node is the root, and where it stands. A whole snapshot comes out as it went in, byte by byte. DevTools
    // starts at the node of `root_index` alone: several roots get one that holds them, and what no root reaches is hung
    // below a node that says so. Whether anything is missing of the snapshot that this was:
    let kept_root = graph.root.map(|(root, _)| root);
    let whole = graph.shape.v8 && graph.shape.said == (Some(n), Some(edges));
    let in_place =
        kept_root.is_some_and(|r| graph.shape.original && u64::from(r) * old_width == header.root_index);
    let starts: Vec<u32> = roots.iter().filter_map(|&root| graph.ids.find(root)).collect();
    let made_root = starts.len() != 1 || kept_root.is_none();
    let place = match kept_root {
        _ if made_root => Place::Behind,
        Some(root) if root != 0 && !(whole && in_place) => Place::First(root),
        _ => Place::Same,
    };
    let hung = if whole && !made_root { Vec::new() } else { unheld(&graph, &counts, &starts, made_root)? };

    // 3. Nodes that are made, in the order of the file: [root] the stream's nodes [holder of the unreachable] [external
    // bytes of each node]. Their names are interned first, for the strings come last. Their ids are odd ones that no node has.
    let mut fresh: Vec<u64> = graph.ids.fresh().take(3).collect();
    fresh.resize(3, 1);
    let renumbered = !graph.ids.is_narrow() && !graph.shape.v8;
    let beyond = (2 * n + 3) | 1;
    let code = |wanted: &str| {
        let types = &header.node_types;
        types.iter().position(|t| t == wanted).unwrap_or_else(|| {
            usize::from(kinds::code(kinds::newest_nodes(), wanted)).min(types.len().saturating_sub(1))
        }) as u16
    };
    let element = header.edge_types.iter().position(|t| t == "element").unwrap_or(1) as u16;
    let internal = header.edge_types.iter().position(|t| t == "internal").unwrap_or(3) as u16;
    let (synthetic, native) = (code("synthetic"), code("native"));
    let external = std::mem::take(&mut graph.external);
    let root_shift = u64::from(made_root);
    let hung_at = root_shift + n;
    let first_external = hung_at + u64::from(!hung.is_empty());
    let mut root_node = None;
    if made_root {
        let id = if renumbered { 1 } else { fresh.remove(0) };
        let edges = starts.len() as u64 + u64::from(!hung.is_empty());
        root_node = Some(Made { code: synthetic, name: graph.texts.make("")?, id, size: 0, edges });
        if graph.shape.v8 || n > 0 && roots.len() != 1 {
            notes.push(match starts.len() {
                0 => "the root is not among the nodes: one was made".to_owned(),
                n => format!("{n} roots: one was made to hold them"),
            });
        }
    }
    // 1 is for a root.
    fresh.retain(|&id| id != 1);
    let mut tail = Vec::new();
    if !hung.is_empty() {
        let filtered = graph.shape.v8 || starts.is_empty();
        let name = if filtered { "(filtered)" } else { "(unreachable)" };
        let why = if filtered { "that lost what held them" } else { "that no root reaches" };
        notes.push(format!("nodes {why}: {}, now held by {name}", hung.len()));
        let id = if renumbered { beyond } else { fresh.first().copied().unwrap_or(beyond) };
        let name = graph.texts.make(name)?;
        tail.push(Made { code: synthetic, name, id, size: 0, edges: hung.len() as u64 });
    }
    if !external.is_empty() {
        let name = graph.texts.make("(external)")?;
        let largest = (0..graph.ids.len()).map(|i| graph.ids.get(i)).max().unwrap_or(1).max(1) as u64;
        let past = if renumbered { beyond } else { (largest + 2) | 1 };
        for (i, &(_, size)) in (1..).zip(&external) {
            tail.push(Made { code: native, name, id: past + 2 * i, size, edges: 0 });
        }
    }
    let edge_name = if external.is_empty() { 0 } else { graph.texts.make("external")? };
    if graph.huge > 0 && !whole {
        notes.push(format!("nodes of 4 GiB and more, which Chrome DevTools shows too small: {}", graph.huge));
    }
    if renumbered {
        notes.push("identifiers are addresses, too large for a snapshot: nodes were numbered".to_owned());
    }

    // 4. The head, now that all counts are known.
    let root_in_file = if made_root { 0 } else { kept_root.map_or(0, |r| place.of(r)) };
    let root_extra = u64::from(made_root) * starts.len() as u64 + u64::from(!hung.is_empty());
    let totals = Totals {
        nodes: n + root_shift + tail.len() as u64,
        edges: edges + root_extra + hung.len() as u64 + external.len() as u64,
        functions: (!(whole && graph.shape.original))
            .then(|| graph.lists.iter().find(|l| l.section == "trace_function_infos").map_or(0, |l| l.count)),
        root_index: root_in_file * width,
    };
    let head = head::text(header, &totals, &more);
    let plain = graph.shape.edge_fields == [EdgeField::Kind, EdgeField::Name, EdgeField::To]
        && graph.shape.white.field == b",";
    let mut emit =
        Emit { plain, graph, out, buf: Vec::with_capacity(FULL + 4096), place, counts, width, any: false };
    let dropped = emit.unsound_lists(left_out)?;
    // 5. The sections, in the order of the original. What it did not have comes ahead of its last, the strings.
    let white = emit.graph.shape.white;
    let sections = emit.graph.shape.sections.clone();
    let more = emit.graph.lists.iter().filter(|l| l.count > 0).map(|l| l.section.to_owned());
    let more: Vec<_> = more.filter(|section| !sections.contains(section)).collect();
    let last = sections.len() - 1;
    let keys = sections[..last].iter().chain(&more).chain(&sections[last..]);
    emit.buf.push(b'{');
    let mut first = true;
    for key in keys {
        let raw = extra.iter().find(|(k, _)| k == key).map(|(_, raw)| raw);
        let known = matches!(key.as_str(), "snapshot" | "nodes" | "edges" | "strings");
        let list = emit.graph.lists.iter().position(|l| l.section == key);
        if !known && list.is_none() && raw.is_none() {
            left_out.add(&format!("section {key}"), 1);
            continue;
        }
        if !first {
            emit.buf.extend_from_slice(white.section);
        }
        first = false;
        push_text(&mut emit.buf, key);
        emit.buf.push(b':');
        emit.any = false;
        match (key.as_str(), list) {
            ("snapshot", _) => emit.buf.extend_from_slice(&head),
            ("nodes", _) => emit.nodes(root_node, kept_root, &hung, &external, &tail, renumbered)?,
            ("edges", _) => {
                let root_edges = Extra { starts: &starts, made_root, hung: &hung, hung_at, element };
                emit.edges(&root_edges, kept_root, &external, first_external, (internal, edge_name))?;
            }
            ("strings", _) => emit.strings()?,
            (_, Some(list)) => emit.list(list, dropped.contains(&key.as_str()), left_out)?,
            (_, None) => emit.buf.extend_from_slice(raw.map_or(&b"null"[..], |r| r.as_bytes())),
        }
        emit.write_if_full()?;
    }
    emit.buf.push(b'}');
    emit.drain()
}

/// Edges that the stream does not have.
pub(super) struct Extra<'a> {
    pub(super) starts: &'a [u32],
    pub(super) made_root: bool,
    pub(super) hung: &'a [u32],
    /// Ordinal of the node that holds them.
    pub(super) hung_at: u64,
    pub(super) element: u16,
}

/// Edges of each node with the deferred ones; edges to or from nowhere are left out.
fn with_deferred(graph: &Graph, left_out: &mut LeftOut) -> Result<Vec<u32>> {
    let mut counts = graph.counts.clone();
    let mut dangling = 0;
    each_deferred(graph, |source, dest, _| {
        match (source, dest) {
            (Some(source), Some(_)) => counts[source as usize] += 1,
            _ => dangling += 1,
        }
        Ok(())
    })?;
    left_out.add("edges to or from nodes that are not there", dangling);
    Ok(counts)
}

/// Hands over the deferred edges: source, target, and the record as it stands among those in order, but for the target.
pub(super) fn each_deferred(
    graph: &Graph,
    mut edge: impl FnMut(Option<u32>, Option<u32>, &[u8]) -> Result,
) -> Result {
    let slots = graph.shape.edge_slots.len() * Wide::LEN;
    let mut reader = graph.deferred.reader();
    for _ in 0..graph.n_deferred {
        let bytes = reader.bytes(DEFERRED + slots)?;
        let source = Value::from_le_bytes(fixed(bytes));
        let dest = Value::from_le_bytes(fixed(&bytes[8..]));
        edge(graph.ids.find(source), graph.ids.find(dest), &bytes[16..])?;
    }
    Ok(())
}

/// Nodes that must be held for all to be reached.
fn unheld(graph: &Graph, counts: &[u32], starts: &[u32], made_root: bool) -> Result<Vec<u32>> {
    let retains = graph.retains();
    let root = starts.first().copied().filter(|_| !made_root);
    let mut reach = Reach::new(counts);
    let mut add = |source: u32, dest: u32, code: u16| {
        let keeps = match retains.get(usize::from(code)).copied().unwrap_or_default() {
            Retains::Yes | Retains::Weak => true,
            Retains::No => false,
            Retains::Root => Some(source) == root,
        };
        if keeps {
            reach.add(source, dest);
        }
    };
    let stride = EDGE + graph.shape.edge_slots.len() * Wide::LEN;
    let mut reader = graph.edges.reader();
    for (source, &count) in (0..).zip(&graph.counts) {
        for _ in 0..count {
            let bytes = reader.bytes(stride)?;
            add(source, u32::from_le_bytes(fixed(&bytes[4..])), u16::from_le_bytes(fixed(&bytes[8..])));
        }
    }
    each_deferred(graph, |source, dest, bytes| {
        if let (Some(source), Some(dest)) = (source, dest) {
            add(source, dest, u16::from_le_bytes(fixed(&bytes[4..])));
        }
        Ok(())
    })?;
    Ok(reach.hang(starts))
}

/// What comes behind the edges of some nodes.
pub(super) struct Tail<'a> {
    /// The root, if it gets an edge more.
    pub(super) root: Option<u32>,
    pub(super) extra: &'a Extra<'a>,
    pub(super) external: &'a [(u32, u64)],
    pub(super) first_external: u64,
    pub(super) internal: u16,
    pub(super) external_name: u32,
}
