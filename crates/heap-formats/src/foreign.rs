//! Inputs that people try and that are no heap dump of ours: named, so that the message helps.

use heap_base::json::{Json, each, inside, scalar, unescape};

/// What an input is that begins with `head` and is neither a record stream nor a dump; `None` if nobody knows.
pub(crate) fn name(head: &[u8]) -> Option<&'static str> {
    let magic =
        MAGIC.iter().find(|(at, bytes, _)| head.get(*at..).is_some_and(|rest| rest.starts_with(bytes)));
    magic.map(|(.., name)| *name).or_else(|| text(head))
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
    (0, b"PK\x03\x04", "a zip archive: unpack it first"),
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

/// The same of text.
fn text(head: &[u8]) -> Option<&'static str> {
    let head = head.trim_ascii_start();
    let begins = |text: &str| head.get(..text.len()).is_some_and(|b| b.eq_ignore_ascii_case(text.as_bytes()));
    if begins("<!doctype html") || begins("<html") {
        return Some("an HTML page");
    }
    if begins("<?xml") {
        return Some("XML");
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
    use super::name;

    #[test]
    fn known_formats_are_named() {
        let mut tar = vec![b'x'; 257];
        tar.extend_from_slice(b"ustar");
        for (head, expected) in [
            (&b"PK\x03\x04abc"[..], "zip"),
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
