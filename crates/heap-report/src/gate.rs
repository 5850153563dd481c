//! Results of a gate for continuous integration: JUnit XML, code quality of GitLab, workflow commands of GitHub.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heap_base::json::push_text;
use heap_base::xml::escape;
use heap_ops::gate::{Finding, Gate};

use crate::text::visible;

/// What the results are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateFormat {
    /// XML as JUnit writes it, which nearly all services read.
    Junit,
    /// The code quality report of GitLab, JSON.
    Gitlab,
    /// Workflow commands of GitHub Actions, which Gitea and Forgejo read as well: lines that a step prints.
    Github,
}

impl GateFormat {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        [("junit", Self::Junit), ("gitlab", Self::Gitlab), ("github", Self::Github)]
            .into_iter()
            .find_map(|(n, format)| (n == name).then_some(format))
    }
}

/// The results of `gate`, which `tool` asked of the dump `file`.
pub fn results(format: GateFormat, gate: &Gate, tool: &str, file: &str) -> String {
    match format {
        GateFormat::Junit => junit(gate, tool),
        GateFormat::Gitlab => gitlab(gate, tool, file),
        GateFormat::Github => github(gate, tool, file),
    }
}

/// A test for each finding, which fails, or is skipped if it is known; and one for the condition, which passes if no row
/// fails. So a passing gate is a test that passed, not no test.
fn junit(gate: &Gate, tool: &str) -> String {
    let failed = gate.findings().iter().filter(|finding| finding.known.is_none()).count();
    let skipped = gate.findings().len() - failed;
    let passed = usize::from(failed == 0);
    let counts = format!(
        "tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"",
        failed + skipped + passed
    );
    let (tool, condition) = (escape(tool), escape(gate.text()));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{tool}\" {counts}>\n<testsuite name=\"{tool}\" {counts}>\n\
         <properties><property name=\"fail-on\" value=\"{condition}\"/></properties>\n"
    );
    if passed > 0 {
        let _ = writeln!(out, "<testcase classname=\"{tool}\" name=\"no row: {condition}\"/>");
    }
    for Finding { name, message, known } in gate.findings() {
        let (name, message) = (escape(name), escape(message));
        let _ = write!(out, "<testcase classname=\"{tool}\" name=\"{name}\">");
        let _ = match known {
            Some(reason) => write!(out, "<skipped message=\"known: {}\"/>", escape(reason)),
            None => write!(out, "<failure type=\"fail-on\" message=\"{message}\">{message}</failure>"),
        };
        out.push_str("</testcase>\n");
    }
    out.push_str("</testsuite>\n</testsuites>\n");
    out
}

/// A list of issues. The fingerprint is by tool and name, not by the message, so that a finding is the same one in the
/// next run.
fn gitlab(gate: &Gate, tool: &str, file: &str) -> String {
    let mut out = Vec::from(*b"[");
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    for Finding { name, message, known } in gate.findings() {
        let gap: &[u8] = if out.len() > 1 { b",\n{" } else { b"\n{" };
        out.extend_from_slice(gap);
        let time = times.entry(name).or_default();
        *time += 1;
        let fingerprint = format!("{:016x}", fingerprint([tool, name, &time.to_string()]));
        let known = known.as_ref().map_or_else(String::new, |reason| format!(" (known: {reason})"));
        let severity = if known.is_empty() { "major" } else { "info" };
        let members: [(&str, &str); 4] = [
            ("description", &format!("{name}: {message}{known}")),
            ("check_name", tool),
            ("fingerprint", &fingerprint),
            ("severity", severity),
        ];
        for (key, value) in members {
            push_text(&mut out, key);
            out.push(b':');
            push_text(&mut out, value);
            out.push(b',');
        }
        out.extend_from_slice(b"\"location\":{\"path\":");
        push_text(&mut out, file);
        out.extend_from_slice(b",\"lines\":{\"begin\":1}}}");
    }
    out.extend_from_slice(b"\n]\n");
    String::from_utf8_lossy(&out).into_owned()
}

/// FNV-1a, with an end after each text.
fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let bytes = texts.into_iter().flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// `::error title=…::…` for each finding, `::notice …` for a known one.
fn github(gate: &Gate, tool: &str, file: &str) -> String {
    let mut out = String::new();
    for Finding { name, message, known } in gate.findings() {
        let (level, known) = match known {
            None => ("error", String::new()),
            Some(reason) => ("notice", format!(" (known: {reason})")),
        };
        let title = property(&format!("{tool}: {name}"));
        let text = data(&format!("{file}: {name}: {message}{known}"));
        let _ = writeln!(out, "::{level} title={title}::{text}");
    }
    out
}

/// A message of a workflow command, on one line.
fn data(text: &str) -> String {
    let mut shown = String::new();
    visible(&mut shown, text);
    shown.replace('%', "%25")
}

/// A property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
