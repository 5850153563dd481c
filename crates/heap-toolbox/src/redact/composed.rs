//! Texts that a VM composes from the names of objects: the labels of WeakMap entries.
//!
//! V8 calls both edges to the value of such an entry
//! `1 / part of key (Key @13) -> value (Value @15) pair in WeakMap (table @11)`. The name of a string is its text, so
//! the label shows contents; and its form, with the numbers, is what says that the entry depends on its key. So the
//! names go, whatever the rules, and the form stays.

use std::ops::Range;

/// What a text is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Not of names of objects, as far as is known.
    Plain,
    /// There are names in these ranges of bytes: of the key, of the value.
    Names([Range<usize>; 2]),
    /// There are names in it, but not where they should be: none of it can stay.
    Broken,
}

/// Looks for names in a text.
///
/// The ends of the key's and the value's name are found as the V8 reader finds them, so that what is left has the same
/// numbers; between them nothing stays, whatever the names hold. Line ends, which DevTools takes for no entry,
/// hide no name here.
pub(crate) fn form(text: &str) -> Form {
    let Some(at) = memchr::memmem::find(text.as_bytes(), b"part of key (") else { return Form::Plain };
    names(text, at + "part of key (".len()).map_or(Form::Broken, Form::Names)
}

fn names(text: &str, start: usize) -> Option<[Range<usize>; 2]> {
    let head = text[..start].strip_suffix("part of key (")?;
    let count = head.strip_suffix(" / ").unwrap_or(head);
    let (front, table) = text.rsplit_once(") pair in WeakMap (table @")?;
    if !is_number(count) && !head.is_empty() || !is_number(table.strip_suffix(')')?) {
        return None;
    }
    // Both names end in ` @`, a number and a bracket; the shortest key is the key.
    let value_end = numbered(front)?;
    let (key_end, value_start) = front.match_indices(") -> value (").find_map(|(at, gap)| {
        let value_start = at + gap.len();
        let key_end = numbered(&front[..at]).filter(|&end| end >= start)?;
        (value_start <= value_end).then_some((key_end, value_start))
    })?;
    Some([start..key_end, value_start..value_end])
}

/// Where ` @` and a number begin, which the text ends in.
fn numbered(text: &str) -> Option<usize> {
    let at = text.rfind(" @")?;
    is_number(&text[at + 2..]).then_some(at)
}

/// Of as many digits as the V8 reader takes.
fn is_number(text: &str) -> bool {
    (1..20).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// True if DevTools takes no label with this name for an entry's.
pub(crate) fn has_line_end(name: &str) -> bool {
    name.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}

#[cfg(test)]
mod tests {
    use super::{Form, form};

    #[test]
    fn names_are_found_whatever_they_hold() {
        let cases = [
            (
                "1 / part of key (Key @13) -> value (Value @15) pair in WeakMap (table @11)",
                Some(["Key", "Value"]),
            ),
            ("12 / part of key ( @13) -> value ( @15) pair in WeakMap (table @11)", Some(["", ""])),
            (
                "1 / part of key (a @ b) @3) -> value (c\n @d @5) pair in WeakMap (table @7)",
                Some(["a @ b)", "c\n @d"]),
            ),
            (
                "1 / part of key (a @1) -> value (b @2) -> value (c @3) pair in WeakMap (table @7)",
                Some(["a", "b @2) -> value (c"]),
            ),
            (
                "1 / part of key (a @1) -> value (x @2) pair in WeakMap (table @3) @4) pair in WeakMap (table @7)",
                Some(["a", "x @2) pair in WeakMap (table @3)"]),
            ),
            (
                "1 / part of key (\u{e9} @1) -> value (\u{1f980} @2) pair in WeakMap (table @7)",
                Some(["\u{e9}", "\u{1f980}"]),
            ),
            ("part of key (a @1) -> value (b @2) pair in WeakMap (table @7)", Some(["a", "b"])),
            ("x / part of key (a @1) -> value (b @2) pair in WeakMap (table @7)", None),
            ("1 / part of key (a @1) -> value (b @2) pair in WeakMap (table @7", None),
            ("1 / part of key (a @1) -> value (b) pair in WeakMap (table @7)", None),
            ("1 / part of key (secret", None),
        ];
        for (text, expected) in cases {
            let found = match form(text) {
                Form::Names(ranges) => Some(ranges.map(|range| &text[range])),
                Form::Broken => None,
                Form::Plain => panic!("{text}"),
            };
            assert_eq!(found, expected, "{text}");
        }
        for text in ["", "next", "(table @3)", "a / part of keys"] {
            assert_eq!(form(text), Form::Plain, "{text}");
        }
    }
}
