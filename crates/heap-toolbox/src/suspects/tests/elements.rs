//! Elements of a page, which Chromium writes with their attributes.

use super::*;

/// So many elements of one tag, each with attributes of its own, in a list of the program and in no document.
fn page(count: u32) -> Heap {
    let mut heap = ordinary();
    let document = heap.string("Document");
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":12,"identifier":5001,"heap":{{"size":100,"class":{document}}},"x":{{"detachedness":1}}}}"#
    );
    heap.edge(Some((1, "document")), 5001);
    heap.object(5003, 10, "Array", Some((3, "cards")));
    for i in 0..count {
        let id = 20_001 + 2 * i;
        let class = heap.string(&format!(r##"<a href=\"#card-{i}\" class=\"card\">"##));
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":12,"identifier":{id},"heap":{{"size":200,"class":{class}}},"x":{{"detachedness":2}}}}"#
        );
        heap.edge(Some((5003, &i.to_string())), id);
    }
    heap
}

#[test]
fn elements_of_one_tag_are_of_one_class() {
    let found = page(60).suspects();
    let held = |kind| {
        let row = found.iter().find(|row| row.kind == kind && row.place.starts_with("root.app.cards"));
        row.map(|row| (row.holds[0].class.as_str(), row.holds[0].count))
    };
    assert_eq!(held(Kind::Accumulation), Some(("<a>", 60)), "{found:#?}");
    assert_eq!(held(Kind::Detached), Some(("<a>", 60)), "{found:#?}");
    // The example is as the dump has it.
    let detached = found.iter().find(|row| row.kind == Kind::Detached).expect("a row of detached nodes");
    assert!(detached.class.starts_with("<a href="), "{detached:?}");
}

/// An element whose attributes change is the same.
#[test]
fn elements_of_three_dumps_are_of_one_class() {
    let dump = |count: u32| {
        let mut heap = page(count);
        let all = heap.strings.iter_mut().filter(|text| text.starts_with("<a"));
        all.for_each(|text| *text = text.replace("\\\"card\\\"", &format!("\\\"card of-{count}\\\"")));
        heap.load("identifier")
    };
    let earlier = [20, 120].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(220);
    let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
    assert_eq!(found.doubt, None);
    let row = at(&found.suspects, "root.app.cards");
    assert_eq!((row.level, row.holds[0].class.as_str(), row.holds[0].count), (Level::Leak, "<a>", 220));
}

/// What the page has under way leads to an element by numbers; the program keeps it in a list.
#[test]
fn an_element_without_a_name_is_where_what_has_it_is() {
    let mut heap = page(0);
    for class in ["root", "<*", "blink::*", "Animation"] {
        heap.fact("heap.runtime", class);
    }
    heap.object(5005, 10, "Array", Some((3, "running")));
    let named = std::mem::take(&mut heap.edges);
    heap.object(5007, 10, "blink::Timeline", Some((1, "1")));
    let class = heap.string(r#"<div class=\"row\">"#);
    for i in 0..300 {
        let id = 20_001 + 4 * i;
        heap.object(id, 100, "Animation", Some((5007, "2")));
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":12,"identifier":{},"heap":{{"size":200,"class":{class}}},"x":{{"detachedness":2}}}}"#,
            id + 2
        );
        heap.edge(Some((id, "3")), id + 2);
    }
    heap.edges = named + &heap.edges.replace("\"subtype\":1", "\"subtype\":7");
    for i in 0..300 {
        heap.edge(Some((5005, &i.to_string())), 20_001 + 4 * i);
    }
    let found = heap.suspects();
    let row = found.iter().find(|row| row.kind == Kind::Detached).expect("a row of detached nodes");
    assert_eq!((row.place.as_str(), row.holds[0].class.as_str()), ("App.running", "<div>"), "{found:#?}");
}

#[test]
fn elements_of_a_page_are_named_before_numbers_of_the_engine() {
    let mut heap = Heap::default();
    heap.object(1, 0, "root", None);
    heap.fact("heap.runtime", "*");
    heap.object(3, 10, "blink::Environment", Some((1, "1")));
    heap.object(5, 10, "<body>", Some((3, "4")));
    heap.object(7, 10, "blink::RareData", Some((5, "9")));
    items(&mut heap, 7, 60);
    heap.edges = heap.edges.replace("\"subtype\":1", "\"subtype\":7");
    let mut found = heap.suspects();
    found.retain(|row| row.holds.first().is_some_and(|of| of.count == 60));
    assert_eq!(found.first().map(|row| row.place.as_str()), Some("<body>"), "{found:?}");
    // So they are before a field that the program put there.
    let mut heap = Heap::default();
    heap.object(1, 0, "root", None);
    for class in ["root", "blink::*", "HTMLDocument"] {
        heap.fact("heap.runtime", class);
    }
    for (id, class) in [(3, "blink::Frame"), (5, "HTMLDocument"), (7, "<body>")] {
        heap.object(id, 10, class, Some((id - 2, "4")));
    }
    heap.edges = heap.edges.replace("\"subtype\":1", "\"subtype\":7");
    heap.object(9, 10, "Array", Some((7, "tips")));
    items(&mut heap, 9, 60);
    let mut found = heap.suspects();
    found.retain(|row| row.holds.first().is_some_and(|of| of.count == 60));
    assert_eq!(found.first().map(|row| row.place.as_str()), Some("<body>.tips"), "{found:?}");
}

/// The virtual machine says behind the number of a reference why it is there.
#[test]
fn a_crowd_that_the_console_holds_is_said_with_it() {
    let mut heap = ordinary();
    let name = heap.string("(Global handles)");
    heap.named(7, (5001, 0), name);
    heap.edge(Some((1, "handles")), 5001);
    for i in 0..60 {
        heap.object(20_001 + 2 * i, 100, "Request", Some((5001, &format!("{} / DevTools console", 300 + i))));
    }
    let found = heap.suspects();
    let row = at(&found, "DevTools console");
    assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("Request", 60), "{found:#?}");
}

/// The first element in `<body>` leads to the next one, as all do, and each to `<body>`.
#[test]
fn elements_beside_one_are_in_what_it_is_in() {
    let place = |beside: bool| {
        let mut heap = Heap::default();
        heap.object(1, 0, "root", None);
        heap.fact("heap.runtime", "*");
        heap.object(3, 10, "Window / file://", Some((1, "1")));
        heap.object(5, 10, "<body>", Some((3, "4")));
        heap.object(7, 10, "<main>", Some((5, "4")));
        heap.edge(Some((7, "6")), 5);
        for i in 0..60 {
            let id = 20_001 + 2 * i;
            heap.object(id, 100, "<div>", Some((if i == 0 { 7 } else { id - 2 }, "5")));
            heap.edge(Some((7, "5")), id);
            heap.edge(Some((id, "6")), if beside { 5 } else { 7 });
        }
        heap.edges = heap.edges.replace("\"subtype\":1", "\"subtype\":7");
        let found = heap.suspects();
        let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.count == 60));
        row.map(|row| (row.place.clone(), row.retained))
    };
    assert_eq!(place(true), Some(("<body>".to_owned(), 6000)));
    assert_eq!(place(false), Some(("<main>".to_owned(), 6010)));
}
