//! Marks of numbers by which objects may be known in another dump, where identifiers do not last.
//!
//! A source that is asked ([`Wants::numbers`](crate::Wants::numbers)) gives a node up to [`MOST`] of them as a member of its own,
//! `"numbers":"0004d2c1000038a2"`, each as eight hexadecimal digits. Equal numbers of one field, or of one class of boxes, have one
//! mark in all dumps that a process reads, and the marks differ from process to process: they are never written.

/// Marks of one node at most.
pub const MOST: usize = 3;
/// How many groups of fields there are, beside boxes.
pub const FIELDS: u32 = 31;
/// What stands in front of the marks.
const MEMBER: &[u8; 11] = b"\"numbers\":\"";
/// Digits of a mark.
const DIGITS: usize = 8;

/// A number that an object has, as 26 bits of a hash with five that say which of its fields has it, and one that says whether
/// another number may come in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NumberMark(pub u32);

impl NumberMark {
    /// The object is the number itself, as a box is; `wide`: as wide as what is drawn so that it comes once in the world.
    pub const fn boxed(hash: u64, wide: bool) -> Self {
        Self((hash >> 32) as u32 & !63 | wide as u32)
    }

    /// A field of this group, from 1 to [`FIELDS`], has the number; `fixed` if objects of that class never change.
    pub const fn field(group: u32, hash: u64, fixed: bool) -> Self {
        debug_assert!(group >= 1 && group <= FIELDS);
        Self((hash >> 32) as u32 & !63 | group << 1 | fixed as u32)
    }

    /// Which of 31 groups of fields has the number, from 1; 0 if the object is the number itself.
    pub const fn group(self) -> u32 {
        self.0 >> 1 & 31
    }

    /// Whether the object has no other number there for all its life; of a box, whether it is wide.
    pub const fn is_fixed(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The group of a field with this name, beside those that other fields of its class have, as bits; `taken` has it, too, then. It is the
/// same in each process, since answers depend on which fields are in one group: fields of a class never are, but beyond
/// [`FIELDS`] of them.
pub fn group(name: &[u8], taken: &mut u32) -> u32 {
    let first = name.iter().fold(0, |sum: u32, &byte| (sum * 7 + u32::from(byte)) % FIELDS);
    let free = (first..FIELDS).chain(0..first).find(|group| *taken & 1 << group == 0).unwrap_or(first);
    *taken |= 1 << free;
    free + 1
}

/// Appends the member with these marks, if there are any.
#[inline]
pub fn push(out: &mut Vec<u8>, marks: &[NumberMark]) {
    if marks.is_empty() {
        return;
    }
    out.extend_from_slice(MEMBER);
    for mark in marks.iter().take(MOST) {
        out.extend_from_slice(&digits(mark.0));
    }
    out.push(b'"');
}

/// The hexadecimal digits of a number, all at once: each of four bits has a byte, and `a` stands 39 behind what follows `9`.
const fn digits(number: u32) -> [u8; DIGITS] {
    let mut all = number as u64;
    all = (all | all << 16) & 0x0000_ffff_0000_ffff;
    all = (all | all << 8) & 0x00ff_00ff_00ff_00ff;
    all = (all | all << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let letters = (all + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    (all + 0x3030_3030_3030_3030 + letters * 39).to_be_bytes()
}

/// The number that has these digits; of what is no digit any number is made.
const fn number(digits: [u8; DIGITS]) -> u32 {
    let mut all = u64::from_be_bytes(digits);
    all = (all & 0x0f0f_0f0f_0f0f_0f0f) + (all >> 6 & 0x0101_0101_0101_0101) * 9;
    all = (all | all >> 4) & 0x00ff_00ff_00ff_00ff;
    all = (all | all >> 8) & 0x0000_ffff_0000_ffff;
    (all | all >> 16) as u32
}

/// The marks of a node that says nothing else of its own.
#[inline]
pub fn marks(own: &[u8]) -> Option<impl Iterator<Item = NumberMark>> {
    let list = own.strip_prefix(MEMBER)?.strip_suffix(b"\"")?;
    Some(list.as_chunks().0.iter().map(|&digits| NumberMark(number(digits))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_back() {
        for count in 0..=MOST as u32 + 1 {
            let all: Vec<NumberMark> =
                (0..count).map(|n| NumberMark(u32::MAX.wrapping_mul(n) ^ n << 7)).collect();
            let mut own = Vec::new();
            push(&mut own, &all);
            let kept = &all[..all.len().min(MOST)];
            assert_eq!(marks(&own).map_or_else(Vec::new, Iterator::collect), kept);
        }
        assert!(marks(b"\"data\":4").is_none());
        assert_eq!(&digits(0x09af_1c00), b"09af1c00");
        for number in (0..1000).map(|n: u32| n.wrapping_mul(0x9e37_79b9)) {
            assert_eq!(self::number(digits(number)), number);
            assert_eq!(digits(number), format!("{number:08x}").as_bytes());
        }
    }

    #[test]
    fn a_mark_says_what_has_the_number() {
        for hash in [0, 1 << 40, u64::MAX] {
            assert_eq!(NumberMark::boxed(hash, false).group(), 0);
            assert!(NumberMark::boxed(hash, true).is_fixed());
            for group in 1..=FIELDS {
                let mark = NumberMark::field(group, hash, false);
                assert!(mark.group() == group && !mark.is_fixed());
            }
        }
    }

    #[test]
    fn no_two_fields_of_a_class_are_in_one_group() {
        let mut taken = 0;
        // The sum of letters is the same.
        let names = ["at", "took", "ta", "id", "a", "b", ""];
        let groups = names.map(|name| group(name.as_bytes(), &mut taken));
        let mut all = groups.to_vec();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), names.len());
        assert!(all.iter().all(|group| (1..=FIELDS).contains(group)));
        let more: Vec<u32> = (0..40_u8).map(|name| group(&[name], &mut taken)).collect();
        assert!(more.iter().all(|group| (1..=FIELDS).contains(group)));
        // Another class has the same group for the same name.
        assert_eq!(group(b"at", &mut 0), groups[0]);
    }
}
