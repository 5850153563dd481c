//! Finds the layout of a dump from the distances between neighbouring objects.

use super::{Fields, Kind, Layout, Overrides};

/// What an object is, as far as its size needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// An instance of the class with this number.
    Instance(u32),
    /// An array.
    Array(Kind, u32),
    /// The class with this number.
    Class(u32),
}

/// How many objects a sample may hold.
const MOST: usize = 1 << 18;
/// With fewer objects than this the layout is that of most virtual machines.
const FEW: usize = 64;
/// Objects are chosen by windows of so many bytes, as a power of two.
const WINDOW: u32 = 20;
/// All bits of a window's number.
const LAST: u64 = u64::MAX >> WINDOW;

/// Objects in some windows of the address space: all windows of a small heap, evenly chosen ones of a large heap.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    objects: Vec<(u64, Thing)>,
    /// Windows are taken where these bits of their numbers are zero.
    mask: u64,
}

impl Sample {
    /// Adds an object, if it lies in a chosen window.
    #[inline]
    pub(crate) fn add(&mut self, address: u64, thing: Thing) {
        if address >> WINDOW & self.mask == 0 {
            self.push(address, thing);
        }
    }

    fn push(&mut self, address: u64, thing: Thing) {
        // Halve the windows until there is room. A window has that many objects only if they overlap; no bit of a window's
        // number is beyond LAST, so the list is gone through that often at most.
        while self.objects.len() >= MOST {
            if self.mask >= LAST {
                return;
            }
            self.mask = self.mask << 1 | 1;
            let mask = self.mask;
            self.objects.retain(|(address, _)| address >> WINDOW & mask == 0);
        }
        if address >> WINDOW & self.mask != 0 {
            return;
        }
        self.objects.push((address, thing));
    }
}

/// A layout, and how well it explains the distances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    pub(crate) layout: Layout,
    /// Objects whose size is the distance to the next one.
    pub(crate) exact: usize,
    /// Objects that were compared.
    pub(crate) compared: usize,
}

impl Guess {
    /// What people should know of the sizes, if the sample does not bear the layout out.
    pub(crate) fn doubt(&self) -> Option<String> {
        let Self { layout, exact, compared } = *self;
        let Layout { reference, header, .. } = layout;
        if compared == 0 || exact * 2 >= compared {
            return None;
        }
        let why = if exact == 0 {
            "identifiers are no addresses".to_owned()
        } else {
            format!("{exact} of {compared} objects have the size that their distance from the next one says")
        };
        Some(format!(
            "sizes are those of references of {reference} bytes and headers of {header}, which nothing bears out: {why}; \
             --java-layout says others"
        ))
    }

    /// The layout of the six possible ones that explains a sample best, with fields packed as in `usual`. `sizes` makes of a
    /// layout what computes the size of an object.
    pub(crate) fn of<S: FnMut(Thing) -> u64>(
        mut sample: Sample,
        id_size: usize,
        usual: Layout,
        user: Overrides,
        mut sizes: impl FnMut(Layout) -> S,
    ) -> Self {
        const PAIRS: [(u8, u8); 6] = [(4, 12), (4, 8), (4, 16), (8, 12), (8, 16), (8, 8)];
        heap_base::sort_by_key(&mut sample.objects, |&(address, _)| address);
        let objects = &sample.objects;
        let bits = objects.windows(2).fold(0, |bits, pair| bits | (pair[1].0 - pair[0].0));
        let align = (1_u64 << bits.trailing_zeros().clamp(3, 8)) as u16;
        // A few distances say nothing.
        let few = objects.len() < FEW;
        let align = if few { 8 } else { align };
        let fields = user.over(usual).fields;
        let plain = match fields {
            Fields::Art => (usual.reference, usual.header),
            _ if id_size == 4 => (4, 8),
            _ => (4, 12),
        };
        let of = |(reference, header)| Layout { reference, header, align, fields };
        let fallback = user.over(of(plain));
        let mut best = Self { layout: fallback, exact: 0, compared: 0 };
        if fields == Fields::Art {
            // Dumps of Android state sizes.
            return best;
        }
        let mut score = i64::MIN;
        let candidates =
            if fallback.fields == Fields::Mat || id_size == 4 { &PAIRS[..2] } else { &PAIRS[..] };
        let candidates = if fallback.fields == Fields::Mat { &PAIRS[..] } else { candidates };
        for &pair in candidates.iter().filter(|_| !few) {
            let layout = Layout { align: user.over(fallback).align, ..of(pair) };
            if !user.allow(layout) {
                continue;
            }
            let mut size = sizes(layout);
            let (mut exact, mut over, mut compared) = (0, 0, 0);
            for pair in objects.windows(2) {
                let distance = pair[1].0 - pair[0].0;
                if distance >> WINDOW != 0 {
                    continue;
                }
                let predicted = size(pair[0].1);
                compared += 1;
                exact += usize::from(predicted == distance);
                over += usize::from(predicted > distance);
            }
            let points = exact as i64 - over as i64;
            if points > score {
                (score, best) = (points, Self { layout, exact, compared });
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_a_large_heap_keeps_whole_windows() {
        let mut sample = Sample::default();
        let count = 5 * MOST as u64;
        for i in 0..count {
            sample.add(0x7000_0000 + i * 64, Thing::Instance(0));
        }
        assert!(sample.objects.len() <= MOST && sample.objects.len() > MOST / 8);
        let distances = sample.objects.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let near = distances.filter(|&d| d == 64).count();
        assert!(near * 100 > sample.objects.len() * 99, "{near}");
    }

    #[test]
    fn a_window_without_room_is_gone_through_a_few_times() {
        for step in [0, 1] {
            let mut sample = Sample::default();
            for i in 0..3 * MOST as u64 {
                sample.add(i * step, Thing::Instance(0));
            }
            // Each bit of the mask is one pass over the list.
            assert!(sample.mask <= LAST, "{} passes", sample.mask.count_ones());
            assert_eq!(sample.objects.len(), MOST);
        }
    }

    #[test]
    fn the_layout_that_made_the_distances_is_found() {
        for (reference, header) in [(4, 12), (4, 16), (8, 12), (8, 16)] {
            for align in [8, 16, 32] {
                let made = Layout { reference, header, align, fields: Fields::Packed };
                let mut sample = Sample::default();
                let mut at = 0x1000_0000;
                let things = (0..4000).map(|i| match i % 3 {
                    0 => Thing::Array(Kind::Object, i % 7),
                    1 => Thing::Array(Kind::Long, i % 5),
                    _ => Thing::Array(Kind::Byte, i % 50),
                });
                let size_in = |layout: Layout| {
                    move |thing| match thing {
                        Thing::Array(kind, len) => layout.array(kind, len.into()),
                        Thing::Instance(_) | Thing::Class(_) => 0,
                    }
                };
                for thing in things {
                    sample.add(at, thing);
                    at += size_in(made)(thing);
                }
                let guess = Guess::of(sample, 8, Layout::COMPRESSED, Overrides::default(), size_in);
                // Headers of 12 and 8 bytes with wide references differ in instances only.
                assert_eq!(guess.layout.align, align);
                assert_eq!(guess.layout.reference, reference);
                assert_eq!(guess.exact, guess.compared, "{:?}", guess.layout);
            }
        }
    }
}
