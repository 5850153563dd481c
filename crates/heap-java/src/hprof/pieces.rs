//! The heap in pieces, for two threads.

use super::items::Segment;
use super::scan::Scan;

/// How many pieces there are at most.
const PIECES: u64 = 16;
/// Heaps of fewer bytes are not worth a second thread.
const THREAD_FROM: u64 = if cfg!(test) { 64 } else { 4 << 20 };

/// Objects that follow each other in the file, and what else stands between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    start: u64,
    end: u64,
    /// How many objects come before it.
    pub(crate) first: u64,
}

impl Scan {
    /// The heap in pieces of about the same length; one if a second thread does not pay.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let mut pieces = vec![Piece { start: 0, end: u64::MAX, first: 0 }];
        let bytes = self.segments.iter().map(|segment| segment.end - segment.start).sum::<u64>();
        if bytes < THREAD_FROM || !std::thread::available_parallelism().is_ok_and(|n| n.get() > 1) {
            return pieces;
        }
        for place in &self.places {
            if let Some(last) = pieces.last_mut()
                && place.offset - last.start >= bytes / PIECES
            {
                last.end = place.offset;
                pieces.push(Piece { start: place.offset, end: u64::MAX, first: place.number });
            }
        }
        pieces
    }

    /// The segments of a piece, which may begin and end within one.
    pub(crate) fn segments_of(&self, piece: &Piece) -> impl Iterator<Item = Segment> {
        self.within(piece.start, piece.end)
    }

    /// The segments from an object, or the start of the file, to another, or the end of the file.
    pub(crate) fn within(&self, start: u64, end: u64) -> impl Iterator<Item = Segment> {
        let first = self.segments.partition_point(|segment| segment.end <= start);
        let segments = self.segments[first..].iter().take_while(move |segment| segment.start < end);
        segments.map(move |segment| Segment { start: segment.start.max(start), end: segment.end.min(end) })
    }
}

#[cfg(test)]
mod tests {
    use heap_base::Blob;

    use super::*;
    use crate::hprof::header::Header;
    use crate::hprof::items::{Item, Items};
    use crate::hprof::parts::parts;
    use crate::tests::make::{HOTSPOT, Style, sample};
    use crate::window::Window;

    #[test]
    fn pieces_are_the_heap_cut_at_objects() -> heap_base::Result {
        for segments in [false, true] {
            let blob = Blob::from_bytes(sample(Style { segments, ..HOTSPOT }));
            let header = Header::read(&blob)?;
            let part = parts(&blob, &header)?[0];
            let scan = Scan::run(&blob, header, &part)?;
            let pieces = scan.pieces();
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            assert!(pieces.len() > 2 || cores == 1, "{pieces:?}");
            let mut items = Items::new(Window::new(&blob, 0), scan.header.id_size);
            let mut objects = 0;
            for piece in &pieces {
                assert_eq!(piece.first, objects, "{pieces:?}");
                for segment in scan.segments_of(piece) {
                    items.enter(segment);
                    while let Some(item) = items.next()? {
                        objects += u64::from(!matches!(
                            item,
                            Item::Root(_) | Item::Class | Item::Heap(_) | Item::Note
                        ));
                    }
                }
            }
            assert_eq!(objects, scan.extent.count);
        }
        Ok(())
    }
}
