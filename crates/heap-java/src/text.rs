//! Text of a Java heap as Unicode.

use heap_record::texts::utf16;

/// The text of a UTF8 record, which writes U+0000 in two bytes and supplementary characters as two surrogates of three
/// bytes each. Bytes that are not even that become U+FFFD.
pub(crate) fn modified_utf8(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains('\0')
    {
        return text.to_owned();
    }
    let mut text = String::with_capacity(bytes.len());
    utf16(Units { bytes }, &mut text);
    text
}

/// UTF-16 units of modified UTF-8.
struct Units<'a> {
    bytes: &'a [u8],
}

impl Iterator for Units<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let continued = |b: u8| (b & 0xc0 == 0x80).then_some(u16::from(b & 0x3f));
        let (unit, len) = match *self.bytes {
            [] => return None,
            [a, ..] if a < 0x80 => (u16::from(a), 1),
            [a, b, ..] if a & 0xe0 == 0xc0 && continued(b).is_some() => {
                (u16::from(a & 0x1f) << 6 | u16::from(b & 0x3f), 2)
            }
            [a, b, c, ..] if a & 0xf0 == 0xe0 && continued(b).is_some() && continued(c).is_some() => {
                (u16::from(a & 0xf) << 12 | u16::from(b & 0x3f) << 6 | u16::from(c & 0x3f), 3)
            }
            _ => (0xfffd, 1),
        };
        self.bytes = &self.bytes[len..];
        Some(unit)
    }
}

/// A class name as Java writes it, and the address of a hidden class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClassName {
    pub(crate) name: String,
    pub(crate) hidden: Option<String>,
}

/// The name of a class out of the machine's: `java/util/Map$Entry`, `[B`, `[[Ljava/lang/String;`.
pub(crate) fn class_name(machine: &str) -> ClassName {
    let element = machine.trim_start_matches('[');
    let dimensions = machine.len() - element.len();
    let element = if dimensions > 0 {
        match element {
            "Z" => "boolean",
            "C" => "char",
            "F" => "float",
            "D" => "double",
            "B" => "byte",
            "S" => "short",
            "I" => "int",
            "J" => "long",
            _ => element.strip_prefix('L').and_then(|e| e.strip_suffix(';')).unwrap_or(element),
        }
    } else {
        element
    };
    // A hidden class has its address behind its name, which differs from run to run.
    let cut = element.rfind("+0x").or_else(|| element.rfind("/0x"));
    let (element, hidden) = match cut {
        Some(at) if element[at + 3..].bytes().all(|b| b.is_ascii_hexdigit()) => {
            (&element[..at], Some(element[at + 1..].to_owned()))
        }
        _ => (element, None),
    };
    let mut name = element.replace('/', ".");
    for _ in 0..dimensions.min(255) {
        name.push_str("[]");
    }
    ClassName { name, hidden }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_classes_are_java_s() {
        let cases = [
            ("java/util/HashMap$Node", "java.util.HashMap$Node", None),
            ("[B", "byte[]", None),
            ("[[J", "long[][]", None),
            ("[[Ljava/lang/String;", "java.lang.String[][]", None),
            ("A$$Lambda$14+0x00007f1c", "A$$Lambda$14", Some("0x00007f1c")),
            ("[La/B$$Lambda+0x1f;", "a.B$$Lambda[]", Some("0x1f")),
            ("B", "B", None),
            ("", "", None),
            ("[", "[]", None),
            ("x+0xyz", "x+0xyz", None),
        ];
        for (machine, name, hidden) in cases {
            let expected = ClassName { name: name.to_owned(), hidden: hidden.map(str::to_owned) };
            assert_eq!(class_name(machine), expected, "{machine}");
        }
    }

    #[test]
    fn modified_utf8_is_unicode() {
        let cases: [(&[u8], &str); 6] = [
            (b"plain", "plain"),
            ("\u{17e}".as_bytes(), "\u{17e}"),
            (b"a\xc0\x80b", "a\0b"),
            (b"\xed\xa0\xbd\xed\xb8\x80", "\u{1f600}"),
            (b"\xed\xa0\xbd", "\u{fffd}"),
            (b"\xff\xe1\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        ];
        for (bytes, text) in cases {
            assert_eq!(modified_utf8(bytes), text, "{bytes:x?}");
        }
    }
}
