use crate::suspects::Findings;
use crate::suspects::Unreached;
use crate::view::{Cell, CellKind, CellTree, ClassRow, ClassTable, HeapTotals, HeapView, StackTree, Whose};
use heap_graph::NONE;
use sha2::{Digest, Sha256};

use crate::view::drawn::layout::{Rect, flame, squarify, treemap};
use crate::view::drawn::page::HASHED;
use crate::view::drawn::{Contents, Dump, Picture, page, svg};

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().chain(&[0; 2]).take(3).fold(0, |bits, &byte| bits << 8 | usize::from(byte));
        for i in 0..4 {
            let letter = LETTERS[bits >> (18 - 6 * i) & 63];
            out.push(if i <= chunk.len() { letter.into() } else { '=' });
        }
    }
    out
}

/// A browser takes no other style or script than those that the page's policy names.
#[test]
fn hashes_are_those_of_style_and_script() {
    let wanted = HASHED.map(|(text, _)| base64(&Sha256::digest(text)));
    assert_eq!(HASHED.map(|(_, hash)| hash), wanted, "put these into src/page.rs");
}

const HOSTILE: &str = "</script><script>alert(1)</script><!-- & \"'";

fn cell(parent: u32, name: u32, size: u64, own: u64) -> Cell {
    Cell {
        parent,
        kind: CellKind::Named,
        name,
        label: Some(HOSTILE.to_owned()),
        number: Some(7),
        count: 1,
        size,
        own,
        depth: 0,
        closed: false,
    }
}

fn tree() -> CellTree {
    CellTree {
        cells: vec![cell(NONE, 0, 100, 10), cell(0, 1, 60, 20), cell(0, 1, 30, 30), cell(1, 1, 40, 40)],
        names: vec!["(heap)".to_owned(), HOSTILE.to_owned()],
        kinds: vec![Whose::Runtime, Whose::Program],
        allocations: false,
    }
}

fn view() -> HeapView {
    let row = ClassRow { class: HOSTILE.to_owned(), count: 3, size: 90, retained: Some(90) };
    HeapView {
        totals: HeapTotals { size: 100, nodes: 4, ..HeapTotals::default() },
        tree: tree(),
        classes: ClassTable::new(vec![row], 10),
        ..HeapView::default()
    }
}

#[test]
fn names_of_the_heap_are_data_in_the_page() {
    let damage = Some(HOSTILE.to_owned());
    let facts = vec![HOSTILE.to_owned()];
    let format = "a <format>".to_owned();
    let dumps = [Dump { name: HOSTILE.to_owned(), format, producer: String::new(), facts, damage }];
    let page = page(&Contents { dumps: &dumps, view: &view(), growth: &[] });
    let plain = page.replace(HASHED[0].0, "").replace(HASHED[1].0, "");
    assert!(!plain.contains("<script>alert") && !plain.contains("<!-- &") && !plain.contains("<format>"));
    // The element with the data, and the script.
    assert_eq!(plain.matches("<script").count(), 2);
    assert_eq!(plain.matches("</script>").count(), 2);
    let (_, data) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("an end");
    assert!(!data.contains('<'));
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["classes"]["rows"][0][0], HOSTILE);
    assert_eq!(data["tree"]["names"][1], HOSTILE);
    assert_eq!(data["tree"]["labels"]["3"], HOSTILE);
    assert_eq!(data["files"][0]["name"], HOSTILE);
}

/// The data of a page.
fn data(view: &HeapView) -> serde_json::Value {
    let page = page(&Contents { dumps: &[], view, growth: &[] });
    let (_, data) = page.split_once("id=\"data\">").expect("data");
    serde_json::from_str(data.split_once("</script>").expect("an end").0).expect("JSON")
}

#[test]
fn stacks_of_allocations_are_a_second_tree() {
    assert!(data(&view())["stacks"].is_null());
    let stacks = |without| Some(StackTree { tree: CellTree { allocations: true, ..tree() }, without });
    let with = |without| data(&HeapView { stacks: stacks(without), ..view() });
    let data = with((3, 2048));
    assert_eq!(data["stacks"], data["tree"]);
    assert_eq!(data["allocations"], false, "the page is one of objects all the same");
    let note = |data: &serde_json::Value| data["stacksNote"].as_str().unwrap_or_default().to_owned();
    assert!(note(&data).contains(" 3 objects of 2.0K were allocated where no stack was recorded"));
    assert!(note(&with((0, 0))).ends_with("with those of what it called."));
}

/// What stands above the sections of a page.
fn head(dumps: &[Dump], view: &HeapView) -> String {
    let page = page(&Contents { dumps, view, growth: &[] });
    page.split_once("</header>").expect("a head").0.split_once("<h1").expect("a title").1.to_owned()
}

#[test]
fn the_head_says_what_the_dumps_are_and_what_is_wrong_with_them() {
    let dump = |name: &str, fact: &str| Dump {
        name: name.to_owned(),
        format: "V8".to_owned(),
        producer: fact.to_owned(),
        facts: vec!["pid 7".to_owned()],
        damage: None,
    };
    let findings = Findings { totals: vec![1024, 3072], explained: Some(0.5), ..Findings::default() };
    let view = HeapView { findings, ..view() };
    let text = head(&[dump("a", "Node 20"), dump("b", "Node 20")], &view);
    assert!(text.contains("Node 20 \u{b7} V8 \u{b7} pid 7 \u{b7} the last of 2 dumps since a"), "{text}");
    assert!(text.contains("+2.0K</b>") && text.contains("1.0K \u{2192} 3.0K; suspects explain 50"), "{text}");
    assert!(!text.contains("class=\"damage\""));
    assert!(
        text.starts_with(">b</h1>") && text.contains("growth: 1.0K") && text.contains("class=\"course\"")
    );
    // A file is called without its folders, where that says which one it is.
    let text = head(&[dump("old/a", "Node 20"), dump("new/a", "Node 20")], &view);
    assert!(text.starts_with(" title=\"new/a\">a</h1>") && text.contains("2 dumps since old/a"), "{text}");
    // What hardly grows needs no explanation.
    let findings = Findings { totals: vec![1000, 1001], explained: Some(0.0), ..Findings::default() };
    let text = head(&[dump("a", ""), dump("b", "")], &HeapView { findings, ..self::view() });
    assert!(text.contains("growth: 1000 \u{2192} 1001<") && !text.contains("explain"), "{text}");
    // A format is named without its kinds.
    let format = "a heap profile: pprof's, or text".to_owned();
    let text = head(&[Dump { format, producer: String::new(), ..dump("a", "") }], &self::view());
    assert!(text.contains("<p class=\"faint\">a heap profile \u{b7} pid 7</p>"), "{text}");
    let cut = Dump { damage: Some("byte 7: ends early".to_owned()), ..dump("c", "Node 20") };
    let text = head(&[cut], &view);
    assert!(
        text.contains("<p class=\"damage\" role=\"alert\">c is damaged or incomplete: byte 7: ends early.")
    );
}

#[test]
fn the_page_says_what_no_root_reaches() {
    let of = |heap: u64, nodes: u64, size: u64, share: Option<f64>| {
        let unreached = Unreached { nodes, size, share, part: share, soft: None };
        let view = HeapView { totals: HeapTotals { unreached, size: heap, ..view().totals }, ..view() };
        head(&[], &view)
    };
    let text = |nodes: u64, share: Option<f64>| {
        let head = of(100, nodes, if nodes > 0 { 2048 } else { 0 }, share);
        (
            head.contains("2.0K</b><span>that no root"),
            head.split_once("<p>No root").map(|(_, rest)| rest.to_owned()),
        )
    };
    let (tile, counted) = text(1234, Some(0.123));
    let counted = counted.expect("a sentence");
    assert!(
        tile && counted
            .starts_with(" reaches 1,234 objects over strong references, 2.0K or 12.3 % of the heap"),
        "{counted}"
    );
    let (tile, apart) = text(1234, None);
    assert!(tile && apart.expect("a sentence").contains("no cell of the tree"));
    assert_eq!(text(1234, Some(0.01)), (true, None));
    // What counts nowhere and is little has a figure alone; of no bytes there is nothing to say.
    assert!(!of(100_000, 1234, 2048, None).contains("<p>No root"));
    assert!(of(100_000, 1234, 2048, None).contains("that no root"));
    assert!(!of(100_000, 1234, 0, None).contains("o root"));
    assert_eq!(text(0, None), (false, None));
}

#[test]
fn names_of_the_heap_are_text_in_pictures() {
    for picture in [Picture::Treemap, Picture::Flame] {
        let svg = svg(&tree(), picture);
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script") && !svg.contains("<!--"));
        assert_eq!(svg.matches("<rect").count(), 4);
        // It takes the width of what shows it.
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 "));
        assert!(svg.contains("the program\u{2019}s classes</text>") && !svg.contains("strings</text>"));
        // Light on dark and dark on light, whatever is behind it.
        assert!(svg.contains("svg { background: #fff; }") && svg.contains("svg { background: #16181d; }"));
        let of_profile = self::svg(&CellTree { allocations: true, ..tree() }, picture);
        assert!(of_profile.contains("the program\u{2019}s functions</text>"));
    }
}

#[test]
fn areas_are_in_proportion_and_fill_the_room() {
    let room = Rect { x: 10.0, y: 20.0, w: 600.0, h: 400.0 };
    let values = [600.0, 600.0, 400.0, 300.0, 200.0, 200.0, 100.0];
    let places = squarify(&values, room);
    let total: f64 = values.iter().sum();
    for (place, value) in places.iter().zip(values) {
        assert!((place.w * place.h - room.w * room.h * value / total).abs() < 1e-6, "{place:?}");
        assert!(place.x >= room.x - 1e-9 && place.x + place.w <= room.x + room.w + 1e-9);
        assert!(place.y >= room.y - 1e-9 && place.y + place.h <= room.y + room.h + 1e-9);
        // As the publication has it for these values: no cell is narrower than 1:3.
        assert!(place.w / place.h < 3.0 && place.h / place.w < 3.0, "{place:?}");
    }
    for (i, a) in places.iter().enumerate() {
        for b in &places[i + 1..] {
            let apart = |a0: f64, a1: f64, b0: f64, b1: f64| a1 <= b0 + 1e-9 || b1 <= a0 + 1e-9;
            assert!(
                apart(a.x, a.x + a.w, b.x, b.x + b.w) || apart(a.y, a.y + a.h, b.y, b.y + b.h),
                "{a:?} and {b:?} overlap"
            );
        }
    }
    // No room, no values, no bytes.
    assert_eq!(squarify(&[1.0, 1.0], Rect { w: 0.0, ..room }).len(), 2);
    assert!(squarify(&[], room).is_empty());
    assert!(squarify(&[0.0], room)[0].w < 1e-9);
}

#[test]
fn cells_lie_inside_of_their_parents() {
    let tree = tree();
    for places in [treemap(&tree, Rect { x: 0.0, y: 0.0, w: 500.0, h: 300.0 }), flame(&tree, 500.0)] {
        assert_eq!(places.len(), 4);
        for &(cell, place) in &places[1..] {
            let parent = tree.cells[cell as usize].parent;
            let (_, around) = places.iter().find(|(other, _)| *other == parent).expect("a parent");
            assert!(place.x >= around.x && place.x + place.w <= around.x + around.w + 1e-9);
        }
    }
    let widths: Vec<f64> = flame(&tree, 500.0).iter().map(|(_, place)| place.w).collect();
    assert!(widths.contains(&300.0) && widths.contains(&150.0) && widths.contains(&200.0), "{widths:?}");
}
