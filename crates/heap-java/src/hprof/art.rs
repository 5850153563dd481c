//! What Android's runtimes write otherwise than HotSpot does: ART, and Dalvik before it.
//!
//! Instances have the size that their class dump states. Some arrays are no objects of their own: the characters of a
//! string, the tables of a class, the roots of a loader. Objects are in named heaps, and cleaners say how many bytes
//! outside the heap an object keeps.

use crate::layout::{Fields, Kind, Layout};

/// A runtime of Android.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runtime {
    Dalvik,
    Art,
}

impl Runtime {
    /// The runtime after a name has come by: one that only Android's runtimes make up, in dumps that went through
    /// `hprof-conv` too. Dalvik makes up one of them.
    pub(crate) fn after(known: Option<Self>, name: &[u8]) -> Option<Self> {
        match (name, known) {
            (b"shadow$_klass_" | b"$classOverhead", _) => Some(Self::Art),
            (_, _) if name.starts_with(b"$class$") => Some(Self::Art),
            (b"$staticOverhead", None) => Some(Self::Dalvik),
            (_, known) => known,
        }
    }

    /// How it lays objects out. Class dumps state the sizes of instances; arrays begin with 8 bytes and a length, and in
    /// Dalvik elements with 16.
    pub(crate) fn layout(self) -> Layout {
        let header = if self == Self::Dalvik { 12 } else { 8 };
        Layout { reference: 4, header, align: 8, fields: Fields::Art }
    }
}

/// Finds arrays that are parts of other objects, which their addresses show. Objects come in the order of the file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    /// Whether any are; other virtual machines have none.
    there: Option<Runtime>,
    /// The last instance, if it was a string that has its characters in it.
    string: Option<u64>,
}

impl Parts {
    pub(crate) fn of(runtime: Option<Runtime>) -> Self {
        Self { there: runtime, string: None }
    }

    /// The next object is an instance.
    #[inline]
    pub(crate) fn instance(&mut self, id: u64, is_string: bool) {
        self.string = (is_string && self.there == Some(Runtime::Art)).then_some(id);
    }

    /// The next object is an array of references: its bytes, if it is a part of another object.
    pub(crate) fn objects(&mut self, id: u64) -> Option<u64> {
        self.string = None;
        // What a loader or a cache of classes holds, four bytes behind it.
        (self.there.is_some() && id % 8 == 4).then_some(0)
    }

    /// The next object is an array of primitives: its bytes, if it is a part of another object.
    pub(crate) fn primitives(&mut self, id: u64, kind: Kind, len: u32) -> Option<u64> {
        let bytes = u64::from(len) * kind.bytes();
        let string = self.string.take();
        if self.there.is_some() && id % 2 == 1 {
            // The tables of a class, one byte behind it.
            return Some(bytes);
        }
        let behind = id.checked_sub(string?)?;
        // Characters stand in the string itself, behind 16 bytes; an empty one ends before that.
        (behind == 16 || behind == 8 && len == 0).then(|| bytes.next_multiple_of(8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_within_other_objects_are_told_by_their_addresses() {
        let mut parts = Parts::of(Some(Runtime::Art));
        parts.instance(0x100, true);
        assert_eq!(parts.primitives(0x110, Kind::Byte, 9), Some(16));
        assert_eq!(parts.primitives(0x120, Kind::Byte, 9), None);
        parts.instance(0x200, true);
        assert_eq!(parts.primitives(0x208, Kind::Byte, 0), Some(0));
        parts.instance(0x300, false);
        assert_eq!(parts.primitives(0x310, Kind::Char, 4), None);
        assert_eq!(parts.primitives(0x401, Kind::Byte, 30), Some(30));
        assert_eq!((parts.objects(0x504), parts.objects(0x508)), (Some(0), None));
        let mut parts = Parts::of(None);
        parts.instance(0x100, true);
        assert_eq!(parts.primitives(0x110, Kind::Byte, 9), None);
        assert_eq!((parts.objects(0x504), parts.primitives(0x401, Kind::Byte, 30)), (None, None));
    }

    #[test]
    fn names_tell_the_runtime() {
        let after = |names: &[&str], version: u8| {
            names.iter().fold((version == 3).then_some(Runtime::Art), |known, name| {
                Runtime::after(known, name.as_bytes())
            })
        };
        assert_eq!(after(&["value"], 2), None);
        assert_eq!(after(&["$staticOverhead"], 2), Some(Runtime::Dalvik));
        assert_eq!(after(&["$staticOverhead", "shadow$_klass_"], 2), Some(Runtime::Art));
        assert_eq!(after(&["$class$vtable"], 2), Some(Runtime::Art));
    }
}
