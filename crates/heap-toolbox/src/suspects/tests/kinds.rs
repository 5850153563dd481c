//! Small heaps of one kind each: what stands behind what is held, and what names it.

use super::*;

fn holding<'a>(found: &'a [Suspect], class: &str) -> Option<&'a Suspect> {
    found.iter().find(|row| row.holds.first().is_some_and(|of| of.class == class))
}

/// A class that includes sixty modules: what the machine calls the way to them names nothing.
#[test]
fn what_a_class_alone_holds_is_named_by_it() {
    let mut heap = ordinary();
    let name = heap.string("Order");
    heap.named(6, (5001, 10), name);
    heap.edge(Some((1, "class")), 5001);
    for i in 0..60 {
        let above = if i == 0 { 5001 } else { 20_001 + 2 * (i - 1) };
        heap.object(20_001 + 2 * i, 100, "(ruby.iclass)", Some((above, "prototype")));
    }
    let found = heap.suspects();
    let row = holding(&found, "(ruby.iclass)").expect("a row about modules");
    assert_eq!((row.place.as_str(), row.holds[0].count, row.level), ("Order", 60, Level::Large), "{row:?}");
}

/// What a function that runs has is the program's, though nobody knows by which name; what the machine's own roots hold is not.
#[test]
fn what_the_stack_alone_holds_is_the_programs() {
    let held = |root: &str| {
        let mut heap = Heap::default();
        let name = heap.string(root);
        for (id, name) in [(1, String::new()), (5001, format!(r#","name":{name}"#))] {
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":7,"identifier":{id},"heap":{{"size":0{name}}}}}"#
            );
        }
        heap.object(3, 10_000, "App", Some((1, "app")));
        heap.edge(Some((1, "table")), 5001);
        heap.object(5003, 10, "Array", Some((5001, "table")));
        for i in 0..60 {
            bare(&mut heap, (20_001 + 2 * i, 100), 3, (5003, &i.to_string()));
        }
        let found = heap.suspects();
        let row = found.iter().find(|row| row.class == "Array").expect("a row about the array");
        (row.place.clone(), row.runtime, row.level)
    };
    assert_eq!(held("(Stack roots)"), ("a variable on the stack".to_owned(), false, Level::Large));
    assert_eq!(held("(Strong roots)"), ("Array".to_owned(), true, Level::Note));
}

/// An error remembers in which calls it was made, and through these whatever the machine has.
#[test]
fn what_an_error_remembers_of_calls_names_nothing() {
    let place = |what: &str| {
        let mut heap = with_scope(3001);
        heap.object(3005, 10, "Error", Some((3003, "var:failed")));
        let name = heap.string(what);
        heap.named(4, (3007, 10), name);
        heap.edge(Some((3005, "calls")), 3007);
        heap.object(7001, 10, "Map", Some((3007, "map of modules")));
        // A longer way.
        for n in 0..5 {
            heap.object(
                7003 + 2 * n,
                10,
                "Loader",
                Some(if n == 0 { (1, "loader") } else { (7001 + 2 * n, "next") }),
            );
        }
        heap.edge(Some((7011, "modules")), 7001);
        items(&mut heap, 7001, 60);
        let found = heap.suspects();
        found.iter().find(|row| row.class == "Map").expect("a row about the map").place.clone()
    };
    assert_eq!(place("system / CallSiteInfo"), "root.loader(.next)×4.modules");
    assert!(place("(elements)").starts_with("app.js: failed"));
}

/// Files behind archives, each held by two tables: a class inside of another is not always an entry.
#[test]
fn what_is_inside_of_a_class_of_the_runtime_may_pile_up() {
    let count = |class: &str| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "java.*");
        heap.fact("heap.entry", "*$*Node");
        heap.fact("heap.entry", "*$*Entry");
        for n in 0..2 {
            heap.object(5001 + 2 * n, 10, "java.util.HashMap", Some((1, &format!("files{n}"))));
        }
        for i in 0..60 {
            heap.object(20_001 + 2 * i, 100, class, Some((5001, "x")));
            heap.edge(Some((5003, "x")), 20_001 + 2 * i);
        }
        holding(&heap.suspects(), class).map(|row| row.holds[0].count)
    };
    assert_eq!(count("java.util.zip.ZipFile$Source"), Some(60));
    assert_eq!(count("java.util.HashMap$Node"), None);
    assert_eq!(count("java.lang.ThreadLocal$ThreadLocalMap$Entry"), None);
}

/// A list with sixty functions of one place, and thirty of another.
#[test]
fn functions_of_other_places_are_not_counted() {
    let mut heap = with_scope(6001);
    script(&mut heap, (5011, 5013), "/srv/other.js");
    heap.object(6005, 10, "Array", Some((6003, "var:listeners")));
    for i in 0..90 {
        let code = if i % 3 == 2 { 5013 } else { 5007 };
        function(&mut heap, (20_001 + 2 * i, 400), code, (6005, &format!("{i}")));
    }
    let found = heap.suspects();
    let row = at(&found, "app.js: listeners");
    assert_eq!((row.behind.as_deref(), row.holds[0].count), (Some("(anonymous) (app.js)"), 60), "{row:?}");
}

/// A function that is wrapped again and again.
#[test]
fn functions_that_are_links_of_a_list_are_all_counted() {
    let mut heap = with_scope(6001);
    // Far from the function that has the scope, which is none of them.
    for n in 0..6 {
        heap.object(
            7001 + 2 * n,
            10,
            "Part",
            Some(if n == 0 { (6003, "var:app") } else { (6999 + 2 * n, "of") }),
        );
    }
    for i in 0..60 {
        let above = if i == 0 { (7011, "log") } else { (20_001 + 2 * (i - 1), "next") };
        function(&mut heap, (20_001 + 2 * i, 400), 5007, above);
    }
    let found = heap.suspects();
    let row = found.iter().find(|row| row.behind.is_some()).expect("a row about functions");
    assert_eq!((row.behind.as_deref(), row.holds[0].count), (Some("(anonymous) (app.js)"), 60), "{row:?}");
}

/// Timers of the runtime, each with a task of the program that has parts: many more of these do not stand behind the timers.
#[test]
fn what_is_nearest_stands_before_its_parts() {
    let behind = |parts: u32| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "Timeout");
        heap.object(5001, 10, "Map", Some((1, "timers")));
        for i in 0..60 {
            let id = 20_001 + 100 * i;
            heap.object(id, 100, "Timeout", Some((5001, "t")));
            heap.object(id + 2, 10, "Task", Some((id, "task")));
            for n in 0..parts {
                heap.object(id + 4 + 2 * n, 10, "Step", Some((id + 2, "step")));
            }
        }
        let found = heap.suspects();
        at(&found, "root.timers").behind.clone()
    };
    assert_eq!(behind(6).as_deref(), Some("Task"));
    assert_eq!(behind(0).as_deref(), Some("Task"));
}

/// Tables of modules hang on the global object by no name.
#[test]
fn what_the_machine_keeps_behind_the_global_object_is_no_suspect() {
    let level = |label: &str, parts: u32| {
        let mut heap = Heap::default();
        heap.fact("heap.global", "GlobalObject");
        heap.nodes += "{\"type\":\"node\",\"subtype\":7,\"identifier\":1,\"heap\":{\"size\":0}}\n";
        heap.object(5001, 10, "GlobalObject", Some((1, "0")));
        heap.object(5003, 10, "Registry", Some((5001, label)));
        for i in 0..parts {
            heap.object(7001 + 2 * i, 12_000 / parts, "Sources", Some((5003, &format!("f{i}"))));
        }
        let found = heap.suspects();
        found.iter().find(|row| row.class == "Registry").map(|row| row.level)
    };
    assert_eq!(level("", 4), Some(Level::Note));
    assert_eq!(level("registry", 4), Some(Level::Large));
    assert_eq!(level("", 60), Some(Level::Large));
}

/// A table of all that was ever written has each entry, and beside it what that refers to.
#[test]
fn what_refers_to_what_lies_beside_it_is_what_piles_up() {
    let holds = |refers: bool| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "java.*");
        heap.object(5001, 10, "java.io.Handles", Some((1, "handles")));
        for i in 0..60 {
            let (entry, text) = (20_001 + 4 * i, 20_003 + 4 * i);
            heap.object(entry, 10, "Entry", Some((5001, "x")));
            heap.object(text, 100, "java.lang.String", Some((5001, "x")));
            if refers {
                heap.edge(Some((entry, "text")), text);
            }
        }
        let found = heap.suspects();
        let held = &at(&found, "root.handles").holds[0];
        (held.class.clone(), held.count)
    };
    assert_eq!(holds(true), ("Entry".to_owned(), 60));
    assert_eq!(holds(false), ("java.lang.String".to_owned(), 60));
}

/// Functions of the runtime, sixty of one place and thirty of another, each with one of the program's.
#[test]
fn functions_of_the_runtime_are_counted_by_their_place() {
    let count = |others: &str| {
        let mut heap = with_scope(6001);
        script(&mut heap, (5011, 5013), "node:sessions");
        script(&mut heap, (5015, 5017), others);
        heap.object(6005, 10, "Array", Some((6003, "var:open")));
        for i in 0..90 {
            let (code, id) = (if i % 3 == 2 { 5017 } else { 5013 }, 20_001 + 4 * i);
            function(&mut heap, (id, 400), code, (6005, &format!("{i}")));
            function(&mut heap, (id + 2, 10), 5007, (id, "callback"));
        }
        let found = heap.suspects();
        let row = at(&found, "app.js: open");
        (row.behind.clone(), row.holds[0].count)
    };
    assert_eq!(count("node:timers"), (Some("(anonymous) (app.js)".to_owned()), 60));
}

/// The sheets of a page have rules, which are parts of the engine's.
#[test]
fn what_people_know_stands_before_inner_parts_of_the_engine() {
    let first = |sheets: u32| {
        let mut heap = with_scope(6001);
        heap.object(6005, 10, "HTMLDocument", Some((6003, "var:page")));
        for i in 0..100 {
            heap.object(20_001 + 2 * i, 100, "blink::StyleRule", Some((6005, "1")));
        }
        for i in 0..sheets {
            heap.object(30_001 + 2 * i, 150, "CSSStyleSheet", Some((6005, "2")));
        }
        let found = heap.suspects();
        let held = &at(&found, "app.js: page").holds[0];
        (held.class.clone(), held.count)
    };
    assert_eq!(first(20), ("CSSStyleSheet".to_owned(), 20));
    assert_eq!(first(5), ("blink::StyleRule".to_owned(), 100));
}

/// Compilers number the object that a function was called on for the functions inside of it.
#[test]
fn compiled_names_of_the_receiver_name_nothing() {
    let place = |variable: &str| {
        let mut heap = with_scope(6001);
        constructor(&mut heap, 6101, "Group");
        heap.object(6005, 10, "Group", Some((6003, &format!("var:{variable}"))));
        heap.object(6007, 10, "Map", Some((6005, "instances")));
        items(&mut heap, 6007, 60);
        let found = heap.suspects();
        found.iter().find(|row| row.class == "Map").expect("a row about the map").place.clone()
    };
    assert_eq!(place("group"), "app.js: group.instances");
    for receiver in ["this", "_this", "_this3"] {
        assert_eq!(place(receiver), "Group.instances");
    }
    assert_eq!(place("_this_group"), "app.js: _this_group.instances");
}

/// What classes of the program gave to their loader is not of the thread that has the loader, too.
#[test]
fn what_a_loader_of_classes_has_is_named_by_it() {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "java.*");
    heap.fact("heap.loader", "*ClassLoader");
    heap.object(5001, 10, "java.lang.Thread", Some((1, "0")));
    heap.object(5003, 10, "java.lang.AppClassLoader", Some((5001, "contextClassLoader")));
    heap.object(5005, 10, "java.util.HashMap", Some((5003, "values")));
    items(&mut heap, 5005, 60);
    let found = heap.suspects();
    let row = holding(&found, "Item").expect("a row about the items");
    assert_eq!((row.place.as_str(), row.level), ("java.lang.AppClassLoader.values", Level::Large), "{row:?}");
    // A class that it has loaded is none of its parts.
    let name = heap.string("java.sql.Drivers");
    heap.named(6, (6001, 10), name);
    heap.edge(Some((5003, "classes")), 6001);
    heap.object(6003, 10, "java.util.ArrayList", Some((6001, "registered")));
    for i in 0..60 {
        heap.object(30_001 + 2 * i, 100, "Driver", Some((6003, "x")));
    }
    let found = heap.suspects();
    let row = holding(&found, "Driver").expect("a row about the drivers");
    assert!(!row.place.starts_with("java.lang.AppClassLoader"), "{row:?}");
}

/// What a table of which the dump lacks the contents holds by a guess, and the table itself, are one row.
#[test]
fn a_table_that_is_guessed_to_hold_something_has_no_row_of_its_own() {
    let mut heap = ordinary();
    heap.fact("heap.unreachable", "root");
    heap.object(5001, 10, "Map", Some((3, "drafts")));
    bare(&mut heap, (5003, 16_000), 4, (5001, "table"));
    let places = |heap: &Heap| {
        let found = heap.suspects();
        found
            .iter()
            .map(|row| row.place.clone())
            .filter(|place| place.ends_with("drafts"))
            .collect::<Vec<_>>()
    };
    assert_eq!(places(&heap), ["root.app.drafts"]);
    for i in 0..200 {
        heap.object(20_001 + 2 * i, 100, "Draft", None);
    }
    assert_eq!(places(&heap), ["perhaps root.app.drafts"]);
}

/// A heap in which classes of `java` are the runtime's.
fn of_java() -> Heap {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "java.*");
    heap.fact("heap.thread", "java.Thread");
    heap.fact("heap.thread", "*Thread");
    heap
}

/// A store has two tables of what it has, and beside them all that is in both.
#[test]
fn what_lies_beside_a_few_tables_is_what_piles_up() {
    let row = |count: u32| {
        let mut heap = of_java();
        heap.object(5001, 10, "java.Manager", Some((1, "cookies")));
        heap.object(5003, 10, "java.Store", Some((5001, "store")));
        heap.object(5005, 4500, "java.Table", Some((5003, "byName")));
        heap.object(5007, 4500, "java.Table", Some((5003, "byHost")));
        for i in 0..count {
            let id = 20_001 + 2 * i;
            heap.object(id, 6000 / count, "java.Cookie", Some((5005, "x")));
            heap.edge(Some((5007, "x")), id);
        }
        let found = heap.suspects();
        let row = at(&found, "root.cookies");
        (row.holds[0].class.clone(), row.holds[0].count, row.retained, row.level)
    };
    assert_eq!(row(60), ("java.Cookie".to_owned(), 60, 15_020, Level::Large));
    assert_eq!(row(12), ("java.Table".to_owned(), 2, 15_020, Level::Large));
}

/// Topics of several words each are a tree of plain objects, whose leaves are the program's.
#[test]
fn branches_of_one_tree_are_one_row() {
    let rows = |classes: [&str; 5]| {
        let mut heap = with_scope(6001);
        for (n, class) in (0..).zip(["Tracker", "Panel", "Screen"]) {
            constructor(&mut heap, 6101 + 2 * n, class);
        }
        heap.object(7001, 10, "Object", Some((6003, "var:topics")));
        for (n, class) in (0..).zip(classes) {
            heap.object(7003 + 2 * n, 10, "Object", Some((7001, &format!("topic{n}"))));
            for i in 0..40 {
                heap.object(20_001 + 1000 * n + 4 * i, 60, "Array", Some((7003 + 2 * n, "x")));
                heap.object(
                    20_003 + 1000 * n + 4 * i,
                    40,
                    class,
                    Some((20_001 + 1000 * n + 4 * i, "listener")),
                );
            }
        }
        let found = heap.suspects();
        let large = found.into_iter().filter(|row| row.place.contains("topics"));
        large.map(|row| (row.place, row.holds[0].count, row.behind.unwrap_or_default())).collect::<Vec<_>>()
    };
    let one = ("app.js: topics[*]".to_owned(), 200, "Tracker (app.js)".to_owned());
    assert_eq!(rows(["Tracker"; 5]), [one]);
    assert_eq!(rows(["Tracker", "Panel", "Tracker", "Panel", "Screen"]).len(), 5);
}

/// An object with names of its own in place of a table, copied again and again: each copy has another shape.
#[test]
fn shapes_that_are_most_of_an_object_are_what_it_holds() {
    let holds = |size: u32| {
        let mut heap = with_scope(6001);
        heap.object(6005, 10, "Object", Some((6003, "var:state")));
        items(&mut heap, 6005, 60);
        for i in 0..60 {
            let above = if i == 0 { 6005 } else { 30_001 + 2 * (i - 1) };
            bare(&mut heap, (30_001 + 2 * i, size), 10, (above, "map"));
        }
        let found = heap.suspects();
        let held = &at(&found, "app.js: state").holds[0];
        (held.class.clone(), held.count)
    };
    assert_eq!(holds(400), ("(object_shape)".to_owned(), 60));
    assert_eq!(holds(100), ("Item".to_owned(), 60));
}

/// Ports, and what the machine has for each of them: all lead to one object of the program.
#[test]
fn as_many_of_two_classes_that_lead_to_the_same_are_one_row() {
    let rows = |second: u32| {
        let mut heap = of_java();
        heap.object(5001, 10, "Hub", Some((3, "hub")));
        for (class, first, count) in [("java.Port", 20_001, 60), ("java.Native", 30_001, second)] {
            for i in 0..count {
                heap.object(first + 2 * i, 60, class, Some((1, "x")));
                heap.edge(Some((first + 2 * i, "hub")), 5001);
            }
        }
        let found = heap.suspects();
        let large = found.iter().filter(|row| row.behind.as_deref() == Some("Hub"));
        large.map(|row| (row.holds[0].count, row.retained)).collect::<Vec<_>>()
    };
    assert_eq!(rows(60), [(60, 7200)]);
    assert_eq!(rows(59), [(60, 3600)]);
}

/// The body of a class is a call without a name, whose variable all methods share.
#[test]
fn a_variable_of_a_call_without_a_name_is_a_name() {
    let place = |named: bool, label: &str| {
        let mut heap = ordinary();
        let name = if named { format!(",\"name\":{}", heap.string("load")) } else { String::new() };
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":8,"identifier":5001,"heap":{{"size":10{name}}}}}"#
        );
        heap.edge(Some((1, "0")), 5001);
        heap.object(5003, 10, "Hash", Some((5001, label)));
        items(&mut heap, 5003, 60);
        let found = heap.suspects();
        holding(&found, "Item").expect("a row about the items").place.clone()
    };
    assert_eq!([place(false, "var:orders"), place(false, "%orders")], ["orders", "%orders"]);
    assert_eq!([place(true, "var:orders"), place(true, "%orders")], ["load{orders}", "load.%orders"]);
}

/// Classes of a program, each with a table of its own, in the list of what loaded them.
#[test]
fn what_a_loader_has_loaded_is_no_list() {
    let places = |names: [&str; 4]| {
        let mut heap = of_java();
        heap.object(5001, 10, "java.Loader", Some((1, "loader")));
        heap.object(5003, 10, "java.Object[]", Some((5001, "classes")));
        for (n, name) in (0..).zip(names) {
            let (class, name) = (6001 + 2 * n, heap.string(name));
            heap.named(6, (class, 10), name);
            heap.edge(Some((5003, "x")), class);
            for i in 0..60 {
                heap.object(20_001 + 1000 * n + 2 * i, 100, &format!("Item{n}"), Some((class, "x")));
            }
        }
        let found = heap.suspects();
        let rows = found.iter().filter(|row| row.retained >= 6000 && row.place != "root.app");
        rows.map(|row| row.holds[0].count).collect::<Vec<_>>()
    };
    assert_eq!(places(["Orders", "Prices", "Users", "Words"]), [60; 4]);
    assert_eq!(places(["Plugin"; 4]), [4], "loaded again and again");
}

/// What a library makes for the program is a function, whose scope in the library has what piles up.
#[test]
fn what_a_library_made_has_the_name_that_the_program_gave_it() {
    let place = |file: &str| {
        let mut heap = with_scope(6001);
        script(&mut heap, (5011, 5013), file);
        function(&mut heap, (6005, 10), 5013, (6003, "var:totals"));
        heap.object(6007, 10, "system / Context", Some((6005, "context")));
        heap.object(6009, 10, "Map", Some((6007, "var:atoms")));
        items(&mut heap, 6009, 60);
        let found = heap.suspects();
        holding(&found, "Item").expect("a row about the items").place.clone()
    };
    assert_eq!(place("/srv/node_modules/atoms/family.js"), "app.js: totals{atoms}");
    assert_eq!(place("/srv/family.js"), "family.js: atoms");
}

/// Objects that a library made, each with a function of its own and one of the program's.
#[test]
fn functions_of_the_program_say_more_than_those_of_a_library() {
    let behind = |file: &str| {
        let mut heap = with_scope(6001);
        script(&mut heap, (5011, 5013), "/srv/node_modules/atoms/atom.js");
        script(&mut heap, (5015, 5017), file);
        heap.object(6005, 10, "Map", Some((6003, "var:atoms")));
        for i in 0..60 {
            let id = 20_001 + 10 * i;
            heap.object(id, 100, "Array", Some((6005, "x")));
            function(&mut heap, (id + 2, 10), 5013, (id, "toString"));
            function(&mut heap, (id + 4, 10), 5017, (id, "read"));
        }
        at(&heap.suspects(), "app.js: atoms").behind.clone()
    };
    assert_eq!(behind("/srv/totals.js").as_deref(), Some("(anonymous) (totals.js)"));
    assert_eq!(behind("/srv/node_modules/atoms/read.js").as_deref(), Some("(anonymous) (atom.js)"));
}

/// A tree of tables: a few at its root, hundreds below. Tables of tables of tables are three names in the program.
#[test]
fn tables_of_a_tree_are_all_counted() {
    let count = |inner: &str, between: u32| {
        let mut heap = with_scope(6001);
        heap.object(6005, 10, "Map", Some((6003, "var:words")));
        for n in 0..40 {
            let mut branch = 20_001 + 1000 * n;
            heap.object(branch, 10, "Map", Some((6005, inner)));
            for _ in 0..between {
                heap.object(branch + 2, 10, "Map", Some((branch, inner)));
                branch += 2;
            }
            for i in 1..=30 {
                heap.object(branch + 2 * i, 15, "Map", Some((branch, inner)));
            }
        }
        at(&heap.suspects(), "app.js: words").holds[0].count
    };
    assert_eq!(count("table", 2), 40 * 33);
    assert_eq!(count("table", 1), 40, "tables of tables of tables");
    assert_eq!(count("x", 2), 40, "fields of records");
}

/// A table whose keys have most of the bytes.
#[test]
fn what_stands_in_a_table_is_said_before_its_keys() {
    let holds = |records: u32| {
        let mut heap = with_scope(6001);
        constructor(&mut heap, 6101, "Record");
        heap.object(6005, 10, "Map", Some((6003, "var:limits")));
        for i in 0..60 {
            bare(&mut heap, (20_001 + 2 * i, 100), 3, (6005, "x"));
        }
        for i in 0..records {
            heap.object(30_001 + 2 * i, 10, "Record", Some((6005, "x")));
        }
        let found = heap.suspects();
        let held = &at(&found, "app.js: limits").holds[0];
        (held.class.clone(), held.count)
    };
    assert_eq!(holds(60), ("Record".to_owned(), 60));
    assert_eq!(holds(30), ("(string_flat)".to_owned(), 60));
}

/// All functions of a machine were made in its own context, which has lists of its own, and is around the scopes of a program.
#[test]
fn what_all_functions_were_made_in_is_no_part_of_one_of_them() {
    let mut heap = with_scope(6001);
    script(&mut heap, (5011, 5013), "node:natives");
    function(&mut heap, (6005, 10), 5013, (1, "parse"));
    let name = heap.string("system / NativeContext");
    heap.named(4, (6007, 10), name);
    heap.edge(Some((6005, "context")), 6007);
    heap.edge(Some((6003, "previous")), 6007);
    heap.object(6009, 10, "List", Some((6007, "table")));
    items(&mut heap, 6009, 60);
    let found = heap.suspects();
    let row = holding(&found, "Item").expect("a row about the items");
    assert_eq!(row.place, "system / NativeContext");
}

/// A library has lists of all that it made, and two of them have the same.
#[test]
fn lists_that_are_among_what_they_hold_are_named() {
    let place = |file: &str| {
        let mut heap = with_scope(6001);
        script(&mut heap, (5011, 5013), file);
        function(&mut heap, (6005, 10), 5013, (6003, "var:report"));
        heap.object(6007, 10, "system / Context", Some((6005, "context")));
        for (n, list) in (0..).zip(["var:columns", "var:filters", "var:settings"]) {
            heap.object(6009 + 2 * n, 10, "Array", Some((6007, list)));
        }
        for i in 0..60 {
            heap.object(20_001 + 2 * i, 100, "Array", Some((6009, "x")));
            heap.edge(Some((6011, "x")), 20_001 + 2 * i);
        }
        let found = heap.suspects();
        holding(&found, "Array").expect("a row about arrays").place.clone()
    };
    assert_eq!(place("/srv/node_modules/sheet/sheet.js"), "app.js: report (columns, filters)");
    assert_eq!(place("/srv/sheet.js"), "sheet.js: columns, filters");
}

/// The thread of a timer leads to what a server has, by fields that the program has not named.
#[test]
fn what_a_helper_of_the_runtime_works_on_is_named_by_the_program() {
    let place = |class: &str| {
        let mut heap = of_java();
        heap.object(5001, 10, class, Some((1, "0")));
        heap.object(5003, 10, "java.Server", Some((5001, "task")));
        heap.object(5005, 10, "java.List", Some((5003, "contexts")));
        for n in 0..4 {
            let above = if n == 0 { (1, "main") } else { (5999 + 2 * n, "next") };
            heap.object(6001 + 2 * n, 10, "Gateway", Some(above));
        }
        heap.edge(Some((6007, "server")), 5003);
        items(&mut heap, 5005, 60);
        let found = heap.suspects();
        holding(&found, "Item").expect("a row about the items").place.clone()
    };
    assert_eq!(place("java.TimerThread"), "root.main(.next)×3.server");
    assert_eq!(place("java.Thread"), "java.Thread");
}

/// A registry of a page that scripts know, behind numbers of the engine.
#[test]
fn what_scripts_know_is_said_before_its_page() {
    let place = |class: &str| {
        let mut heap = with_scope(6001);
        heap.object(7001, 10, "Window / https://example.org", Some((1, "")));
        heap.object(7003, 10, class, Some((7001, "32")));
        for i in 0..60 {
            heap.object(20_001 + 2 * i, 100, "blink::MapEntry", Some((7003, "1")));
        }
        let found = heap.suspects();
        holding(&found, "blink::MapEntry").map(|row| row.place.clone())
    };
    let page = "Window / https://example.org";
    assert_eq!(place("HighlightRegistry"), Some("HighlightRegistry".to_owned()));
    assert_eq!(place("blink::Registry").as_deref(), Some(page));
}

/// A server keeps what was registered by domain. One domain has most of it, the other more objects of the program's.
#[test]
fn what_stands_behind_a_part_is_in_that_part() {
    let mut heap = of_java();
    heap.object(5001, 10, "java.Server", Some((1, "server")));
    heap.object(5003, 10, "java.Domain", Some((5001, "shop")));
    heap.object(5005, 10, "java.Domain", Some((5001, "web")));
    for i in 0..60 {
        let (entry, report) = (20_001 + 4 * i, 20_003 + 4 * i);
        heap.object(entry, 10, "java.Named", Some((5003, "x")));
        heap.object(report, 200, "Report", Some((entry, "object")));
    }
    for i in 0..100 {
        let (entry, model) = (30_001 + 4 * i, 30_003 + 4 * i);
        heap.object(entry, 1, "java.Named", Some((5005, "x")));
        heap.object(model, 1, "Model", Some((entry, "object")));
    }
    let found = heap.suspects();
    let row = at(&found, "root.server");
    assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("java.Named", 60), "{row:?}");
    assert_eq!(row.behind.as_deref(), Some("Report"));
}

/// A heap with threads, held by the object `of`, that each have a value of a variable, of this class and with 5,000 bytes below.
fn with_variable(of: u32, threads: u32, value: &str) -> Heap {
    let mut heap = ordinary();
    for (key, name) in [
        ("heap.runtime", "java.*"),
        ("heap.runtime", "root"),
        ("heap.thread", "java.Thread"),
        ("heap.entry", "java.*$Entry"),
    ] {
        heap.fact(key, name);
    }
    heap.object(5001, 10, "Tracing", Some((1, "class")));
    heap.object(5003, 10, "java.Variable", Some((5001, "SPANS")));
    for i in 0..threads {
        let id = 10_001 + 1000 * i;
        heap.object(id, 10, "java.Thread", Some((of, &format!("thread{i}"))));
        let (name, variable) = (heap.string("java.Locals$Entry"), r#""x":{"thread_local":5003}"#);
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":1,"identifier":{},"heap":{{"size":20,"class":{name}}},{variable}}}"#,
            id + 2,
        );
        heap.edge(Some((id, "locals")), id + 2);
        heap.object(id + 4, 10, value, Some((id + 2, "value")));
        for at in 0..10 {
            heap.object(id + 6 + 2 * at, 500, "Span", Some((id + 4, &format!("[{at}]"))));
        }
    }
    heap
}

#[test]
fn what_threads_have_of_one_variable_is_one_row_at_the_variable() {
    let rows = |earlier: &[&Heap], heap: &Heap| {
        let earlier: Vec<Earlier> = earlier.iter().map(|heap| remembered(heap.load("none"))).collect();
        let (graph, clues) = heap.load("none");
        let found = super::found(graph, &clues, &earlier);
        found
            .iter()
            .filter(|row| row.level != Level::Note && row.place != "App")
            .map(|row| (row.place.clone(), row.holds[0].count, row.bytes(), row.history.clone()))
            .collect::<Vec<_>>()
    };
    let one = with_variable(1, 1, "java.List");
    assert_eq!(rows(&[], &one), [("Tracing.SPANS of a thread".to_owned(), 10, 5010, vec![])]);
    let four = with_variable(1, 4, "java.List");
    assert_eq!(rows(&[], &four), [("Tracing.SPANS of 4 threads".to_owned(), 40, 20_040, vec![])]);
    // Of many that are alike in a dump alone, what stands behind them says as much.
    let many = with_variable(1, 40, "java.List");
    assert_eq!(rows(&[], &many).iter().map(|row| (row.0.as_str(), row.1)).collect::<Vec<_>>(), [("", 40)]);
    let name = || "Tracing.SPANS of 40 threads".to_owned();
    assert_eq!(rows(&[&many], &many), [(name(), 400, 200_400, vec![200_400, 200_400])]);
    let own = with_variable(1, 40, "Spans");
    assert_eq!(rows(&[&own], &own), [(name(), 40, 200_400, vec![200_400, 200_400])]);
    // They are more than they were.
    let more = rows(&[&with_variable(1, 20, "java.List")], &many);
    assert!(more.iter().all(|row| !row.0.contains("SPANS")), "{more:?}");
    // By their name in each dump.
    let few = with_variable(1, 2, "java.List");
    let grown = rows(&[&one, &few], &four);
    assert_eq!(grown, [("Tracing.SPANS of 4 threads".to_owned(), 40, 20_040, vec![5010, 10_020, 20_040])]);
}

#[test]
fn a_variable_of_threads_is_named_whatever_the_program_has_the_threads_in() {
    let mut heap = with_variable(6001, 2, "java.List");
    heap.object(6001, 10, "Pool", Some((1, "pool")));
    let found = heap.suspects();
    assert!(found.iter().any(|row| row.place == "Tracing.SPANS of 2 threads"), "{found:?}");
}

#[test]
fn what_the_program_has_of_a_thread_is_named_before_its_variables() {
    let mut heap = with_variable(1, 1, "java.List");
    let thread = 10_001;
    heap.object(6001, 10, "Job", Some((1, "job")));
    heap.edge(Some((6001, "spans")), thread + 4);
    let found = heap.suspects();
    assert!(found.iter().all(|row| !row.place.starts_with("Tracing.SPANS")), "{found:?}");
}

/// A registry of the runtime's has for each class of a page an object of its own, and beside it the table that the class uses.
#[test]
fn what_stands_beside_plain_tables_says_whose_they_are() {
    let row = |functions: u32| {
        let mut heap = with_scope(3001);
        heap.object(6001, 10, "Registry", Some((1, "registry")));
        for n in 0..60 {
            heap.object(20_001 + 2 * n, 10, "Definition", Some((6001, "x")));
            heap.object(30_001 + 2 * n, 100, "Array", Some((6001, "x")));
            if n < functions {
                function(&mut heap, (40_001 + 2 * n, 10), 5007, (20_001 + 2 * n, "made"));
            }
        }
        let found = heap.suspects();
        let row = found.iter().find(|row| row.class == "Registry").expect("a row about the registry");
        (row.holds[0].class.clone(), row.holds[0].count, row.behind.is_some(), row.level)
    };
    assert_eq!(row(60), ("Definition".to_owned(), 60, true, Level::Large));
    assert_eq!(row(5), ("Array".to_owned(), 60, false, Level::Note));
}

/// Modules that the machine alone knows hang directly below the roots, and are inner parts by their class.
#[test]
fn what_alone_keeps_several_things_is_no_entry() {
    let count = |things: u32| {
        let mut heap = with_scope(3001);
        for n in 0..40 {
            let module = 20_001 + 100 * n;
            heap.object(module, 10, "system / Module", Some((1, "handle")));
            function(&mut heap, (module + 2, 10), 5007, (module, "start"));
            for thing in 1..things {
                heap.object(module + 2 + 2 * thing, 40, "Array", Some((module, "x")));
            }
        }
        let found = heap.suspects();
        let row = found.iter().find(|row| row.kind == Kind::Class && row.class == "system / Module");
        row.map(|row| (row.holds[0].count, row.behind.is_some()))
    };
    assert_eq!(count(3), Some((40, true)));
    assert_eq!(count(2), None);
}

/// A cache of `entries` soft references to objects of 1,000 bytes each.
fn soft_cache(entries: u32) -> Heap {
    let mut heap = ordinary();
    heap.object(5001, 40, "Map", Some((3, "images")));
    for i in 0..entries {
        let (entry, image) = (6001 + 4 * i, 6003 + 4 * i);
        heap.object(entry, 20, "Ref", Some((5001, &format!("entry{i}"))));
        heap.object(image, 1000, "Image", None);
        let label = heap.string("referent");
        let _ = writeln!(
            heap.edges,
            r#"{{"type":"edge","subtype":9,"source":{entry},"dest":{image},"label":{label}}}"#
        );
    }
    heap
}

#[test]
fn what_soft_references_alone_hold_counts_and_is_said() {
    let of = |entries| {
        let (graph, clues) = soft_cache(entries).load("identifier");
        suspects(graph, &clues, &[], LIMITS).expect("strings can be read")
    };
    let found = of(60);
    let row = at(&found.suspects, "root.app.images");
    assert_eq!((row.level, row.retained), (Level::Large, 40 + 60 * 1020));
    assert_eq!(found.unreached.nodes, 0, "they are no garbage");
    let said = found.unreached.softness().expect("most of the heap is soft");
    assert!(said.starts_with("soft references alone hold 60 objects, 84.1 % of the heap"), "{said}");
    // Where it is less than a fiftieth of the heap, it is left out.
    let mut heap = soft_cache(1);
    heap.object(5003, 90_000, "Big", Some((3, "big")));
    let (graph, clues) = heap.load("identifier");
    let found = suspects(graph, &clues, &[], LIMITS).expect("strings can be read");
    assert_eq!((found.unreached.nodes, found.unreached.softness()), (1, None));
}

#[test]
fn what_soft_references_hold_is_no_leak_however_it_grows() {
    let earlier = [20, 40].map(|entries| remembered(soft_cache(entries).load("identifier")));
    let (graph, clues) = soft_cache(60).load("identifier");
    let found = found(graph, &clues, &earlier);
    let row = at(&found, "root.app.images");
    assert_eq!((row.level, row.course), (Level::Large, Some(Course::Steady)));
}

/// A pool's thread has items; a gateway of the program leads to the group with all threads.
#[test]
fn a_group_of_threads_names_none_of_them() {
    let place = |list: &str| {
        let mut heap = of_java();
        heap.object(6001, 10, "Gateway", Some((1, "main")));
        heap.object(6003, 10, "java.Group", Some((6001, "group")));
        heap.object(6005, 10, list, Some((6003, "threads")));
        heap.object(6007, 10, "java.Thread", Some((6005, "0")));
        for n in 0..20 {
            let above = if n == 0 { (1, "stack") } else { (6999 + 2 * n, "next") };
            heap.object(7001 + 2 * n, 10, "java.Frame", Some(above));
        }
        heap.edge(Some((7039, "thread")), 6007);
        heap.object(6009, 10, "java.List", Some((6007, "held")));
        items(&mut heap, 6009, 60);
        let found = heap.suspects();
        holding(&found, "Item").expect("a row about the items").place.clone()
    };
    assert_eq!(place("java.Thread[]"), "java.Thread");
    assert_eq!(place("java.Worker[]"), "java.Thread");
}

/// The functions of a constructor keep its object; a table has one of them and a list of timers another.
#[test]
fn objects_that_functions_of_their_constructor_keep_pile_up() {
    let row = |class: &str| {
        let mut heap = with_scope(3001);
        constructor(&mut heap, 5009, "Channel");
        heap.object(6001, 10, "Map", Some((3003, "var:channels")));
        // A longer way.
        for n in 0..8 {
            let above = if n == 0 { (1, "timers") } else { (6999 + 2 * n, "next") };
            heap.object(7001 + 2 * n, 10, "Timers", Some(above));
        }
        for n in 0..40 {
            let id = 20_001 + 10 * n;
            function(&mut heap, (id, 1), 5007, (6001, &format!("channel{n}")));
            function(&mut heap, (id + 2, 1), 5007, (7015, &format!("timer{n}")));
            heap.object(id + 4, 1, "system / Context", Some((id, "context")));
            heap.edge(Some((id + 2, "context")), id + 4);
            heap.object(id + 6, 100, class, Some((id + 4, "var:this")));
        }
        let found = heap.suspects();
        found.iter().find(|row| row.class == class).map(|row| (row.place.clone(), row.holds[0].count))
    };
    assert_eq!(row("Channel"), Some(("app.js: channels".to_owned(), 40)));
    // What is nobody's class is part of what the functions have.
    assert_eq!(row("Object"), None);
}

/// The entry of a method refers to the class that it was written for.
#[test]
fn a_method_names_nothing_of_the_class_that_it_is_of() {
    let mut heap = ordinary();
    let mut class = |id: u32, name: &str, above: (u32, &str)| {
        let name = heap.string(name);
        heap.named(6, (id, 10), name);
        heap.edge(Some(above), id);
    };
    class(5001, "Record", (1, "class"));
    class(5003, "Object", (1, "class"));
    bare(&mut heap, (5005, 1), 1, (5001, "prototype"));
    heap.edge(Some((5005, "prototype")), 5003);
    heap.object(5007, 10, "Tokens", Some((5003, "prototype")));
    heap.object(5009, 10, "Keys", Some((5007, "prototype")));
    items(&mut heap, 5009, 60);
    let found = heap.suspects();
    let row = holding(&found, "Item").expect("a row about the items");
    assert!(!row.place.starts_with("Record"), "{row:?}");
}
