//! Reports on a terminal of 80 columns and 24 lines: nothing wraps, nothing scrolls away, nothing is left out in silence.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;

use heap_report::text::width;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::harness::{Scratch, bash, grown_sample, root, stream_sample};

const COLUMNS: u16 = 80;
const LINES: u16 = 24;

/// A terminal: the side that a person sees, and the side that a program writes to.
fn terminal(columns: u16, lines: u16) -> (File, File) {
    let seen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo terminal");
    grantpt(&seen).expect("a terminal of our own");
    unlockpt(&seen).expect("a terminal that opens");
    let name = ptsname(&seen, Vec::new()).expect("a terminal with a name");
    let written = File::options().read(true).write(true).open(name.to_str().expect("a name in ASCII"));
    let size = Winsize { ws_col: columns, ws_row: lines, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&seen, size).expect("a terminal has a size");
    (File::from(seen), written.expect("a terminal that opens"))
}

/// The lines that a command leaves on a terminal, without colours. Its messages go elsewhere.
fn shown(scratch: &Scratch, command: &str, columns: u16, lines: u16) -> Vec<String> {
    let (mut seen, written) = terminal(columns, lines);
    let mut child = Command::new(bash())
        .args(["-c", command])
        .current_dir(scratch.path("."))
        .env("PATH", scratch.search_path())
        .env("TMPDIR", scratch.path("tmp"))
        .env("TERM", "xterm")
        .env("LC_ALL", "C.UTF-8")
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .stdout(written)
        .stderr(File::create(scratch.path("tmp/.err")).expect("a file for the messages"))
        .spawn()
        .expect("bash is installed");
    let reader = thread::spawn(move || {
        let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
        // The end of a terminal is an error: nobody has its other side.
        while let Ok(n @ 1..) = seen.read(&mut buffer) {
            bytes.extend_from_slice(&buffer[..n]);
        }
        bytes
    });
    let status = child.wait().expect("a child can be waited for");
    let bytes = reader.join().expect("a terminal can be read");
    let messages = std::fs::read_to_string(scratch.path("tmp/.err")).expect("messages in UTF-8");
    assert!(status.success(), "{command}: {status}: {messages}");
    let text = String::from_utf8(bytes).expect("UTF-8");
    text.lines().map(plain).collect()
}

/// A line without the sequences that make it bold.
fn plain(line: &str) -> String {
    line.replace("\x1b[1m", "").replace("\x1b[0m", "")
}

/// Dumps of every kind: a leak in V8, one class with thousands of objects, a program in Raku, Dart and Java, backtraces.
fn dumps(scratch: &Scratch) -> Vec<String> {
    scratch.write("sessions.heapsnapshot", grown_sample(5000));
    scratch.write("wide.ndjson", stream_sample(20_000));
    let mut names = vec!["sessions.heapsnapshot".to_owned(), "wide.ndjson".to_owned()];
    for name in [
        "v8/leak-3.heapsnapshot.zst",
        "v8/dom.heapsnapshot.zst",
        "core/shop-node22.core.zst",
        "java/shop.hprof.zst",
        "moarvm/v3.mvmheap",
        "dart/kinds-pruned.dartheap.gz",
        "memory-infra/seed-example-v2.json",
    ] {
        assert!(root().join("tests/data").join(name).exists(), "{name}");
        names.push(format!("data/{name}"));
    }
    // Large ones, from tests/with-terminal.sh.
    if let Some(more) = std::env::var_os("DUMPS") {
        names.extend(std::env::split_paths(&more).map(|path| path.to_string_lossy().into_owned()));
    }
    names
}

/// Keeps a recording in the folder that tests/with-terminal.sh names.
fn record(command: &str, lines: &[String]) {
    let Some(folder) = std::env::var_os("RECORDINGS") else { return };
    let name: String = command.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let text = format!("$ {command}\n{}\n", lines.join("\n"));
    std::fs::write(std::path::Path::new(&folder).join(name), text).expect("a folder for recordings");
}

/// What a person would type, by tool.
const COMMANDS: &[&str] = &[
    "heap-info",
    "heap-info --list",
    "heap-sum",
    "heap-sum --sort retained",
    "heap-sum --by class,subtype",
    "heap-top",
    "heap-top --key retained",
    "heap-show --id $(heap-top -n 1 F | cut -d, -f2 | cut -d: -f2)",
    "heap-show --retained --id $(heap-top --key retained -n 1 F | cut -d, -f2 | cut -d: -f2)",
    "heap-show --min-size 16",
    "heap-grep -e e",
    "heap-strings",
    "heap-strings --held-by",
    "heap-path --min-size 16",
    "heap-path --min-size 16 --merge class",
    "heap-path --min-size 16 --merge label",
    "heap-path --all --id $(heap-top -n 1 F | cut -d, -f2 | cut -d: -f2)",
    "heap-path -k 4 --id $(heap-top -n 1 F | cut -d, -f2 | cut -d: -f2)",
    "heap-tree",
    "heap-tree --cut none",
    "heap-tree --by class",
    "heap-tree --by dom,class",
    "heap-check --info",
    "heap-diff --all F",
    "heap-redact --audit",
    "heap-suspects --share 0.1",
];

#[test]
fn no_report_wraps_or_scrolls() {
    let scratch = Scratch::new();
    // Every third command of each, in turn; tests/with-terminal.sh asks for all.
    let step = if std::env::var_os("DUMPS").is_some() { 1 } else { 3 };
    for (number, file) in dumps(&scratch).into_iter().enumerate() {
        for command in COMMANDS.iter().skip(number % step).step_by(step) {
            // Status 1 is an answer too.
            let command = format!("{} {file} || [ $? = 1 ]", command.replace('F', &file));
            let lines = shown(&scratch, &command, COLUMNS, LINES);
            record(&command, &lines);
            let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
            assert!(widest <= usize::from(COLUMNS), "{command}:\n{}", lines.join("\n"));
            assert!(lines.len() < usize::from(LINES), "{command}: {}\n{}", lines.len(), lines.join("\n"));
        }
    }
}

#[test]
fn narrow_terminals_cut_lines_too() {
    let scratch = Scratch::new();
    for command in COMMANDS {
        let file = "data/v8/leak-3.heapsnapshot.zst";
        let command = format!("{} {file} || [ $? = 1 ]", command.replace('F', file));
        for columns in [40, 200] {
            let lines = shown(&scratch, &command, columns, LINES);
            let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
            assert!(widest <= usize::from(columns), "{columns}: {command}:\n{}", lines.join("\n"));
        }
    }
}

#[test]
fn what_is_left_out_is_counted() {
    let scratch = Scratch::new();
    for command in
        ["heap-sum", "heap-grep -e e", "heap-tree --cut none", "heap-strings", "heap-path --min-size 1"]
    {
        let file = "data/v8/leak-3.heapsnapshot.zst";
        let lines = shown(&scratch, &format!("{command} {file}"), COLUMNS, LINES);
        assert!(
            lines.iter().any(|line| line.starts_with("… ") && line.contains(" more")),
            "{command}: {lines:?}"
        );
        let all = shown(&scratch, &format!("{command} -n all {file}"), COLUMNS, LINES);
        assert!(all.len() > 100, "{command}: {}", all.len());
        assert!(!all.iter().any(|line| line.contains("-n all")), "{command}");
        let some = shown(&scratch, &format!("{command} -n 1 {file}"), COLUMNS, LINES);
        assert!(some.len() < lines.len(), "{command}: {some:?}");
    }
}
