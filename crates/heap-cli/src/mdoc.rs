//! `--mdoc`: the OPTIONS of the manual page.

use std::fmt::Write as _;

use crate::tool::{Flag, Kind, Tool};
use heap_report::text::wrap;

/// The options as mdoc(7): the part of a page between the two comment lines.
pub(crate) fn options(tool: &Tool) -> String {
    let mut out = String::new();
    let mut first = true;
    for group in tool.groups() {
        if group.flags.is_empty() {
            continue;
        }
        // The tool's own options are right below the section's head.
        if !(first && group.kind == Kind::Own) {
            let (title, more) = group.title.split_once(" (").unwrap_or((group.title, ""));
            let _ = writeln!(out, ".Ss {title}");
            if let Some(more) = more.strip_suffix(')') {
                let mut chars = more.chars();
                let more: String =
                    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect();
                sentences(&mut out, &format!("{more}."));
            }
        }
        first = false;
        out.push_str(".Bl -tag -width Ds\n");
        for flag in group.flags {
            item(&mut out, flag);
        }
        out.push_str(".El\n");
    }
    out
}

fn item(out: &mut String, flag: &Flag) {
    out.push_str(".It ");
    if let Some(short) = flag.short {
        let _ = write!(out, "Fl {short} , ");
    }
    let _ = write!(out, "Fl \\-{}", flag.long);
    if let Some(value) = flag.value {
        let _ = write!(out, " Ar {}", escaped(value));
    }
    out.push('\n');
    for (i, line) in flag.help.lines().enumerate() {
        // The first line is a heading in `-h`; here it is a sentence like any other.
        let mut chars = line.chars();
        let first: String = if i == 0 {
            chars.next().into_iter().flat_map(char::to_uppercase).collect()
        } else {
            String::new()
        };
        let rest = chars.as_str();
        let stop = if rest.ends_with(['.', ':', '\'']) && i > 0 { "" } else { "." };
        sentences(out, &format!("{first}{rest}{stop}"));
    }
}

/// One sentence a line, as mdoc asks for.
fn sentences(out: &mut String, text: &str) {
    let mut rest = text;
    loop {
        let end = rest.find(". ").map_or(rest.len(), |i| i + 1);
        for line in wrap(&escaped(&rest[..end]), 78) {
            // A dot or an apostrophe at the start of a line would be a request.
            let guard = if line.starts_with(['.', '\'']) { "\\&" } else { "" };
            let _ = writeln!(out, "{guard}{line}");
        }
        rest = rest[end..].trim_start();
        if rest.is_empty() {
            return;
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('~', "\\(ti")
        .replace('^', "\\(ha")
        .replace('\'', "\\(aq")
}
