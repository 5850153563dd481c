//! What holds for every tool, tried on every tool: inputs, statuses, messages, help.
//!
//! The tools come from the manifest. One that needs arguments, or falls outside a rule for a reason, has a row
//! in [`case`]; all others are held to everything.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::harness::{Run, Scratch, gzip, readers, stream_sample, tools, v8_sample, zstd};

/// How a tool is called.
struct Case {
    tool: String,
    /// Arguments that it cannot do without, which may be a first FILE.
    args: &'static str,
    /// The argument for standard input: none, unless it wants several FILEs.
    stdin: &'static str,
    /// False if it needs all its FILEs: it does nothing where one of them fails.
    by_file: bool,
    /// False if its rows name the FILE, so that they differ from those of standard input.
    nameless: bool,
    /// False if it has to hold its output back until all input is there.
    live: bool,
}

fn case(tool: &str) -> Case {
    let case = Case { tool: tool.to_owned(), args: "", stdin: "", by_file: true, nameless: true, live: true };
    match tool {
        "heap-check" => Case { args: "--info", nameless: false, ..case },
        "heap-diff" => {
            Case { args: "--classes --all --mixed good.ndjson.gz", stdin: " -", by_file: false, ..case }
        }
        "heap-grep" => Case { args: "-e e", ..case },
        "heap-dom" | "heap-redact" | "heap-walk" => Case { live: false, ..case },
        "heap-path" | "heap-show" => Case { args: "--id 1", ..case },
        "heap-to" => Case { args: "ndjson", ..case },
        "heap-view" => Case { nameless: false, live: false, ..case },
        "heap-info" => Case { nameless: false, ..case },
        _ => case,
    }
}

impl Case {
    /// The command with its arguments.
    fn command(&self) -> String {
        format!("{} {}", self.tool, self.args).trim_end().to_owned()
    }

    /// The command that reads standard input.
    fn piped(&self) -> String {
        self.command() + self.stdin
    }

    /// `heap-x: `
    fn says(&self) -> String {
        format!("{}: ", self.tool)
    }
}

/// The tools that read dumps.
fn cases() -> impl Iterator<Item = Case> {
    let tools = readers();
    assert!(tools.contains(&"heap-cat".to_owned()));
    tools.into_iter().map(|tool| case(&tool))
}

/// All tools, for what does not depend on what they read.
fn every() -> impl Iterator<Item = Case> {
    tools().into_iter().map(|tool| case(&tool))
}

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    let stream = stream_sample(50);
    scratch.write("good.ndjson", &stream);
    scratch.write("good.ndjson.zst", zstd(stream.as_bytes()));
    scratch.write("good.ndjson.gz", gzip(stream.as_bytes()));
    scratch
}

/// Output without the end mark, which a stream lacks where something went wrong.
fn body(out: &str) -> &str {
    match out.trim_end().rsplit_once('\n') {
        Some((body, last)) if last.contains("\"heap.end\"") => body,
        _ => out.trim_end(),
    }
}

fn is_stream(run: &Run) -> bool {
    run.out.contains("\"heap.end\"")
}

#[test]
fn same_output_however_the_input_comes() {
    let scratch = scratch();
    let (v8, stream) = (v8_sample(), stream_sample(50));
    for (name, plain) in [("d.heapsnapshot", v8.as_bytes()), ("s.ndjson", stream.as_bytes())] {
        let (half, rest) = plain.split_at(plain.len() / 2);
        // A skippable frame, as pzstd and zstd --seekable write them.
        let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3], zstd(plain).as_slice()].concat();
        scratch.write(name, plain);
        scratch.write("packed.zst", zstd(plain));
        scratch.write("packed.gz", gzip(plain));
        scratch.write("packed.gz.zst", zstd(&gzip(plain)));
        scratch.write("frames.zst", [zstd(half), zstd(rest)].concat());
        scratch.write("members.gz", [gzip(half), gzip(rest)].concat());
        scratch.write("skippable.zst", skippable);
        for case in cases() {
            let (command, piped) = (case.command(), case.piped());
            let expected = scratch.run(&format!("{piped} < {name}")).quiet(0);
            assert!(!expected.out.is_empty(), "{command}");
            let mut ways = vec![
                format!("{command} - < {name}"),
                format!("cat {name} | {piped}"),
                format!("cat {name} | {command} -- -"),
                format!("(head -c 7; sleep 0.05; cat) < {name} | {piped}"),
            ];
            for packed in
                ["packed.zst", "packed.gz", "packed.gz.zst", "frames.zst", "members.gz", "skippable.zst"]
            {
                ways.push(format!("{piped} < {packed}"));
                ways.push(format!("cat {packed} | {piped}"));
            }
            if case.nameless {
                ways.push(format!("{command} {name}"));
                ways.push(format!("{command} -- {name}"));
                ways.push(format!("{command} packed.gz.zst"));
                ways.push(format!("{command} <(cat {name})"));
                ways.push(format!("{command} {name}@last"));
                ways.push(format!("{command} --no-progress {name}"));
            }
            // One script for all, since there are about a thousand.
            scratch.write("expected", &expected.out);
            let same = if case.nameless { "cmp expected out" } else { "[ -s out ]" };
            let mut script = String::new();
            for (number, way) in ways.iter().enumerate() {
                script += &format!(
                    "{{ {way}; }} > out 2> err; s=$?; [ $s = 0 ] && [ ! -s err ] && {same} || echo {number}: status $s\n"
                );
            }
            let run = scratch.run(&script);
            assert_eq!((&*run.out, &*run.err), ("", ""), "{ways:#?}");
        }
    }
}

#[test]
fn a_dump_and_its_stream_give_the_same() {
    let scratch = scratch();
    for case in cases().filter(|case| case.nameless) {
        let command = case.command();
        let straight = scratch.run(&format!("{command} x.heapsnapshot")).quiet(0);
        let piped = scratch.run(&format!("heap-cat x.heapsnapshot | {}", case.piped())).quiet(0);
        if is_stream(&straight) {
            // Who made the stream, and whose hands it passed through, differs and should.
            let records = |out: &str| {
                let provenance = ["\"generator\"", "\"heap.pipeline\""];
                out.lines()
                    .filter(|l| !provenance.iter().any(|t| l.contains(t)))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            assert_eq!(records(&piped.out), records(&straight.out), "{command}");
        } else {
            assert_eq!(piped.out, straight.out, "{command}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let scratch = scratch();
    scratch.write("many.ndjson", stream_sample(40_000));
    for case in cases() {
        let command = case.command();
        scratch.run(&format!("set -o pipefail; {command} many.ndjson | head -n 1 > first")).quiet(0);
        scratch.run(&format!("set -o pipefail; {command} many.ndjson | true")).quiet(0);
        scratch.run(&format!("set -o pipefail; {} --help | true", case.tool)).quiet(0);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let scratch = scratch();
    scratch.write("many.ndjson", stream_sample(40_000));
    for case in cases() {
        for file in ["good.ndjson", "many.ndjson", "x.heapsnapshot"] {
            let command = format!("{} {file} > /dev/full", case.command());
            scratch.run(&command).complains(2, &case.says(), "no space left on device");
        }
        scratch.run(&format!("{} --help > /dev/full", case.tool)).complains(2, &case.says(), "no space left");
    }
}

#[test]
fn closed_standard_streams_do_no_harm() {
    let scratch = scratch();
    for case in cases() {
        let command = case.command();
        let run = scratch.run(&format!("{command} good.ndjson >&-"));
        assert!(matches!(run.status, Some(0 | 2)) && !run.err.contains("internal error"), "{run:?}");
        scratch.run(&format!("{} <&-", case.piped())).complains(2, &case.says(), "empty input");
        let run = scratch.run(&format!("{command} nosuch 2>&-"));
        assert_eq!(run.status, Some(2), "{run:?}");
    }
}

#[test]
fn wrong_options_are_refused() {
    let scratch = scratch();
    for case in cases() {
        for wrong in ["--no-such-option", "-~", "--snapshot", "--snapshot=x", "--format=x"] {
            let run = scratch.run(&format!("{} good.ndjson {wrong}", case.command()));
            let long = wrong.split('=').next().unwrap_or(wrong).trim_start_matches('-');
            let run = run.complains(2, &case.says(), long);
            assert!(run.err.contains("--help"), "{}", run.err);
            assert_eq!(run.out, "", "{wrong}");
        }
    }
}

#[test]
fn a_file_that_will_not_open_is_named_and_the_others_are_done() {
    let scratch = scratch();
    scratch.write("plain.txt", "no dump\n");
    for case in cases() {
        let command = case.command();
        let expected = scratch.run(&format!("{command} good.ndjson")).quiet(0);
        for (bad, why) in [
            ("nosuch", "nosuch: no such file or directory"),
            ("tmp", "tmp: is a directory"),
            ("plain.txt", "plain.txt: byte 0: "),
            ("nosuch@3", "nosuch@3: no such file or directory"),
        ] {
            let run = scratch.run(&format!("{command} {bad} good.ndjson")).complains(2, &case.says(), why);
            let expected = if case.by_file { &expected.out } else { "" };
            // With several FILEs a row may say which one it is from,
            // and a row may be about the bad one.
            let about_bad = format!("\"file\":\"{bad}\",");
            let rows: String =
                run.out.lines().filter(|l| !l.contains(&about_bad)).map(|l| l.to_owned() + "\n").collect();
            let rows = rows.replace("\"file\":\"good.ndjson\",", "");
            let expected = expected.replace("\"file\":\"good.ndjson\",", "");
            assert_eq!(body(&rows), body(&expected), "{command} {bad} good.ndjson");
            let run = scratch.run(&format!("{command} {bad}")).complains(2, &case.says(), why);
            assert!(!has_end_mark(&run.out), "{}", run.out);
        }
    }
}

/// Whether a stream has its end mark; its promise is none.
fn has_end_mark(out: &str) -> bool {
    out.lines().any(|line| line.contains("\"heap.end\"") && !line.contains("\"expected\""))
}

#[test]
fn damage_is_told_after_what_stands_before_it() {
    let scratch = scratch();
    let stream = stream_sample(50);
    let mut lines: Vec<_> = stream.lines().collect();
    lines.insert(2, "{\"type\":");
    scratch.write("third.ndjson", lines.join("\n") + "\n");
    let packed = zstd(stream.as_bytes());
    scratch.write("cut.zst", &packed[..packed.len() - 3]);
    let packed = gzip(stream.as_bytes());
    scratch.write("cut.gz", &packed[..packed.len() - 12]);
    let mut packed = zstd(v8_sample().as_bytes());
    let end = packed.len();
    packed[end / 2] ^= 0x55;
    scratch.write("flip.zst", packed);
    for case in cases() {
        let command = case.command();
        let run = scratch.run(&format!("{command} third.ndjson"));
        let run = run.complains(2, &case.says(), "third.ndjson: line 3: ");
        assert!(!has_end_mark(&run.out), "{}", run.out);
        let run = scratch.run(&format!("{} < third.ndjson", case.piped()));
        run.complains(2, &format!("{}line 3: ", case.says()), "");
        for (file, what) in [("cut.zst", "zstd data ends early"), ("cut.gz", "gzip data ends early")] {
            let run = scratch.run(&format!("{command} {file}")).complains(2, &case.says(), what);
            assert!(run.err.contains(file) && !has_end_mark(&run.out), "{run:?}");
        }
        scratch.run(&format!("{command} flip.zst")).complains(2, &case.says(), "flip.zst: ");

        // The next FILE is read all the same.
        let expected = scratch.run(&format!("{command} good.ndjson")).quiet(0);
        let run = scratch.run(&format!("{command} third.ndjson good.ndjson"));
        let run = run.complains(2, &case.says(), "third.ndjson: line 3: ");
        let last = body(&expected.out).lines().next_back().unwrap_or_default();
        assert!(!is_stream(&expected) || run.out.contains(last), "{run:?}");
    }
}

#[test]
fn empty_input_is_refused() {
    let scratch = scratch();
    scratch.write("empty.heapsnapshot", "");
    scratch.write("empty.zst", zstd(b""));
    scratch.write("empty.gz", gzip(b""));
    for case in cases() {
        let command = case.command();
        scratch.run(&case.piped()).complains(2, &format!("{}empty input", case.says()), "");
        scratch.run(&format!(": | {}", case.piped())).complains(
            2,
            &format!("{}empty input", case.says()),
            "",
        );
        for file in ["empty.heapsnapshot", "empty.zst", "empty.gz"] {
            let what = format!("{file}: empty input");
            scratch.run(&format!("{command} {file}")).complains(2, &case.says(), &what);
        }
    }
}

#[test]
fn help_and_version_answer_on_standard_output() {
    let scratch = scratch();
    for case in every() {
        let tool = &case.tool;
        for option in ["-V", "--version"] {
            let run = scratch.run(&format!("{tool} {option}")).quiet(0);
            assert_eq!(run.out, format!("{tool} {}\n", env!("CARGO_PKG_VERSION")));
        }
        let short = scratch.run(&format!("{tool} -h")).quiet(0);
        let long = scratch.run(&format!("{tool} --help")).quiet(0);
        assert!(short.out.starts_with(&case.says()) && long.out.starts_with(&case.says()));
        let (height, width) = (short.out.lines().count(), short.out.lines().map(str::len).max());
        assert!(height <= 40 && width <= Some(80), "-h fits no screen: {height} lines, {width:?} columns");
        for flag in flags(&scratch, tool) {
            assert!(long.out.contains(&format!("--{flag}")), "{tool} --help lacks --{flag}");
        }
        for heading in ["usage: ", "\nExit status:\n", "\nExamples:\n", "  $ "] {
            assert!(long.out.contains(heading), "{tool} --help lacks {heading:?}");
        }
        // Help is an answer even to a command line that would be wrong otherwise.
        scratch.run(&format!("{tool} nosuch --help")).quiet(0);
    }
}

/// The long options of a tool, as its table has them.
pub(crate) fn flags(scratch: &Scratch, tool: &str) -> Vec<String> {
    let mdoc = scratch.run(&format!("{tool} --mdoc")).quiet(0).out;
    let items = mdoc.lines().filter(|line| line.starts_with(".It "));
    let names = items.filter_map(|item| item.split("Fl \\-").nth(1)?.split(' ').next());
    names.map(|name| name.replace("\\-", "-")).collect()
}

#[test]
fn completions_are_sound_scripts() {
    let scratch = scratch();
    for case in every() {
        let tool = &case.tool;
        for (shell, check) in [("bash", "bash -n"), ("zsh", "zsh -n"), ("fish", "fish -n")] {
            let script = scratch.run(&format!("{tool} --completions {shell} | tee {tool}.{shell}")).quiet(0);
            for flag in flags(&scratch, tool) {
                assert!(script.out.contains(&flag), "{tool} {shell} --{flag}");
            }
            scratch.run(&format!("! type {shell} > tmp/where 2>&1 || {check} {tool}.{shell}")).quiet(0);
        }
        let completed = scratch.run(&format!(
            "source {tool}.bash; COMP_WORDS=({tool} --vers); COMP_CWORD=1; _{}; echo ${{COMPREPLY[@]}}",
            tool.replace('-', "_")
        ));
        assert_eq!(completed.quiet(0).out, "--version\n");
        scratch.run(&format!("{tool} --completions tcsh")).complains(2, &case.says(), "tcsh");
    }
}

/// What bash offers for the last of some words.
fn offered(scratch: &Scratch, tool: &str, words: &str) -> Vec<String> {
    let run = scratch.run(&format!(
        "{tool} --completions bash > {tool}.bash; source {tool}.bash; COMP_WORDS=({tool} {words}); \
         COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _{}; echo ${{COMPREPLY[@]}}",
        tool.replace('-', "_")
    ));
    run.quiet(0).out.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn completions_offer_values() {
    let scratch = scratch();
    let mut reports = 0;
    for case in cases() {
        let run = scratch.run(&format!("{} --sort nosuch good.ndjson", case.command()));
        let Some(columns) = run.err.split(" to sort by: ").nth(1) else { continue };
        reports += 1;
        if case.tool == "heap-info" {
            // Its columns are the facts that a file has.
            continue;
        }
        let known = offered(&scratch, &case.tool, "--sort \"\"");
        for column in columns.split(';').next().unwrap_or_default().split(", ") {
            assert!(known.iter().any(|offer| offer == column), "{}: {column}: {known:?}", case.tool);
        }
    }
    assert!(reports >= 10, "{reports} reports");
    assert_eq!(offered(&scratch, "heap-sum", "--by s"), ["subtype", "snapshot"]);
    assert_eq!(offered(&scratch, "heap-tree", "--cut t"), ["threshold=", "total="]);
    assert_eq!(offered(&scratch, "heap-path", "--merge \"\""), ["class", "label"]);
    assert!(offered(&scratch, "heap-to", "\"\"").contains(&"v8".to_owned()));
    assert!(offered(&scratch, "heap-to", "v8 \"\"").is_empty(), "a file comes next");
}

#[test]
fn misspelt_options_get_a_suggestion() {
    let scratch = scratch();
    for case in cases() {
        let run = scratch.run(&format!("{} --snapsht 0", case.command()));
        run.complains(2, &case.says(), "invalid option '--snapsht'; did you mean '--snapshot'?; try");
    }
    let run = scratch.run("heap-sum --zzz x.heapsnapshot");
    run.complains(2, "heap-sum: invalid option '--zzz'; try 'heap-sum --help'", "");
}

#[test]
fn spellings_of_the_release_before_still_work() {
    let scratch = scratch();
    scratch.write("key", "sixteen bytes at least");
    for (old, new) in [("--key key", "--key-file key"), ("-k 'A*'", "--keep 'A*'")] {
        let expected = scratch.run(&format!("heap-redact {new} x.heapsnapshot")).quiet(0);
        assert_eq!(
            scratch.run(&format!("heap-redact {old} x.heapsnapshot")).quiet(0).out,
            expected.out,
            "{old}"
        );
    }
}

#[test]
fn names_of_files_are_taken_as_they_are() {
    let scratch = scratch();
    let names = ["-x.ndjson", "a b.ndjson", "x@1", "new\nline.ndjson", "\u{1b}[31mred.ndjson"];
    for name in names {
        scratch.write(name, stream_sample(50));
    }
    for case in cases() {
        let command = case.command();
        let expected = scratch.run(&format!("{command} good.ndjson")).quiet(0);
        for name in names {
            let run = scratch.run(&format!("{command} -- '{name}'")).quiet(0);
            assert!(!case.nameless || run.out == expected.out, "{command} {name:?}");
        }
        // A message stays one line, and no name commands the terminal.
        let run = scratch.run(&format!("{command} $'no\\nsuch\\x1b[31m'"));
        let run = run.complains(2, &case.says(), "no\\nsuch\\u{1b}[31m: no such file");
        assert!(!run.err.contains('\u{1b}'));
        scratch.run(&format!("{command} $'no\\xffsuch'")).complains(2, &case.says(), "no such file");
    }
}

#[test]
fn a_terminal_as_standard_input_gets_usage() {
    let scratch = scratch();
    if scratch.run("script -V").status != Some(0) {
        // Only script(1) of util-linux gives a terminal to a command.
        return;
    }
    for case in cases().filter(|case| case.stdin.is_empty()) {
        let run = scratch.run(&format!("script -qec '{}' tmp/log < /dev/null", case.command()));
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(run.out.contains(&format!("usage: {} ", case.tool)), "{run:?}");
    }
}

/// What is finished must not wait in a buffer while the tool waits for more.
#[test]
fn a_live_pipe_is_live() {
    let scratch = scratch();
    let stream = stream_sample(50);
    let folder = Path::new(env!("CARGO_BIN_EXE_heap-cat")).parent().expect("a file has a folder");
    for case in cases().filter(|case| case.live) {
        let whole = scratch.run(&format!("{} good.ndjson", case.command())).quiet(0);
        if !is_stream(&whole) {
            continue;
        }
        let mut child = Command::new(folder.join(&case.tool))
            .args(case.args.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        let mut stdin = child.stdin.take().expect("piped");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (send, receive) = mpsc::channel();
        let reader =
            thread::spawn(move || stdout.lines().map_while(Result::ok).all(|l| send.send(l).is_ok()));
        // The first line comes alone; what follows it comes when the line before has come through.
        let mut lines = stream.split_inclusive('\n');
        stdin.write_all(lines.next().expect("a line").as_bytes()).expect("the tool reads");
        let first = receive.recv_timeout(Duration::from_secs(20));
        assert!(first.is_ok_and(|l| l.contains("version_major")), "{} holds back its output", case.tool);
        for line in lines {
            stdin.write_all(line.as_bytes()).expect("the tool reads");
        }
        drop(stdin);
        reader.join().expect("the lines are read");
        assert!(child.wait().expect("the tool ends").success());
    }
}
