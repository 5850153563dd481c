//! `-h`, `--help` and the usage line.

use std::fmt::Write as _;

use heap_formats::targets::TARGETS;

use crate::tool::{Flag, Group, Kind, Tool};
use heap_report::text::{width, wrap};

const COLUMNS: usize = 80;
/// Where the text beside an option begins.
const INDENT: usize = 24;

/// `usage: heap-filter [OPTIONS] [FILE...]`
pub(crate) fn usage(tool: &Tool) -> String {
    format!("usage: {} {}", tool.name, tool.usage)
}

/// One screen: the tool's own options one line each, what it shares with others by name.
pub(crate) fn short(tool: &Tool) -> String {
    let mut out = format!("{}: {}\n{}\n", tool.name, tool.about, usage(tool));
    for group in tool.groups() {
        match group.kind {
            Kind::Own => {
                let _ = write!(out, "\n{}:\n", group.title);
                list(&mut out, group, |flag| wrap(flag.summary(), COLUMNS - INDENT - 2));
            }
            Kind::General => {}
            _ => {
                let title = group.title.split(" (").next().unwrap_or(group.title);
                let names: Vec<_> = group.flags.iter().map(brief).collect();
                let _ = write!(out, "\n{title}:\n");
                for line in wrap(&names.join("  "), COLUMNS - 2) {
                    let _ = writeln!(out, "  {line}");
                }
            }
        }
    }
    if !tool.first_operands().is_empty() {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        out.push_str("\nTargets:\n");
        for line in wrap(&names.join("  "), COLUMNS - 2) {
            let _ = writeln!(out, "  {line}");
        }
    }
    let _ = write!(out, "\nMore: {} --help, man {}\n", tool.name, tool.name);
    out
}

/// Everything.
pub(crate) fn long(tool: &Tool) -> String {
    let mut out = format!("{}: {}\n\n{}\n", tool.name, tool.about, usage(tool));
    for paragraph in tool.notes.split("\n\n").filter(|p| !p.trim().is_empty()) {
        out.push('\n');
        for line in wrap(paragraph, COLUMNS) {
            let _ = writeln!(out, "{line}");
        }
    }
    for group in tool.groups() {
        let _ = write!(out, "\n{}:\n", group.title);
        list(&mut out, group, |flag| flag.help.lines().flat_map(|l| wrap(l, COLUMNS - INDENT - 2)).collect());
    }
    if !tool.first_operands().is_empty() {
        formats(&mut out, "Targets", TARGETS.iter().map(|target| (target.name, target.about)));
    }
    if tool.flags.iter().any(|group| group.kind == Kind::Input) {
        formats(&mut out, "Formats", heap_formats::FORMATS.iter().map(|format| (format.name, format.about)));
    }
    out.push_str("\nExit status:\n");
    for (status, meaning) in tool.exit {
        let _ = writeln!(out, "  {status}  {meaning}");
    }
    if !tool.examples.is_empty() {
        out.push_str("\nExamples:\n");
        for example in tool.examples {
            let _ = writeln!(out, "  # {}\n  $ {}", example.about, example.command);
        }
    }
    out
}

fn formats<'a>(out: &mut String, title: &str, list: impl Iterator<Item = (&'a str, &'a str)>) {
    let _ = write!(out, "\n{title}:\n");
    for (mut name, about) in list {
        for line in wrap(about, COLUMNS - INDENT - 2) {
            let _ = writeln!(out, "  {name:<0$}{line}", INDENT - 2);
            name = "";
        }
    }
}

/// `-t NAME`, or `--subtype NAME` if there is no short form.
fn brief(flag: &Flag) -> String {
    let name = flag.short.map_or_else(|| format!("--{}", flag.long), |c| format!("-{c}"));
    match flag.value {
        // A list of all values would fill the screen.
        Some(value) if value.len() <= 20 => format!("{name} {value}"),
        Some(_) => format!("{name} NAME"),
        None => name,
    }
}

/// `-t, --type NAME`
fn full(flag: &Flag) -> String {
    let mut name = flag.short.map_or_else(|| "    ".to_owned(), |c| format!("-{c}, "));
    let _ = write!(name, "--{}", flag.long);
    if let Some(value) = flag.value {
        let _ = write!(name, " {value}");
    }
    name
}

fn list(out: &mut String, group: &Group, text: impl Fn(&Flag) -> Vec<String>) {
    for flag in group.flags {
        let name = full(flag);
        let _ = write!(out, "  {name}");
        let mut at = 2 + width(&name);
        for line in text(flag) {
            if at + 2 > INDENT {
                out.push('\n');
                at = 0;
            }
            let _ = writeln!(out, "{:1$}{line}", "", INDENT - at);
            at = 0;
        }
    }
}
