//! The passes over one input.

use std::io::Write;

use heap_base::Error;
use heap_record::Sink;

use super::apply::Redact;
use super::survey::Survey;
use super::{Audit, Key, Rules};

/// Reads an input as often as it takes, and tells `out` its records with tokens in place of the texts that the rules
/// take. `out` is not finished: more inputs may follow.
///
/// `read` is called two or three times, and reads the same from the beginning each time: for a look at all that is
/// there; for the strings, where a record comes before its own; for the records. Gives what was found, and what the
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
    let mut survey = Survey::new(rules.clone());
    read(&mut survey)?;
    let strings_first = survey.wants_strings_first();
    let mut redact = Redact::new(survey, key, map, out);
    if strings_first {
        let mut decide = redact.strings_first();
        read(&mut decide)?;
        decide.finish(true)?;
    }
    let last = read(&mut redact)?;
    Ok((redact.into_audit()?, last))
}
