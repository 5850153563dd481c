//! Still pictures.

use std::fmt::Write;

use crate::view::{Cell, CellKind, CellTree, Whose};
use heap_base::xml::escape;
use heap_report::text::human_size;

use crate::view::drawn::layout::{ROW, Rect, SHADES, flame, shade, treemap};
use crate::view::drawn::page::grouped;

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
/// Letters that a name is cut to at the least.
const CUT: usize = 16;
/// Pixels below the picture for the meaning of the colours.
const LEGEND: f64 = 24.0;

/// Fills by whose the objects are, in shades by name, light and dark; then those of `<other>`. `assets/view.css` has the same.
const FILLS: [(&str, &str); Whose::ALL.len() * SHADES as usize + 1] = [
    ("#f7bf86", "#8a5418"),
    ("#f9d0a5", "#774612"),
    ("#f2ad6c", "#9a6224"),
    ("#a9cdf0", "#2b5580"),
    ("#bfdaf5", "#24486d"),
    ("#94bfe8", "#366493"),
    ("#b3dfae", "#2f6634"),
    ("#c6e8c2", "#28572c"),
    ("#9dd397", "#39753e"),
    ("#cfbfe8", "#574587"),
    ("#dcd0f0", "#493a74"),
    ("#c1addf", "#665298"),
    ("#d3d8df", "#434a55"),
    ("#dde1e7", "#3b414b"),
    ("#c8ced7", "#4d5561"),
    ("#e6e8eb", "#2c3037"),
];

/// What a cell is called: `Map .sessions`, `Session ×1200`, `<other> 17`.
pub(crate) fn title(tree: &CellTree, cell: &Cell) -> String {
    let name = tree.name(cell);
    match (cell.kind, &cell.label) {
        (CellKind::Other, _) => format!("{name} {}", grouped(cell.count)),
        (_, Some(label)) => format!("{name} {label}"),
        _ if cell.count > 1 && !tree.allocations => format!("{name} ×{}", grouped(cell.count)),
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
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {:.0}\" preserveAspectRatio=\"xMidYMin\" role=\"img\">\n<style>\n\
         svg {{ background: #fff; }} rect {{ stroke: #fff; }} text {{ font: 11px sans-serif; fill: #14161a; text-rendering: geometricPrecision; }}\n",
        height + LEGEND
    );
    let fills = |out: &mut String, dark: bool| {
        for (i, (light, night)) in FILLS.iter().enumerate() {
            let _ = write!(out, ".h{i} {{ fill: {}; }} ", if dark { night } else { light });
        }
    };
    fills(&mut out, false);
    out.push_str(
        "\n@media (prefers-color-scheme: dark) { svg { background: #16181d; } rect { stroke: #16181d; } \
         text { fill: #f2f3f5; }\n",
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
    legend(&mut out, tree, height);
    out.push_str("</svg>\n");
    out
}

/// What the colours mean, below the picture: those that it has.
fn legend(out: &mut String, tree: &CellTree, height: f64) {
    let mut x = 0.0;
    for whose in Whose::ALL.into_iter().filter(|whose| tree.kinds.contains(whose)) {
        let (y, shade) = (height + 6.0, u32::from(whose.number()) * SHADES);
        let _ = write!(out, "<path class=\"h{shade}\" d=\"M{x:.0} {y:.0}h12v12h-12z\"/>");
        let name = match whose {
            Whose::Program if tree.allocations => "the program\u{2019}s functions",
            _ => whose.name(),
        };
        let _ = writeln!(out, "<text x=\"{:.0}\" y=\"{:.0}\">{name}</text>", x + 17.0, y + 10.0);
        x += 40.0 + LETTER * name.chars().count() as f64;
    }
}

fn draw(out: &mut String, tree: &CellTree, cell: &Cell, place: Rect) {
    let fill = u32::from(tree.whose(cell).number()) * SHADES + shade(tree.name(cell));
    let hue = if cell.kind == CellKind::Other { Whose::ALL.len() as u32 * SHADES } else { fill };
    let Rect { x, y, w, h } = place;
    let (text, size) = (title(tree, cell), human_size(cell.size));
    let _ = write!(out, "<g><title>");
    out.push_str(&escape(&format!("{}, {size}", cut(&text, 200))));
    let _ = write!(
        out,
        "</title><rect class=\"h{hue}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"/>"
    );
    let room = ((w - 6.0) / LETTER).max(0.0) as usize;
    if h >= 13.0
        && let Some(shown) = fitting(tree, cell, &text, &size, room)
    {
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">", x + 4.0, y + 11.0);
        out.push_str(&escape(&shown));
        out.push_str("</text>");
    }
    out.push_str("</g>\n");
}

/// What a cell is called where so many letters have room: title and size, the title, the name, the name without its package.
/// A name that does not fit is left out; only in cells of some width it is cut.
fn fitting(tree: &CellTree, cell: &Cell, text: &str, size: &str, room: usize) -> Option<String> {
    let fits = |text: &str| text.encode_utf16().count() <= room;
    let name = tree.name(cell);
    let short = short(name);
    let both = format!("{text}  {size}");
    let found = [both.as_str(), text, name, short].into_iter().find(|text| fits(text));
    found.map(str::to_owned).or_else(|| (room >= CUT).then(|| cut(short, room)))
}

/// A class without its package: `HashMap` for `java.util.HashMap`.
fn short(name: &str) -> &str {
    let word = name.split([' ', '(']).next().unwrap_or_default();
    let dot = word.rfind('.').filter(|&dot| dot > 0 && dot + 1 < word.len());
    dot.map_or(name, |dot| &name[dot + 1..])
}

/// `text` cut to so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
