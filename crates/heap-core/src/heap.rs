//! A core that was opened: its memory, what V8 it is of, its pages and maps.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use heap_base::{Blob, Dump, Error, Result};

use crate::constants::{Constants, line_of};
use crate::elf::{Elf, Machine, Notes};
use crate::lines::Lines;
use crate::memory::Memory;
use crate::native;
use crate::objects::{Code, Kind, Known, Nothing, Offsets, Property, Scope};
use crate::space::{Map, MapId, Maps, Page, Pages, Size, Sizes};
use crate::stacks::Variables;
use crate::version::{self, Version};

/// Bytes of a hole.
const LARGEST_HOLE: u64 = 16;

/// A core of Node.
#[derive(Debug)]
pub(crate) struct Heap {
    pub(crate) machine: Machine,
    pub(crate) memory: Memory,
    pub(crate) notes: Notes,
    /// The executable that the user named, or that the process runs.
    pub(crate) executable: Option<Blob>,
    /// Bytes that the core promises and does not have.
    pub(crate) missing: u64,
    /// Damage of the ELF headers.
    pub(crate) damage: RefCell<Option<Error>>,
    pub(crate) version: Version,
    pub(crate) constants: Constants,
    pub(crate) offsets: Offsets,
    pub(crate) pages: Pages,
    pub(crate) maps: Maps,
    rules: Vec<Size>,
    kinds: Vec<Kind>,
    pub(crate) known: Known,
    pub(crate) nothing: Nothing,
    /// Types of functions that are not compiled yet.
    pub(crate) uncompiled: heap_base::Set<u16>,
    pub(crate) scopes: RefCell<heap_base::Map<u64, Option<Rc<Scope>>>>,
    /// Properties by address of the map.
    pub(crate) layouts: RefCell<heap_base::Map<u64, Rc<[Property]>>>,
    /// Code that V8 made by an instruction in it.
    pub(crate) codes: RefCell<heap_base::Map<u64, Option<Code>>>,
    /// Where the table of the code of functions begins, in versions that have one.
    pub(crate) code_table: OnceCell<Option<u64>>,
    /// Lines by address of the script.
    pub(crate) lines: RefCell<heap_base::Map<u64, Rc<Lines>>>,
    /// Variables by address of the function's metadata.
    pub(crate) variables: RefCell<heap_base::Map<u64, Rc<Variables>>>,
}

/// What walking the pages found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walked {
    pub(crate) objects: u64,
    /// Bytes of the pages' areas, and of those the bytes that are no object.
    pub(crate) area: u64,
    pub(crate) skipped: u64,
    /// Objects of varying size behind which no object begins.
    pub(crate) unsure: u64,
}

/// An object on a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) id: MapId,
}

impl Heap {
    /// Opens a core.
    ///
    /// # Errors
    /// A file that is no core, or none of a Node whose V8 is known; failures of reading.
    pub(crate) fn open(dump: &Dump) -> Result<Self> {
        let mut elf = Elf::open(dump)?;
        if elf.kind != 4 {
            return Err(Error::at_byte(16, "expected a core file"));
        }
        let notes = Notes::read(dump, &elf)?;
        let mut memory = Memory::new(dump.blob.clone(), &elf.segments);
        let Some(pages) = Pages::find(&memory) else {
            return Err(elf.damage.take().unwrap_or_else(|| {
                Error::refused(version::advice(&notes.names()).unwrap_or(
                    "no heap pages of V8 in this core: not a core of Node, or of a version not known",
                ))
            }));
        };
        memory.check()?;
        let version = version::find(&memory, &pages);
        let v8 = version.v8.as_deref();
        let constants = match dump.companion() {
            // It may have V8 from a library.
            Some(executable) if notes.library().is_none() => constants_given(executable, v8),
            _ => constants_for(v8, &notes),
        };
        let constants = constants.map_err(|error| version::unknown(&version, &notes.names(), error))?;
        if let (Some(executable), Some(name)) = (dump.companion(), notes.executable()) {
            let ranges = notes.files.iter().filter(|f| f.name == name);
            memory.add_file(executable.clone(), ranges.map(|f| f.within(executable.len())));
        }
        // Where V8 is in a library, so are the sources of Node's own scripts.
        if let Some(name) = Notes::library(&notes)
            && let Some(library) = notes.on_disk(name)
            && (notes.live.is_some() || native::is_build(&memory, &notes, name, &library))
        {
            let ranges = notes.files.iter().filter(|f| f.name == name);
            memory.add_file(library.clone(), ranges.map(|f| f.within(library.len())));
        }
        let offsets =
            Offsets::new(&constants).map_err(|error| version::unknown(&version, &notes.names(), error))?;
        let maps = Maps::new(&constants)?;
        let kinds = Kind::table(&constants);
        let uncompiled = constants.instance_types().filter(|(name, _)| name.starts_with("UNCOMPILED_DATA"));
        let uncompiled = uncompiled.map(|(_, n)| n).collect();
        let mut heap = Self {
            machine: elf.machine,
            memory,
            notes,
            executable: dump.companion().cloned(),
            missing: elf.missing,
            damage: RefCell::new(elf.damage.take()),
            version,
            constants,
            offsets,
            pages,
            maps,
            rules: Vec::new(),
            kinds,
            known: Known::default(),
            nothing: Nothing::default(),
            uncompiled,
            scopes: RefCell::default(),
            layouts: RefCell::default(),
            codes: RefCell::default(),
            code_table: OnceCell::new(),
            lines: RefCell::default(),
            variables: RefCell::default(),
        };
        heap.learn();
        heap.memory.check()?;
        if heap.maps.len() == 0 {
            return Err(Error::refused(
                "no map of maps on the heap pages: a version of V8 not known, or the read-only page is missing",
            ));
        }
        heap.find_known();
        Ok(heap)
    }

    /// Finds the sizes that no constant says: those of a known version; of others those that fit best, since an object must
    /// follow each object. Where few objects show it, a wrong one may fit as well, and what stands behind objects that look too
    /// large is lost. The first maps are found on the way.
    fn learn(&mut self) {
        let code = if self.machine == Machine::X86 { 64 } else { 32 };
        let version = self.version.v8.as_deref().unwrap_or_default();
        let mut best: Option<(u64, Vec<Size>)> = None;
        for sizes in Sizes::candidates(version, code) {
            self.rules = Size::rules(&self.constants, sizes);
            let misfits = self.misfits();
            if best.as_ref().is_none_or(|(least, _)| misfits < *least) {
                best = Some((misfits, std::mem::take(&mut self.rules)));
            }
        }
        if let Some((_, rules)) = best {
            self.rules = rules;
        }
    }

    /// How badly the rules fit the first pages: objects that none follows, and bytes skipped.
    fn misfits(&self) -> u64 {
        let mut walked = Walked::default();
        // New space holds stale copies, and little of what is asked for.
        let old = self.pages.pages.iter().filter(|p| p.end - p.area <= crate::space::PAGE);
        let mut kinds = heap_base::Map::<u64, u32>::default();
        for page in old {
            let seen = kinds.entry(page.heap ^ u64::from(page.space.unwrap_or(0) as u32)).or_default();
            *seen += 1;
            if *seen <= 8 {
                self.walk_page(page, &mut walked, &mut |_| {});
            }
        }
        walked.unsure * 64 + walked.skipped
    }

    /// The first number of V8's version.
    pub(crate) fn v8_major(&self) -> Option<u32> {
        self.version.v8.as_deref()?.split('.').next()?.parse().ok()
    }

    /// What the type of a map means.
    #[inline]
    pub(crate) fn kind(&self, map: &Map) -> Kind {
        self.kind_of_type(map.kind)
    }

    /// What an instance type means.
    #[inline]
    pub(crate) fn kind_of_type(&self, number: u16) -> Kind {
        self.kinds.get(usize::from(number)).copied().unwrap_or(Kind::Struct)
    }

    /// The map of the object that a word refers to, weakly or strongly.
    #[inline]
    pub(crate) fn map_of(&self, word: u64) -> Option<MapId> {
        let at = crate::space::object_of(word)?;
        self.maps.get(&self.memory, self.memory.word(at)?)
    }

    /// Kind of the object that a word refers to.
    pub(crate) fn kind_of(&self, word: u64) -> Option<Kind> {
        self.map_of(word).map(|id| self.kind(&self.maps.map(id)))
    }

    /// Size of an object that ends before `end`. The flag says whether it is sure.
    #[inline]
    pub(crate) fn size(&self, address: u64, map: &Map, end: u64) -> (u64, bool) {
        let rule = self.rules.get(usize::from(map.kind)).copied().unwrap_or(Size::OfMap);
        let size = rule.of(&self.memory, address, map);
        match size
            .filter(|&n| n >= 8 && n.is_multiple_of(8) && address.checked_add(n).is_some_and(|e| e <= end))
        {
            Some(size) => (size, rule == Size::OfMap || self.begins(address + size, end)),
            None => (self.up_to_map(address, end), true),
        }
    }

    /// Whether an object begins here, or the page ends.
    #[inline]
    fn begins(&self, at: u64, end: u64) -> bool {
        at >= end || self.memory.word(at).is_some_and(|w| self.maps.get(&self.memory, w).is_some())
    }

    #[cold]
    fn up_to_map(&self, address: u64, end: u64) -> u64 {
        let mut at = address + 8;
        while at < end && !self.begins(at, end) {
            at += 8;
        }
        at.min(end) - address
    }

    /// Goes over the objects of a page.
    pub(crate) fn walk_page(&self, page: &Page, walked: &mut Walked, each: &mut dyn FnMut(Object)) {
        let mut at = page.area.next_multiple_of(8);
        walked.area += page.end - page.area;
        while at < page.end {
            let Some(word) = self.memory.word(at) else {
                walked.skipped += page.end - at;
                return;
            };
            let Some(id) = self.maps.get(&self.memory, word) else {
                walked.skipped += 8;
                at += 8;
                continue;
            };
            let map = self.maps.map(id);
            let (size, sure) = self.size(at, &map, page.end);
            walked.unsure += u64::from(!sure);
            if self.kind(&map) != Kind::Unused {
                walked.objects += 1;
                each(Object { address: at, size, id });
            }
            at += size;
        }
    }

    /// The pages of an isolate and the read-only ones, with their numbers.
    pub(crate) fn pages_of(&self, heap: u64) -> impl Iterator<Item = (u32, &Page)> {
        (0..).zip(&self.pages.pages).filter(move |(_, p)| p.heap == heap || p.heap == 0)
    }
}

/// The size that an object counts with: holes are followed by memory that nothing may touch.
pub(crate) fn counted_size(object: Object, kind: Kind) -> u64 {
    if kind == Kind::Hole { object.size.min(LARGEST_HOLE) } else { object.size }
}

/// The constants of an executable that the user named.
fn constants_given(executable: &Blob, v8: Option<&str>) -> Result<Constants> {
    let constants =
        Constants::of_executable(executable).map_err(|e| Error::refused(format!("executable: {e}")))?;
    if let (Some(of_core), Some(found)) = (v8, version::of_executable(executable))
        && of_core != found
    {
        return Err(Error::refused(format!("the core is of V8 {of_core}, the executable is V8 {found}")));
    }
    Ok(constants)
}

/// The constants of a version: built in, else those of the executable or the library that the core names.
fn constants_for(v8: Option<&str>, notes: &Notes) -> Result<Constants> {
    let built_in = v8.and_then(Constants::built_in);
    if let Some(found) = built_in.as_ref().filter(|c| Some(c.source.as_str()) == v8) {
        return Ok(found.clone());
    }
    let named = notes.library().or_else(|| notes.executable()).and_then(|path| {
        let blob = notes.on_disk(path)?;
        let same = v8.is_none_or(|v8| version::of_executable(&blob).is_none_or(|found| found == v8));
        if same { Constants::of_executable(&blob).ok() } else { None }
    });
    named.or(built_in).ok_or_else(|| match v8.and_then(line_of) {
        Some(line) => {
            Error::refused(format!("V8 {line} is not known: name its executable with --executable"))
        }
        None => Error::refused("the version of V8 is not found: name the executable with --executable"),
    })
}
