//! Loads the heaps of one snapshot: dictionaries in time order, rows, memory map, totals.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use heap_base::{Blob, Error, Result};

use crate::dict::{Classes, Dict};
use crate::group::Groups;
use crate::heap::{Heap, SELF, Slots};
use crate::index::Index;
use crate::names::code_address;
use crate::regions::{AllocatorTotal, Regions, read_totals};
use crate::scan::Scanner;
use crate::texts::{TextId, Texts};
use crate::{v1, v2};

/// How often, in lengths of the whole input, dictionaries may be read again because snapshots overlap in time.
const MOST_REREADS: u64 = 8;

/// A trace, indexed.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) blob: Blob,
    pub(crate) texts: Texts,
    pub(crate) index: Index,
    pub(crate) groups: Groups,
    /// By process: its dictionaries in file order.
    dictionaries_of: BTreeMap<i64, Vec<usize>>,
    processes: BTreeMap<i64, Process>,
    reread: u64,
}

/// What is known of one process, from dump to dump.
#[derive(Debug)]
struct Process {
    v1: Option<Names>,
    v2: Names,
    /// How many of the process's heap dumps, in time order, `v2` has seen.
    applied: usize,
    /// The memory map read last, and the dump that it is from.
    regions: Option<(usize, Arc<Regions>)>,
}

/// A dictionary and what is kept beside it.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) dict: Dict,
    pub(crate) classes: Classes,
    slots: Slots,
}

impl Names {
    fn new(dict: Dict) -> Self {
        Self { dict, classes: Classes::default(), slots: Slots::default() }
    }

    /// Notes the types that heaps use.
    fn note_classes(&mut self, heaps: &[Heap], texts: &mut Texts) {
        self.classes.begin(&self.dict);
        for heap in heaps {
            let cells = heap.cells.iter().map(|cell| cell.class);
            for ty in heap.rows.classes.iter().copied().chain(cells) {
                self.classes.note(ty, &self.dict, texts);
            }
        }
    }
}

/// The heap dump of one process, loaded.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// Index in [`Index::dumps`].
    pub(crate) dump: usize,
    pub(crate) heaps: Vec<Heap>,
    pub(crate) regions: Arc<Regions>,
    pub(crate) totals: Vec<AllocatorTotal>,
}

/// What loading a snapshot came to.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) loaded: Vec<Loaded>,
    /// What is odd about it but does not stop anybody.
    pub(crate) warnings: Vec<String>,
    /// What could not be read.
    pub(crate) damage: Option<Error>,
}

impl Trace {
    /// Indexes a trace.
    pub(crate) fn open(blob: &Blob) -> Self {
        let mut texts = Texts::default();
        let index = crate::index::index(blob, &mut texts);
        let groups = crate::group::group(&index);
        let mut dictionaries_of = BTreeMap::<i64, Vec<usize>>::new();
        for (i, dictionary) in index.dictionaries.iter().enumerate() {
            dictionaries_of.entry(dictionary.pid).or_default().push(i);
        }
        Self {
            blob: blob.clone(),
            texts,
            index,
            groups,
            dictionaries_of,
            processes: BTreeMap::new(),
            reread: 0,
        }
    }

    /// The names that a heap's numbers stand for.
    pub(crate) fn names(&self, loaded: &Loaded) -> Option<&Names> {
        let dump = &self.index.dumps[loaded.dump];
        let process = self.processes.get(&dump.pid)?;
        if dump.members.heaps { process.v1.as_ref() } else { Some(&process.v2) }
    }

    /// The names and, to add to them, the texts.
    pub(crate) fn names_and_texts(&mut self, loaded: &Loaded) -> Option<(&Names, &mut Texts)> {
        let dump = &self.index.dumps[loaded.dump];
        let process = self.processes.get(&dump.pid)?;
        let names = if dump.members.heaps { process.v1.as_ref()? } else { &process.v2 };
        Some((names, &mut self.texts))
    }

    /// Loads snapshot `number`. `alone` says that no other one will be asked for: then earlier dictionaries are read
    /// only if its own do not suffice.
    pub(crate) fn load(&mut self, number: usize, alone: bool) -> Snapshot {
        let mut snapshot = Snapshot::default();
        let dumps = self.groups.snapshots.get(number).map(|s| s.dumps.clone()).unwrap_or_default();
        for dump in dumps {
            let mut loaded = Loaded { dump, ..Loaded::default() };
            if let Err(damage) = self.load_dump(&mut loaded, alone, &mut snapshot.warnings) {
                snapshot.damage.get_or_insert(damage);
            }
            if !loaded.heaps.is_empty() {
                if let Err(damage) = self.load_surroundings(&mut loaded) {
                    snapshot.damage.get_or_insert(damage);
                }
                snapshot.loaded.push(loaded);
            }
        }
        snapshot
    }

    /// Loads the heaps of one dump of a process.
    ///
    /// A dump in the old format (`heaps`) needs the process's dictionaries, which stand in events of their own and hold for
    /// all its dumps: they are read once. In the new one (`heaps_v2`) each dump has the entries of the dictionaries that
    /// are new since the dump before. So dump k needs those of the dumps 0 to k − 1, in the order of time, which need not be
    /// that of the file:
    ///
    /// ```text
    ///   time      d0 ── d1 ── d2 ── d3       `history`: the dumps of the process by time
    ///   applied = 2: the dictionaries hold d0 and d1; for d3, d2 is read for its maps alone
    /// ```
    ///
    /// Dumps that are read in this order cost one pass. Going back means to begin anew, which `reread` bounds: files of
    /// processes that overlap in time by no order are refused. `alone`: only this dump is asked for. The first by
    /// time has everything, and often a later one does, so it is tried without the others.
    fn load_dump(&mut self, loaded: &mut Loaded, alone: bool, warnings: &mut Vec<String>) -> Result {
        let dump = self.index.dumps[loaded.dump];
        let pid = dump.pid;
        let process = self.processes.entry(pid).or_insert_with(|| Process {
            v1: None,
            v2: Names::new(Dict::v2()),
            applied: 0,
            regions: None,
        });
        let heaps = &mut loaded.heaps;
        let texts = &mut self.texts;
        if dump.members.heaps {
            let mut broken = None;
            if process.v1.is_none() {
                let mine = self.dictionaries_of.get(&pid).map_or(&[][..], |list| list);
                let mut dict = Dict::v1();
                // What was read of them before they broke off still counts.
                broken = read_dictionaries(&self.blob, &self.index, mine, &mut dict, texts, warnings).err();
                process.v1 = Some(Names::new(dict));
            }
            let Some(names) = &mut process.v1 else { return Ok(()) };
            names.slots.begin_dump();
            let mut scanner = dump.place.scanner(&self.blob);
            let result = match seek(&mut scanner, "heaps") {
                Ok(true) => v1::read_heaps(&mut scanner, &mut names.dict, &mut names.slots, texts, heaps),
                Ok(false) => Ok(Vec::new()),
                Err(damage) => Err(damage),
            };
            names.note_classes(heaps, texts);
            warn_rings(names, texts, pid, warnings);
            for allocator in result? {
                let allocator = texts.get(allocator);
                warnings.push(format!("process {pid}: allocator {allocator} has no entries, left out"));
            }
            return broken.map_or(Ok(()), Err);
        }

        // heaps_v2: what earlier dumps of the process defined holds until it is defined anew.
        let history = self.groups.heaps_of.get(&pid).map_or(&[][..], |list| list);
        let dumps = &self.index.dumps;
        let position = history.partition_point(|&i| {
            dumps[i].ts.total_cmp(&dump.ts).then(i.cmp(&loaded.dump)) == Ordering::Less
        });
        let mut outcome = None;
        if alone {
            let this = read_v2(dump.place.scanner(&self.blob), &mut process.v2, texts, heaps)?;
            let Names { dict, classes, .. } = &process.v2;
            let complete = this.complete && classes.used().iter().all(|&ty| dict.type_defined(ty));
            if position == 0 || complete {
                outcome = Some(this);
            } else {
                process.v2 = Names::new(Dict::v2());
                heaps.clear();
            }
        }
        let outcome = if let Some(outcome) = outcome {
            outcome
        } else {
            if position < process.applied {
                process.v2 = Names::new(Dict::v2());
                process.applied = 0;
            }
            while process.applied < position {
                let earlier = &self.index.dumps[history[process.applied]];
                process.applied += 1;
                self.reread = self.reread.saturating_add(earlier.place.end - earlier.place.at);
                if self.reread / MOST_REREADS > self.blob.len() {
                    return Err(Error::input(format!(
                        "the dumps of process {pid} and of other processes overlap in time too often"
                    )));
                }
                if earlier.members.heaps {
                    continue;
                }
                let mut scanner = earlier.place.scanner(&self.blob);
                if seek(&mut scanner, "heaps_v2")? {
                    v2::read_maps(&mut scanner, &mut process.v2.dict, texts)?;
                }
            }
            process.applied = position + 1;
            read_v2(dump.place.scanner(&self.blob), &mut process.v2, texts, heaps)?
        };
        if let Some(version) = outcome.strange_version {
            heaps.clear();
            warnings.push(format!("process {pid}: heaps_v2 of version {version}, not 1, left out"));
        }
        warn_rings(&process.v2, texts, pid, warnings);
        Ok(())
    }

    /// The memory map, if there are frames to look up in it, and the allocators' totals.
    fn load_surroundings(&mut self, loaded: &mut Loaded) -> Result {
        let mut allocators: Vec<TextId> = loaded.heaps.iter().map(|heap| heap.allocator).collect();
        heap_base::sort(&mut allocators);
        if let Some(dump) = self.groups.allocators_for(&self.index, loaded.dump) {
            let mut scanner = self.index.dumps[dump].place.scanner(&self.blob);
            loaded.totals = read_totals(&mut scanner, &allocators, &mut self.texts)?;
        }
        let Some(names) = self.names(loaded) else { return Ok(()) };
        let is_code = |&frame: &u32| {
            frame != SELF && code_address(self.texts.get(names.dict.frame_name(frame))).is_some()
        };
        if loaded.heaps.iter().any(|heap| heap.frames.iter().any(is_code))
            && let Some(dump) = self.groups.regions_for(&self.index, loaded.dump)
            && let Some(process) = self.processes.get_mut(&self.index.dumps[loaded.dump].pid)
        {
            loaded.regions = match &process.regions {
                Some((from, regions)) if *from == dump => Arc::clone(regions),
                _ => {
                    let mut scanner = self.index.dumps[dump].place.scanner(&self.blob);
                    let regions = Arc::new(Regions::read(&mut scanner, &mut self.texts)?);
                    process.regions = Some((dump, Arc::clone(&regions)));
                    regions
                }
            };
        }
        Ok(())
    }
}

/// Reads `heaps_v2` over the dictionaries that are there.
fn read_v2(
    mut scanner: Scanner,
    names: &mut Names,
    texts: &mut Texts,
    heaps: &mut Vec<Heap>,
) -> Result<v2::Outcome> {
    if !seek(&mut scanner, "heaps_v2")? {
        return Ok(v2::Outcome::default());
    }
    names.slots.begin_dump();
    let result = v2::read_heaps(&mut scanner, &mut names.dict, &mut names.slots, texts, heaps);
    if result.is_err() {
        // Rows whose dictionary may be missing say nothing.
        heaps.clear();
    }
    names.note_classes(heaps, texts);
    result
}

/// Reads the `stackFrames` and `typeNames` of one process. Frames merge, the first list of types counts.
fn read_dictionaries(
    blob: &Blob,
    index: &Index,
    mine: &[usize],
    dict: &mut Dict,
    texts: &mut Texts,
    warnings: &mut Vec<String>,
) -> Result {
    let mut repeated = None;
    for dictionary in mine.iter().map(|&i| &index.dictionaries[i]) {
        let mut scanner = Scanner::new(blob, dictionary.at, dictionary.end);
        if dictionary.frames {
            dict.read_stack_frames(&mut scanner, texts)?;
        } else if dict.has_types {
            repeated = Some(dictionary.pid);
        } else {
            dict.read_type_names(&mut scanner, texts)?;
        }
    }
    if let Some(pid) = repeated {
        warnings.push(format!("process {pid}: typeNames given more than once, the first counts"));
    }
    Ok(())
}

/// Goes into the object that comes next, up to the value of a member. False if there is no such member.
fn seek(scanner: &mut Scanner, name: &'static str) -> Result<bool> {
    scanner.expect(b'{', "an object")?;
    let mut first = true;
    while let Some(member) = scanner.member(&mut first, &[name])? {
        if member == name {
            return Ok(true);
        }
        scanner.skip()?;
    }
    Ok(false)
}

fn warn_rings(names: &Names, texts: &Texts, pid: i64, warnings: &mut Vec<String>) {
    let mut rings = names.slots.rings.clone();
    heap_base::sort(&mut rings);
    rings.dedup();
    if let Some(&frame) = rings.first() {
        let name = texts.get(names.dict.frame_name(frame));
        warnings.push(format!(
            "process {pid}: frames that call each other in a ring, cut open in {} places, first at {name:?}",
            rings.len()
        ));
    }
}
