//! Finds a few objects by their addresses, without a table of all.

use heap_base::{BitSet, Blob, Result};

use super::items::{Item, Items, Segment};
use super::scan::Scan;
use crate::window::Window;

/// Goes to the first object with each of these addresses and calls `each` with its number in the list, the sub-record, and its
/// body. In a file in the order of addresses only the places near by are read, else all of it.
///
/// # Errors
/// Those of reading.
pub(crate) fn find(
    blob: &Blob,
    scan: &Scan,
    addresses: &[u64],
    mut each: impl FnMut(usize, Item, &[u8]),
) -> Result {
    /// Bodies beyond this are no names.
    const MOST: u64 = 1 << 20;
    let mut wanted: Vec<(u64, usize)> = addresses.iter().copied().zip(0..).collect();
    heap_base::sort(&mut wanted);
    // By the first place in `wanted`: a file may have any number of objects with one address.
    let mut found = BitSet::new(wanted.len() as u32);
    let mut items = Items::new(Window::new(blob, scan.header.records_at), scan.header.id_size);
    for segment in near(scan, &wanted) {
        items.enter(segment);
        while let Some(item) = items.next()? {
            let (Item::Instance { id, .. } | Item::Primitives { id, .. }) = item else { continue };
            let from = wanted.partition_point(|&(address, _)| address < id);
            if wanted.get(from).is_none_or(|&(address, _)| address != id) || !found.insert(from as u32) {
                continue;
            }
            let len = items.next_at() - items.window.position();
            for &(_, at) in wanted[from..].iter().take_while(|&&(address, _)| address == id) {
                if len <= MOST && items.window.has(len as usize)? {
                    each(at, item, items.window.peek(len as usize));
                }
            }
        }
    }
    Ok(())
}

/// The parts of the file that may hold objects with these addresses, which are sorted.
fn near(scan: &Scan, wanted: &[(u64, usize)]) -> Vec<Segment> {
    if wanted.is_empty() {
        return Vec::new();
    }
    if !scan.extent.ascending() {
        return scan.segments.clone();
    }
    let mut parts: Vec<Segment> = Vec::new();
    for &(address, _) in wanted {
        let above = scan.places.partition_point(|place| place.address <= address);
        let Some(below) = above.checked_sub(1).and_then(|below| scan.places.get(below)) else { continue };
        let start = below.offset;
        if parts.last().is_some_and(|last| last.start == start) {
            continue;
        }
        parts.extend(scan.within(start, scan.places.get(above).map_or(u64::MAX, |place| place.offset)));
    }
    parts
}
