//! Still pictures.

use std::fmt::Write;

use crate::view::{Cell, CellKind, CellTree};
use heap_base::xml::escape;
use heap_report::text::human_size;

use crate::view::drawn::layout::{HUES, ROW, Rect, flame, hue, treemap};

/// Which picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Nested rectangles.
    Treemap,
    /// Rows, the whole on top.
    Flame,
}

impl Picture {
    /// The picture that a word names.
    pub fn named(name: &str) -> Option<Self> {
        [("treemap", Self::Treemap), ("flame", Self::Flame)]
            .into_iter()
            .find_map(|(word, picture)| (word == name).then_some(picture))
    }
}

/// Width of a picture, and height of a treemap, in pixels.
const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 640.0;
/// Rows of a flame graph at most; deeper ones are counted in the title.
const ROWS: f64 = 60.0;
/// Pixels that a letter takes, about.
const LETTER: f64 = 6.8;

/// Fills by hue, light and dark; then those of `<other>`. `assets/view.css` has the same.
const FILLS: [(&str, &str); HUES as usize + 1] = [
    ("#a9cdf0", "#2b5580"),
    ("#f7c99c", "#82531f"),
    ("#b3dfae", "#2f6634"),
    ("#f2b5b2", "#823f40"),
    ("#cfbfe8", "#574587"),
    ("#dcc7b5", "#664d3b"),
    ("#f3c3e0", "#7a3f66"),
    ("#dfe09f", "#62631f"),
    ("#a6e0e2", "#20656a"),
    ("#c9d1db", "#4a5360"),
    ("#d0d4da", "#3a3f48"),
];

/// What a cell is called: `Map .sessions`, `Session ×1200`, `<other> 17`.
pub(crate) fn title(tree: &CellTree, cell: &Cell) -> String {
    let name = tree.name(cell);
    match (cell.kind, &cell.label) {
        (CellKind::Other, _) => format!("{name} {}", cell.count),
        (_, Some(label)) => format!("{name} {label}"),
        _ if cell.count > 1 && !tree.allocations => format!("{name} ×{}", cell.count),
        _ => name.to_owned(),
    }
}

/// The tree as an SVG picture, dark where the reader's system is.
pub fn svg(tree: &CellTree, picture: Picture) -> String {
    let mut places = match picture {
        Picture::Treemap => treemap(tree, Rect { x: 0.0, y: 0.0, w: WIDTH, h: HEIGHT }),
        Picture::Flame => flame(tree, WIDTH),
    };
    places.retain(|(_, place)| picture == Picture::Treemap || place.y < ROWS * ROW);
    let height = places.iter().map(|(_, place)| place.y + place.h).fold(ROW, f64::max);
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" \
         height=\"{height:.0}\" role=\"img\">\n<style>\n\
         rect {{ stroke: #fff; }} text {{ font: 11px sans-serif; fill: #14161a; }}\n"
    );
    let fills = |out: &mut String, dark: bool| {
        for (i, (light, night)) in FILLS.iter().enumerate() {
            let _ = write!(out, ".h{i} {{ fill: {}; }} ", if dark { night } else { light });
        }
    };
    fills(&mut out, false);
    out.push_str(
        "\n@media (prefers-color-scheme: dark) { rect { stroke: #16181d; } text { fill: #f2f3f5; }\n",
    );
    fills(&mut out, true);
    out.push_str("}\n</style>\n");
    if let Some(top) = tree.cells.first() {
        out.push_str("<title>");
        out.push_str(&escape(&format!("{}, {}", tree.name(top), human_size(top.size))));
        out.push_str("</title>\n");
    }
    for (cell, place) in places {
        draw(&mut out, tree, &tree.cells[cell as usize], place);
    }
    out.push_str("</svg>\n");
    out
}

fn draw(out: &mut String, tree: &CellTree, cell: &Cell, place: Rect) {
    let hue = if cell.kind == CellKind::Other { HUES } else { hue(tree.name(cell)) };
    let Rect { x, y, w, h } = place;
    let (text, size) = (title(tree, cell), human_size(cell.size));
    let _ = write!(out, "<g><title>");
    out.push_str(&escape(&format!("{}, {size}", cut(&text, 200))));
    let _ = write!(
        out,
        "</title><rect class=\"h{hue}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"/>"
    );
    let room = ((w - 6.0) / LETTER).max(0.0) as usize;
    if room >= 3 && h >= 13.0 {
        let letters = text.encode_utf16().count();
        let shown =
            if letters + size.len() + 2 <= room { format!("{text}  {size}") } else { brief(&text, room) };
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">", x + 4.0, y + 11.5);
        out.push_str(&escape(&shown));
        out.push_str("</text>");
    }
    out.push_str("</g>\n");
}

/// `text` in less room. A class loses its package first: `HashMap` for `java.util.HashMap`.
fn brief(text: &str, most: usize) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    let name = word.rfind('.').filter(|&dot| dot > 0 && dot + 1 < word.len() && !word.starts_with('('));
    match name {
        Some(dot) if text.chars().count() > most => cut(&text[dot + 1..], most),
        _ => cut(text, most),
    }
}

/// `text` cut to so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
