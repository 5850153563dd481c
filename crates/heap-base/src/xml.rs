//! Text in XML and HTML.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text for XML 1.0 or HTML, in an attribute in double quotes or between tags. What XML cannot hold becomes `\u{1b}`, as in
/// messages.
pub fn escape(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '\0'..='\u{1f}' | '&' | '<' | '>' | '"' | '\u{fffe}' | '\u{ffff}');
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        // A `String` takes everything.
        let _ = match c {
            '&' => out.write_str("&amp;"),
            '<' => out.write_str("&lt;"),
            '>' => out.write_str("&gt;"),
            '"' => out.write_str("&quot;"),
            // As they are, a parser makes blanks of them in an attribute.
            '\t' | '\n' | '\r' => write!(out, "&#{};", u32::from(c)),
            _ if special(c) => write!(out, "\\u{{{:x}}}", u32::from(c)),
            _ => out.write_char(c),
        };
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_xml_would_take_for_its_own_is_text() {
        assert_eq!(escape("Map<K, V> & Ünicode"), "Map&lt;K, V&gt; &amp; Ünicode");
        assert_eq!(escape("a\"b'\t\r\n"), "a&quot;b'&#9;&#13;&#10;");
        assert_eq!(escape("\0\u{1b}\u{ffff}\u{9b}"), "\\u{0}\\u{1b}\\u{ffff}\u{9b}");
        assert_eq!(escape("plain"), "plain");
    }
}
