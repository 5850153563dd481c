//! Threads, their frames, and what their stacks hold.

use heap_base::{Blob, Map, Result};
use heap_record::StringId;

use super::find::find;
use super::items::{Item, Root, RootKind};
use super::release::{reference, texts};
use super::resolve::{fields, name_or_id};
use super::scan::Scan;
use crate::strings::Strings;
use crate::text::class_name;

/// A thread that has an object.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// Address of the object.
    pub(crate) object: u64,
    /// The name of the thread.
    pub(crate) name: Option<StringId>,
    /// Its frames in [`Threads::frames`].
    pub(crate) frames: (u32, u32),
    /// Objects that its stack holds, but no frame.
    pub(crate) locals: Vec<u64>,
}

/// In place of the line of a native method.
pub(crate) const NATIVE: i32 = -3;

/// A method, and a line of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Method {
    /// Class and method.
    pub(crate) function: Option<StringId>,
    pub(crate) script: Option<StringId>,
    pub(crate) signature: Option<StringId>,
    /// Line; 0 or less if there is none: 0 none, -1 unknown, -2 compiled, [`NATIVE`].
    pub(crate) line: i32,
}

impl Method {
    /// That of a frame. Of one without a record nothing is known.
    pub(crate) fn of(scan: &Scan, frame: u64, strings: &mut Strings) -> Self {
        let Some(frame) = scan.frames.get(&frame) else { return Self::default() };
        let class = scan.serials.get(&frame.class).and_then(|&id| scan.classes.find(id));
        let class =
            class.and_then(|number| scan.classes.get(number)).and_then(|class| scan.names.get(class.name));
        let method = name_or_id(&scan.names, frame.method);
        let function = match class {
            Some(class) => format!("{}.{method}", class_name(&class).name),
            None => method,
        };
        let script = if frame.file == 0 { None } else { scan.names.get(frame.file) };
        Self {
            function: Some(strings.intern(&function)),
            script: script.map(|script| strings.intern(&script)),
            signature: scan.names.get(frame.signature).map(|signature| strings.intern(&signature)),
            line: frame.line,
        }
    }
}

/// A frame of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadFrame {
    pub(crate) method: Method,
    /// How many frames of the thread are further inside.
    pub(crate) depth: u32,
    /// Objects that it holds.
    pub(crate) locals: Vec<u64>,
}

/// All threads.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    pub(crate) list: Vec<Thread>,
    pub(crate) frames: Vec<ThreadFrame>,
    /// Roots that hold objects themselves, and not as part of a thread.
    pub(crate) roots: Vec<Root>,
    by_object: Map<u64, u32>,
    /// Names of class loaders, by address: they have theirs in a field as threads do.
    loaders: Map<u64, StringId>,
}

/// Frames beyond this are left out: a trace may be named by any number of threads.
const MAX_FRAMES: usize = 1 << 22;

impl Threads {
    /// The thread with this object.
    pub(crate) fn of(&self, object: u64) -> Option<&Thread> {
        self.list.get(*self.by_object.get(&object)? as usize)
    }

    /// The name of the class loader at an address.
    pub(crate) fn loader(&self, object: u64) -> Option<StringId> {
        self.loaders.get(&object).copied()
    }

    /// Puts roots, traces and frames together.
    pub(crate) fn new(scan: &Scan, strings: &mut Strings) -> Self {
        let mut threads = Self::default();
        let mut serials = Map::default();
        for root in scan.roots.iter().filter(|root| root.kind == RootKind::Thread) {
            let number = threads.list.len() as u32;
            if serials.insert(root.thread, number).is_some() || threads.by_object.contains_key(&root.object) {
                continue;
            }
            threads.by_object.insert(root.object, number);
            let start = threads.frames.len() as u32;
            threads.add_frames(scan, root.frame as u32, strings);
            let frames = (start, threads.frames.len() as u32);
            threads.list.push(Thread { object: root.object, name: None, frames, locals: Vec::new() });
        }
        for &root in &scan.roots {
            let on_stack = matches!(
                root.kind,
                RootKind::JavaFrame
                    | RootKind::JniLocal
                    | RootKind::NativeStack
                    | RootKind::ThreadBlock
                    | RootKind::JniMonitor
            );
            let thread = serials.get(&root.thread).filter(|_| on_stack);
            match thread.and_then(|&number| threads.list.get_mut(number as usize)) {
                None => threads.roots.push(root),
                Some(thread) => {
                    let frame = u32::try_from(root.frame)
                        .ok()
                        .map(|depth| u64::from(thread.frames.0) + u64::from(depth));
                    let frame = frame.filter(|&frame| frame < u64::from(thread.frames.1));
                    match frame.and_then(|frame| threads.frames.get_mut(frame as usize)) {
                        Some(frame) => frame.locals.push(root.object),
                        None => thread.locals.push(root.object),
                    }
                }
            }
        }
        threads
    }

    fn add_frames(&mut self, scan: &Scan, trace: u32, strings: &mut Strings) {
        let Some(ids) = scan.traces.get(&trace) else { return };
        for (depth, &id) in (0..).zip(ids) {
            if self.frames.len() >= MAX_FRAMES {
                return;
            }
            self.frames.push(ThreadFrame {
                method: Method::of(scan, id, strings),
                depth,
                locals: Vec::new(),
            });
        }
    }

    /// Finds out what the threads are called, and the class loaders that loaded something.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn find_names(
        &mut self,
        blob: &Blob,
        scan: &Scan,
        order: &[u32],
        strings: &mut Strings,
    ) -> Result {
        let mut objects: Vec<u64> = self.list.iter().map(|thread| thread.object).collect();
        let mut loaders: Vec<u64> = scan.classes.all().iter().map(|class| class.loader).collect();
        heap_base::sort(&mut loaders);
        loaders.dedup();
        objects.extend(loaders.into_iter().filter(|&loader| loader != 0));
        if objects.is_empty() {
            return Ok(());
        }
        let places = fields(scan, order, b"name");
        let size = usize::from(scan.header.id_size);
        // The name is a String, before Java 9 an array of char.
        let mut names = vec![0; objects.len()];
        find(blob, scan, &objects, |at, item, body| {
            let Item::Instance { class, .. } = item else { return };
            let place = scan.classes.find(class).and_then(|class| places.get(class as usize));
            names[at] = reference(place.copied().flatten(), body, size);
        })?;
        let texts = texts(blob, scan, order, &names)?;
        let mut names = texts.into_iter().map(|text| text.map(|text| strings.intern(&text)));
        for (thread, name) in self.list.iter_mut().zip(&mut names) {
            thread.name = name;
        }
        let loaders = objects.iter().skip(self.list.len()).zip(names);
        self.loaders.extend(loaders.filter_map(|(&loader, name)| Some((loader, name?))));
        Ok(())
    }
}
