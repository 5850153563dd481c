//! The fields of one class, laid out behind those of its superclasses.

use super::{Fields, Kind, Layout};

/// The space of an instance so far: where it ends, and the gaps before that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Space {
    end: u64,
    /// Offset and size; few, because small fields go into gaps first.
    gaps: Vec<(u64, u64)>,
}

/// The fields that a class adds, by size: how many primitives of 1, 2, 4, 8 bytes, and how many references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) primitives: [u32; 4],
    pub(crate) references: u32,
}

impl Packing {
    /// Adds a field.
    pub(crate) fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Object => self.references += 1,
            _ => self.primitives[kind.bytes().trailing_zeros() as usize] += 1,
        }
    }
}

impl Space {
    /// An object without fields.
    pub(crate) fn new(layout: Layout) -> Self {
        let end = match layout.fields {
            Fields::Mat if layout.reference == 4 && layout.header == 8 => 8,
            Fields::Mat => 8 + u64::from(layout.reference),
            _ => u64::from(layout.header),
        };
        Self { end, gaps: Vec::new() }
    }

    /// Adds the fields of one class.
    pub(crate) fn add(&mut self, fields: Packing, layout: Layout) {
        let reference = u64::from(layout.reference);
        if layout.fields == Fields::Mat {
            let bytes = (0..4).map(|i| u64::from(fields.primitives[i]) << i).sum::<u64>();
            self.end =
                (self.end + bytes + u64::from(fields.references) * reference).next_multiple_of(reference);
            return;
        }
        if layout.fields == Fields::Inherited {
            self.gaps.clear();
            self.end = self.end.next_multiple_of(reference);
        }
        for power in (0..4).rev() {
            self.place(1 << power, fields.primitives[power]);
        }
        self.place(reference, fields.references);
    }

    /// Places `count` fields of `size` bytes, each in the smallest gap that it fits, else at the end.
    fn place(&mut self, size: u64, count: u32) {
        let mut left = u64::from(count);
        while left > 0 {
            let fits = |&&(at, room): &&(u64, u64)| at.next_multiple_of(size) + size <= at + room;
            let Some(&gap) = self.gaps.iter().filter(fits).min_by_key(|(_, room)| *room) else { break };
            self.gaps.retain(|&other| other != gap);
            let (at, room) = gap;
            let start = at.next_multiple_of(size);
            self.gap(at, start);
            self.gap(start + size, at + room);
            left -= 1;
        }
        if left > 0 {
            let start = self.end.next_multiple_of(size);
            self.gap(self.end, start);
            self.end = start + left * size;
        }
    }

    fn gap(&mut self, start: u64, end: u64) {
        if start < end {
            self.gaps.push((start, end - start));
        }
    }

    /// Bytes of an instance.
    pub(crate) fn size(&self, layout: Layout) -> u64 {
        layout.aligned(self.end)
    }

    /// Bytes of a class object, which is an instance of `java.lang.Class` and its static fields.
    pub(crate) fn class_size(class: &Self, statics: Packing, layout: Layout) -> u64 {
        let reference = u64::from(layout.reference);
        let bytes = (0..4).map(|i| u64::from(statics.primitives[i]) << i).sum::<u64>();
        if layout.fields == Fields::Mat {
            return layout.aligned(bytes + u64::from(statics.references) * reference);
        }
        // Static fields begin where the next object would.
        let mut end = class.size(layout) + u64::from(statics.references) * reference;
        for power in (0..4).rev() {
            if statics.primitives[power] > 0 {
                end = end.next_multiple_of(1 << power) + (u64::from(statics.primitives[power]) << power);
            }
        }
        layout.aligned(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, each field on its own and byte by byte.
    fn slow(header: u64, reference: u64, classes: &[Packing]) -> u64 {
        let mut used = vec![true; header as usize];
        for class in classes {
            let mut sizes = Vec::new();
            for power in (0..4).rev() {
                sizes.extend(std::iter::repeat_n(1 << power, class.primitives[power] as usize));
            }
            sizes.extend(std::iter::repeat_n(reference as usize, class.references as usize));
            for size in sizes {
                let free = |used: &[bool], at: usize| (at..at + size).all(|i| used.get(i) == Some(&false));
                let run = |used: &[bool], at: usize| {
                    let start = (0..=at).rev().take_while(|&i| !used[i]).last().unwrap_or(at);
                    (start..used.len()).take_while(|&i| !used[i]).count()
                };
                let fit = (0..used.len())
                    .step_by(size)
                    .filter(|&at| free(&used, at))
                    .min_by_key(|&at| run(&used, at));
                let at = fit.unwrap_or(used.len().next_multiple_of(size));
                if used.len() < at + size {
                    used.resize(at + size, false);
                }
                used[at..at + size].fill(true);
            }
        }
        used.len() as u64
    }

    #[test]
    fn fields_fill_gaps_as_a_slow_twin_fills_them() {
        let mut seed = 1_u64;
        let mut next = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as u32
        };
        for (header, reference) in [(12, 4), (16, 8), (8, 4), (12, 8), (16, 4)] {
            let layout = Layout { reference, header, ..Layout::COMPRESSED };
            for _ in 0..200 {
                let classes: Vec<Packing> = (0..4)
                    .map(|_| Packing { primitives: [(); 4].map(|()| next() % 3), references: next() % 3 })
                    .collect();
                let mut space = Space::new(layout);
                for &class in &classes {
                    space.add(class, layout);
                }
                let expected = slow(header.into(), reference.into(), &classes);
                assert_eq!(space.end, expected, "{layout:?} {classes:?}");
            }
        }
    }

    #[test]
    fn known_classes_have_their_sizes() {
        let layout = Layout::COMPRESSED;
        let size = |classes: &[([u32; 4], u32)]| {
            let mut space = Space::new(layout);
            for &(primitives, references) in classes {
                space.add(Packing { primitives, references }, layout);
            }
            space.size(layout)
        };
        // Sizes that `jmap -histo` printed: Object, HashMap$Node, HeapSample$Circle.
        assert_eq!(size(&[]), 16);
        assert_eq!(size(&[([0, 0, 1, 0], 3)]), 32);
        assert_eq!(size(&[([0, 0, 1, 0], 3), ([2, 2, 1, 2], 0)]), 56);
    }
    /// Instances of 100 bytes in heaps of three alignments: an `int` and two references that are static come behind what the
    /// instance takes with its alignment.
    #[test]
    fn static_fields_begin_where_the_next_object_would() {
        let statics = Packing { primitives: [0, 0, 1, 0], references: 2 };
        for (align, size) in [(8, 120), (16, 128), (32, 160)] {
            let layout = Layout { align, ..Layout::COMPRESSED };
            let mut class = Space::new(layout);
            class.add(Packing { primitives: [0, 0, 22, 0], references: 0 }, layout);
            assert_eq!(class.end, 100);
            assert_eq!(Space::class_size(&class, statics, layout), size);
        }
    }
}
