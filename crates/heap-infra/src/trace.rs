//! Chromium memory-infra heap dumps in trace-event JSON: `chrome.memory-infra`.

use heap_base::{Blob, Error, Result};
use heap_record::{Fact, IdRule, Info, Sink, SnapshotSelector, head};

use crate::emit::Emitter;
use crate::heap::{Heap, ROOT};
use crate::load::{Loaded, Trace};
use crate::scan::Scanner;
use crate::texts::NONE;

/// Members of the container's `metadata` that describe the browser.
const PRODUCT: [(&str, &str); 4] = [
    ("product-version", "chrome.product"),
    ("trace-capture-datetime", "chrome.captured"),
    // Where this is one snapshot of several, as the writer of this crate says it.
    ("heap-snapshot", SNAPSHOT),
    ("heap-snapshots", SNAPSHOTS),
];
pub(crate) const SNAPSHOT: &str = "chrome.snapshot";
pub(crate) const SNAPSHOTS: &str = "chrome.snapshots";

/// Keys of the container that may come before `traceEvents`.
const CONTAINER: [&str; 12] = [
    "traceEvents",
    "metadata",
    "displayTimeUnit",
    "samples",
    "stackFrames",
    "traceAnnotations",
    "systemTraceEvents",
    "powerTraceAsString",
    "androidProcessDump",
    "cgroupDump",
    "controllerTraceDataKey",
    "otherData",
];

/// Keys of an event.
const EVENT: [&str; 8] = ["ph", "pid", "tid", "ts", "cat", "name", "args", "id"];

/// True if this is how a trace begins, in the object or the array form.
pub fn sniff(head: &[u8]) -> bool {
    let mut scanner = Scanner::over_head(head);
    let matches = |scanner: &mut Scanner| -> Result<bool> {
        match scanner.peek()? {
            Some(b'{') => {
                scanner.enter(b'{')?;
                let mut first = true;
                while let Some(key) = scanner.member(&mut first, &CONTAINER)? {
                    match key {
                        "" => return Ok(false),
                        "traceEvents" => return Ok(scanner.next_token()? == b'['),
                        // What the head does not show to its end still was a trace's key.
                        _ if scanner.skip().is_err() => return Ok(true),
                        _ => {}
                    }
                }
                Ok(false)
            }
            Some(b'[') => {
                scanner.enter(b'[')?;
                if scanner.next_token()? != b'{' {
                    return Ok(false);
                }
                scanner.enter(b'{')?;
                let (mut first, mut known) = (true, 0);
                while let Some(key) = scanner.member(&mut first, &EVENT)? {
                    match key {
                        "ph" => return Ok(true),
                        "" => {}
                        _ => known += 1,
                    }
                    if scanner.skip().is_err() {
                        return Ok(known > 0);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    };
    matches(&mut scanner).unwrap_or(false)
}

/// Reads the heap dumps that `pick` names into `sink`.
///
/// Snapshot N is the N-th global dump in ascending time. A global dump is all process dumps with heaps that have the
/// same dump id; where events have no id, the k-th such dump of every process. Dumps without heaps do not count.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    blob.plan_passes(2);
    let mut trace = Trace::open(blob);
    let mut damage = trace.index.damage.take();
    let n_snapshots = trace.groups.snapshots.len() as u64;

    let wants = sink.wants();
    head::begin(sink, "chrome.memory-infra", IdRule::Index)?;
    let mut product = product(&mut trace);
    let picked_before = split_picked(&mut product);
    let repeated = repeated(&trace);
    let mut emitter = Emitter::new(&mut trace, wants);
    for number in picked(pick, n_snapshots, &mut damage)? {
        if pick == SnapshotSelector::All {
            head::metadata(sink, "heap.snapshot", &number.to_string())?;
        }
        let mut snapshot = emitter.trace().load(number as usize, pick != SnapshotSelector::All);
        if let Some(error) = snapshot.damage.take() {
            damage.get_or_insert(error);
        }
        let mut facts = facts(emitter.trace(), &snapshot.loaded, number, n_snapshots, pick);
        if pick != SnapshotSelector::All && n_snapshots == 1 {
            facts.splice(0..0, picked_before.iter().cloned());
        }
        facts.append(&mut product);
        snapshot.warnings.extend_from_slice(&repeated);
        emitter.snapshot(&snapshot, &facts, sink)?;
    }
    damage.map_or(Ok(()), Err)
}

/// The picked snapshots. Without any, the damage that may be the reason comes first.
fn picked(
    pick: SnapshotSelector,
    n_snapshots: u64,
    damage: &mut Option<Error>,
) -> Result<std::ops::Range<u64>> {
    if n_snapshots == 0 {
        return Err(damage.take().unwrap_or_else(|| {
            Error::refused("the trace has no heap dumps, only a browser that profiles its heap writes them")
        }));
    }
    pick.range(n_snapshots).map_err(|refused| damage.take().unwrap_or(refused))
}

/// Metadata about the chosen snapshot.
fn facts(
    trace: &Trace,
    loaded: &[Loaded],
    number: u64,
    n_snapshots: u64,
    pick: SnapshotSelector,
) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if n_snapshots > 1 && pick != SnapshotSelector::All {
        facts.push((SNAPSHOT, number.to_string()));
        facts.push((SNAPSHOTS, n_snapshots.to_string()));
    }
    let Some(group) = trace.groups.snapshots.get(number as usize) else { return facts };
    if let [one] = loaded {
        facts.push(("target_pid", trace.index.dumps[one.dump].pid.to_string()));
    }
    if group.id != NONE {
        facts.push(("chrome.dump_id", trace.texts.get(group.id).to_owned()));
    }
    if let Some(&first) = group.dumps.first() {
        let dump = &trace.index.dumps[first];
        facts.push(("chrome.ts", dump.ts.to_string()));
        if dump.members.level != NONE {
            facts.push(("chrome.level_of_detail", trace.texts.get(dump.members.level).to_owned()));
        }
    }
    facts
}

/// Metadata about the browser.
fn product(trace: &mut Trace) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(at) = trace.index.metadata {
        let mut scanner = Scanner::new(&trace.blob, at, trace.blob.len());
        // It was balanced when it was skipped; what cannot be read of it is not worth an error.
        let _ = read_product(&mut scanner, &mut facts);
    }
    facts
}

/// Takes out which snapshot of another trace this is.
fn split_picked(product: &mut Vec<(&'static str, String)>) -> Vec<(&'static str, String)> {
    let is_picked = |key: &str| key == SNAPSHOT || key == SNAPSHOTS;
    let mut picked: Vec<_> = product.iter().filter(|(key, _)| is_picked(key)).cloned().collect();
    heap_base::sort(&mut picked);
    product.retain(|(key, _)| !is_picked(key));
    picked
}

fn read_product(scanner: &mut Scanner, facts: &mut Vec<(&'static str, String)>) -> Result {
    if !scanner.enter(b'{')? {
        return Ok(());
    }
    let mut first = true;
    while let Some(member) = scanner.member(&mut first, &PRODUCT.map(|(member, _)| member))? {
        let key = PRODUCT.iter().find(|(name, _)| *name == member);
        match key {
            Some((_, key)) if scanner.next_token()? == b'"' => {
                facts.push((key, scanner.text()?.into_owned()));
            }
            _ => scanner.skip()?,
        }
    }
    Ok(())
}

fn repeated(trace: &Trace) -> Vec<String> {
    let Some(&(pid, id)) = trace.groups.repeated.first() else { return Vec::new() };
    let n = trace.groups.repeated.len();
    let id = trace.texts.get(id);
    vec![format!("{n} repeated heap dumps left out, the first of process {pid} in dump {id}")]
}

/// What the trace holds: found by one pass over it and a second over its heap dumps.
pub fn info(blob: &Blob) -> Result<Info> {
    blob.plan_passes(2);
    let mut trace = Trace::open(blob);
    let mut info = Info { format: "chrome.memory-infra", series: true, ..Info::default() };
    let mut formats = Vec::new();
    info.producer = product(&mut trace).into_iter().find(|(key, _)| *key == "chrome.product").map(|(_, v)| v);
    info.facts.push(("container", Fact::Text(if trace.index.array { "array" } else { "object" }.to_owned())));
    info.facts.push(("events", Fact::Int(trace.index.n_events as i64)));
    info.facts.push(("memory_dumps", Fact::Int(trace.index.dumps.len() as i64)));
    if let Some(damage) = &trace.index.damage {
        info.facts.push(("damage", Fact::Text(damage.to_string())));
    }
    for number in 0..trace.groups.snapshots.len() {
        let snapshot = trace.load(number, false);
        let heaps = || snapshot.loaded.iter().flat_map(|loaded| &loaded.heaps);
        let mut facts = Vec::new();
        let group = &trace.groups.snapshots[number];
        if group.id != NONE {
            facts.push(("dump_id", Fact::Text(trace.texts.get(group.id).to_owned())));
        }
        if let Some(&first) = group.dumps.first() {
            facts.push(("ts", Fact::Text(trace.index.dumps[first].ts.to_string())));
        }
        let mut names: Vec<&str> = heaps().map(|heap| trace.texts.get(heap.allocator)).collect();
        heap_base::sort(&mut names);
        names.dedup();
        facts.push(("processes", Fact::Int(snapshot.loaded.len() as i64)));
        facts.push(("allocators", Fact::Text(names.join(" "))));
        facts.push(("entries", Fact::Int(heaps().map(n_entries).sum::<u64>() as i64)));
        facts.push(("size", Fact::Bytes(heaps().map(total).fold(0, u64::saturating_add))));
        if heaps().any(|heap| heap.root_inexact) {
            facts.push(("exact", Fact::Flag(false)));
        }
        info.snapshots.push(facts);
        for heap in heaps() {
            if !formats.contains(&heap.format.name()) {
                formats.push(heap.format.name());
            }
        }
    }
    info.version = (!formats.is_empty()).then(|| formats.join(" "));
    Ok(info)
}

/// Entries or rows in the file.
fn n_entries(heap: &Heap) -> u64 {
    heap.skipped + if heap.cells.is_empty() { heap.rows.len() } else { heap.cells.len() } as u64
}

/// Bytes of a heap: all own bytes.
fn total(heap: &Heap) -> u64 {
    debug_assert!(heap.parents.iter().enumerate().all(|(slot, &p)| p == ROOT || (p as usize) < slot));
    heap.rows.sizes.iter().fold(0, u64::saturating_add)
}
