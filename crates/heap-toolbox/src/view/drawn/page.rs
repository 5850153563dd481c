//! The page: one HTML file with style, script and data.

use crate::suspects::Unreached;
use heap_base::xml::escape;
use heap_report::text::human_size;

use crate::view::drawn::{Contents, data};

const STYLE: &str = include_str!("assets/view.css");
const SCRIPT: &str = include_str!("assets/view.js");
const BODY: &str = include_str!("assets/page.html");

/// SHA-256 of [`STYLE`] and [`SCRIPT`] as they stand between their tags, in base64. A test says what they have to be.
const STYLE_HASH: &str = "5mDQVT7E+yag4NMPfrOSZsYWCvxkQbzHgD3mLLA5APA=";
const SCRIPT_HASH: &str = "+EIDor6s9Xj6MObwA5IHl8xLq3FFmiYqN4HSo6ZAvYg=";

/// What goes between `<style>` and `</style>`, and between `<script>` and `</script>`.
#[cfg(test)]
pub(crate) const HASHED: [(&str, &str); 2] = [(STYLE, STYLE_HASH), (SCRIPT, SCRIPT_HASH)];

/// The page, as HTML in UTF-8.
pub fn page(contents: &Contents<'_>) -> String {
    let Contents { dumps, view, .. } = contents;
    let name = dumps.last().map_or("a heap", |dump| dump.name.as_str());
    let format = dumps.last().map_or("", |dump| dump.format.as_str());
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
    out.push_str("</style>\n</head>\n<body>\n<header>\n<h1>");
    out.push_str(&escape(name));
    out.push_str("</h1>\n<p class=\"faint\">");
    out.push_str(&escape(&origin(dumps.len(), format)));
    out.push_str("</p>\n<ul class=\"tiles\">\n");
    for (value, what) in tiles(contents) {
        out.push_str("<li><b class=\"number\">");
        out.push_str(&escape(&value));
        out.push_str("</b><span>");
        out.push_str(&escape(what));
        out.push_str("</span></li>\n");
    }
    out.push_str("</ul>\n");
    if let Some(text) = unreached(view.totals.unreached) {
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

fn origin(dumps: usize, format: &str) -> String {
    match dumps {
        0 | 1 => format!("Format: {format}"),
        n => format!("Format: {format}; the last of {n} dumps"),
    }
}

/// Figures for the head of the page.
fn tiles(contents: &Contents<'_>) -> Vec<(String, &'static str)> {
    let view = contents.view;
    let totals = view.totals;
    let mut tiles =
        vec![(human_size(totals.size), if view.tree.allocations { "allocated" } else { "in the heap" })];
    if !view.tree.allocations {
        tiles.push((grouped(totals.nodes), "objects"));
        tiles.push((grouped(totals.edges), "references"));
    }
    tiles.push((grouped(view.classes.rows.len() as u64 + view.classes.others), "classes"));
    if totals.unreached.nodes > 0 {
        tiles.push((human_size(totals.unreached.size), "that no root reaches"));
    }
    tiles
}

/// What it means that no root reaches something; nothing where it counts and is less than a suspect would be.
fn unreached(Unreached { nodes, size, share, part }: Unreached) -> Option<String> {
    if nodes == 0 || share.is_some() && part.is_none_or(|part| part < 0.05) {
        return None;
    }
    let what = format!("No root reaches {} objects, {}", grouped(nodes), human_size(size));
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
fn grouped(n: u64) -> String {
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
