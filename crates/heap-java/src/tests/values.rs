//! Values of primitive fields.

use heap_record::NumberMark;
use heap_record::testing::Recorder;
use heap_record::wants::{Edges, Wants};

use super::make::{HOTSPOT, Hprof, Style, Value, sample};
use super::write::rewritten_as;
use super::{read, read_as};
use crate::Options;

fn with_values() -> Options {
    Options { values: true, ..Options::default() }
}

/// Edges as lines: subtype, source, destination or members, label.
fn lines(recorder: &Recorder) -> Vec<String> {
    let edges = recorder.all_edges().into_iter().map(|edge| {
        let label = edge.label.map_or_else(|| "-".into(), |id| recorder.text(id).into_owned());
        let end = edge.dest.map_or_else(
            || edge.rest.clone(),
            |dest| {
                if dest & 1 == 1 { format!("@{:x}", dest & !1) } else { (dest >> 1).to_string() }
            },
        );
        format!("{} {:x} {end} {label}", recorder.edge_type(edge.subtype), edge.source & !1)
    });
    edges.collect()
}

/// One object with every type of field, two of one name in one class, one that hides another; and static fields.
fn all_types(id_size: usize) -> Vec<u8> {
    use Value::{Bits, Byte, Int, Long, Ref};
    let mut file = Hprof::new('2', id_size);
    for (serial, (class, name)) in (1..).zip([(0x1000, "java/lang/Object"), (0x1100, "A"), (0x1200, "B")]) {
        file.load(serial, class, name);
    }
    file.class(0x1000, (0, 0), &[], &[]);
    let statics = [
        ("count", Int(-3)),
        ("self", Ref(0x2000)),
        ("ratio", Bits(7, 8, 0.1_f64.to_bits())),
        ("twice", Int(0)),
        ("twice", Long(-7)),
    ];
    file.class(0x1100, (0x1000, 0), &statics, &[("n", Int(0)), ("next", Ref(0)), ("f", Bits(6, 4, 0))]);
    let fields = [
        ("yes", Bits(4, 1, 0)),
        ("c", Bits(5, 2, 0)),
        ("d", Bits(7, 8, 0)),
        ("b", Byte(0)),
        ("s", Bits(9, 2, 0)),
        ("n", Int(0)),
        ("l", Long(0)),
        ("most", Long(0)),
        ("least", Long(0)),
        ("nan", Bits(7, 8, 0)),
        ("same", Int(0)),
        ("same", Ref(0)),
        ("same", Long(0)),
    ];
    file.class(0x1200, (0x1100, 0), &[], &fields);
    let values = [
        Bits(4, 1, 1),
        Bits(5, 2, 0xfffe),
        Bits(7, 8, 1.5_f64.to_bits()),
        Byte(0x80),
        Bits(9, 2, 0x8000),
        Int(i32::MIN),
        Long(1 << 61),
        Long(i64::MAX),
        Long(i64::MIN),
        Bits(7, 8, f64::NAN.to_bits()),
        Int(0),
        Ref(0x2000),
        Long(9),
        Int(5),
        Ref(0x2000),
        Bits(6, 4, 0.1_f32.to_bits().into()),
    ];
    file.instance(0x2000, 0x1200, &values);
    file.root(0x05, 0x1200, &[]);
    file.finish()
}

#[test]
fn primitive_fields_are_edges_to_their_values() {
    for id_size in [4, 8] {
        let recorder = read_as(&all_types(id_size), with_values(), Wants::ALL);
        assert_eq!(recorder.error, None);
        assert_eq!(recorder.problems(), Vec::<String>::new());
        let found = lines(&recorder);
        let expected = [
            "java.static 1100 -3 count",
            "java.static 1100 @2000 self",
            "java.static 1100 \"heap\":{\"value\":0.1} ratio",
            "java.static 1100 0 twice",
            "java.static 1100 -7 twice",
            "object property 2000 1 yes",
            "object property 2000 65534 c",
            "object property 2000 \"heap\":{\"value\":1.5} d",
            "object property 2000 -128 b",
            "object property 2000 -32768 s",
            "object property 2000 -2147483648 n",
            "object property 2000 2305843009213693952 l",
            "object property 2000 \"heap\":{\"value\":9.223372036854776e+18},\"java\":{\"long\":\"0x7fffffffffffffff\"} most",
            "object property 2000 \"heap\":{\"value\":-9.223372036854776e+18},\"java\":{\"long\":\"-0x8000000000000000\"} least",
            "object property 2000 \"heap\":{\"value\":\"NaN\"} nan",
            "object property 2000 0 same",
            "object property 2000 @2000 B.same",
            "object property 2000 9 B.same",
            "object property 2000 5 A.n",
            "object property 2000 @2000 next",
            "object property 2000 \"heap\":{\"value\":0.10000000149011612} f",
        ];
        let found: Vec<&String> = found.iter().filter(|l| !l.contains('<') && !l.contains("root")).collect();
        assert_eq!(found, expected, "{id_size}");
    }
}

#[test]
fn values_are_there_only_if_asked_for_and_never_by_index() {
    for bytes in [all_types(8), sample(HOTSPOT)] {
        let plain = lines(&read(&bytes));
        let with = lines(&read_as(&bytes, with_values(), Wants::ALL));
        let is_value = |line: &&String| {
            line.contains("heap") && line.contains('{') || {
                let end = line.rsplit(' ').nth(1).unwrap_or_default();
                line.starts_with("object") && end.parse::<i64>().is_ok()
                    || line.starts_with("java.static") && end.parse::<i64>().is_ok()
            }
        };
        assert!(with.len() > plain.len());
        assert_eq!(
            with.iter().filter(|line| !is_value(line)).collect::<Vec<_>>(),
            plain.iter().collect::<Vec<_>>()
        );
        let by_index = Wants { edges: Edges::ByIndex, ..Wants::ALL };
        let indexes = |options| read_as(&bytes, options, by_index).all_edges().len();
        assert_eq!(indexes(with_values()), indexes(Options::default()));
    }
}

#[test]
fn a_dump_that_is_written_again_has_its_values() {
    let styles = [4, 8].map(|id_size| sample(Style { id_size, ..HOTSPOT }));
    for bytes in styles.into_iter().chain([all_types(4), all_types(8)]) {
        let (file, left_out) = rewritten_as(&bytes, with_values());
        assert_eq!(left_out, Vec::<String>::new());
        let lines = |bytes: &[u8]| {
            let mut lines = lines(&read_as(bytes, with_values(), Wants::ALL));
            lines.sort();
            lines
        };
        assert_eq!(lines(&bytes), lines(&file));
        // Without them there are zeros.
        let (bare, _) = rewritten_as(&bytes, Options::default());
        assert_eq!(bare.len(), file.len());
        assert!(bare != file);
    }
}

#[test]
fn primitive_fields_are_fields_of_nodes_if_asked_for() {
    for id_size in [4, 8] {
        let bytes = all_types(id_size);
        let options = Options { fields: true, ..Options::default() };
        let recorder = read_as(&bytes, options, Wants::ALL);
        assert_eq!(recorder.error, None);
        assert_eq!(recorder.problems(), Vec::<String>::new());
        let node = recorder.all_nodes().into_iter().find(|node| node.rest.contains("field"));
        assert_eq!(
            node.map(|node| node.rest.as_str()),
            Some(
                "\"field\":{\"yes\":1,\"c\":65534,\"d\":1.5,\"b\":-128,\"s\":-32768,\"n\":-2147483648,\
                 \"l\":\"0x2000000000000000\",\"most\":\"0x7fffffffffffffff\",\
                 \"least\":\"-0x8000000000000000\",\"nan\":\"NaN\",\
                 \"same\":0,\"B.same\":9,\"A.n\":5,\"f\":0.10000000149011612}"
            )
        );
        assert_eq!(lines(&recorder), lines(&read(&bytes)), "edges are the same");
    }
}

/// Fields of boxes, of records and of others; the classes of the runtime have no numbers.
fn with_numbers(id_size: usize) -> Vec<u8> {
    use Value::{Bits, Byte, Int, Long, Ref};
    let mut file = Hprof::new('2', id_size);
    let classes = [
        (0x1000, "java/lang/Object"),
        (0x1100, "java/lang/Number"),
        (0x1200, "java/lang/Long"),
        (0x1300, "java/util/UUID"),
        (0x1400, "java/lang/Record"),
        (0x1500, "shop/Key"),
        (0x1600, "shop/Order"),
        (0x1700, "java/util/HashMap$Node"),
    ];
    for (serial, (class, name)) in (1..).zip(classes) {
        file.load(serial, class, name);
    }
    file.class(0x1000, (0, 0), &[], &[]);
    file.class(0x1100, (0x1000, 0), &[], &[]);
    file.class(0x1200, (0x1100, 0), &[], &[("value", Long(0))]);
    file.class(0x1300, (0x1000, 0), &[], &[("most", Long(0)), ("least", Long(0))]);
    file.class(0x1400, (0x1000, 0), &[], &[]);
    file.class(0x1500, (0x1400, 0), &[], &[("number", Long(0)), ("place", Int(0))]);
    let fields = [
        ("paid", Byte(0)),
        ("size", Int(0)),
        ("id", Long(0)),
        ("next", Ref(0)),
        ("price", Bits(7, 8, 0)),
        ("time", Long(0)),
        ("seen", Long(0)),
    ];
    file.class(0x1600, (0x1000, 0), &[], &fields);
    file.class(0x1700, (0x1000, 0), &[], &[("hash", Int(0))]);
    file.instance(0x2000, 0x1200, &[Long(5)]);
    file.instance(0x2100, 0x1200, &[Long(5)]);
    file.instance(0x2200, 0x1200, &[Long(6)]);
    file.instance(0x2300, 0x1300, &[Long(1 << 40), Long(-1)]);
    file.instance(0x2400, 0x1500, &[Long(5000), Int(3)]);
    let order = |id, seen| {
        let price = Bits(7, 8, 2.5_f64.to_bits());
        [Byte(1), Int(1023), Long(id), Ref(0x2000), price, Long(i64::MIN), Long(seen)]
    };
    file.instance(0x2500, 0x1600, &order(5000, 1 << 50));
    file.instance(0x2600, 0x1600, &order(5000, 1 << 51));
    file.instance(0x2700, 0x1600, &order(1, 7));
    file.instance(0x2800, 0x1700, &[Int(1 << 30)]);
    file.root(0x05, 0x1600, &[]);
    file.finish()
}

#[test]
fn objects_have_the_numbers_that_they_may_be_known_by() {
    let of = |id_size| {
        let wants = Wants { numbers: true, ..Wants::NODES };
        let recorder = read_as(&with_numbers(id_size), Options::default(), wants);
        assert_eq!(recorder.error, None);
        move |id: i64| -> Vec<NumberMark> {
            let nodes = recorder.all_nodes();
            let node = nodes.iter().find(|node| node.id & !1 == id).expect("it is there");
            heap_record::numbers::marks(node.own.as_bytes()).map_or_else(Vec::new, Iterator::collect)
        }
    };
    let (marks, others) = (of(8), of(4));
    assert_eq!(marks(0x2000), marks(0x2100));
    assert_ne!(marks(0x2000), marks(0x2200));
    let says = |id| marks(id).iter().map(|mark| (mark.group() > 0, mark.is_fixed())).collect::<Vec<_>>();
    assert_eq!(
        [says(0x2000), says(0x2300), says(0x2400)],
        [[(false, false)], [(false, true)], [(true, true)]]
    );
    // Three at most; what is small has none.
    assert_eq!(says(0x2500), [(true, false); 3]);
    assert_eq!(marks(0x2500), marks(0x2600));
    assert_eq!(marks(0x2700), marks(0x2500)[1..]);
    // Fields of one number differ.
    assert_ne!(marks(0x2400)[0].0 >> 6, marks(0x2500)[0].0 >> 6);
    assert_eq!([marks(0x2800), marks(0x1600)], [[], []]);
    for id in (0x2000..0x2800).step_by(0x100) {
        assert_eq!(marks(id), others(id), "in all dumps");
    }
    // Nobody else gets them.
    let plain = read_as(&with_numbers(8), Options::default(), Wants::ALL);
    assert!(plain.all_nodes().iter().all(|node| !node.own.contains("numbers")));
}
