//! Nodes in front of the objects, and the edges that IBM's dumps lack: roots, threads with their calls, and loaders.
//!
//! A dump alone has none: a node refers to all classes, and what nothing refers to is a root too. With a javacore the roots
//! are, as in Eclipse MAT, threads, the boot loader with its classes, and locks that somebody owns. MAT takes the rest for
//! garbage, but neither file says what variables, JNI and finalizers hold: so what nothing refers to stays a root.

use heap_base::{Map, Members, Result, Set};
use heap_record::{Heap, StringId};

use super::javacore::Javacore;
use super::types::Types;
use crate::emit::{EdgeType, Edges, NodeType, Out, Target, own_value};

/// What comes in front of the objects.
#[derive(Debug, Default)]
pub(super) struct Roots {
    /// Kinds of roots, a node each: name, and the objects that it holds.
    kinds: Vec<(StringId, Vec<u64>)>,
    frames: Vec<Frame>,
    /// Threads by their objects.
    threads: Map<u64, Thread>,
    /// Classes that loaders hold, by the objects of these.
    loaded: Map<u64, Vec<u64>>,
    /// True if they are those of a javacore.
    pub(super) named: bool,
    /// What people should know of the javacore.
    pub(super) note: Option<String>,
}

#[derive(Debug)]
struct Thread {
    name: StringId,
    /// Its calls in [`Roots::frames`].
    frames: (u32, u32),
    /// Objects that it waits for or has locked outside of its calls.
    holds: Vec<u64>,
}

#[derive(Debug)]
struct Frame {
    function: StringId,
    script: Option<StringId>,
    line: Option<u32>,
    depth: u32,
    locks: Vec<u64>,
}

impl Roots {
    /// Those of a dump alone.
    pub(super) fn guessed(types: &mut Types) -> Self {
        let classes = types.classes().collect();
        Self { kinds: vec![(types.intern("class"), classes)], ..Self::default() }
    }

    /// Those of a javacore called `file`; `found` of its objects are in the dump.
    pub(super) fn new(core: &Javacore, found: &Set<u64>, file: &str, types: &mut Types) -> Self {
        let objects = core.threads.iter().filter(|thread| thread.object != 0);
        let (mut all, mut there) = (0_u64, 0_u64);
        for thread in objects {
            all += 1;
            there += u64::from(found.contains(&thread.object));
        }
        let unused = if all == 0 {
            let threads = core.threads.len();
            Some(format!("{file} does not say which objects its {threads} threads are: it is not used"))
        } else if there * 10 < all * 9 {
            Some(format!(
                "only {there} of {all} threads in {file} are objects of the dump: it is of another moment, and not used"
            ))
        } else {
            None
        };
        if unused.is_some() {
            return Self { note: unused, ..Self::guessed(types) };
        }
        let note = (!core.complete).then(|| format!("{file} ends early"));
        let mut roots = Self { note, named: true, ..Self::default() };
        roots.threads(core, found, types);
        let unowned =
            core.monitors.iter().filter(|(object, thread)| thread.is_none() && found.contains(object));
        let mut monitors: Vec<u64> = unowned.map(|&(object, _)| object).collect();
        heap_base::sort(&mut monitors);
        monitors.dedup();
        let mut sticky = roots.loaders(core, found, types);
        heap_base::sort(&mut sticky);
        sticky.dedup();
        let mut threads: Vec<u64> = roots.threads.keys().copied().collect();
        heap_base::sort(&mut threads);
        let kinds = [("sticky class", sticky), ("monitor", monitors), ("thread object", threads)];
        let kinds = kinds.into_iter().filter(|(_, objects)| !objects.is_empty());
        roots.kinds = kinds.map(|(name, objects)| (types.intern(name), objects)).collect();
        roots
    }

    fn threads(&mut self, core: &Javacore, found: &Set<u64>, types: &mut Types) {
        let mut holds: Map<u32, Vec<u64>> = Map::default();
        for &(object, thread) in &core.monitors {
            if let Some(thread) = thread.filter(|_| found.contains(&object)) {
                holds.entry(thread).or_default().push(object);
            }
        }
        for (number, thread) in (0..).zip(&core.threads) {
            if !found.contains(&thread.object) || self.threads.contains_key(&thread.object) {
                continue;
            }
            let first = self.frames.len() as u32;
            let mut holds = holds.remove(&number).unwrap_or_default();
            for (depth, frame) in (0..).zip(&thread.frames) {
                holds.retain(|object| !frame.locks.contains(object));
                self.frames.push(Frame {
                    function: types.intern(&frame.function),
                    script: frame.script.as_deref().map(|script| types.intern(script)),
                    line: frame.line,
                    depth,
                    locks: frame.locks.iter().copied().filter(|object| found.contains(object)).collect(),
                });
            }
            heap_base::sort(&mut holds);
            holds.dedup();
            let frames = (first, self.frames.len() as u32);
            self.threads.insert(thread.object, Thread { name: types.intern(&thread.name), frames, holds });
        }
    }

    /// Gives classes their loaders, and these their classes. Returns the boot loader and the classes that it holds; those that
    /// no loader is known to hold are its too.
    fn loaders(&mut self, core: &Javacore, found: &Set<u64>, types: &mut Types) -> Vec<u64> {
        let known = core.loaders.iter().map(|loader| (loader, found.contains(&loader.object)));
        let known: Vec<_> = known.collect();
        let boot = known.iter().filter(|(loader, there)| loader.boot && *there);
        let mut sticky: Vec<u64> = boot.map(|(loader, _)| loader.object).collect();
        for number in types.numbers() {
            let address = types.address(number);
            if address == 0 {
                continue;
            }
            let names = types.machine(number).and_then(|name| core.classes.get(name));
            let loaders = names.map_or(&[][..], Vec::as_slice);
            let loaders = loaders.iter().filter_map(|&loader| known.get(loader as usize));
            let loaders: Vec<u64> = loaders
                .filter(|(loader, there)| !loader.boot && *there)
                .map(|(loader, _)| loader.object)
                .collect();
            let booted = names.is_some_and(|names| {
                names.iter().any(|&name| known.get(name as usize).is_some_and(|(loader, _)| loader.boot))
            });
            if booted || loaders.is_empty() {
                sticky.push(address);
            }
            // Two loaders may have classes of one name; the dump does not say which of them this is.
            if let ([loader], false) = (&loaders[..], booted) {
                types.set_loader(number, *loader);
            }
            for loader in loaders {
                self.loaded.entry(loader).or_default().push(address);
            }
        }
        sticky
    }

    /// How many nodes there are.
    pub(super) fn count(&self) -> u32 {
        (self.kinds.len() + self.frames.len()) as u32
    }

    /// The name of the thread with this object.
    #[inline]
    pub(super) fn thread(&self, object: u64) -> Option<StringId> {
        if self.named { self.threads.get(&object).map(|thread| thread.name) } else { None }
    }

    /// Delivers the nodes; for sums all frames are one.
    pub(super) fn nodes(&self, odd: bool, sums: bool, out: &mut Out<'_>) -> Result {
        for (number, (name, _)) in (0..).zip(&self.kinds) {
            let heap = Heap { size: Some(0), name: Some(*name), ..Heap::default() };
            out.node(NodeType::Root, own_value(number, odd), b"", heap, b"")?;
        }
        let first = self.kinds.len() as u32;
        if sums {
            let count = self.frames.len() as u64;
            let heap = Heap { size: Some(0), count: Some(count), ..Heap::default() };
            return match count {
                0 => Ok(()),
                _ => out.node(NodeType::Frame, own_value(first, odd), b"", heap, b""),
            };
        }
        for (number, frame) in (first..).zip(&self.frames) {
            let heap = Heap { size: Some(0), name: Some(frame.function), ..Heap::default() };
            let (mut own, mut rest) = (Members::new(), Members::new());
            if out.wants.node_details() {
                own.int("function", frame.function);
                if let Some(script) = frame.script {
                    own.int("script_name", script);
                }
                if let Some(line) = frame.line {
                    own.uint("line", line.into());
                }
                rest.open("java").uint("frame", frame.depth.into()).close();
            }
            out.node(NodeType::Frame, own_value(number, odd), own.as_bytes(), heap, rest.as_bytes())?;
        }
        Ok(())
    }

    /// Delivers the edges of these nodes.
    pub(super) fn edges(&self, to: To<'_>, edges: &mut Edges<'_, '_>) -> Result {
        for (number, (_, objects)) in (0..).zip(&self.kinds) {
            to.bare(number, EdgeType::Root, objects, edges)?;
        }
        for (number, frame) in (self.kinds.len() as u32..).zip(&self.frames) {
            to.bare(number, EdgeType::Local, &frame.locks, edges)?;
        }
        Ok(())
    }

    /// Delivers what the edges of an object lack: the calls of a thread, the classes of a loader.
    #[inline]
    pub(super) fn more(&self, object: u64, to: To<'_>, edges: &mut Edges<'_, '_>) -> Result {
        if self.named { self.more_of(object, to, edges) } else { Ok(()) }
    }

    fn more_of(&self, object: u64, to: To<'_>, edges: &mut Edges<'_, '_>) -> Result {
        if let Some(thread) = self.threads.get(&object) {
            for (depth, frame) in (0..).zip(thread.frames.0..thread.frames.1) {
                edges.element(EdgeType::Frame, to.own(self.kinds.len() as u32 + frame), depth)?;
            }
            for target in thread.holds.iter().filter_map(|&object| (to.target)(object)) {
                edges.bare(EdgeType::Local, target)?;
            }
        }
        for target in self.loaded.get(&object).into_iter().flatten().filter_map(|&class| (to.target)(class)) {
            edges.bare(EdgeType::Reference, target)?;
        }
        Ok(())
    }
}

/// Where edges lead.
#[derive(Clone, Copy)]
pub(super) struct To<'a> {
    /// The end of an edge at an address.
    pub(super) target: &'a dyn Fn(u64) -> Option<Target>,
    pub(super) by_index: bool,
    pub(super) odd: bool,
}

impl To<'_> {
    /// The end of an edge at a node in front.
    fn own(&self, number: u32) -> Target {
        Target(if self.by_index { number.into() } else { own_value(number, self.odd) })
    }

    fn bare(&self, number: u32, subtype: EdgeType, objects: &[u64], edges: &mut Edges<'_, '_>) -> Result {
        if !edges.source(own_value(number, self.odd), self.own(number))? {
            return Ok(());
        }
        objects.iter().filter_map(|&object| (self.target)(object)).try_for_each(|to| edges.bare(subtype, to))
    }
}
