use std::io::{self, Read};

use super::{Wrapping, has_fractions};
use crate::peek::Peeked;

const V8: &str = concat!(
    r#"{"snapshot":{"meta":{"node_fields":["type","name"]},"node_count":1},"nodes":[9,1,-3],"edges":[],"#,
    r#""strings":["a.0 \"}]{ [1.0, \\","ü \ud83d\ude00 😀 \ud800"]}"#
);
const WEBKIT: &str =
    r#"{"version":3,"type":"Inspector","nodes":[0,0,0,0],"nodeClassNames":["<root>"],"edges":[]}"#;

/// Gives a few bytes at a time, as a pipe may.
struct Slow(io::Cursor<Vec<u8>>, usize);

impl Read for Slow {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = buf.len().min(self.1);
        self.0.read(&mut buf[..n])
    }
}

/// What is inside of `bytes`, and what ended it.
fn inner(bytes: &[u8], piece: usize) -> (Vec<u8>, Option<String>) {
    let known = |head: &[u8]| crate::document(head).is_some();
    let mut input = Peeked::new(Box::new(Slow(io::Cursor::new(bytes.to_vec()), piece)));
    for _ in 0..super::MOST {
        while input.more() {}
        let Some(wrapping) = Wrapping::find(input.head(), &known) else { break };
        input = wrapping.take_off(input);
    }
    let mut text = Vec::new();
    let outcome = input.read_to_end(&mut text);
    (text, outcome.err().map(|e| e.to_string()))
}

fn quoted(text: &str) -> String {
    let mut quoted = Vec::new();
    heap_base::json::push_text(&mut quoted, text);
    String::from_utf8(quoted).expect("text stays text")
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// Messages of the protocol, each with a few characters, and others between them.
fn chunks(text: &str, size: usize, between: &str) -> String {
    let all: Vec<char> = text.chars().collect();
    let message = |chunk: &[char]| {
        let chunk = quoted(&chunk.iter().collect::<String>());
        format!("{{\"method\":\"HeapProfiler.addHeapSnapshotChunk\",\"params\":{{\"chunk\":{chunk}}}}}")
    };
    let messages: Vec<_> = all.chunks(size).map(message).collect();
    let other = r#"{"method":"HeapProfiler.reportHeapSnapshotProgress","params":{"done":1,"total":2}}"#;
    format!("{other}{between}{}{between}{{\"id\":1,\"result\":{{}}}}", messages.join(between))
}

#[test]
fn what_is_wrapped_comes_out_as_it_was() {
    for text in [V8, WEBKIT] {
        let ways: Vec<Vec<u8>> = vec![
            quoted(text).into(),
            format!(" \n{}\r\n", quoted(text)).into(),
            quoted(&quoted(text)).into(),
            format!("{{\"id\":1,\"result\":{text},\"more\":[1,\"}}\"]}}\n").into(),
            format!("{{\"id\":1,\"result\":{}}}", quoted(text)).into(),
            format!("[{text}]").into(),
            format!("it's \"listening\" on {{port}} [3000]\n{{\"level\":\"info\"}}\n{text}\nbye\n").into(),
            chunks(text, 30, "\n").into(),
            chunks(text, 7, "\r\n").into(),
            format!("[{}]", chunks(text, 50, ",\n  ")).into(),
            format!("Debugger's \"listening\nor so\n{}", chunks(text, 500, "\n")).into(),
            format!("[{},{}]", quoted(&text[..60]), quoted(&text[60..])).into(),
            utf16(text, u16::to_le_bytes),
            utf16(text, u16::to_be_bytes),
            utf16(&format!("\u{feff}{text}"), u16::to_le_bytes),
            utf16(&format!("\u{feff}{}", chunks(text, 40, "\r\n")), u16::to_be_bytes),
        ];
        for way in ways {
            for piece in [1, 2, 3, 7, 64, 1 << 20] {
                let (found, error) = inner(&way, piece);
                let shown = String::from_utf8_lossy(&way).into_owned();
                assert_eq!(String::from_utf8_lossy(&found).trim_end(), text, "{piece} {shown}");
                assert_eq!(error, None, "{shown}");
            }
        }
    }
}

#[test]
fn half_a_character_becomes_an_escape() {
    let text = V8.replace('a', "\u{10000}");
    let mut bytes = utf16(&text, u16::to_le_bytes);
    let high = bytes.windows(2).position(|two| two == 0xD800u16.to_le_bytes()).expect("it is there");
    bytes.drain(high + 2..high + 4);
    let (found, error) = inner(&bytes, 5);
    assert_eq!(String::from_utf8_lossy(&found), text.replacen('\u{10000}', "\\ud800", 1));
    assert_eq!(error, None);
    let (_, error) = inner(&bytes[..bytes.len() - 1], 1 << 20);
    assert!(error.is_some_and(|e| e.contains("within a character")));
}

#[test]
fn whole_numbers_lose_their_fractions() {
    let text = V8.replace("[9,1,-3]", "[9.0,1.00 ,-3.0, 1.5,2.0e1,2.10,10.0]");
    assert!(has_fractions(text.as_bytes()));
    let expected = V8.replace("[9,1,-3]", "[9,1 ,-3, 1.5,2.0e1,2.10,10]");
    for piece in [1, 2, 3, 1 << 20] {
        let (found, error) = inner(text.as_bytes(), piece);
        assert_eq!(String::from_utf8_lossy(&found), expected);
        assert_eq!(error, None);
    }
    assert!(!has_fractions(V8.as_bytes()));
}

#[test]
fn what_is_cut_off_or_comes_twice_is_said() {
    let cut = |text: &str| inner(text.as_bytes(), 1 << 20);
    let whole = quoted(V8);
    let (found, error) = cut(&whole[..whole.len() - 9]);
    assert!(V8.starts_with(&*String::from_utf8_lossy(&found)) && found.len() > V8.len() - 12);
    assert!(error.is_some_and(|e| e.contains("ends early")));
    let (found, error) = cut(&format!("log\n{V8}\n{V8}\n"));
    assert_eq!(String::from_utf8_lossy(&found), V8);
    assert!(error.is_some_and(|e| e.contains("another dump")));
    let (_, error) = cut(&whole.replace("\\\"strings", "\\q\\\"strings"));
    assert!(error.is_some_and(|e| e.contains("escape")));
}

#[test]
fn what_holds_no_document_is_left_alone() {
    let known = |head: &[u8]| crate::document(head).is_some();
    for text in [
        "",
        "{",
        "\"",
        "\"\"",
        "{\"a\":{\"b\":\"{\\\"c\\\":1}\"}}",
        "[\"{\"]",
        "{\"result\":{}}",
        "[{\"a\":1}]",
        V8,
    ] {
        assert_eq!(Wrapping::find(text.as_bytes(), &known), None, "{text}");
    }
}

/// A tar archive of files by their names; a name that ends in a slash is a folder.
fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, bytes) in files {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        header[156] = if name.ends_with('/') { b'5' } else { b'0' };
        header[257..262].copy_from_slice(b"ustar");
        archive.extend_from_slice(&header);
        archive.extend_from_slice(bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

#[test]
fn the_first_dump_of_an_archive_is_taken() {
    let hprof = [&b"JAVA PROFILE 1.0.2\0\0\0\0\x08"[..], &[0; 700]].concat();
    for dump in [V8.as_bytes(), &hprof] {
        for files in [
            &[("app", dump)][..],
            &[("dumps/", b""), ("dumps/README", b"what {\"it\" is"), ("dumps/app", dump), ("end", b"x")],
        ] {
            let archive = tar(files);
            for piece in [1, 7, 511, 1 << 20] {
                let (found, error) = inner(&archive, piece);
                assert!(found == dump, "{piece}");
                assert_eq!(error, None);
            }
        }
        let (found, error) = inner(&tar(&[("1", dump), ("2", b"no"), ("3", dump)]), 1 << 20);
        assert!(found == dump && error.is_some_and(|e| e.contains("another dump")));
        let archive = tar(&[("1", dump)]);
        let (found, error) = inner(&archive[..512 + dump.len() - 9], 1 << 20);
        assert!(found == dump[..dump.len() - 9] && error.is_some_and(|e| e.contains("ends early")));
    }
}
