//! New space as far as the process has filled it.
//!
//! Objects are born one after the other on the pages of new space. What lies behind the last one was left there by the
//! collection before: copies of objects that were moved, which are neither alive nor garbage.

use crate::memory::Memory;

use super::page::Page;

/// Bytes in front of a heap in which its isolate says where the next object goes.
const ISOLATE: u64 = 64 << 10;
/// Words of a page header among which are the links to its neighbours: first the next page, then the one before.
const LINKS: std::ops::Range<u64> = 4..128;

/// Cuts the page on which the next object goes, and takes away the pages behind it.
pub(super) fn cut(memory: &Memory, pages: &mut Vec<Page>) {
    let mut heaps: Vec<u64> = pages.iter().filter(|p| p.young).map(|p| p.heap).collect();
    heaps.dedup();
    for heap in heaps {
        let young: Vec<Page> = pages.iter().filter(|p| p.young && p.heap == heap).copied().collect();
        let Some((current, top)) = top(memory, heap, &young) else { continue };
        let unused = behind(memory, current, &young);
        pages.retain(|p| !unused.contains(&p.start));
        if let Some(page) = pages.iter_mut().find(|p| p.start == current.start) {
            page.end = top;
        }
    }
    pages.retain(|p| p.area < p.end);
}

/// The page on which the next object goes, and where: three words in a row are begin, next and end of a part of it.
fn top(memory: &Memory, heap: u64, young: &[Page]) -> Option<(Page, u64)> {
    let mut at = heap.saturating_sub(ISOLATE);
    while at < heap {
        if let Some(begin) = memory.word(at).filter(|w| w.is_multiple_of(8))
            && let Some(page) = young.iter().find(|p| p.area <= begin && begin < p.end)
            && let (Some(next), Some(end)) = (memory.word(at + 8), memory.word(at + 16))
            && next.is_multiple_of(8)
            && begin <= next
            && next <= end
            && end <= page.end
        {
            return Some((*page, next));
        }
        at += 8;
    }
    None
}

/// The pages behind one, in the order in which they are filled.
fn behind(memory: &Memory, current: Page, young: &[Page]) -> Vec<u64> {
    let find = |word: u64| young.iter().find(|p| p.header == word && word != 0);
    let link = |page: &Page, at: u64| memory.word(page.header + 8 * at).unwrap_or(0);
    // Links are words that lead to a page of which the next word leads back.
    let places = LINKS.filter(|&at| {
        let agree = |page: &Page| find(link(page, at)).map(|next| link(next, at + 1) == page.header);
        let mut links = young.iter().filter_map(agree).peekable();
        links.peek().is_some() && links.all(|good| good)
    });
    let Some(place) = places.min() else { return Vec::new() };
    let mut unused = Vec::new();
    let mut page = current;
    while let Some(next) =
        find(link(&page, place)).filter(|p| !unused.contains(&p.start) && p.start != current.start)
    {
        unused.push(next.start);
        page = *next;
    }
    unused
}
