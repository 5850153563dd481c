//! The survey of strings by two threads is the survey by one.

use arbtest::arbitrary::{self, Unstructured};
use heap_record::{Blob, Error};

use crate::text::Strings;
use crate::window::Window;

/// Contents of literals: what means something, what needs escapes, what looks like the end of a literal.
const CONTENTS: [&str; 15] = [
    "",
    "a",
    "shared",
    "second",
    "(map descriptors)",
    "4",
    "17",
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

/// All that is known of strings.
fn told(strings: &Strings) -> String {
    let marks: Vec<_> = (0..=strings.count).map(|i| strings.marks.get(i)).collect();
    let mut pairs: Vec<_> = strings.marks.pairs().iter().collect();
    pairs.sort_unstable_by_key(|pair| pair.0);
    format!("{} {} {} {marks:?} {pairs:?}", strings.count, strings.whole, strings.raw_utf8)
}

#[test]
fn strings_are_surveyed_in_halves_as_by_one_thread() {
    let (mut both, mut odd) = (0, 0);
    arbtest::arbtest(|u| {
        let text = list(u)?;
        let blob = Blob::from_bytes(text.as_bytes());
        let mut win = Window::new(&blob, 0);
        let (alone, damage) = Strings::survey_alone(&mut win).expect("memory never fails");
        match Strings::survey_halves(&blob, 0).expect("memory never fails") {
            None => odd += 1,
            Some((halves, end)) => {
                assert_eq!(damage.as_ref().map(Error::to_string), None, "{text}");
                assert_eq!((told(&halves), end), (told(&alone), win.at()), "{text}");
                both += 1;
            }
        }
        Ok(())
    })
    .budget_ms(2000);
    assert!(both > 200 && odd > 200, "{both} by two threads, {odd} by one only");
}
