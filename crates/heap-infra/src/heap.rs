//! One heap: what one process allocated through one allocator, as a tree of frames with rows that hang off them.

use crate::dict::Dict;
use crate::rows::Rows;
use crate::texts::{NONE, TextId, Texts};

/// Stands for the root where a slot is expected.
pub(crate) const ROOT: u32 = u32::MAX;

/// Stands for a frame `<self>` of the previous format where a frame of the dictionary is expected.
pub(crate) const SELF: u32 = u32::MAX - 1;

/// The class of bytes whose type the dump leaves open.
pub(crate) const OTHER: u32 = u32::MAX - 1;

/// How many frames all heaps of one process dump may have for each frame that the dictionary has. Every allocator
/// has a tree of its own, so a few bytes of input could otherwise ask for any number of nodes; Chromium has three
/// allocators.
const MOST_COPIES: usize = 64;

/// Which of the three formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// Own sizes, first entry without `bt`.
    Previous,
    /// Cumulative, cut off.
    #[default]
    V1,
    /// Own sizes, `heaps_v2`.
    V2,
}

impl Format {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Previous => "previous",
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

/// An entry of the previous format or of v1, as in the file. 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cell {
    pub(crate) size: u64,
    /// [`NO_COUNT`](crate::rows::NO_COUNT) if absent.
    pub(crate) count: u64,
    /// Slot of the frame, or [`ROOT`].
    pub(crate) slot: u32,
    /// Dense number of the type, or [`NONE`] for all types.
    pub(crate) class: u32,
}

/// See the module's description.
#[derive(Debug)]
pub(crate) struct Heap {
    pub(crate) allocator: TextId,
    pub(crate) format: Format,
    /// By slot: number in the dictionary, or [`SELF`]. A parent comes before its children.
    pub(crate) frames: Vec<u32>,
    /// By slot: slot of the parent, or [`ROOT`].
    pub(crate) parents: Vec<u32>,
    pub(crate) rows: Rows,
    pub(crate) cells: Vec<Cell>,
    /// Rows of which some may belong to other frames.
    pub(crate) inexact_rows: Vec<u32>,
    /// Bytes whose type is known, but not their frame.
    pub(crate) unplaced: u64,
    /// Slots whose total the file does not give: the frame has a lower bound.
    pub(crate) inexact: Vec<u32>,
    /// The same of the root.
    pub(crate) root_inexact: bool,
    /// Entries left out because they refer to nothing or lack what an entry needs.
    pub(crate) skipped: u64,
    /// Rows kept at the root because their frame is not defined.
    pub(crate) unresolved: u64,
    /// Frames whose parts are more than the whole.
    pub(crate) inconsistent: u64,
}

impl Heap {
    pub(crate) fn new(allocator: TextId, format: Format) -> Self {
        Self {
            allocator,
            format,
            frames: Vec::new(),
            parents: Vec::new(),
            rows: Rows::default(),
            cells: Vec::new(),
            inexact_rows: Vec::new(),
            unplaced: 0,
            inexact: Vec::new(),
            root_inexact: false,
            skipped: 0,
            unresolved: 0,
            inconsistent: 0,
        }
    }

    /// Nodes beside the root.
    pub(crate) fn n_nodes(&self) -> u64 {
        self.frames.len() as u64 + self.rows.len() as u64
    }

    /// Adds a frame `<self>` below `parent` and gives its slot.
    pub(crate) fn push_self(&mut self, parent: u32) -> u32 {
        let slot = self.frames.len() as u32;
        self.frames.push(SELF);
        self.parents.push(parent);
        slot
    }
}

/// Finds the slots of frames; knows which heap it works for, so that a heap costs no more than what it
/// uses.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    /// By frame of the dictionary: the heap that it was met in, and its slot there.
    marks: Vec<(u32, u32)>,
    heap: u32,
    path: Vec<u32>,
    n_frames: usize,
    /// Frames at which a ring of callers was cut open.
    pub(crate) rings: Vec<u32>,
}

/// A frame whose slot is not known yet because its callers come first.
const ON_PATH: u32 = u32::MAX - 1;

impl Slots {
    /// Begins another dump.
    pub(crate) fn begin_dump(&mut self) {
        self.n_frames = 0;
        self.rings.clear();
    }

    /// Begins another heap. False if the heaps have grown beyond reason.
    pub(crate) fn begin(&mut self, dict: &Dict, before: Option<&Heap>) -> bool {
        self.heap += 1;
        self.n_frames += before.map_or(0, |h| h.frames.len());
        self.marks.resize(dict.n_frames(), (0, 0));
        self.n_frames / MOST_COPIES <= dict.n_frames() + 1024
    }

    /// The slot of a frame, which gets one together with all its callers if it has none. [`ROOT`] for the root.
    #[inline]
    pub(crate) fn slot(&mut self, frame: u32, dict: &Dict, texts: &Texts, heap: &mut Heap) -> u32 {
        match self.marks.get(frame as usize) {
            Some(&(in_heap, slot)) if in_heap == self.heap => slot,
            _ => self.find(frame, dict, texts, heap),
        }
    }

    fn find(&mut self, frame: u32, dict: &Dict, texts: &Texts, heap: &mut Heap) -> u32 {
        self.path.clear();
        let mut at = frame;
        let mut slot = loop {
            if at == NONE || dict.is_root(at, texts) {
                break ROOT;
            }
            match self.marks.get_mut(at as usize) {
                None => break ROOT,
                Some(&mut (in_heap, slot)) if in_heap == self.heap => {
                    if slot != ON_PATH {
                        break slot;
                    }
                    self.rings.push(at);
                    break ROOT;
                }
                Some(mark) => *mark = (self.heap, ON_PATH),
            }
            self.path.push(at);
            at = dict.frame_parent(at);
        };
        while let Some(frame) = self.path.pop() {
            let parent = slot;
            slot = heap.frames.len() as u32;
            heap.frames.push(frame);
            heap.parents.push(parent);
            self.marks[frame as usize].1 = slot;
        }
        slot
    }
}
