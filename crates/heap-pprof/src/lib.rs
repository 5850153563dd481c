//! Heap profiles in the format of pprof (`profile.proto` of github.com/google/pprof): Go's `/debug/pprof/heap`, Rust and
//! C++ programs with jemalloc or tcmalloc, and whatever else writes it. Mostly packed with gzip.
//!
//! A profile is a list of samples: a stack and some numbers, such as the bytes that were allocated there and are in use.
//! Stacks become a tree of nodes `heap.frame`, joined by `heap.calls`. Each sample is a node `heap.allocation` with its
//! bytes in use as `heap.size`, their number of objects as `heap.count`, every value under its own name
//! (`pprof.alloc_space`), and its labels. [`Options`] choose another value for `heap.size`. Records `pprof.location`, `pprof.line`, `pprof.function` and `pprof.mapping` and
//! the metadata keep the rest, so that [`Gather`] makes the same profile of the stream.
//!
//! Class and name of a frame is its function; so it is of an allocation, which has file and line of its frame, too. So what a
//! class retains is what its function allocated with all that it called.
//!
//! A function that was inlined is a frame of its own. A location without lines is named by its address.
//!
//! Memory: the file, its samples and strings once more, and 24 bytes for each node of the tree. Profiles are small: Go
//! writes one sample for each 512 KiB that a program allocates. Profiles without a sample type in bytes are refused: they
//! measure something else, such as time.

mod emit;
mod gather;
mod profile;
#[cfg(test)]
mod tests;
mod wire;

use heap_base::{Blob, Error, Result};
use heap_record::{Fact, Info, Sink, SnapshotSelector};

pub use gather::Gather;
pub use profile::{Function, Label, Line, Location, Mapping, Profile, Sample, Text, ValueType};

/// Whether an input that begins with `head` is a profile: its first field is a sample type or, as Go has it, the type of
/// the period, that is, two numbers of strings, and another known field follows.
pub fn sniff(head: &[u8]) -> bool {
    let mut rest = head;
    let Ok((1 | 11, wire::Value::Bytes(mut inner))) = wire::field(&mut rest) else { return false };
    let mut numbers = 0;
    while !inner.is_empty() {
        match wire::field(&mut inner) {
            Ok((1 | 2, wire::Value::Int(_))) => numbers += 1,
            _ => return false,
        }
    }
    let follows = rest.is_empty() || wire::varint(&mut rest).is_ok_and(|tag| matches!(tag >> 3, 1..=15));
    numbers > 0 && follows
}

/// What kind of profile it is, and its counts.
///
/// # Errors
/// Failures of reading. Damage is a fact.
pub fn info(blob: &Blob) -> Result<Info> {
    let (profile, damage) = decode(blob)?;
    let text = |text| String::from_utf8_lossy(profile.text(text)).into_owned();
    let types: Vec<String> = profile.sample_types.iter().map(|t| text(t.name)).collect();
    let mut facts = vec![
        ("sample_types", Fact::Text(types.join(" "))),
        ("samples", Fact::Int(profile.samples.len() as i64)),
        ("locations", Fact::Int(profile.locations.len() as i64)),
        ("functions", Fact::Int(profile.functions.len() as i64)),
    ];
    if let Some((size, count)) = profile.heap_values() {
        let sum = |at: usize| profile.samples.iter().filter_map(|s| s.values.get(at)).sum::<i64>();
        facts.push(("size", Fact::Bytes(sum(size).max(0) as u64)));
        facts.extend(count.map(|count| ("count", Fact::Int(sum(count)))));
    }
    if profile.time[0] != 0 {
        facts.push(("time", Fact::Int(profile.time[0] / 1_000_000_000)));
    }
    if let Some(damage) = damage {
        facts.push(("damage", Fact::Text(damage.to_string())));
    }
    Ok(Info { format: "pprof", facts, ..Info::default() })
}

/// How a profile is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The sample type that becomes `heap.size`: `alloc_space`. `None` for the one that the profile names, or the bytes in use.
    pub value: Option<String>,
}

/// Reads a profile. There is one snapshot.
///
/// # Errors
/// Damage, with its byte, after every sample before it was emitted; a profile that measures no bytes; failures of the sink.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    read_with(blob, pick, &Options::default(), sink)
}

/// The same as options say.
///
/// # Errors
/// Those of [`read`]; the profile has no such value.
pub fn read_with(blob: &Blob, pick: SnapshotSelector, options: &Options, sink: &mut dyn Sink) -> Result {
    pick.range(1)?;
    let (profile, damage) = decode(blob)?;
    let outcome = emit::emit(&profile, options.value.as_deref(), damage.is_none(), sink)?;
    damage.or(outcome).map_or(Ok(()), Err)
}

fn decode(blob: &Blob) -> Result<(Profile, Option<Error>)> {
    let mut bytes = Vec::new();
    let mut section = blob.section(0, blob.len());
    std::io::Read::read_to_end(&mut section, &mut bytes).map_err(Error::read)?;
    Ok(Profile::decode(&bytes))
}
