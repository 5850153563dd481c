//! Each store against a plain collection; files before and after they get their names.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use heap_record::{Data, Declared, LeftOut, Str};

use crate::{BySubtype, Form, HiddenFolder, Ids, Link, Links, Pending, Text, Texts, keeps_metadata};

#[test]
fn identifiers_are_found_again() {
    arbtest::arbtest(|u| {
        let mut all: Vec<i64> = Vec::new();
        let mut ids = Ids::default();
        let base = u.int_in_range(0..=3)?;
        for n in 0..u.int_in_range(0..=200)? {
            let id = match u.int_in_range(0..=20)? {
                0 => u.arbitrary()?,
                1 => u.int_in_range(-5..=2000)?,
                2 => u.arbitrary::<u8>()?.into(),
                _ => 2 * n + base,
            };
            all.push(id);
            ids.push(id).unwrap();
        }
        let first = |id| all.iter().position(|&x| x == id).map(|n| n as u32);
        let double = all.iter().zip(0..).filter(|&(&id, n)| first(id) != Some(n)).count();
        assert_eq!((ids.seal(), ids.len() as usize), (double as u64, all.len()));
        for (&id, n) in all.iter().zip(0..) {
            assert_eq!((ids.find(id), ids.id(n)), (first(id), id));
        }
        for id in [0, 1, -1, 3, 401, 4001, i64::MAX, i64::MIN] {
            assert_eq!(ids.find(id), first(id), "{id}");
        }
        Ok(())
    });
}

#[test]
fn edges_come_in_stream_order_or_by_source() {
    arbtest::arbtest(|u| {
        let mut ids = Ids::default();
        let nodes = u.int_in_range(1..=50)?;
        for n in 0..nodes {
            ids.push(2 * ((n * 7) % nodes) + 1).unwrap();
        }
        ids.seal();
        let (mut all, mut links) = (Vec::new(), Links::default());
        for _ in 0..u.int_in_range(0..=200)? {
            let link = Link {
                subtype: u.arbitrary::<u32>()? >> 4,
                source: if u.ratio(1, 9)? { u.arbitrary()? } else { 2 * u.int_in_range(0..=nodes)? + 1 },
                dest: u.arbitrary()?,
                label: u.arbitrary()?,
                extra: u.arbitrary()?,
            };
            links.push(&link).unwrap();
            all.push(link);
        }
        let mut stored = links.in_order();
        for link in &all {
            assert_eq!(stored.next().unwrap().as_ref(), Some(link));
        }
        assert_eq!(stored.next().unwrap(), None);
        let mut expected: Vec<_> = all.iter().filter_map(|l| Some((ids.find(l.source)?, *l))).collect();
        expected.sort_by_key(|&(node, _)| node);
        let mut sorted = Vec::new();
        let by_source = links.by_source(&ids).unwrap();
        by_source
            .for_each(&ids, |node, link| {
                sorted.push((node, link));
                Ok(())
            })
            .unwrap();
        assert_eq!(sorted, expected);
        Ok(())
    });
}

#[test]
fn many_edges_are_sorted_in_buckets() {
    let (mut ids, mut links) = (Ids::default(), Links::default());
    let nodes = 1000;
    (0..nodes).for_each(|n| ids.push(2 * n + 1).unwrap());
    ids.seal();
    for n in 0..1_200_000 {
        let source = 2 * (n * 7919 % nodes) + 1;
        links.push(&Link { source, extra: Some(n as u64), ..Link::default() }).unwrap();
    }
    let (mut last, mut count) = ((0, 0), 0);
    links
        .by_source(&ids)
        .unwrap()
        .for_each(&ids, |node, link| {
            let next = (node, link.extra.unwrap() + 1);
            assert!(next > last);
            (last, count) = (next, count + 1);
            Ok(())
        })
        .unwrap();
    assert_eq!(count, 1_200_000);
}

#[test]
fn strings_come_back_exactly() {
    let mut texts = Texts::default();
    let mut add = |id, data, rest: &str| {
        texts.add(&Str { id, data: Data::Plain(data), rest: rest.as_bytes(), ..Str::default() }).unwrap();
    };
    let long = "é".repeat(100_000);
    let all =
        [(0, "zero"), (1, ""), (2, &long), (3, "three"), (900, "far"), (4, "four"), (1 << 50, "farther")];
    for (id, text) in all {
        add(id, text, "");
    }
    add(5, "\u{fffd}", r#""heap":{"bytes":"ff00"}"#);
    add(6, "\u{fffd}x", r#""heap":{"utf16":"d8000078"}"#);
    add(7, "odd", r#""heap":{"bytes":"f"}"#);
    add(3, "thrice", "");
    let mut get = |id| texts.get(id).unwrap().map(|t| (t.form, t.bytes.to_vec()));
    for _ in 0..2 {
        for (id, text) in all.into_iter().rev().filter(|&(id, _)| id != 3) {
            assert_eq!(get(id), Some((Form::Utf8, text.into())), "{id}");
        }
    }
    assert_eq!(get(3), Some((Form::Utf8, "thrice".into())));
    assert_eq!(get(5), Some((Form::Bytes, vec![0xff, 0])));
    assert_eq!(get(6), Some((Form::Utf16, vec![0, 0xd8, 0x78, 0])));
    assert_eq!(get(7), Some((Form::Utf8, "odd".into())));
    assert_eq!(get(-42), Some((Form::Utf8, "41".into())));
    assert_eq!((get(8), get(1 << 51)), (None, None));
    assert_eq!(Text { form: Form::Utf16, bytes: &[0, 0xd8, 0x78, 0] }.utf8(), "\u{fffd}x".as_bytes());
    assert!(texts.has(-1) && texts.has(900) && !texts.has(901));
}

#[test]
fn what_is_known_of_a_subtype_lasts_until_it_is_declared_anew() {
    let mut known = BySubtype::default();
    for subtype in [0, 7, 4095, 4096, u32::MAX] {
        assert_eq!((known.get(subtype), known.keep(subtype, subtype)), (None, subtype));
    }
    let kept = |known: &BySubtype<u32>| [0, 7, 4095, 4096, u32::MAX, 8].map(|subtype| known.get(subtype));
    assert_eq!(kept(&known), [Some(0), Some(7), Some(4095), None, None, None]);
    for id in [7, 8, 4096, u32::MAX] {
        known.declare_node(&Declared::Node { id, name: "new", table: None, fields: &[] }.into());
    }
    known.declare_node(&Declared::Record { name: "node", fields: &[] }.into());
    assert_eq!(kept(&known), [Some(0), None, Some(4095), None, None, None]);
    known.clear();
    assert_eq!(kept(&known), [None; 6]);
}

#[test]
fn metadata_of_other_sources_is_counted() {
    let mut left_out = LeftOut::new();
    let kept = ["heap.root", "generator", "dart.flags", "x.y.z", "x.w", "heaps.z", "dartx", ".a"]
        .map(|key| keeps_metadata(key, "dart", &mut left_out));
    assert_eq!(kept, [true, true, true, false, false, false, true, false]);
    let counted: Vec<_> = left_out.iter().collect();
    assert_eq!(counted, [("x metadata", 2), ("heaps metadata", 1), (" metadata", 1)]);
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn a_file_gets_its_name_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    for old in [None, Some("old")] {
        if let Some(old) = old {
            fs::write(&path, old).unwrap();
        }
        let before = names(folder.path());
        // What is not finished leaves nothing behind.
        let pending = Pending::create(&path).unwrap();
        pending.writer().unwrap().write_all(b"half").unwrap();
        // Where the file system knows files without names there is nothing to be seen meanwhile.
        assert!(names(folder.path()).iter().all(|name| name == "x" || name.starts_with(".x.")));
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), old);
        drop(pending);
        assert_eq!((names(folder.path()), fs::read_to_string(&path).ok().as_deref()), (before, old));

        let pending = Pending::create(&path).unwrap();
        assert!(pending.is_empty().unwrap());
        pending.writer().unwrap().write_all(b"whole").unwrap();
        assert!(!pending.is_empty().unwrap());
        pending.persist().unwrap();
        assert_eq!(
            (names(folder.path()), fs::read_to_string(&path).unwrap()),
            (vec!["x".into()], "whole".into())
        );
    }
}

/// What a shell writes to through a link, we do too.
#[test]
fn a_link_to_nothing_yet_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    symlink("second", &link).unwrap();
    symlink("target", folder.path().join("second")).unwrap();
    Pending::save(&link, b"whole").unwrap();
    assert_eq!(names(folder.path()), ["link", "second", "target"]);
    assert_eq!(fs::read_to_string(folder.path().join("target")).unwrap(), "whole");
    let circle = folder.path().join("circle");
    symlink("circle", &circle).unwrap();
    symlink("no/where", folder.path().join("lost")).unwrap();
    assert!(Pending::create(&folder.path().join("lost")).is_err());
    let _ = Pending::create(&circle);
}

/// A process that was killed cannot remove its hidden files: the next one does.
#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_process_left_goes() {
    let folder = tempfile::tempdir().unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let left = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("nodes"), "half").unwrap();
        let open = File::open(&path).unwrap();
        open.set_modified(old).unwrap();
        open
    };
    for name in [".x.heap-abcdef", ".x.heap-in_use", ".x.heap-longer7", ".y.heap-abcdef"] {
        let file = File::create(folder.path().join(name)).unwrap();
        file.set_modified(old).unwrap();
    }
    let in_use = File::create(folder.path().join(".x.heap-Locked")).unwrap();
    in_use.set_modified(old).unwrap();
    in_use.try_lock().unwrap();
    File::create(folder.path().join(".x.heap-young1")).unwrap();
    let pending = Pending::create_named(&folder.path().join("x")).unwrap();
    assert_eq!(mode(pending.path()), 0o600);
    drop(pending);
    let stay = [".x.heap-Locked", ".x.heap-in_use", ".x.heap-longer7", ".x.heap-young1", ".y.heap-abcdef"];
    assert_eq!(names(folder.path()), stay);

    drop(left(".heap-abcdef"));
    let busy = left(".heap-Locked");
    busy.try_lock().unwrap();
    let hidden = HiddenFolder::create(folder.path()).unwrap();
    assert_eq!(mode(hidden.path()), 0o700);
    fs::write(hidden.path().join("nodes"), "half").unwrap();
    drop(hidden);
    assert_eq!(names(folder.path()), [&[".heap-Locked"][..], &stay].concat());
}

#[test]
fn a_new_file_has_the_usual_permissions_and_one_that_is_replaced_keeps_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    File::create(folder.path().join("usual")).unwrap();
    Pending::create(&path).unwrap().persist().unwrap();
    assert_eq!(mode(&path), mode(&folder.path().join("usual")));
    for kept in [0o600, 0o666, 0o640] {
        for make in [Pending::create, Pending::create_named] {
            fs::set_permissions(&path, Permissions::from_mode(kept)).unwrap();
            let pending = make(&path).unwrap();
            if pending.path() != path {
                // What has a name already is for its owner only.
                assert_eq!(mode(pending.path()), 0o600);
            }
            pending.writer().unwrap().write_all(b"new").unwrap();
            pending.persist().unwrap();
            assert_eq!((mode(&path), fs::read_to_string(&path).unwrap()), (kept, "new".to_owned()));
        }
    }
    // A new one made under a name, too.
    fs::remove_file(&path).unwrap();
    Pending::create_named(&path).unwrap().persist().unwrap();
    assert_eq!(mode(&path), mode(&folder.path().join("usual")));
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    for make in [Pending::create, Pending::create_named] {
        let message = make(&path).unwrap_err().to_string();
        assert!(message.contains("x: permission denied"), "{message}");
    }
    assert_eq!((names(folder.path()), fs::read_to_string(&path).unwrap()), (vec!["x".into()], "old".into()));
}

#[test]
fn what_a_link_names_is_replaced_and_the_link_stays() {
    let folder = tempfile::tempdir().unwrap();
    let there = tempfile::tempdir().unwrap();
    let (link, path) = (folder.path().join("link"), there.path().join("x"));
    fs::write(&path, "old").unwrap();
    symlink(&path, &link).unwrap();
    let pending = Pending::create_named(&link).unwrap();
    assert_eq!((names(folder.path()).len(), names(there.path()).len()), (1, 2));
    pending.persist().unwrap();
    assert!(link.is_symlink() && fs::read(&path).unwrap().is_empty());
    // So it is if that is gone.
    fs::remove_file(&path).unwrap();
    Pending::create(&link).unwrap().persist().unwrap();
    assert!(link.is_symlink() && names(there.path()) == ["x"]);
}

#[test]
fn devices_are_written_in_place_and_other_things_are_refused() {
    let pending = Pending::create(Path::new("/dev/null")).unwrap();
    pending.writer().unwrap().write_all(b"gone").unwrap();
    // Nothing is known of what it holds.
    assert!(!pending.is_empty().unwrap());
    pending.persist().unwrap();
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path(), &folder.path().join("no/x"), Path::new("")] {
        assert!(Pending::create(path).is_err(), "{}", path.display());
    }
    assert!(names(folder.path()).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_has_no_path_is_written_to() {
    use std::io::Read;
    use std::os::fd::AsRawFd;
    let (mut reader, writer) = std::io::pipe().unwrap();
    // As /dev/stdout is where standard output is a pipe.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stdout");
    symlink(format!("/proc/self/fd/{}", writer.as_raw_fd()), &path).unwrap();
    let file = Pending::create(&path).unwrap();
    file.writer().unwrap().write_all(b"through").unwrap();
    file.persist().unwrap();
    drop(writer);
    let mut came = String::new();
    reader.read_to_string(&mut came).unwrap();
    assert_eq!(came, "through");
}
