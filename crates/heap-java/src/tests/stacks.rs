//! Stacks at which objects were allocated.

use heap_base::Blob;
use heap_record::testing::Recorder;
use heap_record::{SnapshotSelector, Stacks, Wants};

use super::make::{BYTES, CLASS, HOTSPOT, Hprof, NODE, NODES, OBJECT, THREAD, Value, sample};
use super::write::rewritten_as;
use super::{SUMS, read, read_as, sums};
use crate::Options;

/// The serial number of a trace that no record has.
const LOST: u32 = 77;

/// The heap of one dump: an object of each kind, with these traces in turn.
fn heap(file: &mut Hprof, traces: [u32; 6]) {
    let mut traces = traces.into_iter();
    let mut next = |file: &mut Hprof| file.serial = traces.next().unwrap_or(0);
    file.class(OBJECT, (0, 0), &[], &[]);
    file.class(CLASS, (OBJECT, 0), &[], &[]);
    next(file);
    file.class(NODE, (OBJECT, 0), &[], &[("next", Value::Ref(0))]);
    file.serial = 0;
    file.class(BYTES, (OBJECT, 0), &[], &[]);
    file.class(NODES, (OBJECT, 0), &[], &[]);
    file.class(THREAD, (OBJECT, 0), &[], &[]);
    file.instance(0x3000, THREAD, &[]);
    next(file);
    file.instance(0x4000, NODE, &[Value::Ref(0x4020)]);
    next(file);
    file.instance(0x4020, NODE, &[Value::Ref(0)]);
    next(file);
    file.objects(0x4040, NODES, &[0x4000, 0]);
    next(file);
    file.primitives(0x4080, 8, b"some", 1);
    next(file);
    file.raw(&[0xc3]);
    let mut left_out = if file.bytes[22] == 8 { vec![0; 4] } else { Vec::new() };
    left_out.extend(0x40c0_u32.to_be_bytes());
    left_out.extend(file.serial.to_be_bytes());
    left_out.extend([0, 0, 0, 3, 8]);
    file.raw(&left_out);
    file.serial = 0;
    file.root(0x08, 0x3000, &[1, 2]);
    file.root(0x05, NODE, &[]);
}

/// A file with traces of two methods in three lines, one of a thread, and one without frames; its heap is to follow.
fn start(id_size: usize) -> Hprof {
    let mut file = Hprof::new('2', id_size);
    let loads = [
        (OBJECT, "java/lang/Object"),
        (CLASS, "java/lang/Class"),
        (NODE, "app/Node"),
        (BYTES, "[B"),
        (NODES, "[Lapp/Node;"),
        (THREAD, "java/lang/Thread"),
    ];
    for (serial, (class, name)) in (1..).zip(loads) {
        file.load(serial, class, name);
    }
    // The number 0 is one as any other. Frames 2 and 9 are the same method in the same line.
    for (id, method, line) in
        [(0, "open", 4), (1, "open", 5), (2, "main", 9), (9, "main", 9), (3, "read", -3)]
    {
        file.frame(id, method, 3, line);
    }
    file.trace(1, 0, &[]);
    file.trace(2, 1, &[2]);
    file.trace(300, 0, &[0, 2]);
    file.trace(301, 0, &[3, 0, 9]);
    file.trace(302, 0, &[1, 0x99]);
    file
}

fn file(id_size: usize, traces: [u32; 6]) -> Vec<u8> {
    let mut file = start(id_size);
    heap(&mut file, traces);
    file.finish()
}

/// The stacks of a dump: of each node that has one its number and its functions with their lines, innermost first.
fn stacks(recorder: &Recorder) -> Vec<(i64, i64, Vec<String>)> {
    let mut stacks = Stacks::default();
    let value = recorder.values("heap.stacks").last().copied().unwrap_or_default();
    stacks.metadata(&heap_record::Metadata { key: "heap.stacks", value, ..Default::default() });
    for record in recorder.all_extensions() {
        stacks.extension(&record.extension());
    }
    let spelt = |frame| {
        let function = stacks.function(frame).expect("each frame has a function");
        let text = |id: Option<i64>| id.map_or(String::new(), |id| recorder.text(id).into_owned());
        format!("{} {}:{}", text(function.name), text(function.script), function.line)
    };
    let nodes = recorder.all_nodes().into_iter();
    let of = |node: &heap_record::testing::NodeRecord| {
        let stack = stacks.of(&node.node())?;
        Some((node.id & !1, stack, stacks.frames(stack).map(spelt).collect()))
    };
    nodes.filter_map(of).collect()
}

#[test]
fn objects_of_every_kind_have_the_stack_of_their_trace() {
    for id_size in [4, 8] {
        let recorder = read(&file(id_size, [300, 300, 301, 302, 1, 300]));
        assert_eq!((recorder.error.as_deref(), recorder.problems()), (None, vec![]));
        let (open, main) = ("app.Node.open Main.java:4", "app.Node.main Main.java:9");
        let short = vec![open.to_owned(), main.to_owned()];
        let long = vec!["app.Node.read Main.java:0".to_owned(), open.to_owned(), main.to_owned()];
        let lost = vec!["app.Node.open Main.java:5".to_owned(), " :0".to_owned()];
        let expected = [
            (NODE as i64, 300, short.clone()),
            (0x4000, 300, short.clone()),
            (0x4020, 301, long),
            (0x4040, 302, lost),
            (0x40c0, 300, short),
        ];
        assert_eq!(stacks(&recorder), expected);
        // `main` once, and the frame without a record: what is called in two lines is two functions.
        assert_eq!(recorder.bodies("java.trace_function").len(), 5);
        let of: Vec<_> = recorder.all_nodes().into_iter().filter(|node| node.id == 0x4041).collect();
        assert_eq!(of[0].rest, r#""java":{"length":2,"used":1,"trace":302}"#);
    }
}

#[test]
fn a_dump_without_frames_for_its_objects_is_as_it_was() {
    let plain = read(&file(8, [0; 6]));
    // One for all, whether it has a record or not; the traces that are there are those of threads.
    for traces in [[1; 6], [0, 1, 1, 0, 1, 1]] {
        let recorder = read(&file(8, traces));
        assert_eq!(recorder.problems(), Vec::<String>::new());
        let same = format!("{recorder:?}") == format!("{plain:?}");
        assert!(
            same && recorder.values("heap.stacks").is_empty()
                && recorder.bodies("java.trace_node").is_empty()
        );
    }
    let named = sample(HOTSPOT);
    assert!(read(&named).values("heap.stacks").is_empty());
}

#[test]
fn a_trace_without_a_record_is_said_as_it_is() {
    let recorder = read(&file(8, [0, LOST, 0, 0, 0, 1]));
    assert_eq!(stacks(&recorder), [(0x4000, i64::from(LOST), vec![])]);
    assert_eq!(recorder.problems(), Vec::<String>::new());
}

#[test]
fn each_dump_of_a_file_has_its_own_stacks() {
    let mut file = start(8);
    heap(&mut file, [1; 6]);
    file.end(0x1c);
    for traces in [[300; 6], [302; 6]] {
        file.serial = 0;
        heap(&mut file, traces);
        file.end(0x1c);
    }
    let dump = Blob::from_bytes(&file.bytes[..]).into();
    let recorder = Recorder::new(Wants::ALL)
        .with(|sink| crate::read(&dump, SnapshotSelector::All, Options::default(), sink));
    // Indexes of arrays have their texts in each dump.
    let mut problems = recorder.problems();
    problems.retain(|problem| !problem.starts_with("came twice"));
    assert_eq!((recorder.error.as_deref(), problems), (None, vec![]));
    assert_eq!(recorder.values("heap.snapshot"), ["0", "1", "2"]);
    assert_eq!(recorder.values("heap.stacks").len(), 2);
    assert_eq!(recorder.bodies("java.trace_node").len(), 2 + 2);
}

#[test]
fn sums_by_class_need_no_stacks() {
    let bytes = file(8, [300, 300, 301, 302, 1, 300]);
    let summed = read_as(&bytes, Options::default(), SUMS);
    assert!(summed.all_extensions().is_empty());
    assert_eq!(sums(&summed), sums(&read(&bytes)));
}

#[test]
fn serial_numbers_are_written_as_they_were() {
    for id_size in [4, 8] {
        // Threads have traces of their own, with numbers that no object has.
        let original = file(id_size, [300, 301, 1, 302, 2, LOST]);
        let (again, left_out) = rewritten_as(&original, Options::default());
        assert_eq!(left_out, Vec::<String>::new());
        let (before, after) = (read(&original), read(&again));
        assert_eq!(after.problems(), Vec::<String>::new());
        assert_eq!(stacks(&before), stacks(&after));
        assert_eq!(before.bodies("java.trace_node"), after.bodies("java.trace_node"));
        let thread = |recorder: &Recorder| {
            super::edges(recorder).iter().filter(|edge| edge.starts_with("heap.frame")).count()
        };
        assert_eq!((thread(&before), thread(&after)), (1, 1));
        assert!(rewritten_as(&again, Options::default()).0 == again);
    }
}
