//! Profiles to records and back; damage.

use arbtest::arbitrary::{Result as Arbitrary, Unstructured};
use heap_base::{Blob, Result};
use heap_record::testing::Recorder;
use heap_record::{
    Declaration, EdgeBatch, Extension, Metadata, NodeBatch, Sink, SnapshotSelector, Str, Wants,
};

use super::{Function, Gather, Label, Line, Location, Mapping, Profile, Sample, ValueType, read, sniff};

/// Feeds the records of a profile to a [`Gather`].
struct Back(Option<Gather>);

impl Back {
    fn gather(&mut self) -> &mut Gather {
        self.0.get_or_insert_with(Gather::new)
    }

    fn profile(self) -> Profile {
        let (profile, left_out) = self.0.and_then(Gather::finish).expect("a profile comes back");
        assert!(left_out.is_empty(), "{left_out:?}");
        profile
    }
}

impl Sink for Back {
    fn wants(&self) -> Wants {
        Wants::ALL
    }
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.gather().metadata(record)
    }
    fn declare(&mut self, _: &Declaration<'_>) -> Result {
        Ok(())
    }
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.gather().string(record);
        Ok(())
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.gather().nodes(batch)
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.gather().edges(batch)
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.gather().extension(record);
        Ok(())
    }
}

fn round(profile: &Profile) -> Profile {
    let mut back = Back(None);
    read(&Blob::from_bytes(profile.encode()), SnapshotSelector::Last, &mut back).expect("a sound profile");
    back.profile()
}

/// The profile with its strings in the order in which they are used, so that two of the same contents are equal.
fn normal(mut profile: Profile) -> Profile {
    let strings = std::mem::replace(&mut profile.strings, vec![Vec::new()]);
    let mut known = profile.strings.clone();
    let mut renumber = |text: &mut u64| {
        let bytes = strings.get(*text as usize).cloned().unwrap_or_default();
        *text = known.iter().position(|k| *k == bytes).unwrap_or_else(|| {
            known.push(bytes);
            known.len() - 1
        }) as u64;
    };
    let types = profile.sample_types.iter_mut().chain(&mut profile.period_type);
    types.flat_map(|t| [&mut t.name, &mut t.unit]).for_each(&mut renumber);
    let labels = profile.samples.iter_mut().flat_map(|s| &mut s.labels);
    labels.flat_map(|l| [&mut l.key, &mut l.text, &mut l.unit]).for_each(&mut renumber);
    profile.mappings.iter_mut().flat_map(|m| &mut m.file).for_each(&mut renumber);
    profile.functions.iter_mut().flat_map(|f| &mut f.names).for_each(&mut renumber);
    profile.comments.iter_mut().chain(&mut profile.frames).for_each(&mut renumber);
    renumber(&mut profile.default_type);
    renumber(&mut profile.doc_url);
    profile.strings = known;
    profile
}

fn any(u: &mut Unstructured<'_>) -> Arbitrary<Profile> {
    let words: [&[u8]; 8] =
        [b"", b"main", b"\xff\xferaw", b"a;b", b"x \"y\"\n", b"inuse", b"count", b"bytes"];
    let mut strings: Vec<Vec<u8>> = words.map(<[u8]>::to_vec).to_vec();
    let types = u.int_in_range(1..=3)?;
    let mut sample_types = vec![ValueType { name: 5, unit: 7 }];
    for i in 1..types {
        strings.push(format!("type-{i}").into_bytes());
        sample_types.push(ValueType { name: strings.len() as u64 - 1, unit: 6 });
    }
    let text = |u: &mut Unstructured<'_>| u.int_in_range(0..=4u64);
    let mut profile = Profile { sample_types, strings, ..Profile::default() };
    for id in 1..=u.int_in_range(0..=4)? {
        let (names, start_line) = ([text(u)?, text(u)?, text(u)?], u.arbitrary::<i32>()?.into());
        profile.functions.push(Function { id, names, start_line });
        let (range, has) = ([u.arbitrary()?, u.arbitrary()?, u.arbitrary()?], [1, 0, 1, 0]);
        profile.mappings.push(Mapping { id, range, file: [text(u)?, text(u)?], has });
    }
    for id in 1..=u.int_in_range(0..=6)? {
        let mut location = Location { id: id * 7, address: u.arbitrary()?, ..Location::default() };
        location.mapping = u.int_in_range(0..=profile.mappings.len() as u64)?;
        for _ in 0..u.int_in_range(0..=2)? {
            let function = u.int_in_range(0..=profile.functions.len() as u64)?;
            let (line, column) = (u.arbitrary::<i32>()?.into(), u.arbitrary::<u8>()?.into());
            location.lines.push(Line { function, line, column });
        }
        profile.locations.push(location);
    }
    for _ in 0..u.int_in_range(0..=6)? {
        let mut sample = Sample::default();
        for _ in 0..u.int_in_range(0..=5)? {
            if let Some(location) = profile.locations.get(u.int_in_range(0..=6)?) {
                sample.locations.push(location.id);
            }
        }
        sample.values.push(u.arbitrary::<u32>()?.into());
        for _ in 1..types {
            sample.values.push(u.arbitrary()?);
        }
        for _ in 0..u.int_in_range(0..=2)? {
            let unit = if u.arbitrary()? { 4 } else { 0 };
            // Text that is not Unicode is kept exactly in string records only.
            sample.labels.push(if u.arbitrary()? {
                Label { key: 1, text: 3, ..Label::default() }
            } else {
                Label { key: 3, number: u.arbitrary()?, unit, ..Label::default() }
            });
        }
        profile.samples.push(sample);
    }
    profile.time = [u.arbitrary()?, u.arbitrary()?];
    profile.period = u.arbitrary()?;
    profile.period_type = if u.arbitrary()? { Some(ValueType { name: 1, unit: 4 }) } else { None };
    profile.comments = vec![1, 4];
    profile.default_type = 5;
    // Functions are called by some of these texts, too.
    profile.frames = [u.int_in_range(0..=1)?, if u.arbitrary()? { 3 } else { 0 }];
    Ok(profile)
}

#[test]
fn a_profile_comes_back_with_every_value() {
    arbtest::arbtest(|u| {
        let profile = any(u)?;
        assert_eq!(Profile::decode(&profile.encode()).0, profile);
        assert_eq!(normal(round(&profile)), normal(profile));
        Ok(())
    });
}

/// Two samples below one function, of which one was inlined.
fn small() -> Profile {
    let texts =
        ["", "inuse_objects", "count", "inuse_space", "bytes", "main", "leaf", "main.go", "alloc_space"];
    let line = |function, line| Line { function, line, column: 0 };
    let function = |id, name| Function { id, names: [name, name, 7], start_line: 1 };
    let value = |name, unit| ValueType { name, unit };
    Profile {
        sample_types: vec![value(8, 4), value(1, 2), value(3, 4)],
        samples: vec![
            Sample { locations: vec![2, 1], values: vec![900, 3, 300], labels: Vec::new() },
            Sample { locations: vec![1], values: vec![50, 1, 50], labels: Vec::new() },
        ],
        locations: vec![
            Location { id: 1, address: 0x1000, lines: vec![line(1, 10)], ..Location::default() },
            Location { id: 2, address: 0x2000, lines: vec![line(2, 20), line(1, 11)], ..Location::default() },
        ],
        functions: vec![function(1, 5), function(2, 6)],
        strings: texts.map(|text| text.as_bytes().to_vec()).to_vec(),
        ..Profile::default()
    }
}

fn record(bytes: Vec<u8>) -> Recorder {
    let blob = Blob::from_bytes(bytes);
    Recorder::record(|sink| read(&blob, SnapshotSelector::Last, sink))
}

#[test]
fn stacks_become_a_tree_and_samples_allocations() {
    let recorder = record(small().encode());
    assert_eq!(recorder.error, None);
    let nodes: Vec<_> = recorder.all_nodes().iter().map(|n| (n.subtype, n.heap.size, n.heap.count)).collect();
    // Root, main (10), main (11) with leaf inlined into it, and two samples.
    let frame = (2, Some(0), Some(0));
    assert_eq!(
        nodes,
        [(1, Some(0), Some(0)), frame, frame, frame, (3, Some(300), Some(3)), (3, Some(50), Some(1))]
    );
    let edges: Vec<_> = recorder.all_edges().iter().map(|e| (e.subtype, e.source, e.dest)).collect();
    let edge = |subtype, source: i64, dest: i64| (subtype, source, Some(dest));
    assert_eq!(edges, [edge(1, 1, 3), edge(1, 3, 5), edge(1, 5, 7), edge(2, 7, 9), edge(2, 3, 11)]);
}

#[test]
fn other_profiles_are_refused() {
    let mut profile = small();
    profile.strings[4] = b"nanoseconds".to_vec();
    let error = record(profile.encode()).error.expect("refused");
    assert_eq!(error, "this profile measures no bytes, but alloc_space, inuse_objects, inuse_space: no heap");
    let mut profile = small();
    profile.samples[1].locations[0] = 77;
    assert_eq!(record(profile.encode()).error.as_deref(), Some("sample 1: there is no location 77"));
}

#[test]
fn what_went_and_what_came_are_two_snapshots() {
    let mut profile = small();
    profile.samples[0].values = vec![0, -3, -300];
    let again = Sample { locations: vec![1], values: vec![7, -1, 0], labels: Vec::new() };
    profile.samples.push(again);
    let bytes = profile.encode();
    let read = |pick| {
        let blob = Blob::from_bytes(bytes.clone());
        let recorder = Recorder::record(|sink| read(&blob, pick, sink));
        assert_eq!(recorder.error, None);
        let nodes = recorder.all_nodes();
        let sizes = nodes.iter().filter(|n| n.subtype == 3).map(|n| (n.heap.size, n.heap.count));
        sizes.map(|(size, count)| (size.unwrap_or(7), count.unwrap_or(7))).collect::<Vec<_>>()
    };
    let (gone, new) = ([(300, 3), (0, 1)], [(50, 1)]);
    assert_eq!(read(SnapshotSelector::Last), new);
    assert_eq!(read(SnapshotSelector::Number(0)), gone);
    assert_eq!(read(SnapshotSelector::Number(1)), new);
    assert_eq!(read(SnapshotSelector::All), [&gone[..], &new].concat());
    let mut back = Back(None);
    super::read(&Blob::from_bytes(bytes), SnapshotSelector::All, &mut back).expect("a sound profile");
    let back = back.profile();
    // Those that went come first.
    profile.samples.swap(1, 2);
    assert_eq!(normal(back), normal(profile));
}

#[test]
fn a_side_of_a_difference_says_which_it_is() {
    let mut profile = small();
    profile.samples[0].values = vec![0, -3, -300];
    let blob = Blob::from_bytes(profile.encode());
    let lacks = |pick| {
        let mut back = Back(None);
        read(&blob, pick, &mut back).expect("a sound profile");
        back.gather().lacks_a_side()
    };
    let all = [SnapshotSelector::All, SnapshotSelector::Last, SnapshotSelector::Number(0)];
    assert_eq!(all.map(lacks), [false, true, true]);
    let metadata = |pick, key| {
        let recorder = Recorder::record(|sink| read(&blob, pick, sink));
        recorder.values(key).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(metadata(SnapshotSelector::Number(0), "heap.sizes"), ["went"]);
    assert_eq!(metadata(SnapshotSelector::Last, "heap.sizes"), ["came"]);
    assert_eq!(metadata(SnapshotSelector::All, "heap.sizes"), ["went", "came"]);
    // Who asked for a side or for both knows it.
    let note = "the difference of two profiles: this is what came, 50 bytes; what went, 300 bytes, is @0, and heap-diff \
                FILE@0 FILE@1 compares them";
    assert_eq!(metadata(SnapshotSelector::Last, "profile.note"), [note]);
    for pick in [SnapshotSelector::All, SnapshotSelector::Number(1)] {
        assert!(metadata(pick, "profile.note").is_empty());
    }
}

#[test]
fn values_whose_names_were_made_unreadable_come_back_and_lost_labels_are_counted() {
    let blob = Blob::from_bytes(small().encode());
    let mut stream = Vec::new();
    let mut writer = heap_record::Writer::new(&mut stream);
    read(&blob, SnapshotSelector::Last, &mut writer).expect("a sound profile");
    writer.finish(true).expect("written");
    let text = String::from_utf8(stream).expect("text");
    let back = |text: &str| {
        let mut back = Back(None);
        heap_record::read::read(text.as_bytes(), SnapshotSelector::Last, &mut back).expect("a sound stream");
        back.0.and_then(Gather::finish).expect("a profile comes back")
    };
    let name = String::from_utf8(small().text(small().sample_types[2].name).to_vec()).expect("text");
    let field = format!("\"{name}\":");
    assert!(text.contains(&field));
    let (profile, left_out) = back(&text.replace(&field, "\"f3Kq\":"));
    assert_eq!((normal(profile), left_out.is_empty()), (normal(small()), true));
    let (_, left_out) = back(&text.replace(&field, "\"f3Kq\":1,\"x\":"));
    assert_eq!(left_out.iter().collect::<Vec<_>>(), [("values whose names are not known", 2)]);
}

#[test]
fn frames_that_are_dropped_leave_their_bytes_to_the_caller_and_come_back() {
    let mut profile = small();
    assert!(!lines(&profile, None).contains("pprof.frame"));
    profile.strings.push(b"le.*".to_vec());
    profile.frames[0] = profile.strings.len() as u64 - 1;
    let recorder = record(profile.encode());
    let of_allocations: Vec<_> =
        recorder.all_nodes().iter().filter(|n| n.subtype == 3).map(|n| (n.heap.size, n.heap.class)).collect();
    // Of the first sample the inner line of its location is dropped, main stays.
    assert_eq!(of_allocations, [(Some(300), Some(5)), (Some(50), Some(5))]);
    assert_eq!(lines(&profile, None).matches("\"frame\":").count(), 1);
    assert_eq!(normal(round(&profile)), normal(profile));
}

#[test]
fn fields_come_in_any_order() {
    let whole = small().encode();
    let mut fields = Vec::new();
    let mut rest = whole.as_slice();
    while !rest.is_empty() {
        let before = rest;
        crate::wire::field(&mut rest).expect("a field");
        fields.push(&before[..before.len() - rest.len()]);
    }
    let expected = small();
    for turn in 0..fields.len() {
        fields.rotate_left(1);
        let bytes = fields.concat();
        assert!(sniff(&bytes), "{turn}");
        assert_eq!(Profile::decode(&bytes).0.samples.len(), 2, "{turn}");
    }
    // Behind each other by number, the other way round, as other writers have them.
    let by_number: Vec<u8> = (1..=15u64)
        .rev()
        .flat_map(|number| fields.iter().filter(move |f| u64::from(f[0] >> 3) == number))
        .flat_map(|f| f.to_vec())
        .collect();
    assert!(sniff(&by_number));
    let found = Profile::decode(&by_number).0;
    assert_eq!(found.samples, expected.samples);
}

#[test]
fn names_without_symbols_are_places_in_files() {
    let mut profile = small();
    profile.locations[1].lines.clear();
    profile.locations[1].mapping = 4;
    profile.mappings.push(Mapping { id: 4, range: [0x1800, 0x3000, 0x400], file: [7, 0], has: [0; 4] });
    let recorder = record(profile.encode());
    let names: Vec<_> = recorder.all_strings().iter().map(|s| s.data.clone()).collect();
    assert!(names.iter().any(|name| name == "main.go+0xc00"), "{names:?}");
}

#[test]
fn only_profiles_are_recognised() {
    let whole = small().encode();
    assert!(sniff(&whole) && sniff(&whole[..40]));
    for other in
        [&b""[..], b"\n", b"\n{\"type\":\"node\"}", b"\x0a\x02abc", b"\x1f\x8b\x08", b"{\"snapshot\""]
    {
        assert!(!sniff(other), "{other:?}");
    }
}

#[test]
fn fields_of_later_versions_are_passed_over() {
    let whole = small().encode();
    let later = b"\x9a\x06\x05later\xa0\x06\x07";
    let bytes = [&whole[..], later].concat();
    assert!(sniff(&bytes));
    assert_eq!(Profile::decode(&bytes).0.samples, small().samples);
    // What has no fields of a profile first may be anything.
    assert!(!sniff(&[later, &whole[..]].concat()) && !sniff(later));
}

#[test]
fn damage_at_any_byte_is_an_error_or_harmless() {
    let whole = small().encode();
    let mut ends = vec![0];
    let mut rest = whole.as_slice();
    while crate::wire::field(&mut rest).is_ok() {
        ends.push(whole.len() - rest.len());
    }
    for cut in 0..whole.len() {
        let recorder = record(whole[..cut].to_vec());
        // A profile may end between any two of its fields.
        assert!(recorder.error.is_some() || ends.contains(&cut), "{cut}");
        let sizes: Vec<_> =
            recorder.all_nodes().iter().filter(|n| n.subtype == 3).map(|n| n.heap.size).collect();
        let value = if cut > ends[3] { [Some(300), Some(50)] } else { [Some(900), Some(50)] };
        assert!(value.starts_with(&sizes) || [Some(300), Some(50)].starts_with(&sizes), "{cut}: {sizes:?}");
    }
    arbtest::arbtest(|u| {
        let mut bytes = any(u)?.encode();
        for _ in 0..u.int_in_range(1..=3)? {
            let at = u.choose_index(bytes.len())?;
            bytes[at] ^= 1 << u.int_in_range(0..=7)?;
        }
        record(bytes);
        Ok(())
    });
}

/// A profile as Go writes it: allocated and in use, with its own files.
fn go(default_type: &[u8], folder: &str) -> Profile {
    let names = ["", "alloc_objects", "count", "alloc_space", "bytes", "inuse_objects", "inuse_space"];
    let files = [format!("{folder}runtime/proc.go"), "/srv/app/main.go".to_owned()];
    let mut strings: Vec<Vec<u8>> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
    strings.extend([b"runtime.main".to_vec(), b"main.fill".to_vec()]);
    strings.extend(files.map(String::into_bytes));
    strings.push(default_type.to_vec());
    let types = [(1, 2), (3, 4), (5, 2), (6, 4)].map(|(name, unit)| ValueType { name, unit });
    let function = |id: u64| Function { id, names: [6 + id, 6 + id, 8 + id], start_line: 0 };
    let line = |id: u64| vec![Line { function: id, line: 10 * id as i64, column: 0 }];
    let location = |id: u64| Location { id, lines: line(id), ..Location::default() };
    Profile {
        sample_types: types.to_vec(),
        samples: vec![Sample { locations: vec![2, 1], values: vec![7, 7000, 3, 3000], labels: Vec::new() }],
        locations: vec![location(1), location(2)],
        functions: vec![function(1), function(2)],
        default_type: 11,
        strings,
        ..Profile::default()
    }
}

fn lines(profile: &Profile, value: Option<&str>) -> String {
    let mut out = Vec::new();
    let mut writer = heap_record::Writer::new(&mut out);
    let options = super::Options { value: value.map(str::to_owned) };
    let blob = Blob::from_bytes(profile.encode());
    super::read_with(&blob, SnapshotSelector::Last, &options, &mut writer).expect("a sound profile");
    writer.finish(true).expect("written");
    String::from_utf8(out).expect("text")
}

#[test]
fn the_value_is_the_one_asked_for_else_that_which_the_profile_names() {
    let in_use = "\"heap\":{\"size\":3000,\"class\":8,\"name\":8,\"count\":3}";
    let allocated = "\"heap\":{\"size\":7000,\"class\":8,\"name\":8,\"count\":7}";
    for (default_type, value, expected) in [
        ("", None, in_use),
        ("inuse_space", None, in_use),
        ("alloc_space", None, allocated),
        ("alloc_objects", None, in_use),
        ("alloc_space", Some("inuse_space"), in_use),
        ("", Some("alloc_space"), allocated),
    ] {
        let text = lines(&go(default_type.as_bytes(), "/go/src/"), value);
        assert!(text.contains(expected), "{default_type} {value:?}: {text}");
        let ever = text.contains("\"key\":\"heap.sizes\",\"value\":\"allocated\"");
        assert_eq!(ever, expected == allocated, "{default_type} {value:?}");
        let options = super::Options { value: value.map(str::to_owned) };
        let blob = Blob::from_bytes(go(default_type.as_bytes(), "/go/src/").encode());
        let facts = super::info_with(&blob, &options).expect("a sound profile").facts;
        let size = if expected == allocated { 7000 } else { 3000 };
        assert!(
            facts.contains(&("size", heap_record::Fact::Bytes(size))),
            "{default_type} {value:?}: {facts:?}"
        );
    }
    let options = super::Options { value: Some("alloc_objects".to_owned()) };
    let blob = Blob::from_bytes(go(b"", "").encode());
    let mut sink = heap_record::Writer::new(Vec::new());
    let refused = super::read_with(&blob, SnapshotSelector::Last, &options, &mut sink).expect_err("no bytes");
    let expected = "this profile has no value 'alloc_objects' in bytes, but alloc_space, inuse_space";
    assert_eq!(refused.to_string(), expected);
    assert_eq!(super::info_with(&blob, &options).expect_err("no bytes").to_string(), expected);
}

#[test]
fn frames_and_allocations_have_their_function_and_place() {
    let text = lines(&go(b"", "/go/src/"), None);
    for expected in [
        "{\"type\":\"node\",\"subtype\":2,\"identifier\":5,\"function\":8,\"script_name\":10,\"line\":20,\"heap\":{\"size\":0,\"class\":8,\"name\":8,\"count\":0}",
        "{\"type\":\"node\",\"subtype\":3,\"identifier\":7,\"function\":8,\"script_name\":10,\"line\":20,\"heap\":{\"size\":3000",
        "\"key\":\"heap.runtime\",\"value\":\"/go/src/*\"",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(lines(&go(b"", ""), None).contains("\"key\":\"heap.runtime\",\"value\":\"runtime/*\""));
}
