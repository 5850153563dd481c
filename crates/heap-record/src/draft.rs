//! What the draft of the portable format says of the subtypes of nodes: names, and what their fields hold.

use std::borrow::Cow;

use crate::model::FieldKind;

/// A subtype of the draft.
#[derive(Clone, Copy, Debug)]
pub struct Subtype {
    /// Its name in the stream, which is that of its table too.
    pub name: &'static str,
    /// What the draft calls it in prose.
    pub prose: &'static str,
    /// Its fields.
    pub fields: &'static [(Cow<'static, str>, FieldKind)],
}

/// A row of [`SUBTYPES`].
macro_rules! subtype {
    ($name:literal, $prose:literal $(, $field:literal: $kind:ident)*) => {
        Subtype { name: $name, prose: $prose, fields: &[$((Cow::Borrowed($field), FieldKind::$kind)),*] }
    };
}

/// All of them. The draft calls `length` and `offset` values, and so they are for who writes small integers; `data` names a
/// string record in every stream that there is.
pub static SUBTYPES: [Subtype; 13] = [
    subtype!("array", "array", "length": Integer),
    subtype!("object", "object", "constructor": Value),
    subtype!("string_flat", "flat string", "length": Value, "data": String),
    subtype!("string_cons", "concatenated string", "length": Value, "s1": Value, "s2": Value),
    subtype!("string_sliced", "sliced string", "length": Value, "source": Value, "offset": Value),
    subtype!("code", "code"),
    subtype!("closure", "closure", "metadata": Value),
    subtype!("function_metadata", "function metadata", "name": Value, "script_name": Value, "position": Value),
    subtype!("regular_expression", "regular expression", "source": Value, "flags": Value),
    subtype!("date", "date", "timestamp": Value),
    subtype!("heap_number", "heap number", "value": Float),
    subtype!("native", "native", "address": Address),
    subtype!("oddball", "oddball", "name": Value),
];

/// The subtype that is called so, by either name.
pub fn subtype(name: &str) -> Option<&'static Subtype> {
    SUBTYPES.iter().find(|s| s.name == name || s.prose == name)
}

/// Whether a stream of this version can be read. What was before the draft was a prototype, and is read as far as it goes.
///
/// # Errors
/// It cannot: says why.
pub fn version(major: &str) -> Result<(), String> {
    let number = major.split('.').next().unwrap_or(major);
    if number.trim().parse::<u64>().is_ok_and(|n| n > 1) {
        return Err(format!("version_major is {major}, and only version 1 is known"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{SUBTYPES, subtype, version};

    #[test]
    fn later_versions_are_refused() {
        for known in ["1", "1.0", "0", "", "one"] {
            assert_eq!(version(known), Ok(()));
        }
        for later in ["2", "2.1", " 17"] {
            assert!(version(later).is_err(), "{later}");
        }
    }

    #[test]
    fn both_names_are_known() {
        for s in &SUBTYPES {
            assert_eq!(subtype(s.name).map(|s| s.name), Some(s.name));
            assert_eq!(subtype(s.prose).map(|s| s.name), Some(s.name));
        }
        assert!(subtype("concatenated").is_none());
    }
}
