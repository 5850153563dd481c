//! The scanner against serde_json on the borders of windows, on numbers and on deep nesting.

use heap_base::Blob;

use crate::ids::{Ids, Key};
use crate::names::{code_address, hex, type_name};
use crate::scan::{Number, Scanner};

fn over(text: &str) -> Scanner {
    Scanner::new(&Blob::from_bytes(text.as_bytes()), 0, text.len() as u64)
}

#[test]
fn numbers_are_read_exactly() {
    for (text, number) in [
        ("0", Number::Int(false, 0)),
        ("-1", Number::Int(true, 1)),
        ("18446744073709551615", Number::Int(false, u64::MAX)),
        ("9007199254740993", Number::Int(false, 9_007_199_254_740_993)),
        ("18446744073709551616", Number::Float(18_446_744_073_709_551_616.0)),
        ("1.5e3", Number::Float(1500.0)),
        ("-2.5", Number::Float(-2.5)),
    ] {
        assert_eq!(over(text).number().expect(text), number, "{text}");
        let mut read = Vec::new();
        let list = format!("[{text},7 , {text}\n]");
        let mut scanner = over(&list);
        assert!(scanner.enter(b'[').expect("an array"));
        scanner.numbers(|n| read.push(n)).expect(&list);
        assert_eq!(read, [number, Number::Int(false, 7), number]);
    }
    for text in ["-", "+1", "1e", "abc", "", ".5", "1-2"] {
        assert!(over(text).number().is_err(), "{text}");
    }
    assert_eq!(Number::Int(true, 1).id(), u64::MAX);
    assert_eq!(Number::Int(true, 1).amount(), None);
    assert_eq!(Number::Float(f64::INFINITY).amount(), None);
}

/// Lists of numbers, nearly all plain, against each number alone; some lie across the border between two windows.
#[test]
fn lists_are_their_numbers_one_by_one() {
    arbtest::arbtest(|u| {
        let (odd, blanks) = (u.int_in_range(0..=40)?, u.ratio(1, 6)?);
        let mut list = Vec::new();
        for _ in 0..u.int_in_range(0..=120)? {
            let number = match u.int_in_range(0..=odd)? {
                0 => u
                    .choose(&["-7", "1.5", "123456789", "18446744073709551616", "000000001", "1e3"])?
                    .to_string(),
                _ => (u.arbitrary::<u64>()? >> u.int_in_range(37..=63)?).to_string(),
            };
            list.push(number);
        }
        let separator = if blanks { *u.choose(&[", ", " ,", ",\n"])? } else { "," };
        let text = list.join(separator);
        let shift = if u.ratio(1, 4)? { (128 << 10) - u.int_in_range(0..=text.len())? } else { 0 };
        let text = format!("{}[{text}]", " ".repeat(shift));
        let mut scanner = over(&text);
        let mut read = Vec::new();
        assert!(scanner.enter(b'[').expect("an array"));
        scanner.numbers(|n| read.push(n)).expect(&text);
        let alone: Vec<_> = list.iter().map(|number| over(number).number().expect(number)).collect();
        assert_eq!(read, alone, "{text}");
        assert_eq!(scanner.offset(), text.len() as u64);
        Ok(())
    })
    .budget_ms(1500);
}

/// Moves texts over the border between two windows.
#[test]
fn windows_end_anywhere() {
    let inner =
        r#"{"a\u00e9\n\"":[1,-2,30000000000,4.5],"long name without escapes":"x\ud83d\ude00","b":{"]":"}"}}"#;
    let expected: serde_json::Value = serde_json::from_str(inner).expect("valid");
    for shift in 0..inner.len() {
        let mut text = " ".repeat((128 << 10) - shift);
        text.push_str(inner);
        let mut scanner = over(&text);
        assert!(scanner.enter(b'{').expect("an object"));
        let mut first = true;
        let key =
            String::from_utf8(scanner.key(&mut first).expect("key").expect("a").to_vec()).expect("UTF-8");
        assert_eq!(key, "aé\n\"");
        let mut numbers = Vec::new();
        assert!(scanner.enter(b'[').expect("an array"));
        scanner.numbers(|n| numbers.push(n.float())).expect("numbers");
        assert_eq!(serde_json::json!(numbers), serde_json::json!([1.0, -2.0, 30_000_000_000.0, 4.5]));
        assert_eq!(scanner.key(&mut first).expect("key"), Some(&b"long name without escapes"[..]));
        assert_eq!(
            scanner.text().expect("text"),
            expected["long name without escapes"].as_str().expect("text")
        );
        assert_eq!(scanner.member(&mut first, &["a", "b"]).expect("key"), Some("b"));
        scanner.skip().expect("skipped");
        assert_eq!(scanner.key(&mut first).expect("end"), None);
        assert_eq!(scanner.peek().expect("end"), None);
        // The same inside a string.
        let quoted = format!("{}{}", " ".repeat(shift), serde_json::to_string(&text).expect("text"));
        let mut scanner = Scanner::within_string(&Blob::from_bytes(quoted.as_bytes()), shift as u64);
        scanner.skip().expect("skipped");
        assert_eq!(scanner.peek().expect("end"), None);
        assert_eq!(scanner.offset(), text.len() as u64);
    }
}

#[test]
fn skipping_finds_the_end_that_serde_finds() {
    for value in [
        r#"{"a":[1,2,{"b":"]}\\"}],"c":"\"}"}"#,
        r#"[[],{},"[",{"x":[[["]"]]]}]"#,
        r#""plain""#,
        r#""a\\""#,
        "-1.5e-7",
        "null",
        "true",
        "[]",
        "{}",
    ] {
        serde_json::from_str::<serde_json::Value>(value).expect("valid");
        let text = format!("[{value},\"after\"]");
        let mut scanner = over(&text);
        let mut first = true;
        assert!(scanner.enter(b'[').expect("array") && scanner.element(&mut first, b']').expect("first"));
        scanner.skip().expect(value);
        assert!(scanner.element(&mut first, b']').expect("second"), "{value}");
        assert_eq!(scanner.string().expect("after"), b"after", "{value}");
        for cut in 1..value.len() {
            if value.starts_with(['{', '[', '"']) {
                assert!(over(&value[..cut]).skip().is_err(), "{}", &value[..cut]);
            }
        }
    }
}

#[test]
fn surrogates_that_do_not_pair_become_replacements() {
    for (escaped, plain) in [
        (r"\ud83d\ude00", "😀"),
        (r"\ud83dx", "\u{fffd}x"),
        (r"\ud83d\u0041", "\u{fffd}A"),
        (r"\ud83d\ud83d\ude00", "\u{fffd}😀"),
        (r"\ude00", "\u{fffd}"),
        (r"\ud83d\n", "\u{fffd}\n"),
        (r"\ud83d", "\u{fffd}"),
    ] {
        let quoted = format!("\"\\\"{escaped}\\\"\"");
        let mut scanner = Scanner::within_string(&Blob::from_bytes(quoted.as_bytes()), 0);
        assert_eq!(scanner.string().expect(escaped), plain.as_bytes(), "{escaped}");
    }
}

#[test]
fn names() {
    for (recorded, name) in [
        ("const char *WTF::getStringWithTypeName() [T = blink::Node]", "blink::Node"),
        ("const char *WTF::GetStringWithTypeName() [T = blink::Node]", "blink::Node"),
        ("const char* WTF::getStringWithTypeName() [with T = blink::Event]", "blink::Event"),
        ("const char* WTF::GetStringWithTypeName() [with T = blink::Event]", "blink::Event"),
        ("const char *__cdecl WTF::getStringWithTypeName<class v8::Value>(void)", "class v8::Value"),
        ("const char *__cdecl WTF::GetStringWithTypeName<class v8::Value>(void)", "class v8::Value"),
        (
            "const char *WTF::getStringWithTypeName() [T = cut",
            "const char *WTF::getStringWithTypeName() [T = cut",
        ),
        ("../../base/task.cc", "../../base/task.cc"),
    ] {
        assert_eq!(type_name(recorded), name);
    }
    assert_eq!(
        [hex("0xFf"), hex("3fa0"), hex(""), hex("+1"), hex("0x")],
        [Some(255), Some(0x3fa0), None, None, None]
    );
    assert_eq!([hex("ffffffffffffffff"), hex("10000000000000000")], [Some(u64::MAX), None]);
    assert_eq!(code_address("pc:55a62ae5a8bc"), Some(0x55a6_2ae5_a8bc));
    assert_eq!([code_address("main"), code_address("pc:x")], [None, None]);
}

#[test]
fn ids_are_dense_in_order_of_first_use() {
    let mut ids = Ids::default();
    let mut tree = std::collections::BTreeMap::new();
    let mut x = 1u64;
    for i in 0..20_000u64 {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(i);
        let key = match x >> 61 {
            0 => Key::Number(x),
            1 => Key::Text((x % 100) as u32),
            2 => Key::Number(x % 100_000),
            _ => Key::Number(i * 2),
        };
        let next = tree.len() as u32;
        let dense = *tree.entry(key).or_insert(next);
        assert_eq!(ids.dense(key), dense);
        assert_eq!(ids.key(dense), Some(key));
    }
    for (key, dense) in tree {
        assert_eq!(ids.find(key), Some(dense));
    }
    assert_eq!(ids.find(Key::Number(u64::MAX)), None);
    for (text, key) in [("12", Some(12)), ("0", Some(0)), ("012", None), ("", None), ("1a", None)] {
        assert_eq!(Key::decimal(text.as_bytes()), key, "{text}");
    }
}
