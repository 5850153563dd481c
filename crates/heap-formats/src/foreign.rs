//! Inputs that people try and that are no heap dump of ours: named, so that the message helps.

use heap_base::json::{Json, each, inside, scalar, unescape};

/// What an input is that begins with `head` and is neither a record stream nor a dump; `None` if nobody knows.
pub(crate) fn name(head: &[u8]) -> Option<&'static str> {
    if head.len() >= 16 && head.iter().all(|&byte| byte == 0) {
        return Some("nothing but zero bytes, as a full disk or a transfer that broke leaves them");
    }
    // A class has the version of Java 1.1 or later there, where a Mach-O file counts its few parts.
    if head.starts_with(b"\xca\xfe\xba\xbe") && head.get(7).is_some_and(|&version| version >= 45) {
        return Some("a class of Java's");
    }
    magic(head).or_else(|| text(head))
}

/// What begins as no text does.
fn magic(head: &[u8]) -> Option<&'static str> {
    let is_here = |at: usize, bytes: &[u8]| head.get(at..).is_some_and(|rest| rest.starts_with(bytes));
    MAGIC.iter().find(|(at, bytes, _)| is_here(*at, bytes)).map(|(.., name)| *name)
}

/// Whether it is packed in a way that nothing here unpacks. lz4 leaves the first bytes of a text readable.
pub(crate) fn is_packed(head: &[u8]) -> bool {
    magic(head).is_some_and(|name| name.starts_with("packed by"))
}

/// Whether the first line may be a record: its type is one of the stream, or an extension's, and no report's.
pub(crate) fn begins_with_record(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let line = head.split(|&b| b == b'\n').next().unwrap_or(head).trim_ascii();
    let Some(members) = inside(line).or_else(|| line.strip_prefix(b"{")) else { return true };
    let kind = each(members).find(|(key, _)| unescape(key) == "type").and_then(|(_, raw)| scalar(raw));
    match kind {
        Some(Json::Text(kind)) => {
            let known = ["metadata", "type", "node_type", "edge_type", "string", "node", "edge"];
            known.contains(&kind.as_ref()) || kind.contains('.') && !ROWS.contains(&kind.as_ref())
        }
        // A long first line, or one in a shape that only the reader takes apart.
        _ => true,
    }
}

/// What was done to a binary file that was copied as text.
pub(crate) fn conversion(head: &[u8]) -> Option<&'static str> {
    if !head.contains(&0) {
        return None;
    }
    let mut ends = head.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at);
    let returned = |at: usize| at > 0 && head[at - 1] == b'\r';
    if ends.clone().count() >= 8 && ends.all(returned) {
        return Some(
            "all line feeds in it follow a carriage return, so it was copied as text: copy it again, as binary",
        );
    }
    let text = match std::str::from_utf8(head) {
        Err(e) if e.error_len().is_some() => return None,
        Err(e) => std::str::from_utf8(&head[..e.valid_up_to()]).unwrap_or_default(),
        Ok(text) => text,
    };
    let lost = text.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
    (lost >= 8)
        .then_some("what is no text in it was replaced by U+FFFD, so it was copied as text and is lost")
}

/// Offset, bytes, name.
const MAGIC: &[(usize, &[u8], &str)] = &[
    (0, b"\x7fELF", "an ELF file that is no core dump of Node"),
    (0, b"\xcf\xfa\xed\xfe", "a Mach-O file"),
    (
        0,
        b"MDMP",
        "a minidump: it has stacks and no heap; minidump-2-core makes a core of it, without objects",
    ),
    (0, b"ProblemType: ", "a crash report of apport: apport-unpack FILE FOLDER makes FOLDER/CoreDump"),
    (0, b"PAGEDU", "a Windows crash dump"),
    (0, b"PK\x05\x06", "an empty zip archive"),
    (0, b"\xfd7zXZ\0", "packed by xz: unpack it first, as in xz -dc FILE | heap-cat"),
    (0, b"BZh", "packed by bzip2: unpack it first, as in bzip2 -dc FILE | heap-cat"),
    (0, b"\x04\x22\x4d\x18", "packed by lz4: unpack it first, as in lz4 -dc FILE | heap-cat"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first"),
    (257, b"ustar", "a tar archive: unpack it first"),
    (0, b"go1.7 heap dump\n", "a Go heap dump (runtime/debug.WriteHeapDump)"),
    (0, b"goroutine profile: total ", "Go's list of goroutines: its heap profile is /debug/pprof/heap"),
    (0, b"threadcreate profile: total ", "Go's list of threads: its heap profile is /debug/pprof/heap"),
    (0, b"--- contention", "a profile of waiting for locks"),
    (0, b"--- mutex", "a profile of waiting for locks"),
    (0, b"--- threadz", "a list of threads"),
    (
        0,
        b"--- heapz",
        "a heap profile of pprof's old agent for Java: go tool pprof -proto -output heap.pb.gz FILE converts it",
    ),
    // No samples in the head, of three words, of version 0.
    (0, b"\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "a processor profile of gperftools: no heap"),
    (0, b"%warn", "a message of tcmalloc in place of a profile"),
    (0, b"FLR\0", "a recording of Java's flight recorder: no heap, which heap-dump PID makes"),
    (0, b"desc: ", "a profile of Valgrind's massif"),
    (0, b"memray\0", "a recording of memray"),
    (0, b"PERFILE2", "a recording of perf: no heap"),
    (0, b"=erl_crash_dump:", "a crash dump of Erlang"),
    (0, b"bplist00", "a binary property list, such as Xcode's .memgraph"),
    (0, b"Nettrace", ".NET's nettrace"),
    (0, b"!FastSerialization.1", "a .NET gcdump"),
    (0, b"SQLite format 3\0", "an SQLite file without the tables of the portable format"),
    (0, b"PAR1", "a Parquet file: name the data set's directory"),
    (0, b"%PDF", "a PDF"),
    (
        0,
        b"version https://git-lfs.github.com/",
        "what Git has in place of a large file: git lfs pull brings the file itself",
    ),
    (0, b"# Bun Heap Profile", "Bun's profile in Markdown: bun --heap-prof writes a snapshot"),
    (0, b"0SECTION", "a javacore, which goes with a heap dump of OpenJ9: name that, heapdump.….phd"),
    (0, b"\x89PNG", "a picture"),
];

const A_DAMAGED_RUBY_DUMP: &str =
    "a Ruby heap dump (ObjectSpace.dump_all) whose first line is damaged: --format ruby reads the others";

/// Kinds of report rows that the tools write: a report is no input.
const ROWS: &[&str] = &[
    "heap.check",
    "heap.diff",
    "heap.grep",
    "heap.info",
    "heap.path",
    "heap.redact",
    "heap.show",
    "heap.strings",
    "heap.sum",
    "heap.suspect",
    "heap.top",
    "heap.tree",
    "heap.trend",
];

/// What stands near the beginning of texts that people take for dumps, and what these are.
const SPOKEN: &[(&str, &str)] = &[
    (
        "#instances         #bytes",
        "a histogram of classes (jmap -histo): it has sums and no objects, which heap-dump PID or jcmd PID GC.heap_dump gives",
    ),
    (
        "Full thread dump ",
        "the stacks of Java's threads: heap-dump PID or jcmd PID GC.heap_dump gives the heap",
    ),
    (
        "# A fatal error has been detected by the Java Runtime",
        "what a Java machine said when it died (hs_err): -XX:+HeapDumpOnOutOfMemoryError makes it write its heap, and it names its core, if any",
    ),
    (
        "Native Memory Tracking:",
        "Java's account of its memory outside of the heap: it has sums and no objects",
    ),
    ("S0C  ", "what jstat says of a Java heap: heap-dump PID or jcmd PID GC.heap_dump gives its objects"),
    ("\"reportVersion\"", "a diagnostic report of Node: heap-dump PID takes a snapshot"),
    ("heapTotal", "what process.memoryUsage() says: it has sums and no objects, which heap-dump PID gives"),
    ("goroutine 1 [", "the stacks of Go's goroutines: its heap profile is /debug/pprof/heap"),
    ("][gc", "a log of Java's garbage collector: heap-dump PID or jcmd PID GC.heap_dump gives the heap"),
];

/// How dumps begin that are written in base64: JSON, packed by gzip or zstd, HPROF.
const PACKED_TEXT: &[&str] = &["eyJz", "H4sI", "KLUv", "SkFWQSBQUk9GSUxF"];

fn begins_exactly(head: &[u8], text: &str) -> bool {
    let line = &head[..head.len().min(76)];
    head.starts_with(text.as_bytes())
        && line.iter().all(|b| b.is_ascii_alphanumeric() || b"+/=\r\n".contains(b))
}

/// The same of text.
fn text(head: &[u8]) -> Option<&'static str> {
    let head = head.trim_ascii_start();
    let begins = |text: &str| head.get(..text.len()).is_some_and(|b| b.eq_ignore_ascii_case(text.as_bytes()));
    if begins("<!doctype html") || begins("<html") {
        return Some("an HTML page, perhaps what a server says in place of the file");
    }
    if begins("<?xml") {
        return Some("XML");
    }
    let start = &head[..head.len().min(400)];
    let spoken = SPOKEN.iter().find(|(text, _)| start.windows(text.len()).any(|w| w == text.as_bytes()));
    if let Some((_, name)) = spoken {
        return Some(name);
    }
    let number = head.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if number > 0 && (head[number..].starts_with(b":\n") || head[number..].starts_with(b":\r\n")) {
        return Some("what jcmd says: a dump is what heap-dump PID or jcmd PID GC.heap_dump gives");
    }
    if PACKED_TEXT.iter().any(|text| begins_exactly(head, text)) {
        return Some("written in base64: base64 -d FILE | heap-cat");
    }
    let line = head.split(|&b| b == b'\n').next().unwrap_or(head);
    let members = inside(line.trim_ascii()).or_else(|| line.strip_prefix(b"{"))?;
    let mut keys = Vec::new();
    for (key, raw) in each(members).take(8) {
        if key == "type"
            && let Some(Json::Text(kind)) = scalar(raw)
        {
            if ROWS.contains(&kind.as_ref()) {
                return Some("rows of a report: tools read dumps and record streams");
            }
            if kind == "ROOT" || members.starts_with(b"\"address\":\"0x") {
                return Some(A_DAMAGED_RUBY_DUMP);
            }
        }
        keys.push(key);
    }
    let has = |key: &str| keys.contains(&key);
    Some(match () {
        () if has("address") && (has("type") || has("class")) => A_DAMAGED_RUBY_DUMP,
        () if has("nodes") && (has("startTime") || has("endTime") || has("samples")) => {
            "a processor profile (.cpuprofile)"
        }
        () if has("mode") && has("missed_samples") => {
            "a profile of stackprof: ObjectSpace.dump_all writes Ruby's heap"
        }
        () if has("dhatFileVersion") => "a profile of DHAT",
        () if has("meta") && (has("libs") || has("threads")) => "a profile of Firefox",
        () if has("$schema") && head.windows(11).any(|w| w == b"speedscope.") => "a speedscope file",
        () if has("traceEvents") => "a trace without heap dumps of memory-infra",
        () => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{conversion, name};

    #[test]
    fn a_binary_file_that_was_copied_as_text_is_known() {
        let dump: Vec<u8> = (0..4000_u32).flat_map(|n| (n * 7919).to_be_bytes()).collect();
        assert_eq!(conversion(&dump), None);
        let text = String::from_utf8_lossy(&dump).into_owned();
        assert!(conversion(text.as_bytes()).is_some_and(|how| how.contains("U+FFFD")));
        // Also if it is cut within a letter.
        assert!(conversion(&text.as_bytes()[..=text.rfind('\u{fffd}').expect("there are some")]).is_some());
        let mut returned = Vec::new();
        for &byte in &dump {
            returned.extend_from_slice(if byte == b'\n' { b"\r\n" } else { std::slice::from_ref(&byte) });
        }
        assert!(conversion(&returned).is_some_and(|how| how.contains("carriage return")));
        assert_eq!(conversion(&b"{\"a\":1}\r\n".repeat(20)), None);
    }

    #[test]
    fn known_formats_are_named() {
        let mut tar = vec![b'x'; 257];
        tar.extend_from_slice(b"ustar");
        for (head, expected) in [
            (&b"PK\x05\x06\0\0"[..], "zip"),
            (b"\xfd7zXZ\0..", "xz"),
            (&tar, "tar"),
            (b"\n<!DOCTYPE HTML><html>", "HTML"),
            (b"{\"type\":\"heap.sum\",\"class\":\"A\",\"count\":1}\n", "report"),
            (b"{\"type\":\"ROOT\",\"root\":\"vm\",\"references\":[]}\n", "Ruby"),
            (b"{\"address\":\"0x7f\",\"type\":\"STRING\",\"class\":\"0x1\"}\n", "Ruby"),
            (b"{\"nodes\":[{\"id\":1}],\"startTime\":1,\"endTime\":2}", "cpuprofile"),
            (b"{\"traceEvents\":[]}", "trace"),
            (b"go1.7 heap dump\nxyz", "Go"),
            (b"ProblemType: Crash\nArchitecture: amd64\n", "apport-unpack"),
            (b"MDMP\x93\xa7", "minidump"),
            (b"FLR\0\0\x02\0\x01", "heap-dump"),
            (b"desc: --massif-out-file=x\ncmd: ls\n", "massif"),
            (b"{\"version\":1.2,\"mode\":\"object\",\"interval\":1,\"missed_samples\":0}", "dump_all"),
            (b"{\"dhatFileVersion\":2,\"mode\":\"heap\"", "DHAT"),
            (b"{\"meta\":{\"interval\":1},\"libs\":[],\"threads\":[]}", "Firefox"),
            (b"--- heapz 1 ---\nformat = java\n", "-proto"),
            (b"2026-11-27 08:00:00\nFull thread dump OpenJDK 64-Bit Server VM", "threads"),
            (b"312:\n num     #instances         #bytes  class name (module)\n", "histogram"),
            (b"312:\nNative memory tracking is not enabled\n", "jcmd"),
            (b"4863:\n garbage-first heap   total 204800K, used 7092K [0x00000000f3800000,", "jcmd"),
            (b" S0C         S1C         S0U         S1U          EC           EU \n", "jstat"),
            (b"#\n# A fatal error has been detected by the Java Runtime Environment:\n#", "hs_err"),
            (b"{\n  rss: 48648192,\n  heapTotal: 6529024,\n", "memoryUsage"),
            (b"\n{\n  \"header\": {\n    \"reportVersion\": 3,\n", "diagnostic report"),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", "git lfs pull"),
            (b"H4sIAAAAAAAAA+y9aXMbR7Iw+l2\nAAAA", "base64 -d"),
            (b"[0.005s][info][gc] Using G1\n", "garbage collector"),
            (b"\xca\xfe\xba\xbe\0\0\0\x3d", "class"),
            (&[0; 100], "zero bytes"),
            (&[&[0; 8][..], &[3, 0, 0, 0, 0, 0, 0, 0], &[0; 8], &[0x10, 0x27]].concat(), "processor profile"),
        ] {
            let named = name(head);
            assert!(named.is_some_and(|n| n.contains(expected)), "{expected}: {named:?}");
        }
        for head in [&b""[..], b"abc", b"{}", b"{\"a\":1}", b"\x00\x01\x02", b"BZ", b"[1,2]"] {
            assert_eq!(name(head), None, "{}", String::from_utf8_lossy(head));
        }
    }
}
