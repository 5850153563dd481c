//! The passes over one input.

use std::io::Write;

use heap_base::Error;
use heap_record::Sink;

use super::apply::Redact;
use super::prescan::Prescan;
use super::{Audit, Joined, Key, Rules};

/// Reads an input as often as it takes, and emits its records to `out` with tokens in place of the texts that the rules
/// take. `out` is not finished: more inputs may follow.
///
/// `read` is called two or three times, and reads the same from the beginning each time: for the prescan; for the strings, where a record comes before its own; for the records. Gives what was found, and what the
/// last call gave.
///
/// The tokens come from `key`, or from one that the texts of the input make. `map` gets token and text of all that is
/// redacted, as JSON lines.
///
/// # Errors
/// What `read` says, which ends it at once, or the first failure to write the map.
pub fn passes<T, E: From<Error>>(
    rules: &Rules,
    key: Option<Key>,
    map: Option<&mut dyn Write>,
    out: impl Sink,
    mut read: impl FnMut(&mut dyn Sink) -> Result<T, E>,
) -> Result<(Audit, T), E> {
    let mut prescan = Prescan::new(rules.clone());
    read(&mut prescan)?;
    let strings_first = prescan.wants_strings_first();
    let mut redact = Redact::new(prescan, key, map, out);
    if strings_first {
        let mut decide = redact.strings_first();
        read(&mut decide)?;
        decide.finish(true)?;
    }
    if !rules.audit {
        let last = read(&mut redact)?;
        return Ok((redact.into_audit()?, last));
    }
    // What texts in parts look like is seen before the parts have become tokens.
    let mut whole = Joined::new(&mut redact);
    let last = read(&mut whole)?;
    let joined = whole.take_audit()?;
    let mut audit = redact.into_audit()?;
    audit.goes(joined);
    Ok((audit, last))
}
