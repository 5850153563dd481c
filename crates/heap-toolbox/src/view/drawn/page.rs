//! The page: one HTML file with style, script and data.

use std::fmt::Write as _;

use crate::suspects::{Kind, Level, Suspect, Unreached};
use heap_base::xml::escape;
use heap_ops::series::Sizes;
use heap_report::text::human_size;

use crate::view::drawn::{Contents, Dump, data};

const STYLE: &str = include_str!("assets/view.css");
const SCRIPT: &str = include_str!("assets/view.js");
const BODY: &str = include_str!("assets/page.html");

/// SHA-256 of [`STYLE`] and [`SCRIPT`] as they stand between their tags, in base64. A test says what they have to be.
const STYLE_HASH: &str = "cIMVr7VhkNuTuxKvuroT7FF4L9FPWwWbhSd4Ml0LGBw=";
const SCRIPT_HASH: &str = "nNOFO8J4BK5Nu9MLtBFOwfAdfp8O0u4vAh9z3q18xvg=";

/// What goes between `<style>` and `</style>`, and between `<script>` and `</script>`.
#[cfg(test)]
pub(crate) const HASHED: [(&str, &str); 2] = [(STYLE, STYLE_HASH), (SCRIPT, SCRIPT_HASH)];

/// The page, as HTML in UTF-8.
pub fn page(contents: &Contents<'_>) -> String {
    let Contents { dumps, view, .. } = contents;
    let path = dumps.last().map_or("a heap", |dump| dump.name.as_str());
    let name = base(path);
    let mut out = String::with_capacity(1 << 20);
    out.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-",
    );
    out.push_str(STYLE_HASH);
    out.push_str("'; script-src 'sha256-");
    out.push_str(SCRIPT_HASH);
    out.push_str("'; img-src data:; base-uri 'none'; form-action 'none'\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str(
        "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
    );
    out.push_str(&escape(name));
    out.push_str(" – heap</title>\n<style>");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n<header>\n<h1");
    if name != path {
        out.push_str(" title=\"");
        out.push_str(&escape(path));
        out.push('"');
    }
    out.push('>');
    out.push_str(&escape(name));
    out.push_str("</h1>\n<p class=\"faint\">");
    out.push_str(&escape(&origin(dumps)));
    out.push_str("</p>\n");
    for dump in *dumps {
        if let Some(damage) = &dump.damage {
            let what = format!(
                "{} is damaged or incomplete: {damage}. Figures are of the part before that.",
                base(&dump.name)
            );
            out.push_str("<p class=\"damage\" role=\"alert\">");
            out.push_str(&escape(&what));
            out.push_str("</p>\n");
        }
    }
    out.push_str("<ul class=\"tiles\">\n");
    // How it has grown stands behind how large it is.
    let outside = usize::from(view.findings.external > 0);
    for (i, (value, what)) in tiles(contents).into_iter().enumerate() {
        if i == 1 + outside {
            push_course(&mut out, contents);
        }
        out.push_str("<li><b class=\"number\">");
        out.push_str(&escape(&value));
        out.push_str("</b><span>");
        out.push_str(&escape(&what));
        out.push_str("</span></li>\n");
    }
    out.push_str("</ul>\n");
    let apart = view.totals.unreached;
    let soft = apart.softness().map(|text| format!("{}{}.", text[..1].to_uppercase(), &text[1..]));
    let unseen = view.findings.unseen().map(|text| format!("{text}."));
    for text in soft.into_iter().chain(unreached(apart, view.totals.size)).chain(unseen) {
        out.push_str("<p>");
        out.push_str(&escape(&text));
        out.push_str("</p>\n");
    }
    out.push_str("</header>\n");
    out.push_str(BODY);
    out.push_str("<script type=\"application/json\" id=\"data\">");
    data::push(&mut out, contents);
    out.push_str("</script>\n<script>");
    out.push_str(SCRIPT);
    out.push_str("</script>\n</body>\n</html>\n");
    debug_assert!(!view.tree.cells.is_empty(), "a tree has a top");
    out
}

/// What the dumps are: who wrote them, format, process, time.
fn origin(dumps: &[Dump]) -> String {
    let Some(last) = dumps.last() else { return String::new() };
    let mut parts = vec![last.producer.clone(), kind(&last.format).to_owned()];
    parts.retain(|part| !part.is_empty());
    parts.extend(last.facts.iter().cloned());
    if let [first, .., _] = dumps {
        let (whole, short) = (first.name.as_str(), base(&first.name));
        let name = if short == base(&last.name) { whole } else { short };
        parts.push(format!("the last of {} dumps since {name}", dumps.len()));
    }
    parts.join(" \u{b7} ")
}

/// A file without its folders.
fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().filter(|base| !base.is_empty()).unwrap_or(name)
}

/// What a format is, without its kinds: `a heap profile`.
fn kind(about: &str) -> &str {
    let ends = [": ", " (", ", "].iter().filter_map(|end| about.find(end));
    &about[..ends.min().unwrap_or(about.len())]
}

/// The heap in each dump as a small chart, and how much of its growth the suspects explain.
fn push_course(out: &mut String, contents: &Contents<'_>) {
    const WIDTH: f64 = 120.0;
    const HEIGHT: f64 = 36.0;
    let view = contents.view;
    let findings = &view.findings;
    let [first, .., last] = findings.totals[..] else { return };
    let most = findings.totals.iter().copied().max().unwrap_or(1).max(1) as f64;
    let step = WIDTH / findings.totals.len() as f64;
    let sizes: Vec<String> = findings.totals.iter().map(|&bytes| human_size(bytes)).collect();
    let leaks = findings.suspects.iter().any(|suspect| suspect.level == Level::Leak);
    out.push_str(if leaks { "<li class=\"course leaks\">" } else { "<li class=\"course\">" });
    let _ = write!(
        out,
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"{}\">",
        escape(&sizes.join(", "))
    );
    for (i, &bytes) in (0u32..).zip(&findings.totals) {
        let high = (HEIGHT * bytes as f64 / most).max(1.0);
        let (x, y, w) = (f64::from(i) * step, HEIGHT - high, (step - 2.0).max(1.0));
        let _ = write!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{high:.1}\"/>");
    }
    out.push_str("</svg><div><b class=\"number\">");
    let sign = if last >= first { "+" } else { "\u{2212}" };
    out.push_str(&escape(&format!("{sign}{}", human_size(last.abs_diff(first)))));
    out.push_str("</b><span class=\"number\">");
    let shown = match &sizes[..] {
        [first, .., last] if sizes.len() > 5 => format!("{first} \u{2192} \u{2026} \u{2192} {last}"),
        _ => sizes.join(" \u{2192} "),
    };
    let apart = view.totals.unreached;
    let alive = apart.share.is_none() && unreached(apart, view.totals.size).is_some();
    let of = match (alive, findings.external > 0) {
        (true, true) => " of both, as far as alive",
        (true, false) => " of what is alive",
        (false, true) => " of both",
        (false, false) => "",
    };
    let _ = write!(out, "growth{of}: {}", escape(&shown));
    // Of what hardly grows nothing is to be explained.
    let shown = |suspect: &Suspect| suspect.level != Level::Note || suspect.left_over;
    let grows = |suspect: &Suspect| suspect.kind == Kind::Growth && shown(suspect);
    if let Some(part) = findings.explained
        && (findings.suspects.iter().any(grows) || last > first.saturating_add(first / 20))
    {
        let _ = write!(out, "; suspects explain {:.0}\u{a0}%", part * 100.0);
    }
    out.push_str("</span></div></li>\n");
}

/// Figures for the head of the page.
fn tiles(contents: &Contents<'_>) -> Vec<(String, String)> {
    let view = contents.view;
    let totals = view.totals;
    let what = match (view.tree.allocations, view.findings.sizes) {
        (true, Sizes::InUse) => "in use",
        (false, Sizes::InUse | Sizes::Allocated) => "in the heap",
        (_, sizes) => sizes.what(),
    };
    let mut tiles = vec![(human_size(totals.size), what.to_owned())];
    if view.findings.external > 0 {
        tiles.push((human_size(view.findings.external), "outside the heap".to_owned()));
    }
    if view.tree.allocations {
        let functions = view.functions.iter().filter(|of| of.total > 0).count();
        tiles.push((grouped(functions as u64), "functions".to_owned()));
    } else {
        tiles.push((grouped(totals.nodes), "objects".to_owned()));
        tiles.push((grouped(totals.edges), "references".to_owned()));
    }
    let classes = view.classes.rows.len() as u64 + view.classes.others;
    if classes > 0 {
        tiles.push((grouped(classes), if view.tree.allocations { "types" } else { "classes" }.to_owned()));
    }
    if totals.unreached.size > 0 {
        tiles.push((human_size(totals.unreached.size), "that no root reaches".to_owned()));
    }
    tiles
}

/// What it means that no root reaches something; nothing where that is less than a suspect would be.
fn unreached(Unreached { nodes, size, share, part, .. }: Unreached, heap: u64) -> Option<String> {
    let little = match share {
        Some(_) => part.is_none_or(|part| part < 0.05),
        None => size < heap / 20,
    };
    if nodes == 0 || little {
        return None;
    }
    let what =
        format!("No root reaches {} objects over strong references, {}", grouped(nodes), human_size(size));
    let why = "they are garbage that was not collected yet, or the dump lacks references to them";
    Some(match share {
        Some(share) => format!(
            "{what} or {:.1} % of the heap: {why}. They count as held by the root, and nothing says where they are.",
            share * 100.0
        ),
        None => format!("{what}: {why}. They count in no suspect, no cell of the tree and no retained size."),
    })
}

/// `1,234,567`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
