//! Text for people.

use crate::text::{cut, human_size, parse_size, visible, width, wrap};

#[test]
fn nothing_in_a_text_commands_the_terminal() {
    for (text, shown) in [
        ("plain Ünï 日本 😀 \\", "plain Ünï 日本 😀 \\"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\u{1b}[31m\u{7}\0\u{7f}", "\\u{1b}[31m\\u{7}\\u{0}\\u{7f}"),
        ("\u{9b}31m\u{85}", "\\u{9b}31m\\u{85}"),
        ("a\u{61c}b\u{e0041}\u{fff9}", "a\\u{61c}b\\u{e0041}\\u{fff9}"),
        ("a\u{202e}b\u{200b}\u{2066}\u{feff}\u{2028}", "a\\u{202e}b\\u{200b}\\u{2066}\\u{feff}\\u{2028}"),
    ] {
        let mut out = String::new();
        visible(&mut out, text);
        assert_eq!(out, shown);
    }
    for c in '\0'..='\u{ffff}' {
        let mut out = String::new();
        visible(&mut out, &c.to_string());
        assert!(!out.contains(char::is_control), "{c:?}");
    }
}

#[test]
fn sizes_are_written() {
    for (bytes, shown) in [
        (0, "0"),
        (1023, "1023"),
        (1024, "1.0K"),
        (1536, "1.5K"),
        (10_188, "9.9K"),
        (102_348, "99.9K"),
        (102_349, "100K"),
        (1_048_063, "1023K"),
        (1_048_064, "1.0M"),
        (1 << 20, "1.0M"),
        (5_000_000_000, "4.7G"),
        (1 << 40, "1.0T"),
        (u64::MAX, "≥16.0E"),
    ] {
        assert_eq!(human_size(bytes), shown, "{bytes}");
    }
}

#[test]
fn sizes_are_read() {
    for (text, bytes) in [
        ("0", Some(0)),
        ("4096", Some(4096)),
        ("10K", Some(10_240)),
        ("10k", Some(10_240)),
        ("1.5M", Some(1_572_864)),
        ("2G", Some(2 << 30)),
        ("1T", Some(1 << 40)),
        ("3KiB", Some(3072)),
        ("3KB", Some(3072)),
        ("7B", Some(7)),
        ("18446744073709551615", Some(u64::MAX)),
        ("18446744073709551616", None),
        ("99999999999G", None),
        ("", None),
        ("K", None),
        ("-1", None),
        ("1X", None),
        ("1 K", None),
        ("1.2.3K", None),
        (".", None),
    ] {
        assert_eq!(parse_size(text), bytes, "{text}");
    }
    // What is shown can be typed in.
    for bytes in [1, 1024, 1536, 1 << 20, 3 << 30] {
        assert_eq!(parse_size(&human_size(bytes)), Some(bytes));
    }
}

#[test]
fn text_is_cut_and_wrapped() {
    assert_eq!(cut("abc", 3), "abc");
    assert_eq!(cut("abcd", 3), "ab…");
    assert_eq!(cut("日本語", 5), "日本…");
    assert_eq!(cut("日本語", 4), "日…");
    assert_eq!(cut("ab", 1), "…");
    assert_eq!(cut("ab", 0), "");
    assert_eq!(width("日本e\u{301}"), 5);
    assert_eq!(wrap("a bb  ccc dddd", 5), ["a bb", "ccc", "dddd"]);
    assert_eq!(wrap("toolongword x", 5), ["toolongword", "x"]);
    assert_eq!(wrap("", 5), [""]);
}

#[test]
fn nothing_commands_a_terminal() {
    let check = |text: &str, expected: &str| {
        assert_eq!(String::from_utf8_lossy(&crate::text::tame(text.as_bytes())), expected);
    };
    check("{\"a\":\"plain, \u{e9}\u{e2}\u{4e2d}\"}\n", "{\"a\":\"plain, \u{e9}\u{e2}\u{4e2d}\"}\n");
    check("\u{9b}2J \u{7f} \u{202e}", "\\u009b2J \\u007f \\u202e");
    // JSON writes what is beyond 16 bits as two escapes.
    check("\u{61c}\u{e0041}\u{e01ef}", "\\u061c\\udb40\\udc41\\udb40\\uddef");
    // Colour is ours.
    check("\u{1b}[1mcount\u{1b}[0m\n", "\u{1b}[1mcount\u{1b}[0m\n");
    assert_eq!(*crate::text::tame(b"\xff\xc2"), *b"\xff\xc2");
}
