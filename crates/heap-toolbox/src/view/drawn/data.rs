//! The figures of a page as JSON that may stand in HTML.

use std::fmt::Write as _;

use crate::suspects::Suspect;
use crate::suspects::sentences::sentence;
use crate::view::{Cell, CellKind, CellTree, ClassTable, Growth, StackTree, StringTable, Whose};
use heap_base::json::{push_text, push_uint};
use heap_base::{Plus, sort_by};
use heap_graph::NONE;
use heap_report::text::human_size;

use crate::view::drawn::Contents;

/// Classes in the table of growth at most; the rest is one row.
const GROWTH: usize = 2000;
/// Functions of a profile at most.
const FUNCTIONS: usize = 5000;
/// Characters of a text of the heap at most.
const TEXT: usize = 300;

/// Appends the data. No `<` is in it, so nothing in it ends the element that it stands in.
pub(crate) fn push(out: &mut String, contents: &Contents<'_>) {
    let mut json = Vec::with_capacity(1 << 19);
    let view = contents.view;
    json.push(b'{');
    key(&mut json, "files");
    list(&mut json, contents.dumps, |json, dump| {
        json.extend_from_slice(b"{\"name\":");
        push_text(json, &dump.name);
        json.push(b'}');
    });
    key(&mut json, "totals");
    json.extend_from_slice(b"{\"size\":");
    push_uint(&mut json, view.totals.size);
    // Sizes that a class retains have bytes outside of the heap.
    key(&mut json, "retained");
    push_uint(&mut json, view.totals.size.plus(view.findings.external));
    json.push(b'}');
    key(&mut json, "allocations");
    json.extend_from_slice(if view.tree.allocations { b"true" } else { b"false" });
    key(&mut json, "note");
    push_text(&mut json, &note(contents));
    key(&mut json, "legend");
    list(&mut json, Whose::ALL, |json, whose| push_text(json, whose.name()));
    key(&mut json, "sizes");
    push_text(&mut json, view.findings.sizes.verb());
    key(&mut json, "suspects");
    list(&mut json, &view.findings.suspects, suspect);
    key(&mut json, "functions");
    list(&mut json, view.functions.iter().filter(|of| of.total > 0).take(FUNCTIONS), |json, of| {
        row(json, cut(&of.name).0, [of.own, of.total, of.count]);
        json.push(b',');
        push_text(json, &of.place);
        json.extend_from_slice(if of.runtime { b",true]" } else { b",false]" });
    });
    key(&mut json, "tree");
    tree(&mut json, &view.tree);
    key(&mut json, "stacks");
    match &view.stacks {
        Some(stacks) => tree(&mut json, &stacks.tree),
        None => json.extend_from_slice(b"null"),
    }
    key(&mut json, "stacksNote");
    push_text(&mut json, &view.stacks.as_ref().map_or(String::new(), stacks_note));
    key(&mut json, "classes");
    classes(&mut json, &view.classes);
    key(&mut json, "strings");
    strings(&mut json, &view.strings);
    key(&mut json, "growth");
    growth(&mut json, contents.growth);
    json.push(b'}');
    let text = String::from_utf8(json).unwrap_or_default();
    // Only texts have this character, and there it may be an escape.
    out.push_str(&text.replace('<', "\\u003c"));
}

/// What the pictures show, and what they do not.
fn note(contents: &Contents<'_>) -> String {
    let tree = &contents.view.tree;
    let others = tree.cells.iter().filter(|cell| cell.kind == CellKind::Other).count();
    let mut note = if tree.allocations {
        String::from(
            "Each cell is a stack frame; its area is what was allocated in it and in what it called.",
        )
    } else {
        String::from(
            "Each cell is the objects of one type that one parent alone keeps alive; its area is what would go with \
             them.",
        )
    };
    if others > 0 {
        note.push_str(" Small cells are added up as <other>.");
    }
    let unreached = contents.view.totals.unreached;
    if unreached.nodes > 0 && unreached.share.is_none() {
        note.push_str(" What no root reaches is in no cell.");
    }
    note
}

/// The same of stacks at which objects were allocated.
fn stacks_note(stacks: &StackTree) -> String {
    let mut note = String::from(
        "Each cell is a function that was called when objects were allocated; its area is those that are still there, with \
         those of what it called.",
    );
    let (count, size) = stacks.without;
    if count > 0 {
        let size = human_size(size);
        let _ = write!(
            note,
            " {count} objects of {size} were allocated where no stack was recorded; they are in no cell."
        );
    }
    note
}

fn key(json: &mut Vec<u8>, name: &str) {
    if !matches!(json.last(), Some(b'{') | None) {
        json.push(b',');
    }
    json.push(b'"');
    json.extend_from_slice(name.as_bytes());
    json.extend_from_slice(b"\":");
}

fn list<T>(json: &mut Vec<u8>, items: impl IntoIterator<Item = T>, mut push: impl FnMut(&mut Vec<u8>, T)) {
    json.push(b'[');
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            json.push(b',');
        }
        push(json, item);
    }
    json.push(b']');
}

fn uints(json: &mut Vec<u8>, numbers: impl IntoIterator<Item = u64>) {
    list(json, numbers, push_uint);
}

fn row(json: &mut Vec<u8>, text: &str, numbers: impl IntoIterator<Item = u64>) {
    json.push(b'[');
    push_text(json, text);
    for n in numbers {
        json.push(b',');
        push_uint(json, n);
    }
}

/// `text`, and whether it was cut.
fn cut(text: &str) -> (&str, bool) {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => (&text[..end], true),
        None => (text, false),
    }
}

fn suspect(json: &mut Vec<u8>, suspect: &Suspect) {
    json.push(b'{');
    key(json, "text");
    push_text(json, &sentence(suspect));
    key(json, "share");
    json.extend_from_slice(format!("{:.6}", suspect.share).as_bytes());
    key(json, "level");
    push_text(json, suspect.level.name());
    key(json, "left");
    json.extend_from_slice(if suspect.left_over { b"true" } else { b"false" });
    key(json, "kind");
    push_text(json, suspect.kind.name());
    key(json, "place");
    push_text(json, cut(&suspect.place).0);
    key(json, "class");
    push_text(json, cut(&suspect.class).0);
    key(json, "retained");
    push_uint(json, suspect.retained);
    key(json, "external");
    push_uint(json, suspect.external);
    key(json, "growth");
    match suspect.growth {
        Some(growth) => json.extend_from_slice(growth.to_string().as_bytes()),
        None => json.extend_from_slice(b"null"),
    }
    key(json, "history");
    uints(json, suspect.history.iter().copied());
    key(json, "course");
    push_text(json, suspect.course.map_or("", |course| course.name()));
    key(json, "behind");
    push_text(json, cut(suspect.behind.as_deref().unwrap_or_default()).0);
    key(json, "callers");
    push_text(json, suspect.site.as_ref().map_or("", |site| cut(&site.callers).0));
    key(json, "runtime");
    json.extend_from_slice(if suspect.runtime { b"true" } else { b"false" });
    key(json, "number");
    match suspect.id {
        Some((_, number)) => push_text(json, &number.to_string()),
        None => json.extend_from_slice(b"null"),
    }
    key(json, "path");
    list(json, &suspect.path, |json, step| {
        json.push(b'[');
        // A frame is called by its function, which is no class.
        let name = suspect.site.as_ref().and(step.name.as_ref()).unwrap_or(&step.class);
        push_text(json, cut(name).0);
        json.push(b',');
        match &step.label {
            Some(label) => push_text(json, cut(label).0),
            None => json.extend_from_slice(b"null"),
        }
        json.push(b']');
    });
    key(json, "holds");
    list(json, &suspect.holds, |json, held| {
        row(json, cut(&held.class).0, [held.count, held.retained]);
        json.push(b']');
    });
    json.push(b'}');
}

fn tree(json: &mut Vec<u8>, tree: &CellTree) {
    let cells = &tree.cells;
    let numbered = |keep: &dyn Fn(&Cell) -> bool| -> Vec<u64> {
        (0..).zip(cells).filter(|(_, cell)| keep(cell)).map(|(i, _)| i).collect()
    };
    json.push(b'{');
    key(json, "names");
    list(json, &tree.names, |json, name| push_text(json, cut(name).0));
    key(json, "whose");
    uints(json, tree.kinds.iter().map(|whose| whose.number().into()));
    key(json, "parent");
    uints(json, cells.iter().map(|cell| if cell.parent == NONE { 0 } else { cell.parent.into() }));
    key(json, "name");
    uints(json, cells.iter().map(|cell| cell.name.into()));
    key(json, "size");
    uints(json, cells.iter().map(|cell| cell.size));
    key(json, "own");
    uints(json, cells.iter().map(|cell| cell.own));
    key(json, "count");
    uints(json, cells.iter().map(|cell| cell.count));
    key(json, "other");
    uints(json, numbered(&|cell| cell.kind == CellKind::Other));
    key(json, "closed");
    uints(json, numbered(&|cell| cell.closed));
    key(json, "labels");
    members(json, (0..).zip(cells).filter_map(|(i, cell)| Some((i, cut(cell.label.as_ref()?).0.to_owned()))));
    key(json, "numbers");
    members(json, (0..).zip(cells).filter_map(|(i, cell)| Some((i, cell.number?.to_string()))));
    json.push(b'}');
}

/// `{"17":"text"}`.
fn members(json: &mut Vec<u8>, members: impl Iterator<Item = (u64, String)>) {
    json.push(b'{');
    for (i, text) in members {
        key(json, &i.to_string());
        push_text(json, &text);
    }
    json.push(b'}');
}

fn classes(json: &mut Vec<u8>, table: &ClassTable) {
    json.push(b'{');
    key(json, "rows");
    list(json, &table.rows, |json, class| {
        row(json, cut(&class.class).0, [class.count, class.size]);
        json.push(b',');
        match class.retained {
            Some(retained) => push_uint(json, retained),
            None => json.extend_from_slice(b"null"),
        }
        json.push(b']');
    });
    key(json, "others");
    push_uint(json, table.others);
    key(json, "rest");
    uints(json, [table.rest.count, table.rest.size]);
    json.push(b'}');
}

fn strings(json: &mut Vec<u8>, table: &StringTable) {
    json.push(b'{');
    key(json, "rows");
    list(json, &table.rows, |json, string| {
        let (text, cut) = cut(&string.text);
        row(json, text, [string.count, string.wasted, string.size, string.length]);
        json.extend_from_slice(if cut || string.cut == Some(true) { b",true]" } else { b",false]" });
    });
    key(json, "others");
    push_uint(json, table.others);
    key(json, "wasted");
    push_uint(json, table.others_wasted);
    json.push(b'}');
}

fn growth(json: &mut Vec<u8>, rows: &[Growth]) {
    let change = |row: &Growth, of: fn(&(u64, u64)) -> u64| {
        let end = |point: Option<&(u64, u64)>| point.map_or(0, |point| i128::from(of(point)));
        end(row.points.last()) - end(row.points.first())
    };
    let by_count = |row: &Growth| change(row, |point| point.0);
    let by_size = |row: &Growth| change(row, |point| point.1);
    let mut rows: Vec<&Growth> = rows.iter().collect();
    sort_by(&mut rows, |a, b| {
        let weight = |row: &Growth| (by_size(row).abs(), by_count(row).abs());
        weight(b).cmp(&weight(a)).then_with(|| a.class.cmp(&b.class))
    });
    let rest = rows.split_off(GROWTH.min(rows.len()));
    json.push(b'{');
    key(json, "rows");
    list(json, rows, |json, growth| {
        row(json, cut(&growth.class).0, []);
        json.push(b',');
        uints(json, growth.points.iter().map(|point| point.0));
        json.push(b',');
        uints(json, growth.points.iter().map(|point| point.1));
        json.push(b']');
    });
    key(json, "others");
    push_uint(json, rest.len() as u64);
    key(json, "rest");
    let sums =
        [rest.iter().map(|row| by_count(row)).sum::<i128>(), rest.iter().map(|row| by_size(row)).sum()];
    list(json, sums, |json, sum| json.extend_from_slice(sum.to_string().as_bytes()));
    json.push(b'}');
}
