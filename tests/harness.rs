//! What the end-to-end tests share: the built tools, a scratch folder with sample files, and a shell.

use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// No script of a test takes longer, unless a tool hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The tools, as the manifest lists them. The program that holds them all reads no dump itself.
pub(crate) fn tools() -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is readable");
    let bins = manifest.split("[[bin]]").skip(1);
    let names = bins.filter_map(|bin| {
        let name = bin.lines().find_map(|line| line.strip_prefix("name = "))?;
        Some(name.trim_matches('"').to_owned())
    });
    names.filter(|name| name != "heap-tools").collect()
}

/// The tools that read dumps. heap-dump makes them, of processes.
pub(crate) fn readers() -> Vec<String> {
    tools().into_iter().filter(|name| name != "heap-dump").collect()
}

/// True if a script needs a process to take a dump of. `tests/with-live.sh` runs those.
pub(crate) fn needs_process(script: &str) -> bool {
    script.contains("heap-dump ") && !script.contains("--list")
}

/// The folder of the built programs.
pub(crate) fn programs() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_heap-tools")).parent().expect("a file has a folder")
}

/// Programs that examples may use and that `cargo test` must do without: it needs Rust and a Unix, no more.
/// What needs them is run where [`everything`] is.
const MORE: [&str; 3] = ["jq", "zstd", "sqlite3"];

/// True if a script calls one of the programs that are not everywhere.
pub(crate) fn needs_more(script: &str) -> bool {
    let words = script.split(|c: char| c.is_whitespace() || "|&;()`".contains(c));
    words.into_iter().any(|word| MORE.contains(&word))
}

/// True if commands run that need the programs which are not everywhere: `.ci/run` and `tests/with-jq.sh` say so.
pub(crate) fn everything() -> bool {
    std::env::var_os("HEAP_TESTS").is_some_and(|value| value == "everything")
}

/// Where bash is. By its whole path, Rust starts a program without a copy of the tables of this process' memory, as it
/// makes one to look through a changed `PATH`: a tenth of all the tests' time.
pub(crate) fn bash() -> &'static Path {
    static BASH: OnceLock<PathBuf> = OnceLock::new();
    BASH.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|dir| dir.join("bash"))
            .find(|file| file.is_file())
            .expect("bash is installed")
    })
}

/// Where the links to the tools are in a scratch folder.
const LINKS: &str = ".tools";

/// A scratch folder where commands run, gone when dropped.
///
/// Commands find each tool as a link to `heap-tools`, as `heap-tools install` makes it, which is a start less than through
/// the program of its name. It holds `data` and `tests/data` (the repository's `tests/data`), `tmp` (as `TMPDIR`) and the files of [`samples`].
pub(crate) struct Scratch(TempDir);

impl Scratch {
    /// A fresh folder.
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a scratch folder");
        fs::create_dir(dir.path().join("tmp")).expect("a folder in the scratch folder");
        std::os::unix::fs::symlink(root().join("tests/data"), dir.path().join("data")).expect("a link");
        std::os::unix::fs::symlink(root().join("tests"), dir.path().join("tests")).expect("a link");
        fs::create_dir(dir.path().join(LINKS)).expect("a folder in the scratch folder");
        for tool in tools().into_iter().chain(["heap-tools".to_owned()]) {
            let link = dir.path().join(LINKS).join(tool);
            std::os::unix::fs::symlink(programs().join("heap-tools"), link).expect("a link");
        }
        let scratch = Self(dir);
        for (name, bytes) in samples() {
            scratch.write(name, bytes);
        }
        scratch
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A search path with the tools first.
    pub(crate) fn search_path(&self) -> OsString {
        let mut path = self.path(LINKS).into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        path
    }

    /// Writes a file in the folder.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("the scratch folder takes files");
    }

    /// Runs a script with bash: the built tools first on `PATH`, nothing on standard input.
    pub(crate) fn bash(&self, script: &str) -> Output {
        // Files, not pipes, so that nothing has to be read while the script runs.
        let (out, err) = (self.path("tmp/.out"), self.path("tmp/.err"));
        let mut child = Command::new(bash())
            .args(["-c", script])
            .current_dir(self.0.path())
            .env("PATH", self.search_path())
            .env("TMPDIR", self.path("tmp"))
            .env("HOME", self.path("tmp"))
            .env("LC_ALL", "C.UTF-8")
            .env("TERM", "dumb")
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(fs::File::create(&out).expect("a file for the output"))
            .stderr(fs::File::create(&err).expect("a file for the messages"))
            .spawn()
            .expect("bash is installed");
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                child.kill().expect("a child can be killed");
                panic!("still running after {PATIENCE:?}: {script}");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let read = |path| fs::read(path).expect("the output is readable");
        Output { status, stdout: read(out), stderr: read(err) }
    }

    /// Runs a script and gives its output, messages and status, as text.
    pub(crate) fn run(&self, script: &str) -> Run {
        let output = self.bash(script);
        Run {
            script: script.to_owned(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: output.status.code(),
        }
    }
}

/// How a script ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) script: String,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: Option<i32>,
}

impl Run {
    /// Expects this status and no messages.
    #[track_caller]
    pub(crate) fn quiet(self, status: i32) -> Self {
        assert_eq!((self.status, self.err.as_str()), (Some(status), ""), "{}", self.script);
        self
    }

    /// Expects this status and one line on standard error that begins and goes on like this.
    #[track_caller]
    pub(crate) fn complains(self, status: i32, begin: &str, holds: &str) -> Self {
        assert_eq!(self.status, Some(status), "{}: {}", self.script, self.err);
        let one = self.err.ends_with('\n') && self.err.lines().count() == 1;
        let fits = self.err.starts_with(begin) && self.err.contains(holds);
        assert!(one && fits, "{}\nexpected one line {begin}…{holds}…, got: {}", self.script, self.err);
        self
    }
}

/// A small V8 snapshot: seven objects of four classes, a function and two equal strings below the roots.
pub(crate) fn v8_sample() -> String {
    grown_sample(0)
}

/// The same program a while later: with so many sessions more, in a list.
pub(crate) fn grown_sample(sessions: i32) -> String {
    let meta = concat!(
        r#"{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],"#,
        r#""node_types":[["hidden","array","string","object","code","closure","regexp","number","native","#,
        r#""synthetic","concatenated string","sliced string","symbol","bigint","object shape"],"#,
        r#""string","number","number","number","number","number"],"#,
        r#""edge_fields":["type","name_or_index","to_node"],"#,
        r#""edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"#,
        r#""string_or_number","node"],"#,
        r#""trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],"#,
        r#""trace_node_fields":["id","function_info_index","count","size","children"],"#,
        r#""sample_fields":["timestamp_us","last_assigned_id"],"#,
        r#""location_fields":["object_index","script_id","line","column"]}"#
    );
    // type, name, id, size, edges, trace, detachedness
    let mut nodes = vec![
        [9, 1, 1, 0, 1, 0, 0],
        [9, 2, 3, 0, 4, 0, 0],
        [3, 3, 5, 32, 2, 0, 0],
        [3, 4, 6163, 96, 2, 0, 0],
        [3, 4, 6165, 96, 0, 0, 0],
        [3, 5, 6171, 40, 0, 0, 0],
        [5, 6, 6173, 64, 0, 0, 0],
        [2, 8, 6175, 24, 0, 0, 0],
        [3, 10, 6177, 16384, 0, 0, 2],
        [3, 3, 6179, 16, 2, 0, 0],
        [2, 8, 6181, 24, 0, 0, 0],
    ];
    // type, name or index, target as an index into the nodes' numbers
    let mut edges = vec![
        [1, 1, 7],
        [2, 9, 14],
        [3, 6, 42],
        [2, 11, 56],
        [2, 12, 63],
        [1, 0, 21],
        [1, 1, 28],
        [2, 7, 35],
        [2, 13, 49],
        [2, 14, 42],
        [2, 13, 70],
    ];
    if sessions > 0 {
        let first = nodes.len() as i32;
        nodes[1][4] += 1;
        edges.insert(5, [2, 12, first * 7]);
        for i in 0..sessions {
            let last = i + 1 == sessions;
            nodes.push([3, 10, 7001 + 2 * i, 48, i32::from(!last), 0, 0]);
            if !last {
                edges.push([2, 12, (first + i + 1) * 7]);
            }
        }
    }
    let strings = [
        "<dummy>",
        "",
        "(GC roots)",
        "Array",
        "Account",
        "Owner",
        "greet",
        "owner",
        "Ada Lovelace",
        "accounts",
        "Session",
        "session",
        "list",
        "name",
        "__proto__",
    ];
    let flat = |numbers: &[i32]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    format!(
        "{{\"snapshot\":{{\"meta\":{meta},\"node_count\":{},\"edge_count\":{},\"trace_function_count\":0}},\n\
         \"nodes\":[{}],\n\"edges\":[{}],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n\
         \"locations\":[],\n\"strings\":[{}]}}",
        nodes.len(),
        edges.len(),
        flat(nodes.as_flattened()),
        flat(edges.as_flattened()),
        strings.map(|s| format!("{s:?}")).join(",\n"),
    )
}

/// A record stream of `objects` objects, each of one of seven classes, and two equal strings.
pub(crate) fn stream_sample(objects: u32) -> String {
    let mut out = String::new();
    for line in [
        r#"{"type":"metadata","key":"version_major","value":"1"}"#,
        r#"{"type":"metadata","key":"generator","value":"test 1.0"}"#,
        r#"{"type":"metadata","key":"target_source","value":"test"}"#,
        r#"{"type":"metadata","key":"heap.identifier","value":"index"}"#,
        r#"{"type":"metadata","key":"heap.order","value":"strings nodes edges"}"#,
        r#"{"type":"metadata","key":"heap.root","value":"1"}"#,
        r#"{"type":"node_type","nodetypeid":1,"name":"heap.root"}"#,
        r#"{"type":"node_type","nodetypeid":2,"name":"object","table_name":"object"}"#,
        r#"{"type":"node_type","nodetypeid":3,"name":"string_flat","table_name":"string_flat","fields":{"data":"string"}}"#,
        r#"{"type":"edge_type","edgetypeid":1,"name":"object property"}"#,
        r#"{"type":"string","stringid":1,"data":"next"}"#,
    ] {
        out.push_str(line);
        out.push('\n');
    }
    for class in 2..9 {
        out += &format!("{{\"type\":\"string\",\"stringid\":{class},\"data\":\"Class{class}\"}}\n");
    }
    out += "{\"type\":\"node\",\"subtype\":1,\"identifier\":1,\"heap\":{\"size\":0}}\n";
    for i in 1..=objects {
        let (id, size, class) = (2 * i + 1, 8 * (i % 9 + 1), i % 7 + 2);
        out += &format!(
            "{{\"type\":\"node\",\"subtype\":2,\"identifier\":{id},\"heap\":{{\"size\":{size},\"class\":{class}}}}}\n"
        );
    }
    for id in [2 * objects + 3, 2 * objects + 5] {
        out += &format!(
            "{{\"type\":\"node\",\"subtype\":3,\"identifier\":{id},\"data\":1,\"heap\":{{\"size\":24}}}}\n"
        );
    }
    for i in 1..=objects + 2 {
        // A tree: a chain would make the paths to all objects long.
        let (source, dest) = (2 * ((i - 1) / 8) + 1, 2 * i + 1);
        out +=
            &format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":{source},\"dest\":{dest},\"label\":1}}\n");
    }
    let (nodes, edges) = (objects + 3, objects + 2);
    out += &format!(
        "{{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes={nodes} edges={edges} strings=8\"}}\n"
    );
    out
}

/// `bytes` as zstd packs them.
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 3).expect("zstd packs into memory");
    // As the zstd command does.
    encoder.include_checksum(true).expect("zstd takes checksums");
    encoder.write_all(bytes).expect("zstd packs into memory");
    encoder.finish().expect("zstd packs into memory")
}

/// `bytes` as gzip packs them.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("gzip packs into memory");
    encoder.finish().expect("gzip packs into memory")
}

/// The files that examples and tests may name, made once. Those that examples compare differ.
fn samples() -> &'static [(String, Vec<u8>)] {
    static MADE: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    MADE.get_or_init(|| {
        let mut made = Vec::new();
        let mut add = |name: String, bytes| made.push((name, bytes));
        let v8 = v8_sample().into_bytes();
        for name in ["app", "x", "before", "a", "base", "prod", "big"] {
            add(format!("{name}.heapsnapshot"), v8.clone());
        }
        for (name, sessions) in [("after", 2), ("later", 3), ("b", 1), ("c", 2), ("now", 2)] {
            add(format!("{name}.heapsnapshot"), grown_sample(sessions).into_bytes());
        }
        add("x.heapsnapshot.zst".to_owned(), zstd(&v8));
        add("x.heapsnapshot.gz".to_owned(), gzip(&v8));
        let stream = stream_sample(100).into_bytes();
        add("x.ndjson.zst".to_owned(), zstd(&stream));
        add("x.ndjson".to_owned(), stream);
        for (name, path) in SAMPLES {
            let bytes =
                fs::read(root().join("tests/data").join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
            let plain =
                if Path::new(path).extension().is_some_and(|e| e == "gz") { gunzip(&bytes) } else { bytes };
            add(format!("{name}.gz"), gzip(&plain));
            add(name.to_owned(), plain);
        }
        made
    })
}

/// Samples that are real dumps, and where they are in `tests/data`.
const SAMPLES: [(&str, &str); 9] = [
    ("app.mvmheap", "moarvm/v3.mvmheap"),
    ("app.dartheap", "dart/kinds-pruned.dartheap.gz"),
    ("app.heapprofile", "memory-infra/alloc-sampling-node20.heapprofile"),
    ("trace.json", "memory-infra/seed-example-v2.json"),
    ("traced.heapsnapshot", "v8/traced.heapsnapshot.zst"),
    ("traced.hprof", "java/traced.hprof"),
    ("app.core", "core/shop-node22.core.zst"),
    ("crew.core", "core/crew-node22.core.zst"),
    ("yard.core", "core/yard-node22.core.zst"),
];

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut plain).expect("sound samples");
    plain
}
