//! Runs the transcripts `tests/cli/*.t` and compares what the tools print with what stands there.
//!
//! The form is cram's: prose stands at the margin; `  $ command` is run, `  > ` goes on with it; the lines
//! indented by two after it are its output, messages included; `  [2]` is its exit status if that is not 0;
//! `(no-eol)` after the last line says that it had no line end. All commands of a file run in one bash, in a
//! scratch folder of their own, see [`Scratch`]. In expected output `[..]` stands for anything within a line,
//! `...` for any lines, `[VERSION]` for the version. Where two processes of a pipe both print messages, their
//! order is chance: send them to files.
//!
//! Commands that need more than Rust, such as jq, are run by `.ci/run` and `tests/with-jq.sh` only.
//!
//! `SNAPSHOTS=overwrite cargo test` writes what was printed into the files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use snapbox::{Assert, Data, Redactions};

use crate::harness::{Scratch, everything, needs_more, root};

/// Parts the output of one command from that of the next.
const MARK: &str = "=-=-end-of-command-=-=";

pub(crate) fn assert() -> Assert {
    let mut redactions = Redactions::new();
    redactions.insert("[VERSION]", env!("CARGO_PKG_VERSION")).expect("a legal placeholder");
    // Paths are left alone: snapbox would turn the \n of a command into /n.
    Assert::new().action_env("SNAPSHOTS").normalize_paths(false).redact_with(redactions)
}

fn transcripts(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder of transcripts");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "t"));
    paths.sort();
    paths
}

/// A command of a transcript.
#[derive(Default)]
struct Step {
    /// The lines that show it.
    shown: String,
    /// The command itself.
    command: String,
    /// What stands below it as its output.
    output: String,
    /// The prose after that.
    prose: String,
}

fn steps(text: &str) -> (String, Vec<Step>) {
    let mut head = String::new();
    let mut steps: Vec<Step> = Vec::new();
    // True until the output begins.
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let Some(step) = steps.last_mut().filter(|_| !line.starts_with("  $ ")) else {
            if let Some(command) = line.strip_prefix("  $ ") {
                let (shown, command) = (line.to_owned(), command.to_owned());
                steps.push(Step { shown, command, ..Step::default() });
                open = true;
            } else {
                head += line;
            }
            continue;
        };
        match line.strip_prefix("  > ") {
            Some(more) if open => {
                step.shown += line;
                step.command += more;
            }
            _ if line.starts_with("  ") => {
                step.output += line;
                open = false;
            }
            _ => {
                step.prose += line;
                open = false;
            }
        }
    }
    (head, steps)
}

/// What the transcript `text` looks like now. Commands that need more than Rust (see [`needs_more`]) are run only
/// if [`everything`] is; else what stands below them stays.
pub(crate) fn replay(scratch: &Scratch, text: &str) -> String {
    let (mut shown, steps) = steps(text);
    let runs = |step: &Step| everything() || !needs_more(&step.command);
    let mut script = String::from("exec 2>&1\n");
    for step in steps.iter().filter(|step| runs(step)) {
        script += &format!("{}\nprintf '{MARK} %s\\n' $?\n", step.command.trim_end_matches('\n'));
    }
    let output = scratch.bash(&script);
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut outputs = output.split(MARK);
    for step in &steps {
        shown += &step.shown;
        if runs(step) {
            let Some(output) = outputs.next() else { break };
            // After the mark of the command before stand its status and a line end.
            let output = match output.split_once('\n') {
                Some((status, rest)) if status.starts_with(' ') => rest,
                _ => output,
            };
            for line in output.split_inclusive('\n') {
                let end = if line.ends_with('\n') { "" } else { " (no-eol)\n" };
                shown += &format!("  {line}{end}");
            }
            let status = outputs.clone().next().and_then(|next| next.split_once('\n')).map(|(s, _)| s.trim());
            match status {
                Some("0") => {}
                Some(status) => shown += &format!("  [{status}]\n"),
                None => shown += "  (the shell ended here)\n",
            }
        } else {
            shown += &step.output;
        }
        shown += &step.prose;
    }
    shown
}

/// What the transcript in a file looks like now.
fn replay_file(path: &Path) -> String {
    replay(&Scratch::new(), &fs::read_to_string(path).expect("a transcript in UTF-8"))
}

/// Compares the transcripts in tests/cli with what they look like now. This is the last test of all, and a long one, so it
/// keeps all processors busy by itself.
#[test]
fn transcripts_hold() {
    let (paths, failures) = (Mutex::new(transcripts("tests/cli")), Mutex::new(Vec::new()));
    let next = || paths.lock().expect("nobody panics here").pop();
    let work = || {
        while let Some(path) = next() {
            let expected = Data::read_from(&path, Some(snapbox::data::DataFormat::Text));
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            if let Err(failure) = assert().try_eq(Some(&name), replay_file(&path).into(), expected) {
                failures.lock().expect("nobody panics here").push(failure.to_string());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().expect("nobody panicked");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Proves that the harness can fail: each of these transcripts is wrong in one way.
#[test]
fn wrong_transcripts_fail() {
    let paths = transcripts("tests/cli/negative");
    assert!(paths.len() >= 3);
    for path in paths {
        let expected = Data::read_from(&path, Some(snapbox::data::DataFormat::Text));
        let verify = assert().action(snapbox::assert::Action::Verify);
        let result = verify.try_eq(None, replay_file(&path).into(), expected);
        assert!(result.is_err(), "{} passes", path.display());
    }
}
