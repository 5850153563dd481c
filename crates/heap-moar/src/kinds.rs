//! Kinds of collectables.

/// Names of the collectable kinds, by number.
pub(crate) const NAMES: [&str; 12] = [
    "",
    "moar.object",
    "moar.type_object",
    "moar.stable",
    "moar.frame",
    "moar.permanent_roots",
    "moar.instance_roots",
    "moar.cstack_roots",
    "moar.thread_roots",
    "moar.root",
    "moar.intergen_roots",
    "moar.callstack_roots",
];

/// An object.
pub(crate) const OBJECT: u64 = 1;
/// The last of the kinds that have a type.
pub(crate) const STABLE: u64 = 3;
/// A frame, which has a static frame.
pub(crate) const FRAME: u64 = 4;
/// The root.
pub(crate) const ROOT: u64 = 9;
