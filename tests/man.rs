//! The manual pages: the options are those of the tools, the examples work, the sections are all there.
//!
//! Between two comment lines a page has what its tool prints for `--mdoc`. `SNAPSHOTS=overwrite cargo test`
//! puts it there, and makes a page where there is none yet.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::contract::flags;
use crate::harness::{Scratch, everything, needs_more, needs_process, root, tools};

const BEGIN: &str = ".\\\" Options from the tool's table; SNAPSHOTS=overwrite cargo test renews them.\n";
const END: &str = ".\\\" End of the options.\n";

const SECTIONS: &[&str] =
    &["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"];

fn overwrite() -> bool {
    std::env::var_os("SNAPSHOTS").is_some_and(|v| v == "overwrite")
}

fn page(tool: &str) -> PathBuf {
    root().join("man").join(format!("{tool}.1"))
}

fn read_page(tool: &str) -> String {
    fs::read_to_string(page(tool)).unwrap_or_else(|e| panic!("man/{tool}.1: {e}"))
}

/// The tools, and the program that holds them all.
fn commands() -> impl Iterator<Item = String> {
    tools().into_iter().chain(["heap-tools".to_owned()])
}

#[test]
fn pages_have_the_options_of_the_tools() {
    let scratch = Scratch::new();
    for tool in commands() {
        let options = scratch.run(&format!("{tool} --mdoc")).quiet(0).out;
        if overwrite() && !page(&tool).exists() {
            fs::create_dir_all(root().join("man")).expect("a folder for the pages");
            fs::write(page(&tool), skeleton(&scratch, &tool)).expect("the page can be written");
        }
        let text = read_page(&tool);
        let (before, rest) = text.split_once(BEGIN).unwrap_or_else(|| panic!("man/{tool}.1 lacks {BEGIN}"));
        let (old, after) = rest.split_once(END).unwrap_or_else(|| panic!("man/{tool}.1 lacks {END}"));
        if overwrite() && old != options {
            fs::write(page(&tool), [before, BEGIN, &options, END, after].concat())
                .expect("the page can be written");
        } else {
            assert_eq!(old, options, "man/{tool}.1 is behind: SNAPSHOTS=overwrite cargo test");
        }
    }
}

/// roff takes quotes around an argument of a macro away; where a quote ends inside of an argument, they were meant to be seen.
#[test]
fn macros_lose_no_quotes() {
    for entry in fs::read_dir(root().join("man")).expect("the pages") {
        let path = entry.expect("a page").path();
        let text = fs::read_to_string(&path).expect("a page");
        for line in text.lines().filter(|line| line.starts_with('.')) {
            let bad = line.match_indices(" \"").any(|(at, quote)| {
                let rest = &line[at + quote.len()..];
                rest.find('"')
                    .is_none_or(|end| !rest[end + 1..].is_empty() && !rest[end + 1..].starts_with(' '))
            });
            assert!(!bad, "{}: {line}", path.display());
        }
    }
}

#[test]
fn pages_have_all_sections_in_order() {
    for tool in commands() {
        let text = read_page(&tool);
        let found: Vec<_> = text.lines().filter_map(|line| line.strip_prefix(".Sh ")).collect();
        let wanted: Vec<_> = found.iter().copied().filter(|s| SECTIONS.contains(s)).collect();
        assert_eq!(wanted, SECTIONS, "sections of man/{tool}.1");
        assert!(text.contains(&format!(".Nm {tool}\n")), "man/{tool}.1 names another tool");
        assert!(!text.contains(TO_DESCRIBE), "man/{tool}.1 does not say what the tool does");
    }
}

/// No option of the table may be unknown to the tool's own loop.
#[test]
fn every_option_is_taken() {
    let scratch = Scratch::new();
    for tool in commands() {
        let mdoc = scratch.run(&format!("{tool} --mdoc")).quiet(0).out;
        // One script for all, since there are more than a thousand.
        let mut script = String::new();
        for item in mdoc.lines().filter_map(|line| line.strip_prefix(".It ")) {
            let (names, value) = item.split_once(" Ar ").unwrap_or((item, ""));
            // The first value that is a word of its own, else a number, which nearly everything takes.
            let words = value.replace("\\-", "-");
            let value = match words.split('|').find(|w| w.starts_with(|c: char| c.is_ascii_lowercase())) {
                _ if words.is_empty() => "",
                Some(word) if words.contains('|') => word,
                _ => "1",
            };
            for name in names.split(',') {
                let name = name.trim().trim_start_matches("Fl ").replace("\\-", "-");
                let _ = writeln!(
                    script,
                    "{tool} -{name} {value} < x.ndjson > out 2> err; IFS= read -rd '' said < err
                     case $said in *'invalid option'* | *'needs a value'* | *'takes no value'* | *'internal error'*)
                     echo \"{tool} -{name} {value}: $said\" ;; esac"
                );
            }
        }
        let refused = scratch.run(&script).out;
        assert_eq!(refused, "");
        assert!(flags(&scratch, &tool).contains(&"help".to_owned()));
    }
}

/// The command lines after `$ ` in a text, with lines that end in a backslash joined to the next.
fn examples(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let line = line.strip_prefix(".Dl ").unwrap_or(line).trim_start();
        if open {
            let last = found.last_mut().expect("one is open");
            last.push('\n');
            last.push_str(line);
        } else if let Some(command) = line.strip_prefix("$ ") {
            found.push(command.to_owned());
        } else {
            continue;
        }
        open = line.ends_with('\\');
    }
    found
}

/// Text as it stands after roff is done with it.
fn unescape(roff: &str) -> String {
    let pairs = [("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(dq", "\""), ("\\(ti", "~"), ("\\(ha", "^")];
    let text = pairs.iter().fold(roff.to_owned(), |text, (from, to)| text.replace(from, to));
    text.replace("\\e", "\\")
}

#[test]
fn examples_work() {
    let wanted = |example: &str| (everything() || !needs_more(example)) && !needs_process(example);
    for tool in commands() {
        let scratch = Scratch::new();
        let help = scratch.run(&format!("{tool} --help")).quiet(0).out;
        let text = read_page(&tool);
        let section = text.split(".Sh EXAMPLES\n").nth(1).unwrap_or_default();
        let section = unescape(section.split("\n.Sh ").next().unwrap_or_default());
        let manual = examples(&section);
        assert!(manual.len() >= 3, "man/{tool}.1 has {} examples; three are the least", manual.len());
        assert!(manual.iter().any(|e| e.contains("jq ")), "man/{tool}.1 has no example with jq");
        for example in manual.into_iter().chain(examples(&help)).filter(|example| wanted(example)) {
            let run = scratch.run(&format!("set -o pipefail\n{example}"));
            let out = run.quiet(0).out;
            // The files that are compared differ.
            let compares = example.starts_with("heap-diff") && !example.contains("--fail-on");
            assert!(!(compares && out.is_empty()), "nothing comes of {example}");
        }
    }
}

/// What stands in place of a description that nobody has written yet.
const TO_DESCRIBE: &str = "has no description.";

/// A page to begin with. What it says beyond the table is for a person to write.
fn skeleton(scratch: &Scratch, tool: &str) -> String {
    let help = scratch.run(&format!("{tool} --help")).quiet(0).out;
    let about = help.lines().next().and_then(|l| l.split_once(": ")).map_or("", |(_, about)| about);
    let mut dl = String::new();
    for example in examples(&help) {
        dl += &format!(".Dl $ {}\n", example.replace('\\', "\\e"));
    }
    let statuses = help.split("\nExit status:\n").nth(1).unwrap_or_default();
    let mut exit = String::from(".Bl -tag -width Ds\n");
    for line in statuses.lines().take_while(|l| l.starts_with("  ")) {
        if let Some((status, meaning)) = line.trim_start().split_once("  ") {
            let mut chars = meaning.chars();
            let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
            exit += &format!(".It {status}\n{first}{}.\n", chars.as_str());
        }
    }
    exit += ".El\n";
    let title = tool.to_uppercase();
    format!(
        ".Dd November 23, 2026\n.Dt {title} 1\n.Os\n.Sh NAME\n.Nm {tool}\n.Nd {about}\n.Sh SYNOPSIS\n.Nm {tool}\n\
         .Op Ar options\n.Op Ar\n.Sh DESCRIPTION\n.Nm\n{TO_DESCRIBE}\n.Sh OPTIONS\n{BEGIN}{END}\
         .Sh EXIT STATUS\n{exit}.Sh EXAMPLES\n{dl}.Sh SEE ALSO\n.Xr heap-records 5 ,\n.Xr heap-tools 7\n"
    )
}
