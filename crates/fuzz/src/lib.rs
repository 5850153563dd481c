//! What is tried on mutated input: a function for every reader and tool path.
//!
//! Each takes any bytes, must come back, and says in a number what it has seen: inputs that give a number that is
//! new are kept and mutated further. That replaces coverage, which needs a nightly compiler; with one, a
//! libFuzzer target is `fuzz_target!(|data: &[u8]| { heap_fuzz::target("v8")(data); })`.

pub mod mutate;
pub mod targets;

/// Tries one input; says what was seen.
pub type Target = fn(&[u8]) -> u64;

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("v8", targets::v8),
    ("moarvm", targets::moarvm),
    ("core", targets::core),
    ("dart", targets::dart),
    ("pprof", targets::pprof),
    ("memory-infra", targets::infra),
    ("sqlite", targets::sqlite),
    ("parquet", targets::parquet),
    ("java", targets::java),
    ("ruby", targets::ruby),
    ("mdb", targets::mdb),
    ("webkit", targets::webkit),
    ("stream", targets::stream),
    ("open", targets::open),
    ("graph", targets::graph),
    ("tree", targets::tree),
    ("diff", targets::diff),
    ("names", targets::names),
    ("redact", targets::redact),
    ("reports", targets::reports),
    ("to-v8", targets::to_v8),
    ("to-hprof", targets::to_hprof),
    ("condition", targets::condition),
];

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(n, _)| *n == name).map(|(_, target)| *target)
}
