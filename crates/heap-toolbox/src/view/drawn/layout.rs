//! Where the cells of a tree go: squarified treemap and flame graph.
//!
//! The treemap is that of M. Bruls, K. Huizing, J. van Wijk: "Squarified Treemaps" (2000). `assets/view.js` has the same
//! two layouts in the same order of steps; a test in a browser holds the two together.

use crate::view::CellTree;
use heap_base::sort_by;
use heap_graph::NONE;

/// A rectangle, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

/// Height of the line in which a cell of a treemap has its name.
pub const HEAD: f64 = 15.0;
/// Space around the children of a cell.
pub const PAD: f64 = 2.0;
/// Cells less wide or high are not drawn.
pub const LEAST: f64 = 3.0;
/// Height of a row of a flame graph.
pub const ROW: f64 = 18.0;

/// Rectangles for `values`, which are in descending order, with areas in proportion, as square as can be. They fill
/// `room`.
pub fn squarify(values: &[f64], room: Rect) -> Vec<Rect> {
    let Rect { mut x, mut y, mut w, mut h } = room;
    let mut out = Vec::with_capacity(values.len());
    let mut left: f64 = values.iter().sum();
    let mut at = 0;
    while at < values.len() && left > 0.0 {
        let (short, scale) = (w.min(h), w * h / left);
        let (mut end, mut sum, mut worst) = (at, 0.0, f64::INFINITY);
        // A row grows as long as its worst cell becomes no narrower.
        while let Some(&value) = values.get(end) {
            let next = sum + value;
            let row = next * scale;
            let ratio = (short * short * values[at] * scale / (row * row))
                .max(row * row / (short * short * value * scale));
            if ratio > worst {
                break;
            }
            (worst, sum) = (ratio, next);
            end += 1;
        }
        if end == at {
            break; // No room: neither ratio is a number.
        }
        let thick = if short > 0.0 { sum * scale / short } else { 0.0 };
        let mut along = 0.0;
        for &value in &values[at..end] {
            let part = if short > 0.0 { value * scale / thick } else { 0.0 };
            out.push(if w < h {
                Rect { x: x + along, y, w: part, h: thick }
            } else {
                Rect { x, y: y + along, w: thick, h: part }
            });
            along += part;
        }
        at = end;
        if w < h {
            (y, h) = (y + thick, h - thick);
        } else {
            (x, w) = (x + thick, w - thick);
        }
        left -= sum;
    }
    out.resize(values.len(), Rect { x, y, w: 0.0, h: 0.0 });
    out
}

/// The cells of a treemap of the whole tree, each behind the one that it lies in.
pub fn treemap(tree: &CellTree, room: Rect) -> Vec<(u32, Rect)> {
    let children = tree.children();
    let mut out = Vec::new();
    let mut todo = if tree.cells.is_empty() { Vec::new() } else { vec![(0, room)] };
    while let Some((cell, room)) = todo.pop() {
        out.push((cell, room));
        let below = &children[cell as usize];
        if below.is_empty() || room.w <= 24.0 || room.h <= HEAD + 8.0 {
            continue;
        }
        let size = |cell: u32| tree.cells[cell as usize].size;
        let mut items: Vec<(u32, u64)> = below.iter().map(|&child| (child, size(child))).collect();
        // What the cell has of its own takes room and is not drawn.
        let own = tree.cells[cell as usize].own;
        if own > 0 {
            items.push((NONE, own));
        }
        sort_by(&mut items, |a, b| b.1.cmp(&a.1).then(a.0.wrapping_add(1).cmp(&b.0.wrapping_add(1))));
        let values: Vec<f64> = items.iter().map(|item| item.1 as f64).collect();
        let inner = Rect { x: room.x + PAD, y: room.y + HEAD, w: room.w - 2.0 * PAD, h: room.h - HEAD - PAD };
        for (&(child, _), place) in items.iter().zip(squarify(&values, inner)).rev() {
            if child != NONE && place.w >= LEAST && place.h >= LEAST {
                todo.push((child, place));
            }
        }
    }
    out
}

/// The cells of a flame graph of the whole tree, `width` pixels wide, the top in the first row.
pub fn flame(tree: &CellTree, width: f64) -> Vec<(u32, Rect)> {
    let children = tree.children();
    let mut out = Vec::new();
    let first = Rect { x: 0.0, y: 0.0, w: width, h: ROW };
    let mut todo = if tree.cells.is_empty() { Vec::new() } else { vec![(0, first)] };
    while let Some((cell, place)) = todo.pop() {
        out.push((cell, place));
        let whole = tree.cells[cell as usize].size as f64;
        let mut x = place.x;
        for &child in &children[cell as usize] {
            let w = if whole > 0.0 { place.w * tree.cells[child as usize].size as f64 / whole } else { 0.0 };
            if w >= 1.0 {
                todo.push((child, Rect { x, y: place.y + ROW, w, h: ROW }));
            }
            x += w;
        }
    }
    out
}

/// How many shades a colour has.
pub const SHADES: u32 = 3;

/// The shade of a type name: FNV-1a over UTF-16 units.
pub fn shade(name: &str) -> u32 {
    let hash = name
        .encode_utf16()
        .fold(0x811c_9dc5, |hash: u32, unit| (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193));
    hash % SHADES
}
