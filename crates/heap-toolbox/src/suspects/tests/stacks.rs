//! Which function allocated what piles up.

use std::fmt::Write as _;

use heap_record::{SnapshotSelector, read};

use super::*;

/// A call of the runtime's, the constructor, what calls it, what calls that, a function of another name, and the root of all.
const FRAMES: &str = r#"{"type":"x.function","name":"(root)"}
{"type":"x.function","name":"set","script_name":"node:store","line":7,"column":1}
{"type":"x.function","name":"Session","script_name":"/srv/app.js","line":8,"column":3}
{"type":"x.function","name":"open","script_name":"/srv/app.js","line":9,"column":14}
{"type":"x.function","name":"load","script_name":"/srv/app.js","line":20,"column":1}
{"type":"x.frame","id":1,"function":0}
{"type":"x.frame","id":2,"parent":1,"function":3}
{"type":"x.frame","id":3,"parent":2,"function":2}
{"type":"x.frame","id":4,"parent":3,"function":1}
{"type":"x.frame","id":5,"parent":1,"function":4}
{"type":"x.frame","id":6,"parent":1,"function":1}
"#;

/// The same where functions have the names of their classes, and no script says whose they are.
const METHODS: &str = r#"{"type":"x.function","name":"java.util.HashMap.put","script_name":"HashMap.java","line":600}
{"type":"x.function","name":"app.Session.<init>","script_name":"Session.java","line":8}
{"type":"x.function","name":"app.Server.<init>","script_name":"Server.java","line":9}
{"type":"x.frame","id":1,"function":2}
{"type":"x.frame","id":2,"parent":1,"function":1}
{"type":"x.frame","id":3,"parent":2,"function":0}
"#;

/// Who allocated a hundred sessions with these stacks, and the sentence about them.
fn allocated(stack: impl Fn(u32) -> u32) -> (Option<String>, String) {
    allocated_by(FRAMES, "node:*", "Session", stack)
}

fn allocated_by(
    frames: &str,
    runtime: &str,
    class: &str,
    stack: impl Fn(u32) -> u32,
) -> (Option<String>, String) {
    let mut stream = String::from(
        r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"metadata","key":"heap.runtime","value":"node:*"}
{"type":"metadata","key":"heap.stacks","value":"x.stack x.frame x.function"}
{"type":"type","name":"x.function","fields":{"name":"string","script_name":"string","line":"integer","column":"integer"}}
{"type":"node_type","nodetypeid":1,"name":"object"}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"edge_type","edgetypeid":2,"name":"array element"}
"#,
    );
    stream = stream.replace("node:*", runtime);
    stream += frames;
    stream += r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":0,"class":"root"}}
{"type":"node","subtype":1,"identifier":3,"heap":{"size":100,"class":"Map"}}
{"type":"edge","subtype":1,"source":1,"dest":3,"label":"sessions"}
"#;
    for i in 0..100 {
        let id = 5 + 2 * i;
        let _ = writeln!(
            stream,
            r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":100,"class":"{class}"}},"x":{{"stack":{}}}}}"#,
            stack(i)
        );
        let _ = writeln!(stream, r#"{{"type":"edge","subtype":2,"source":3,"dest":{id},"label":"{i}"}}"#);
    }
    let mut load = super::loader();
    read::read(stream.as_bytes(), SnapshotSelector::Last, &mut load).expect("the stream is sound");
    let (graph, clues) = load.build().expect("the records are a graph");
    let found = found(graph, &clues, &[]);
    let suspect = at(&found, "root.sessions");
    (suspect.allocated.clone(), super::super::sentences::sentence(suspect))
}

#[test]
fn what_calls_the_constructor_allocated_it() {
    let (allocated, text) = allocated(|_| 4);
    assert_eq!(allocated.as_deref(), Some("open (app.js:9:14)"));
    assert!(text.ends_with("of the heap, allocated by open (app.js:9:14)"), "{text}");
}

#[test]
fn the_function_of_most_objects_is_named() {
    assert_eq!(allocated(|i| if i < 60 { 5 } else { 3 }).0.as_deref(), Some("load (app.js:20:1)"));
    assert_eq!(allocated(|i| if i < 50 { 5 } else { 3 }).0, None, "none has most");
    assert_eq!(allocated(|i| if i < 50 { 5 } else { 0 }).0, None, "the others have no stack");
}

#[test]
fn where_the_program_has_no_function_the_innermost_is_named() {
    assert_eq!(allocated(|_| 6).0.as_deref(), Some("set (node:store:7:1)"));
    assert_eq!(allocated(|_| 1).0.as_deref(), Some("(root)"));
}

#[test]
fn constructors_and_the_runtime_are_known_by_names_of_classes_too() {
    let by = |stack| allocated_by(METHODS, "java.*", "app.Session", |_| stack).0;
    for stack in 1..4 {
        // The constructor of another class made it.
        assert_eq!(by(stack).as_deref(), Some("app.Server.<init> (Server.java:9)"));
    }
    let other = allocated_by(METHODS, "java.*", "app.Ses", |_| 3).0;
    assert_eq!(other.as_deref(), Some("app.Session.<init> (Session.java:8)"));
}
