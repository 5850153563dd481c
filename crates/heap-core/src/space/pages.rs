//! Heap pages: found on boundaries of 256 KiB by what their headers say of themselves.
//!
//! Three layouts are known, and each is tried on every boundary; the one under which most pages agree with the space
//! that owns them is taken. So a page is never believed for its position alone.

use heap_base::Map;

use super::fresh;
use super::page::Page;
use crate::memory::Memory;

/// Pages begin at multiples of this.
pub(crate) const PAGE: u64 = 256 << 10;
/// The smallest page.
const LEAST: u64 = 4 << 10;
/// Words of a page header that are read.
const WORDS: usize = 12;
/// Flag of a page on which objects are born, and of one from which a collection moves them.
const TO_PAGE: u64 = 1 << 4;
const FROM_PAGE: u64 = 1 << 3;

/// How a page header is laid out, by V8's version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// V8 10.2, 11.3: size, flags, heap, area, owner.
    Old,
    /// V8 12.4: the page's own address comes second.
    Middle,
    /// V8 13.6 and later: the page has a pointer to metadata elsewhere.
    New,
}

/// All pages, by address.
#[derive(Debug)]
pub(crate) struct Pages {
    pub(crate) pages: Vec<Page>,
    /// Page by number of the boundary.
    by_unit: Map<u64, u32>,
}

impl Pages {
    /// Finds the pages in what a core holds; `None` if there are none.
    pub(crate) fn find(memory: &Memory) -> Option<Self> {
        let layouts = [Layout::Old, Layout::Middle, Layout::New];
        let found = layouts.map(|layout| find(memory, layout));
        let agreeing = |pages: &[Page]| pages.iter().filter(|p| p.agrees).count();
        let mut pages = found.into_iter().max_by_key(|pages| agreeing(pages))?;
        // Pages that nobody owns are chance, but for the read-only ones.
        pages.retain(|p| p.agrees || p.heap == 0);
        if agreeing(&pages) == 0 {
            return None;
        }
        // What a large page covers cannot begin another one.
        let mut end = 0;
        pages.retain(|p| {
            let free = p.start >= end;
            end = end.max(p.end);
            free
        });
        fresh::cut(memory, &mut pages);
        let mut by_unit = Map::default();
        for (number, page) in (0..).zip(&pages) {
            for unit in page.start / PAGE..=(page.end - 1) / PAGE {
                by_unit.insert(unit, number);
            }
        }
        Some(Self { pages, by_unit })
    }

    /// The page on which an address lies, and its number.
    #[inline]
    pub(crate) fn at(&self, address: u64) -> Option<(u32, &Page)> {
        let &number = self.by_unit.get(&(address / PAGE))?;
        let page = self.pages.get(number as usize)?;
        (page.area <= address && address < page.end).then_some((number, page))
    }

    /// The heaps, by address: each is an isolate.
    pub(crate) fn heaps(&self) -> Vec<u64> {
        let mut heaps: Vec<u64> = self.pages.iter().map(|p| p.heap).filter(|&heap| heap != 0).collect();
        heap_base::sort(&mut heaps);
        heaps.dedup();
        heaps
    }
}

/// The pages that one layout finds.
fn find(memory: &Memory, layout: Layout) -> Vec<Page> {
    let mut pages = Vec::new();
    let mut next = 0;
    for segment in memory.segments() {
        let mut at = segment.start.next_multiple_of(PAGE).max(next);
        while at < segment.end {
            let page = page(memory, layout, at);
            pages.extend(page);
            let end = page.map_or(at, |p| p.end);
            next = end.max(at.saturating_add(1)).checked_next_multiple_of(PAGE).unwrap_or(u64::MAX);
            at = next;
        }
    }
    pages
}

/// The page that begins at `start`, if its header says so.
fn page(memory: &Memory, layout: Layout, start: u64) -> Option<Page> {
    let mut bytes = [0; WORDS * 8];
    let read = |at: u64, bytes: &mut [u8; WORDS * 8]| memory.read(at, bytes) == bytes.len();
    if !read(start, &mut bytes) {
        return None;
    }
    let mut words = words(&bytes);
    let flags = if layout == Layout::Old { words[1] } else { words[0] };
    let header = if layout == Layout::New { words[1] } else { start };
    let (size, heap, area, end, owner) = match layout {
        Layout::Old => (words[0], words[2], words[3], words[4], words[8]),
        Layout::Middle if words[1] == start => (words[2], words[3], words[4], words[5], words[9]),
        Layout::Middle => return None,
        Layout::New => {
            if !words[1].is_multiple_of(8) || words[1] == 0 || !read(words[1], &mut bytes) {
                return None;
            }
            words = self::words(&bytes);
            // The read-only page has neither address nor heap there, and its sizes elsewhere.
            let size = match (words[1], words[8]) {
                (page, _) if page == start => words[2],
                (0, 0) => words[6],
                _ => return None,
            };
            (size, words[8], words[9], words[7], words[10])
        }
    };
    let room = size.max(PAGE);
    let sound = (LEAST..=1 << 40).contains(&size)
        && start < area
        && area < start + PAGE
        && area.is_multiple_of(8)
        && area <= end
        && end <= start.checked_add(room)?;
    if !sound || area == end {
        return None;
    }
    // A space begins with its virtual table and the heap.
    let agrees = heap != 0 && owner != 0 && memory.word(owner + 8) == Some(heap);
    let space = agrees.then(|| memory.u32(owner + 16)).flatten().map(|id| id as i32);
    // Only the first page of a read-only space has heap and owner 0.
    if heap == 0 && owner != 0 && layout != Layout::New {
        return None;
    }
    let young = heap != 0 && flags & (TO_PAGE | FROM_PAGE) == TO_PAGE;
    Some(Page { start, area, end, heap, space, agrees, young, header })
}

fn words(bytes: &[u8; WORDS * 8]) -> [u64; WORDS] {
    std::array::from_fn(|i| crate::elf::u64_at(bytes, 8 * i))
}
