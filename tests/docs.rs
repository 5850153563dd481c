//! What the README and the manual pages show is what the tools print.
//!
//! In README.md the blocks marked `console` are transcripts, in the manual pages the literal displays that hold a
//! line beginning with `$ `. A display after a comment `File NAME` is written to that file, so that the commands
//! below it can read it. `SNAPSHOTS=overwrite cargo test` renews the output shown.

use std::fmt::Write as _;
use std::fs;

use snapbox::Data;

use crate::harness::{Scratch, needs_more, root};
use crate::transcript::{assert, replay};

/// Prose in a transcript made from a document: what begins with blanks must not be taken for a command.
const PROSE: char = '|';

/// How a document marks its examples.
#[derive(Clone, Copy)]
enum Kind {
    Markdown,
    Mdoc,
}

impl Kind {
    fn begins(self, line: &str) -> bool {
        match self {
            Self::Markdown => line == "```console",
            Self::Mdoc => line.starts_with(".Bd -literal"),
        }
    }

    fn ends(self, line: &str) -> bool {
        match self {
            Self::Markdown => line == "```",
            Self::Mdoc => line == ".Ed",
        }
    }

    /// A line of an example as it reads.
    fn plain(self, line: &str) -> String {
        match self {
            Self::Markdown => line.to_owned(),
            Self::Mdoc => {
                let pairs = [
                    ("\\&", ""),
                    ("\\(aq", "'"),
                    ("\\(ti", "~"),
                    ("\\(ha", "^"),
                    ("\\(ga", "`"),
                    ("\\-", "-"),
                ];
                pairs
                    .iter()
                    .fold(line.to_owned(), |line, (from, to)| line.replace(from, to))
                    .replace("\\e", "\\")
            }
        }
    }

    /// The same as the document spells it.
    fn spelled(self, line: &str) -> String {
        match self {
            Self::Markdown => line.to_owned(),
            Self::Mdoc => {
                let pairs = [("\\", "\\e"), ("'", "\\(aq"), ("~", "\\(ti"), ("^", "\\(ha"), ("`", "\\(ga")];
                let line = pairs.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to));
                if line.starts_with('.') { format!("\\&{line}") } else { line }
            }
        }
    }
}

/// The document as a transcript: examples indented, everything else marked as prose.
fn transcript(text: &str, kind: Kind, scratch: &Scratch) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    let mut file = None;
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{PROSE}{line}");
        if let Some(name) = line.strip_prefix(".\\\" File ") {
            file = Some(name);
        }
        if !kind.begins(line) {
            continue;
        }
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|line| !kind.ends(line)) {
            block.push(line);
        }
        if let Some(name) = file.take() {
            let content: String = block.iter().map(|line| kind.plain(line) + "\n").collect();
            scratch.write(name, content);
        }
        let shows = block.iter().any(|line| line.starts_with("$ "));
        for (i, line) in block.iter().enumerate() {
            // An empty line before a command parts examples.
            let gap = line.is_empty() && block.get(i + 1).is_some_and(|next| next.starts_with("$ "));
            let _ = match kind.plain(line) {
                line if shows && !gap => writeln!(out, "  {line}"),
                line => writeln!(out, "{PROSE}{line}"),
            };
        }
    }
    out
}

/// The document that a transcript was made from.
fn document(transcript: &str, kind: Kind) -> String {
    let line = |line: &str| match line.strip_prefix(PROSE) {
        Some(prose) => format!("{prose}\n"),
        None => kind.spelled(line.strip_prefix("  ").unwrap_or(line)) + "\n",
    };
    transcript.lines().map(line).collect()
}

fn check(path: &str, kind: Kind) {
    let scratch = Scratch::new();
    let path = root().join(path);
    let text = fs::read_to_string(&path).expect("a document in UTF-8");
    let shown = replay(&scratch, &transcript(&text, kind, &scratch));
    let expected = Data::read_from(&path, Some(snapbox::data::DataFormat::Text));
    assert().eq(document(&shown, kind), expected);
}

const DOCUMENTS: [(&str, Kind); 3] =
    [("README.md", Kind::Markdown), ("man/heap-records.5", Kind::Mdoc), ("man/heap-tools.7", Kind::Mdoc)];

#[test]
fn examples_show_what_the_tools_print() {
    for (path, kind) in DOCUMENTS {
        check(path, kind);
    }
}

/// A table in a document is one that fits a terminal of 80 columns.
#[test]
fn tables_fit_eighty_columns() {
    let mut tables = 0;
    let mut hold = |path: &str, output: &mut dyn Iterator<Item = (&str, String)>| {
        for (command, line) in output {
            tables += 1;
            let width = heap_report::text::width(&line);
            assert!(width <= 80, "{path}: {command}\n{width} columns: {line}");
        }
    };
    let of_document = |text: &str, kind: Kind| -> Vec<(String, String)> {
        let text = transcript(text, kind, &Scratch::new());
        let mut command = "";
        let mut found = Vec::new();
        for line in text.lines() {
            if let Some(next) = line.strip_prefix("  $ ") {
                command = next;
            } else if line.starts_with(PROSE) {
                command = "";
            } else if command.contains("--table") {
                found.push((command.to_owned(), line.trim_start_matches("  ").to_owned()));
            }
        }
        found
    };
    for (path, kind) in DOCUMENTS {
        let text = fs::read_to_string(root().join(path)).expect("a document in UTF-8");
        let found = of_document(&text, kind);
        hold(path, &mut found.iter().map(|(command, line)| (command.as_str(), line.clone())));
    }
    for entry in fs::read_dir(root().join("tests/cli")).expect("the folder of transcripts") {
        let path = entry.expect("an entry").path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let mut command = "";
        let mut found = Vec::new();
        for line in text.lines() {
            if let Some(next) = line.strip_prefix("  $ ") {
                command = next;
            } else if let Some(line) = line.strip_prefix("  ")
                && command.contains("--table")
                && !command.contains("--wide")
                && !line.starts_with("> ")
                && !line.starts_with("heap-")
            {
                found.push((command, line.to_owned()));
            }
        }
        hold(&path.display().to_string(), &mut found.into_iter());
    }
    assert!(tables > 50, "{tables} lines of tables");
}

/// The README names the commands that a newcomer runs; those in `sh` blocks are not run here.
#[test]
fn examples_are_found() {
    let readme = fs::read_to_string(root().join("README.md")).expect("a README");
    let found = transcript(&readme, Kind::Markdown, &Scratch::new());
    let commands: Vec<_> = found.lines().filter_map(|line| line.strip_prefix("  $ ")).collect();
    assert!(commands.len() >= 5, "{commands:?}");
    assert!(commands.iter().any(|c| needs_more(c)), "no example with jq: {commands:?}");
}
