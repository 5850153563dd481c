//! What the formats define: exact names of fields, subtypes, record types and metadata, and the words of their values.
//!
//! What is not listed here may be anything, so it counts as the program's text, whatever namespace it stands in. The end-to-end
//! tests compare these lists with what all sample dumps declare.

use std::sync::LazyLock;

use heap_base::Set;

use super::rules::TextRole;

/// Namespaces of the formats. The name of one says nothing of a program; what stands in it may.
const NAMESPACES: &[&str] = &[
    "heap", "v8", "moar", "dart", "chrome", "java", "ruby", "core", "mdb", "pprof", "jsc", "go", "profile",
    "sqlite", "parquet",
];

/// Names of fields, subtypes, tables and record types.
#[rustfmt::skip]
const NAMES: &[&str] = &["address", "allocator", "array", "array element", "attribute", "build_id", "chrome.allocator", "chrome.category", "chrome.cell", "chrome.dump", "chrome.exact", "chrome.format", "chrome.frame_id", "chrome.frame_key", "chrome.inconsistent", "chrome.module", "chrome.offset", "chrome.pid", "chrome.process", "chrome.region", "chrome.skipped", "chrome.total", "chrome.type", "chrome.type_id", "chrome.type_key", "chrome.unplaced", "chrome.unresolved", "class", "closure", "closure variable", "code", "column", "constructor", "context", "count", "cuid", "dart.bits", "dart.class", "dart.class_field", "dart.element", "dart.ephemeron", "dart.external", "dart.field", "dart.hash", "dart.int", "dart.isolate", "dart.kept", "dart.layout", "dart.length", "dart.read_only_pages", "dart.reference", "dart.tag", "dart.unboxed", "dart.weak", "data", "date", "declaring_scope_id", "depth", "dest", "dialect", "dump_id", "edge", "edge_type", "edges", "edgetypeid", "fields", "file", "flags", "folded", "frame", "function", "function_id", "function_metadata", "has", "hashes", "heap", "heap.allocated", "heap.allocation", "heap.argument", "heap.await", "heap.awaits", "heap.bytes", "heap.call", "heap.calls", "heap.class", "heap.count", "heap.distance", "heap.external", "heap.field", "heap.frame", "heap.idom", "heap.key", "heap.local", "heap.name", "heap.reachable", "heap.receiver", "heap.reference", "heap.retained", "heap.retained_from", "heap.retains", "heap.role", "heap.root", "heap.size", "heap.table", "heap.thread", "heap.utf16", "heap.value", "heap.weak_root", "heap_allocation", "heap_frame", "heap_number", "id", "identifier", "index", "java.class", "java.constant", "java.destroyed", "java.field", "java.final", "java.frame", "java.heap", "java.hidden", "java.instance", "java.instance_size", "java.length", "java.loader", "java.long", "java.native", "java.object_array", "java.phantom", "java.primitive_array", "java.protection_domain", "java.reference", "java.root", "java.signature", "java.signers", "java.soft", "java.static", "java.super", "java.thread_local", "java.trace", "java.trace_function", "java.trace_node", "java.used", "java.weak", "jsc.Weak", "jsc.bigint", "jsc.cell", "jsc.flags", "jsc.internal", "jsc.label", "jsc.root", "jsc.string", "jsc.symbol", "jsc.wrapped", "kind", "label", "last_assigned_id", "length", "level_of_detail", "library", "limit", "line", "location", "mapping", "mdb.internal", "mdb.position", "mdb.script_name", "mdb.symbol", "metadata", "moar.callstack_roots", "moar.cstack_roots", "moar.description", "moar.frame", "moar.highscore", "moar.index", "moar.instance_roots", "moar.intergen", "moar.intergen_roots", "moar.object", "moar.permanent_roots", "moar.reference", "moar.root", "moar.stable", "moar.static_frame", "moar.thread_roots", "moar.type", "moar.type_object", "moar.type_or_frame", "name", "native", "node", "node_type", "nodetypeid", "object", "object property", "oddball", "offset", "order", "ordinal", "padding", "parent", "pid", "position", "pprof.alloc_objects", "pprof.alloc_space", "pprof.frame", "pprof.function", "pprof.inline", "pprof.inuse_objects", "pprof.inuse_space", "pprof.labels", "pprof.line", "pprof.location", "pprof.mapping", "process", "protection", "rank", "reach", "reason", "recorded", "regular_expression", "repr", "reserved", "ruby.alloc", "ruby.ast", "ruby.bignum", "ruby.box", "ruby.broken", "ruby.bytesize", "ruby.callcache", "ruby.called", "ruby.callinfo", "ruby.capacity", "ruby.chilled", "ruby.class", "ruby.coderange", "ruby.complex", "ruby.complex_shape", "ruby.constant", "ruby.constcache", "ruby.cref", "ruby.cvar_entry", "ruby.data", "ruby.embedded", "ruby.encoding", "ruby.entry", "ruby.env", "ruby.fd", "ruby.fields", "ruby.file", "ruby.flags", "ruby.frozen", "ruby.fstring", "ruby.generation", "ruby.hash", "ruby.iclass", "ruby.ifunc", "ruby.imemo", "ruby.imemo_none", "ruby.iseq", "ruby.ivars", "ruby.line", "ruby.match", "ruby.memo", "ruby.ment", "ruby.method", "ruby.module", "ruby.node", "ruby.node_type", "ruby.parser_strterm", "ruby.rational", "ruby.receiver_class", "ruby.reference", "ruby.root", "ruby.shape", "ruby.shared", "ruby.singleton", "ruby.size", "ruby.slot_size", "ruby.struct", "ruby.subclasses", "ruby.super", "ruby.superclass", "ruby.svar", "ruby.symbol", "ruby.throw_data", "ruby.tmpbuf", "ruby.value", "ruby.zombie", "s1", "s2", "scope_context_vars_count", "scope_id", "scope_uses_count", "score", "script", "script_id", "script_name", "script_object", "sequence", "signature", "size", "slot_index", "smis", "source", "start", "start_line", "static", "string", "string_cons", "string_flat", "string_sliced", "stringid", "subtype", "system_name", "table_name", "timestamp", "timestamp_us", "trailing", "trigger", "ts", "type", "type_id", "type_key", "units", "uri", "v8.array", "v8.bigint", "v8.byte_length", "v8.byte_offset", "v8.column", "v8.construct", "v8.detachedness", "v8.ephemeron", "v8.fd", "v8.hidden", "v8.id", "v8.internal", "v8.key", "v8.line", "v8.location", "v8.locations", "v8.lwp", "v8.message", "v8.node_id", "v8.object_shape", "v8.partial", "v8.pc", "v8.sample", "v8.scanned", "v8.scope", "v8.scope_use", "v8.scope_var", "v8.script_id", "v8.shortcut", "v8.stack", "v8.state", "v8.symbol", "v8.synthetic", "v8.thin", "v8.tier", "v8.trace_function", "v8.trace_node", "v8.trace_node_id", "v8.value", "v8.wasm_object", "v8.weak", "value", "word_bits"];

/// Words in the values of metadata, and names of members of those that are JSON.
#[rustfmt::skip]
const WORDS: &[&str] = &["*", "*$*Node", "*$*Entry", "*$*Segment", "java.util.Abstract*$*", "java.util.Array*$*", "java.util.*Collections$*", "java.util.*List$*", "java.util.*Map$*", "java.util.*Queue$*", "java.util.*Set$*", "java.util.Hashtable$*", "java.util.concurrent.*$*", "GCDebugging", "GlobalObject", "ILP32", "Inspector", "LP64", "Other", "SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGKILL", "SIGPIPE", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGSEGV", "SIGSTKFLT", "SIGSTOP", "SIGSYS", "SIGTERM", "SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ", "address", "align", "all", "alloc_objects", "alloc_space", "allocated", "alpha", "any", "array", "art", "ascii", "background", "before", "bigint", "bytes", "children", "chrome.memory-infra", "closure", "code", "column", "com.sun.*", "compact", "concatenated string", "contentions", "context", "core", "count", "cpu", "dart.heapsnapshot", "data_order", "declaring_scope_id", "delay", "depth", "detachedness", "detailed", "edge_count", "edge_fields", "edge_types", "edges", "element", "entry_count", "expected", "extra_native_bytes", "false", "fields", "frames_by_count", "frames_by_size", "function_id", "function_info_index", "gc_seq_num", "globals", "go", "goroutine", "gperftools", "handles", "hard", "header", "heap_v2", "hidden", "highscore_structure", "id", "identifier", "index", "inherited", "internal", "inuse_objects", "inuse_space", "isolate", "java.*", "java.classic", "java.hprof", "java.phd", "javax.*", "jdk.*", "jemalloc", "kilobytes", "last_assigned_id", "light", "line", "lines", "location_fields", "locations", "mat", "mdb_v8.text", "meta", "microseconds", "milliseconds", "moarvm.mvmheap", "name", "name_or_index", "nanoseconds", "native", "node", "node:*", "node_count", "node_fields", "node_types", "nodes", "none", "number", "object", "object shape", "object_index", "objects", "of", "one", "or", "org.ietf.*", "org.jcp.*", "org.w3c.dom.*", "other", "packed", "paths", "pid", "pprof", "process", "property", "reference", "regexp", "root", "root_index", "ruby.dump_all", "sample_fields", "samples", "scope_context_var_fields", "scope_context_vars", "scope_context_vars_count", "scope_fields", "scope_id", "scope_use_fields", "scope_uses", "scope_uses_count", "scopes", "script_id", "script_name", "script_node_index", "script_object_index", "seconds", "sections", "self_size", "shortcut", "size", "sliced string", "slot_index", "snap_time", "snapshot", "space", "stacks", "start_time", "string", "string_or_number", "strings", "strong", "subversion", "sun.*", "symbol", "synthetic", "threads", "timestamp_us", "to", "to_node", "total_frames", "total_heap_size", "total_objects", "total_refs", "total_stables", "total_typeobjects", "trace_function_count", "trace_function_info_fields", "trace_function_infos", "trace_node_fields", "trace_node_id", "trace_tree", "true", "type", "types_by_count", "types_by_size", "utf-8", "v1", "v2", "v8.heapprofile", "v8.heapsnapshot", "wasm object", "weak", "webkit.heapsnapshot", "went", "came", "android.*", "com.android.*", "com.ibm.jvm.*", "com.ibm.oti.*", "dalvik.*", "libcore.*", "openj9.*", "org.xml.sax.*", "jemalloc.heap", "gperftools.heap", "go.heap", "Chrome", "HeadlessChrome", "BOOT*", "NQP*", "Perl6::*", "QRegex::*", "QAST::*", "MAST::*", "MoarVM::*", "HLL::*", "CompUnit*", "Distribution::*", "Rakudo::*", "ContainerDescriptor*", "StaticFrameSpesh", "SpeshLog", "SCRef", "VMString", "ParseShared", "NFAType", "MultiToIncorporate", "Stash", "Scalar", "Array", "Hash", "Array[*", "Hash[*", "List", "Map", "Slip", "Seq", "Pair", "Range", "Set", "Bag", "Mix", "SetHash", "BagHash", "MixHash", "IterationBuffer", "Str", "Int", "Num", "Rat", "Complex", "Bool", "Mu", "Any", "Nil", "Whatever", "WhateverCode", "Code", "Block", "Sub", "Sub+*", "Method", "Method+*", "Submethod", "Submethod+*", "Routine", "Regex", "Match", "Signature", "Parameter", "Capture", "Attribute", "Attribute+*", "Proxy", "Version", "Lock", "Lock::*", "Promise", "Channel", "Channel::*", "Supply", "Supplier", "Supplier::*", "Tap", "Thread", "ThreadPoolScheduler", "ThreadPoolScheduler::*", "Instant", "Duration", "DateTime", "Date", "IO::*", "Encoding::*", "Buf*", "Blob*", "Exception", "X::*", "Failure", "Backtrace*"];

/// Metadata that are facts about the dump: a value of numbers and [`WORDS`] stays.
#[rustfmt::skip]
const FACTS: &[&str] = &["chrome.captured", "chrome.dump_id", "chrome.level_of_detail", "chrome.product", "chrome.snapshot", "chrome.snapshots", "chrome.ts", "core.left_out_bytes", "core.missing_bytes", "core.page_bytes", "core.roots", "core.skipped_bytes", "crtime", "dart.capacity", "dart.class_count", "dart.external_size", "dart.flags", "dart.messages", "dart.object_count", "dart.reference_count", "dart.shallow_size", "generator", "generator_version", "go.memstats.Alloc", "go.memstats.BuckHashSys", "go.memstats.DebugGC", "go.memstats.Frees", "go.memstats.GCCPUFraction", "go.memstats.GCSys", "go.memstats.HeapAlloc", "go.memstats.HeapIdle", "go.memstats.HeapInuse", "go.memstats.HeapObjects", "go.memstats.HeapReleased", "go.memstats.HeapSys", "go.memstats.LastGC", "go.memstats.Lookups", "go.memstats.MCache", "go.memstats.MSpan", "go.memstats.Mallocs", "go.memstats.MaxRSS", "go.memstats.NextGC", "go.memstats.NumForcedGC", "go.memstats.NumGC", "go.memstats.OtherSys", "go.memstats.PauseEnd", "go.memstats.PauseNs", "go.memstats.Stack", "go.memstats.Sys", "go.memstats.TotalAlloc", "heap.dangling", "heap.distance_root", "heap.elsewhere", "heap.end", "heap.identifier", "heap.identity", "heap.order", "heap.packages", "heap.references", "heap.root", "heap.sampled", "heap.sizes", "heap.slot", "heap.snapshot", "heap.stacks", "heap.string_limit", "heap.unreachable", "heap.user_root", "heap.value", "java.identifier_size", "java.jdk", "java.layout", "java.layout_fit", "java.producer", "java.refs", "java.snapshot", "java.snapshots", "java.time", "java.version", "jsc.type", "jsc.version", "mdb.version", "moar.dialect", "moar.filemeta", "moar.gc_seq_num", "moar.pid", "moar.snap_time", "moar.snapmeta", "moar.snapshot", "moar.snapshots", "moar.start_time", "moar.subversion", "moar.total_frames", "moar.total_heap_size", "moar.total_objects", "moar.total_refs", "moar.total_stables", "moar.total_typeobjects", "moar.version", "pprof.default_sample_type", "pprof.duration_nanos", "pprof.period", "pprof.period_type", "pprof.sample_types", "pprof.time_nanos", "profile.delta", "profile.rule", "ruby.damaged", "ruby.form", "ruby.free_slots", "ruby.repaired", "ruby.repeated", "ruby.traced", "sqlite.snapshot", "target_model", "target_pid", "target_signal_pid", "target_signal_sig", "target_source", "v8.constants", "v8.extra_native_bytes", "v8.layout", "v8.node", "v8.sections", "v8.snapshot", "v8.text", "v8.version", "version", "version_major", "version_minor", "parquet.snapshot"];

/// Metadata that are text, and whose: a value in [`WORDS`] stays.
const TEXTS: &[(&str, TextRole)] = &[
    ("target_psargs", TextRole::Value),
    ("core.argument", TextRole::Value),
    ("core.environment", TextRole::Value),
    ("heap.died_of", TextRole::Value),
    ("target_hostname", TextRole::Value),
    ("target_host", TextRole::Value),
    ("target_file", TextRole::Value),
    ("pprof.comment", TextRole::Value),
    ("heap.runtime", TextRole::File),
    ("heap.entry", TextRole::File),
    ("heap.thread", TextRole::File),
    ("heap.threads", TextRole::File),
    ("heap.loader", TextRole::File),
    ("heap.global", TextRole::Name),
    ("dart.name", TextRole::Name),
    ("heap.part", TextRole::Name),
    ("jsc.title", TextRole::Name),
    ("profile.header", TextRole::Name),
    ("pprof.drop_frames", TextRole::Name),
    ("pprof.keep_frames", TextRole::Name),
    ("pprof.doc_url", TextRole::File),
    ("chrome.warning", TextRole::Other),
    ("core.note", TextRole::Other),
    ("heap.lost_calls", TextRole::Other),
    ("core.warning", TextRole::Other),
    ("java.note", TextRole::Other),
    ("profile.note", TextRole::Other),
    ("profile.warning", TextRole::Other),
    ("java.warning", TextRole::Other),
    ("v8.warning", TextRole::Other),
];

struct Known {
    names: Set<&'static str>,
    words: Set<&'static str>,
    facts: Set<&'static str>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let names: Set<_> = NAMES.iter().copied().collect();
    let words = WORDS.iter().copied().chain(NAMES.iter().copied()).collect();
    Known { names, words, facts: FACTS.iter().copied().collect() }
});

/// True for the exact name of a field, subtype, table or record type of a format.
pub(crate) fn is_name(name: &str) -> bool {
    KNOWN.names.contains(name)
}

/// True for the namespace of a format.
pub(crate) fn is_namespace(name: &str) -> bool {
    NAMESPACES.contains(&name)
}

/// True for the second part of metadata keys whose third part is free, such as `v8.extra.NAME`.
pub(crate) fn is_group(part: &str) -> bool {
    matches!(part, "extra" | "tag" | "memstats")
}

/// True for the key of a metadata record that a format defines.
pub(crate) fn is_metadata(key: &str) -> bool {
    KNOWN.facts.contains(key) || TEXTS.iter().any(|(known, _)| *known == key) || key == "heap.pipeline"
}

/// True for a word that values of metadata may have: the name of a member, too.
pub(crate) fn is_word(word: &str) -> bool {
    KNOWN.words.contains(word)
}

/// The names that a token must not be equal to.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// Whose text the value of a metadata record is; `None` if it consists of what its format defines.
pub(crate) fn metadata_role(key: &str, value: &str) -> Option<TextRole> {
    if let Some((_, role)) = TEXTS.iter().find(|(known, _)| *known == key) {
        return Some(*role).filter(|_| !is_word(value));
    }
    if !KNOWN.facts.contains(key) {
        return Some(TextRole::Value);
    }
    (!in_form(value)).then_some(TextRole::Other)
}

/// True if a text consists of numbers, versions and [`WORDS`].
pub(crate) fn in_form(text: &str) -> bool {
    let parts = text.split(|c: char| c.is_ascii_whitespace() || ",;=()[]{}/".contains(c));
    is_word(text)
        || is_tool(text)
        || parts.into_iter().all(|part| part.is_empty() || is_number(part) || is_word(part))
}

/// A tool of this family and its version, as `generator` has it.
fn is_tool(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(tool, version)| is_tool_name(tool) && is_number(version))
}

/// True for `heap-` and the name of a tool: no secret is as short.
fn is_tool_name(name: &str) -> bool {
    crate::TOOLS.iter().any(|tool| tool.name == name)
}

/// The tool and its version of a line of `heap.pipeline`: its arguments may be somebody's words.
pub(crate) fn tool_of(line: &str) -> Option<&str> {
    let end = line.match_indices(' ').nth(1).map_or(line.len(), |(end, _)| end);
    Some(&line[..end]).filter(|tool| is_tool(tool))
}

/// A number, a time or a version, such as `v18.20.8` and `10.2.154.26-node.39`; no more than 40 characters.
fn is_number(text: &str) -> bool {
    let hex = |text: &str| text.len() <= 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    if let Some(digits) = text.trim_start_matches('-').strip_prefix("0x") {
        return hex(digits);
    }
    let version = text.strip_prefix('v').unwrap_or(text);
    let (front, back) = version.split_once("-node.").unwrap_or((version, ""));
    let sign = |b: u8| b.is_ascii_digit() || b".:-+TZe".contains(&b);
    text.len() <= 40
        && front.bytes().chain(back.bytes()).all(sign)
        && front.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit())
}
