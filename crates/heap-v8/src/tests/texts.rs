//! Strings are emitted as another parser reads them.

use arbtest::arbitrary::{self, Unstructured};
use heap_base::{Blob, Window};
use heap_record::{Sink, Writer};
use serde_json::Value;

use super::random::often;
use crate::scan::Strings;

/// Contents of literals: what means something, what needs escapes, what looks like the end of a literal.
const CONTENTS: [&str; 18] = [
    "",
    "a",
    "shared",
    "second",
    "(map descriptors)",
    "4",
    "17",
    "fifteen letters and more",
    "\t",
    "\u{7f}",
    "é",
    "\\u00e9\\n",
    "\\\\",
    "\\\",\n",
    ",\n",
    ",",
    "]",
    "1 / part of key (a @3) -> value (b @5) pair in WeakMap (table @7)",
];

fn list(u: &mut Unstructured<'_>) -> arbitrary::Result<String> {
    let mut text = String::new();
    let separator = *u.choose(&[",\n", ",", ", "])?;
    // Few different ones often fit together in a wrong way, too.
    let few = [u.choose(&CONTENTS)?, u.choose(&CONTENTS)?, &"\\\",\n"];
    let contents: &[&str] = if u.arbitrary()? { &CONTENTS } else { &few.map(|c| *c) };
    for i in 0..u.int_in_range(0..=60)? {
        if i > 0 {
            text.push_str(if u.ratio(1, 20)? { " ,\t" } else { separator });
        }
        text.push('"');
        for _ in 0..u.int_in_range(1..=2)? {
            text.push_str(u.choose(contents)?);
        }
        text.push('"');
    }
    text.push_str("]}");
    if u.ratio(1, 4)? {
        let at = u.choose_index(text.len())?;
        if text.is_char_boundary(at) {
            text.insert_str(at, u.choose(&["\"", "\\", "]", "x", ","])?);
        }
    }
    Ok(text)
}

/// The texts of a list, read by another parser; `None` if it is none.
fn twin(list: &str) -> Option<Vec<String>> {
    // Tabs and line ends within a literal are not quite JSON.
    let (mut json, mut inside, mut escaped) = ("[".to_owned(), false, false);
    for c in list.strip_suffix('}')?.chars() {
        match c {
            '\t' if inside => json.push_str("\\t"),
            '\n' if inside => json.push_str("\\n"),
            _ => json.push(c),
        }
        inside ^= c == '"' && !escaped;
        escaped = inside && c == '\\' && !escaped;
    }
    serde_json::from_str(&json).ok()
}

#[test]
fn strings_are_emitted_as_another_parser_reads_them() {
    let (mut whole, mut many) = (0, 0);
    often(1000, |u| {
        let text = list(u)?;
        let blob = Blob::from_bytes(text.as_bytes());
        let (strings, damage) = Strings::scan(&mut Window::new(&blob, 0)).expect("memory never fails");
        let mut writer = Writer::new(Vec::new());
        assert!(strings.emit(&blob, &mut writer).is_ok() && writer.flush().is_ok());
        let lines = String::from_utf8(writer.into_inner()).expect("the stream is UTF-8");
        let data = |line: &str| {
            serde_json::from_str::<Value>(line).expect("JSON")["data"].as_str().map(str::to_owned)
        };
        let emitted: Vec<_> = lines.lines().filter_map(data).collect();
        assert_eq!(emitted.len() as u64, strings.count);
        if let Some(texts) = twin(&text) {
            assert_eq!(damage.map(|e| e.to_string()), None, "{text}");
            assert_eq!(emitted, texts, "{text}");
            whole += 1;
            many += usize::from(emitted.len() > 20);
        }
        Ok(())
    });
    assert!(whole > 500 && many > 200, "{whole} whole lists, {many} of many strings");
}
