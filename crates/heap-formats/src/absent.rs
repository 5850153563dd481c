//! Formats that this program may have been built without. They are known by name and by sight, so that it can say so.

/// Whether an input that begins with these bytes seems to have a format.
type Looks = fn(&[u8]) -> bool;

/// Every format that the build may leave out, and whether an input that begins with these bytes seems to have it. Readers
/// judge more strictly; this is asked where none of them was content.
const OPTIONAL: &[(&str, Looks)] = &[
    ("sqlite", |head| head.starts_with(b"SQLite format 3\0")),
    ("parquet", |head| head.starts_with(b"PAR1")),
    ("mdb", |head| head.starts_with(b"MDBV8HEAP")),
    // An ELF file of the type ET_CORE.
    ("core", |head| head.starts_with(b"\x7fELF") && head.get(16..18) == Some(b"\x04\0")),
    ("moarvm", |head| head.starts_with(b"MoarHeapDump") || head.starts_with(b"strings: [\"")),
    ("dart", |head| head.starts_with(b"dartheap")),
    ("java", |head| {
        head.starts_with(b"JAVA PROFILE ")
            || head.starts_with(b"// Version:")
            || has(head, 32, "portable heap dump")
    }),
    ("webkit", |head| {
        has(head, 256, "\"type\":\"Inspector\"")
            || has(head, 256, "\"type\":\"GCDebugging\"")
            || has(head, 256, "\"recording\":")
    }),
    ("ruby", |head| begins(head, "{\"type\":\"ROOT\"") || begins(head, "{\"address\":\"0x")),
    ("v8", |head| begins(head, "{\"snapshot\":")),
    ("memory-infra", |head| {
        let events = begins(head, "[{") && has(head, 4096, "\"ph\":");
        events || has(head, 4096, "\"traceEvents\"") || has(head, 256, "\"callFrame\"")
    }),
    // A message of protocol buffers that names bytes as a unit, or a text that says what it is.
    ("pprof", |head| {
        let message = matches!(head, [0x0a | 0x32 | 0x5a, ..]) && has(head, head.len(), "\x05bytes");
        message || has(head, 64, "heap profile: ") || has(head, 64, "heap_v2/")
    }),
];

fn begins(head: &[u8], text: &str) -> bool {
    let mut bytes = head.iter().filter(|b| !b.is_ascii_whitespace());
    text.bytes().all(|b| bytes.next() == Some(&b))
}

fn has(head: &[u8], within: usize, text: &str) -> bool {
    memchr::memmem::find(&head[..head.len().min(within)], text.as_bytes()).is_some()
}

/// What the program says of a format that was left out.
pub(crate) fn without(name: &str) -> String {
    format!("this program was built without {name}")
}

/// A message if `name` is a format that this program could have been built with, and was not.
pub fn left_out(name: &str) -> Option<String> {
    let known = OPTIONAL.iter().any(|(optional, _)| *optional == name);
    (known && crate::format(name).is_none()).then(|| without(name))
}

/// A message if an input that begins with `head` seems to have such a format.
pub(crate) fn seems(head: &[u8]) -> Option<String> {
    let (name, _) = OPTIONAL.iter().find(|(_, seems)| seems(head))?;
    left_out(name)
}

#[cfg(test)]
mod tests {
    use super::OPTIONAL;

    fn seen(head: &[u8]) -> Option<&'static str> {
        OPTIONAL.iter().find(|(_, seems)| seems(head)).map(|(name, _)| *name)
    }

    /// What a format looks like agrees with the reader that knows.
    #[test]
    fn dumps_are_known_by_sight() {
        let mut checked = 0;
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");
        for folder in [
            "core",
            "dart",
            "java",
            "mdb",
            "memory-infra",
            "moarvm",
            "pprof",
            "ruby",
            "sqlite",
            "v8",
            "webkit",
        ] {
            for entry in std::fs::read_dir(format!("{data}/{folder}")).expect("a folder") {
                let path = entry.expect("an entry").path();
                let Ok(bytes) = std::fs::read(&path) else { continue };
                let mut head = Vec::new();
                let packed: Box<dyn std::io::Read> = match path.extension().and_then(|e| e.to_str()) {
                    Some("zst") => Box::new(zstd::Decoder::new(&bytes[..]).expect("packed")),
                    Some("gz") => Box::new(flate2::read::MultiGzDecoder::new(&bytes[..])),
                    _ => Box::new(&bytes[..]),
                };
                std::io::Read::read_to_end(&mut std::io::Read::take(packed, 65536), &mut head).expect("read");
                let Some(format) = crate::detect(&head).filter(|f| f.name != "records") else { continue };
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                // A document in another shape than its producer writes is not known by sight.
                if ["windows-file.json", "jq-compact.json", "twice.json"].contains(&&*name) {
                    continue;
                }
                assert_eq!(seen(&head), Some(format.name), "{folder}/{name}");
                checked += 1;
            }
        }
        assert!(checked > 60, "{checked}");
    }

    #[test]
    fn nothing_is_left_out_unless_it_was() {
        for (name, _) in OPTIONAL {
            assert_eq!(super::left_out(name).is_some(), crate::format(name).is_none());
        }
        assert_eq!(super::left_out("records"), None);
        assert_eq!(super::left_out("nonsense"), None);
    }
}
