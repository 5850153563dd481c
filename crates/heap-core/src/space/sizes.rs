//! How long an object is, by its instance type.

use crate::constants::Constants;
use crate::memory::Memory;

use super::Map;

/// How the size of an object is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// As the map says.
    OfMap,
    /// This many bytes, then a word for each element; how many is a small integer at +8.
    Words(u8),
    /// 16 bytes, then bytes.
    Bytes,
    /// The same, behind a header of this many bytes.
    BytesBehind(u8),
    /// Three words for each descriptor, behind this many bytes.
    Descriptors(u8),
    /// The length is in the low bits: the others are a hash.
    Properties,
    /// A word for each slot, which an `i32` counts, behind the header.
    Feedback(u8),
    /// Packed slot kinds; whether the second counter is there too.
    FeedbackMetadata(bool),
    /// An unused area: its length, in bytes or in words.
    Free(u8),
    /// Bytes, then words.
    Preparse,
    /// Digits of 64 bits.
    BigInt,
    /// Characters of this many bytes.
    Chars(u8),
    /// Machine code behind its header: instructions, and unwinding data. It begins at multiples of so many bytes.
    OldCode(u8),
    /// Machine code behind a header of 32 bytes.
    Instructions(u8),
    /// The same behind 16 bytes, of which another object says how many: where, in it.
    InstructionsOf(u8, u8),
    /// Up to the next word that is a map.
    UpToMap,
}

/// Sizes that differ from version to version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Header of a feedback vector.
    pub(crate) feedback: u8,
    /// Bytes of a unit in which free space is counted.
    pub(crate) free: u8,
    /// Bytes at multiples of which code begins.
    pub(crate) code: u8,
}

/// The header of a feedback vector and the unit of free space in versions of V8, as whole cores of them have it: by no other
/// sizes does an object follow each object.
const MEASURED: [(&str, u8, u8); 5] =
    [("10.2.", 48, 1), ("11.3.", 56, 1), ("12.4.", 56, 1), ("13.6.", 48, 8), ("14.6.", 48, 8)];

impl Sizes {
    /// Those of a version of V8 that is known, or else all that may be.
    pub(crate) fn candidates(version: &str, code: u8) -> Vec<Self> {
        let sizes = |(feedback, free)| Self { feedback, free, code };
        if let Some(&(_, feedback, free)) = MEASURED.iter().find(|(begin, ..)| version.starts_with(begin)) {
            return vec![sizes((feedback, free))];
        }
        let all = [1, 8].into_iter().flat_map(|free| [48, 56, 40, 64].map(|feedback| (feedback, free)));
        all.map(sizes).collect()
    }
}

impl Size {
    /// The size of an object at `address` with this map; `None` if what it says cannot be.
    #[inline]
    pub(crate) fn of(self, memory: &Memory, address: u64, map: &Map) -> Option<u64> {
        let small = |at: u64| memory.word(address + at).filter(|w| w & 1 == 0).map(|w| w >> 32);
        let round = |n: u64, to: u64| n.next_multiple_of(to);
        Some(match self {
            Self::OfMap => u64::from(map.words) * 8,
            Self::Words(header) => u64::from(header) + small(8)? * 8,
            Self::Bytes => round(16 + small(8)?, 8),
            Self::BytesBehind(header) => round(u64::from(header) + small(8)?, 8),
            Self::Descriptors(header) => u64::from(header) + 24 * u64::from(memory.u16(address + 8)?),
            Self::Properties => 16 + 8 * (small(8)? & 1023),
            Self::Feedback(header) => u64::from(header) + 8 * u64::from(memory.u32(address + 8)?),
            Self::FeedbackMetadata(two) => {
                let kinds = 16 + 4 * u64::from(memory.u32(address + 8)?).div_ceil(6);
                let more = if two { 2 * u64::from(memory.u32(address + 12)?) } else { 0 };
                round(kinds + more, 8)
            }
            Self::Free(unit) => small(8)? * u64::from(unit),
            Self::Preparse => {
                let bytes = u64::from(memory.u32(address + 8)?);
                round(16 + bytes, 8) + 8 * u64::from(memory.u32(address + 12)?)
            }
            Self::BigInt => 16 + 8 * u64::from(memory.u32(address + 8)? >> 1 & 0x3fff_ffff),
            Self::Chars(width) => round(16 + u64::from(width) * u64::from(memory.u32(address + 12)?), 8),
            Self::OldCode(begin) => {
                let (code, unwinding) = (memory.u32(address + 40)?, memory.u32(address + 44)?);
                round(128 + u64::from(code) + u64::from(unwinding), u64::from(begin))
            }
            Self::Instructions(begin) => round(32 + u64::from(memory.u32(address + 24)?), u64::from(begin)),
            Self::InstructionsOf(size, begin) => {
                let code =
                    (memory.word(address + 8).filter(|w| w & 3 == 1)? - 1).wrapping_add(u64::from(size));
                round(16 + u64::from(memory.u32(code)?) + u64::from(memory.u32(code + 4)?), u64::from(begin))
            }
            Self::UpToMap => return None,
        })
    }

    /// The rule for each instance type: how many bytes an object of it has.
    ///
    /// Most have the size that their map says. The others end in an array, whose length stands at an offset. Which types
    /// these are is found by name among the constants that the executable keeps for debuggers. Types without a constant are
    /// known by their neighbours: V8 numbers its types in an order that has held from Node 18 to 26. What is of no version
    /// at hand has no name there, and sets nothing. A wrong rule does not stay
    /// hidden: the objects of a page lie without gaps, so behind a wrong size the walk finds words that are no maps, which
    /// it counts as skipped, and says (`core.skipped_bytes`, a warning if they are many).
    pub(crate) fn rules(constants: &Constants, sizes: Sizes) -> Vec<Self> {
        let named = |name: &str| constants.instance_type(name);
        let mut rules = vec![Self::OfMap; 4096];
        let mut set = |at: Option<u16>, size: Self| {
            if let Some(rule) = at.and_then(|at| rules.get_mut(usize::from(at))) {
                *rule = size;
            }
        };
        // Fixed arrays, and the hash tables beside them, which have no names of their own.
        if let Some(first) = named("FIXED_ARRAY") {
            let next = constants.instance_types().map(|(_, n)| n).filter(|&n| n > first).min();
            for at in first..next.unwrap_or(first + 1) {
                set(Some(at), Self::Words(16));
            }
        }
        if let (Some(first), Some(last)) =
            (constants.any(&["FirstContextType"]), constants.any(&["LastContextType"]))
        {
            for at in first..=last.min(first + 32) {
                set(u16::try_from(at).ok(), Self::Words(16));
            }
            // The native context has a queue of microtasks behind its length.
            set(u16::try_from(first + 7).ok(), Self::Words(24));
        }
        for name in [
            "WEAK_FIXED_ARRAY",
            "EMBEDDER_DATA_ARRAY",
            "FIXED_DOUBLE_ARRAY",
            "CLOSURE_FEEDBACK_CELL_ARRAY",
            "TRUSTED_FIXED_ARRAY",
            "PROTECTED_FIXED_ARRAY",
            "TRUSTED_WEAK_FIXED_ARRAY",
            "PROTECTED_WEAK_FIXED_ARRAY",
        ] {
            set(named(name), Self::Words(16));
        }
        // A transition array has the number behind its parent.
        set(named("WEAK_FIXED_ARRAY").map(|n| n + 1), Self::Words(16));
        for name in ["OBJECT_BOILERPLATE_DESCRIPTION", "SCRIPT_CONTEXT_TABLE", "SLOPPY_ARGUMENTS_ELEMENTS"] {
            set(named(name), Self::Words(32));
        }
        set(named("REG_EXP_MATCH_INFO"), Self::Words(40));
        for name in ["WEAK_ARRAY_LIST", "ARRAY_LIST", "DEPENDENT_CODE"] {
            set(named(name), Self::Words(24));
        }
        set(named("BYTE_ARRAY"), Self::Bytes);
        set(named("TRUSTED_BYTE_ARRAY"), Self::Bytes);
        let descriptors = constants.any(&["class_DescriptorArray__header_size"]).unwrap_or(24) as u8;
        set(named("DESCRIPTOR_ARRAY"), Self::Descriptors(descriptors));
        set(named("STRONG_DESCRIPTOR_ARRAY"), Self::Descriptors(descriptors));
        set(named("PROPERTY_ARRAY"), Self::Properties);
        let bytecodes = constants.any(&["class_BytecodeArray__data"]).unwrap_or(64) as u8;
        set(named("BYTECODE_ARRAY"), Self::BytesBehind(bytecodes));
        set(named("FEEDBACK_VECTOR"), Self::Feedback(sizes.feedback));
        let two_counters = sizes.free == 8;
        set(named("FEEDBACK_VECTOR").map(|n| n - 1), Self::FeedbackMetadata(two_counters));
        set(named("FEEDBACK_VECTOR").map(|n| n + 2), Self::Free(sizes.free));
        set(named("FREE_SPACE"), Self::Free(sizes.free));
        set(named("PREPARSE_DATA"), Self::Preparse);
        set(named("SYMBOL").map(|n| n + 1), Self::BigInt);
        if named("INSTRUCTION_STREAM").is_none() {
            set(named("CODE"), Self::OldCode(sizes.code));
        }
        let instructions = if constants.any(&["class_Code__instruction_size"]).is_some() {
            Self::Instructions(sizes.code)
        } else {
            Self::InstructionsOf(56, sizes.code)
        };
        set(named("INSTRUCTION_STREAM"), instructions);
        for name in [
            "SCOPE_INFO",
            "SWISS_NAME_DICTIONARY",
            "SMALL_ORDERED_HASH_MAP",
            "SMALL_ORDERED_HASH_SET",
            "SMALL_ORDERED_NAME_DICTIONARY",
            "COVERAGE_INFO",
            "WASM_NULL",
            "EXTERNAL_POINTER_ARRAY",
        ] {
            set(named(name), Self::UpToMap);
        }
        // Sequential strings; other strings have the size of their map.
        for kind in 0..128u16 {
            if kind % 8 == 0 {
                set(Some(kind), Self::Chars(if kind & 8 == 0 { 2 } else { 1 }));
            }
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use heap_base::Blob;

    use super::*;
    use crate::elf::Segment;

    /// On AArch64 code begins at multiples of 32 bytes, on x86-64 of 64.
    #[test]
    fn code_ends_where_the_next_may_begin() {
        let mut bytes = vec![0; 64];
        bytes[24..28].copy_from_slice(&560u32.to_le_bytes());
        let segment = Segment { start: 0x1000, end: 0x1040, offset: 0 };
        let memory = Memory::new(Blob::from_bytes(bytes), &[segment]);
        let map = Map {
            address: 0,
            kind: 0,
            words: 0,
            first: 0,
            elements: 0,
            dictionary: false,
            of_prototypes: false,
            new_target_is_base: false,
            has_prototype_slot: false,
            own: 0,
            prototype: 0,
            constructor: 0,
            descriptors: 0,
        };
        let constants = Constants::built_in("12.4.254.21-node.57").expect("is built in");
        let code = usize::from(constants.instance_type("INSTRUCTION_STREAM").expect("is there"));
        for (begin, size) in [(32, 608), (64, 640)] {
            let rules = Size::rules(&constants, Sizes { feedback: 56, free: 1, code: begin });
            assert_eq!(rules[code].of(&memory, 0x1000, &map), Some(size));
        }
    }
    /// A core may have too little to show which sizes are right.
    #[test]
    fn sizes_of_known_versions_are_not_guessed() {
        let of = |version| Sizes::candidates(version, 64);
        for (version, feedback, free) in
            [("10.2.154.26-node.39", 48, 1), ("12.4.254.21-node.57", 56, 1), ("14.6.202.34-node.34", 48, 8)]
        {
            let found: Vec<_> = of(version).iter().map(|sizes| (sizes.feedback, sizes.free)).collect();
            assert_eq!(found, [(feedback, free)], "{version}");
        }
        assert_eq!(of("14.60.1").len(), 8);
        assert_eq!(of("").len(), 8);
    }
}
