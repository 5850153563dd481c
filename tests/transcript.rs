//! Runs the transcripts `tests/cli/*.t` and compares what the tools print with what stands there.
//!
//! The form is cram's: prose stands at the margin; `  $ command` is run, `  > ` goes on with it; the lines
//! indented by two after it are its output, messages included; `  [2]` is its exit status if that is not 0;
//! `(no-eol)` after the last line says that it had no line end. All commands of a file run in one bash, in a
//! scratch folder of their own, see [`Scratch`]. In expected output `[..]` stands for anything within a line,
//! `...` for any lines, `[VERSION]` for the version. Where two processes of a pipe both print messages, their
//! order is chance: send them to files.
//!
//! `SNAPSHOTS=overwrite cargo test` writes what was printed into the files.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::{Assert, Data, Redactions};

use crate::harness::{Scratch, root};

/// Parts the output of one command from that of the next.
const MARK: &str = "=-=-end-of-command-=-=";

fn assert() -> Assert {
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

/// What the transcript looks like now.
fn replay(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a transcript in UTF-8");
    let mut script = String::from("exec 2>&1\n");
    // Each command with the lines that show it, and the prose after its output.
    let mut parts: Vec<(String, String)> = vec![(String::new(), String::new())];
    let mut in_command = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("  $ ") {
            finish(&mut script, in_command);
            in_command = true;
            script += command;
            script.push('\n');
            parts.push((format!("{line}\n"), String::new()));
        } else if let Some(more) = line.strip_prefix("  > ").filter(|_| in_command) {
            script += more;
            script.push('\n');
            let part = parts.last_mut().expect("never empty");
            part.0 += &format!("{line}\n");
        } else if !line.starts_with("  ") {
            let part = parts.last_mut().expect("never empty");
            part.1 += &format!("{line}\n");
        }
    }
    finish(&mut script, in_command);

    let output = Scratch::new().bash(&script);
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut outputs = output.split(MARK);
    let mut shown = parts[0].1.clone();
    for (command, prose) in &parts[1..] {
        shown += command;
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
        shown += prose;
    }
    shown
}

fn finish(script: &mut String, in_command: bool) {
    if in_command {
        *script += &format!("printf '{MARK} %s\\n' $?\n");
    }
}

#[test]
fn transcripts_hold() {
    let mut failures = Vec::new();
    for path in transcripts("tests/cli") {
        let expected = Data::read_from(&path, Some(snapbox::data::DataFormat::Text));
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        if let Err(failure) = assert().try_eq(Some(&name), replay(&path).into(), expected) {
            failures.push(failure.to_string());
        }
    }
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
        let result = verify.try_eq(None, replay(&path).into(), expected);
        assert!(result.is_err(), "{} passes", path.display());
    }
}
