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
//! The text that jemalloc, gperftools, tcmalloc and Go write instead is read as the same profile (`text`). It
//! has no names but Go's.
//!
//! Profiles may be differences: `?seconds=30` of Go, `-base` and `-diff_base` of pprof. What went and what came are then two
//! snapshots, 0 and 1, of which each has sizes without a sign, so that sums and shares mean something, and
//! heap-diff shows what changed; `heap.sizes` says which of the two a snapshot is, and where one is read because nobody chose,
//! `profile.note` says what the other has. The values under their own names have their signs.
//!
//! Frames that the profile wants dropped (`drop_frames`) are dropped as pprof drops them, and what they allocated is their
//! callers'. `pprof.frame` of such an allocation is the frame that made it.
//!
//! A function that was inlined is a frame of its own. A location without lines is named by its place in its file,
//! `libc.so.6+0x2724a`, or by its address.
//!
//! Memory: the file, its samples and strings once more, and 24 bytes for each node of the tree. Profiles are small: Go
//! writes one sample for each 512 KiB that a program allocates. Profiles without a sample type in bytes are refused: they
//! measure something else, such as time.

mod emit;
mod gather;
mod profile;
mod prune;
#[cfg(test)]
mod tests;
mod text;
mod wire;

use heap_base::{Blob, Error, Result};
use heap_record::{Fact, Info, Sink, SnapshotSelector};

use emit::Side;
pub use gather::Gather;
pub use profile::{Function, Label, Line, Location, Mapping, Profile, Sample, Text, ValueType};

/// Whether an input that begins with `head` is a profile, or a text of one.
pub fn sniff(head: &[u8]) -> bool {
    wire::sniff(head) || text::sniff(head)
}

/// What kind of profile it is, and its counts.
///
/// # Errors
/// Failures of reading. Damage is a fact.
pub fn info(blob: &Blob) -> Result<Info> {
    info_with(blob, &Options::default())
}

/// The same of the value that options name.
///
/// # Errors
/// Those of [`info`]; the profile has no such value.
pub fn info_with(blob: &Blob, options: &Options) -> Result<Info> {
    let Decoded { profile, origin, damage } = decode(blob)?;
    let text = |text| String::from_utf8_lossy(profile.text(text)).into_owned();
    let types: Vec<String> = profile.sample_types.iter().map(|t| text(t.name)).collect();
    let mut snapshots = Vec::new();
    let mut facts = vec![
        ("sample_types", Fact::Text(types.join(" "))),
        ("samples", Fact::Int(profile.samples.len() as i64)),
        ("locations", Fact::Int(profile.locations.len() as i64)),
        ("functions", Fact::Int(profile.functions.len() as i64)),
    ];
    if let Some((size, count)) = emit::values(&profile, options.value.as_deref(), damage.is_none())? {
        facts.push(("value", Fact::Text(text(profile.sample_types[size].name))));
        let sum = |at: usize| {
            let values = profile.samples.iter().filter_map(|s| s.values.get(at));
            values.fold(0i64, |sum, n| sum.saturating_add(*n))
        };
        facts.push(match u64::try_from(sum(size)) {
            Ok(sum) => ("size", Fact::Bytes(sum)),
            Err(_) => ("size", Fact::Int(sum(size))),
        });
        facts.extend(count.map(|count| ("count", Fact::Int(sum(count)))));
        let sides = Side::all(&profile, size, count);
        for side in sides.iter().filter(|_| sides.len() > 1) {
            let samples = || profile.samples.iter().filter(|s| side.has(s));
            let size = Fact::Bytes(side.total(&profile));
            snapshots.push(vec![("samples", Fact::Int(samples().count() as i64)), ("size", size)]);
        }
    }
    if let Some(origin) = &origin {
        let shown = |key: &str| match key {
            "heap.sampled" => Some("period"),
            "profile.rule" => Some("rule"),
            "profile.warning" => Some("warning"),
            _ => None,
        };
        let shown = origin.metadata.iter().filter_map(|(key, value)| Some((shown(key)?, value)));
        facts.extend(shown.map(|(key, value)| (key, Fact::Text(value.clone()))));
    }
    if profile.time[0] != 0 {
        facts.push(("time", Fact::Int(profile.time[0] / 1_000_000_000)));
    }
    if let Some(damage) = damage {
        facts.push(("damage", Fact::Text(damage.to_string())));
    }
    let series = snapshots.len() > 1;
    let producer = origin.map(|origin| origin.producer.to_owned());
    Ok(Info { format: "pprof", producer, facts, snapshots, series, ..Info::default() })
}

/// How a profile is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The sample type that becomes `heap.size`: `alloc_space`. `None` for the one that the profile names, or the bytes in use.
    pub value: Option<String>,
}

/// Reads a profile. There is one snapshot; of a difference there are two.
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
    let Decoded { profile, origin, damage } = decode(blob)?;
    let wanted = options.value.as_deref();
    let outcome = emit::emit(&profile, origin.as_ref(), wanted, damage.is_none(), pick, sink)?;
    damage.or(outcome).map_or(Ok(()), Err)
}

/// What is in a file.
struct Decoded {
    profile: Profile,
    /// Of a text, who wrote it.
    origin: Option<text::Origin>,
    /// Where it stops being a profile.
    damage: Option<Error>,
}

fn decode(blob: &Blob) -> Result<Decoded> {
    let mut bytes = Vec::new();
    let mut section = blob.section(0, blob.len());
    std::io::Read::read_to_end(&mut section, &mut bytes).map_err(Error::read)?;
    if text::sniff(&bytes) {
        let (profile, origin, damage) = text::decode(&bytes);
        return Ok(Decoded { profile, origin: Some(origin), damage });
    }
    let (profile, damage) = Profile::decode(&bytes);
    Ok(Decoded { profile, origin: None, damage })
}
