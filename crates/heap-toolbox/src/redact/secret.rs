//! What looks like a secret, whoever wrote it: keys, access tokens, addresses, card numbers, random-looking words.

use std::sync::LazyLock;

use regex::RegexSet;

/// What a text looks like, and how to recognize it: `(name, pattern)`. Issuers' own formats first.
///
/// Keys of caches and the like have something in front of a secret or behind it, so no pattern asks for the bounds of a word.
/// One that begins as ordinary words end, such as `disk-` and `task_test_`, has to be longer behind a letter.
const PATTERNS: &[(&str, &str)] = &[
    ("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY"),
    ("AWS key", r"(?:AKIA|ASIA|AGPA|AIDA|AROA)[0-9A-Z]{16}"),
    ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9_]{20}"),
    ("GitLab token", r"gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{20}"),
    ("Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10}|hooks\.slack\.com/services/"),
    ("Stripe key", r"(?:^|[^A-Za-z])[rs]k_(?:live|test)_[A-Za-z0-9]{10}|[rs]k_(?:live|test)_[A-Za-z0-9]{24}"),
    ("Google key", r"AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20}"),
    ("npm token", r"npm_[A-Za-z0-9]{30}"),
    (
        "API key",
        r"(?:^|[^A-Za-z])(?:sk-[A-Za-z0-9_-]{20}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16})|sk-[A-Za-z0-9_-]*[A-Za-z0-9]{24}|SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    ),
    ("JSON web token", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8}"),
    ("password in a URL", r"[A-Za-z][A-Za-z0-9+.-]*://[^/\s:@]+:[^/\s@]+@"),
    (
        "credential",
        r#"(?i)(?:pass(?:word|wd)?|pwd|secret|token|api[_-]?key|auth|session(?:id)?)\s*[=:]\s*["']?[^\s"',;&<>(){}:][^\s"',;&<>(){}]{5}|(?:bearer|basic)\s+[A-Za-z0-9+/=._-]{12}"#,
    ),
    // A version is no domain (`lib@1.0.rc1`), whose last part ends where letters do.
    (
        "e-mail address",
        r"[A-Za-z0-9._%+-]@(?:(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?:$|[^A-Za-z0-9])|[A-Za-z][A-Za-z0-9-]*\.(?:[A-Za-z0-9-]+\.)*[A-Za-z]{2})",
    ),
    ("UUID", r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"),
    ("attribute", r#"=\\?"[^"]"#),
    ("home folder", r"(?:/home/|/Users/|\\Users\\)[^/\\\s]+"),
];

static SET: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = PATTERNS.iter().map(|(_, pattern)| pattern);
    RegexSet::new(patterns).expect("the patterns are tested")
});

/// The issuer's format or the like that `text` has, if it has one that is known.
pub fn is_known(text: &str) -> Option<&'static str> {
    SET.matches(text).iter().next().map(|first| PATTERNS[first].0)
}

/// What `text` looks like, if it looks like a secret.
pub fn looks_like(text: &str) -> Option<&'static str> {
    // The shortest that any rule finds is an address, a@b.cd.
    if text.len() < 6 {
        return None;
    }
    if let Some(known) = is_known(text) {
        return Some(known);
    }
    if has_card_number(text) {
        return Some("card number");
    }
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/_-".contains(c)));
    // What is random may be one part of a word, and its other parts hide that.
    words.filter(|word| word.len() >= 20).find_map(|word| {
        random_looking(word).or_else(|| word.split(['+', '/', '_', '-']).find_map(random_looking))
    })
}

/// True if 13 to 19 digits, perhaps in groups, pass Luhn's check and begin as cards do. Other groups may stand beside them.
fn has_card_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let begins = |&at: &usize| matches!(bytes[at], b'2'..=b'6') && (at == 0 || !digit(at - 1));
    (0..bytes.len()).filter(begins).any(|mut at| {
        let mut digits = [0u8; 19];
        let mut n = 0;
        while n < digits.len() && digit(at) {
            digits[n] = bytes[at] - b'0';
            n += 1;
            at += 1;
            if !digit(at) {
                if n >= 13 && luhn(&digits[..n]) {
                    return true;
                }
                at += usize::from(matches!(bytes.get(at), Some(b' ' | b'-')));
            }
        }
        false
    })
}

fn luhn(digits: &[u8]) -> bool {
    let double = |d: u8| if d > 4 { 2 * d - 9 } else { 2 * d };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, &d)| u32::from(if i % 2 == 1 { double(d) } else { d }))
        .sum();
    // Nineteen zeros pass as well and are no card.
    sum.is_multiple_of(10) && digits.iter().any(|&d| d != digits[0])
}

/// Whether a word looks drawn by lot: long, and changing between digits, capitals and small letters all the time,
/// as names written by people do not.
fn random_looking(word: &str) -> Option<&'static str> {
    if word.len() < 20 {
        return None;
    }
    let kind = |b: u8| match b {
        b'0'..=b'9' => 1,
        b'A'..=b'Z' => 2,
        b'a'..=b'z' => 3,
        _ => 0,
    };
    let mut counts = [0usize; 4];
    let mut changes = 0;
    let mut last = 0;
    let mut seen = [0usize; 256];
    // The letters and digits of the hexadecimal digits in a row.
    let (mut run, mut hex) = ([0usize; 2], false);
    for b in word.bytes() {
        let k = kind(b);
        counts[k] += 1;
        seen[usize::from(b)] += 1;
        if b.is_ascii_hexdigit() {
            run[usize::from(k == 1)] += 1;
            hex |= run[0] + run[1] >= 32 && run[0] > 0 && run[1] > 0;
        } else {
            run = [0; 2];
        }
        if k != 0 {
            // A capital before small letters begins a word.
            changes += usize::from(last != 0 && last != k && (last, k) != (2, 3));
            last = k;
        }
    }
    let [_, digits, upper, lower] = counts;
    if hex {
        return Some("hexadecimal key");
    }
    let total = word.len() as f64;
    let entropy: f64 =
        seen.iter().filter(|&&n| n > 0).map(|&n| n as f64 / total).map(|p| -p * p.log2()).sum();
    let share = changes as f64 / (digits + upper + lower).max(1) as f64;
    // Letters and digits drawn by lot change 0.4 times a letter and more; names such as AliasedBigInt64Array 0.2.
    (digits > 0 && upper + lower > 0 && share >= 0.3 && entropy >= 3.5).then_some("random-looking")
}

/// True if a name holds a path or an address of a file.
pub(crate) fn holds_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.contains("://")
        || bytes.windows(2).any(|w| w == b"\\\\")
        || memchr::memchr_iter(b'/', bytes).any(|i| bytes.get(i + 1).is_some_and(|b| !b" /".contains(b)))
}

#[cfg(test)]
mod tests {
    use super::{holds_path, looks_like};

    #[test]
    fn secrets() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(looks_like(text), expected, "{text}");
        // In two parts, so that no scanner takes these for leaks of ours.
        check(&format!("-----BEGIN RSA {}-----", "PRIVATE KEY"), Some("private key"));
        check(&format!("AKIA{}", "IOSFODNN7EXAMPLE"), Some("AWS key"));
        check(&format!("ghp_{}", "abcdefghijklmnopqrstuvwxyz0123456789"), Some("GitHub token"));
        check(&format!("xoxb-{}", "123456789012-abcdef"), Some("Slack token"));
        check(&format!("sk_live_{}", "4eC39HqLyjWDarjtT1"), Some("Stripe key"));
        check(&format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.x", "zdWIiOiIxMjM0NTY3ODkwIn0"), Some("JSON web token"));
        check("postgres://app:hunter2@db/prod", Some("password in a URL"));
        check("Authorization: Bearer abcdef123456", Some("credential"));
        check("?token=abcdef123", Some("credential"));
        check("ada@example.com", Some("e-mail address"));
        check("123e4567-e89b-12d3-a456-426614174000", Some("UUID"));
        check("<div id=\"cart-of-ada\">", Some("attribute"));
        check("/home/ada/app.js", Some("home folder"));
        check("4111 1111 1111 1111", Some("card number"));
        check("4111-1111-1111-1112", None);
        check("0000000000000000", None);
        check("d41d8cd98f00b204e9800998ecf8427e", Some("hexadecimal key"));
        check("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", None);
        check("q7Xp2Lm9Zt4Rk8Vb1Nc6", Some("random-looking"));
        for name in [
            "",
            "length",
            "task_test_initialization",
            "disk-image-of-the-installation",
            "MSG.some_long_identifier.another_long_identifier",
            "Devise::Session::Serializer",
            "lib@1.0.rc1",
            "4111111111111112_1",
            "cache/20240115093000-4111",
            "Array",
            "__proto__",
            "system / Context / scope @46523",
            "kIsPerformanceObserverEntryList",
            "DOMPointReadOnlyConstructorCallback2d",
            "<symbol kIsNodeError>",
            "get [Symbol.toStringTag]",
            "(concatenated string)",
            "node:internal/modules/esm/loader",
            "std::basic_string<char>",
            "part of key (@1234 -> @5678) pair in WeakMap (table @4321)",
            "Uint8ClampedArrayFromBase64AndHex",
            "1234567890",
            "20261120145959123",
            "DataViewPrototypeGetBigInt64",
            "Node / AliasedBigInt64Array",
            "(Uint8ArrayFromBase64 builtin code)",
        ] {
            check(name, None);
        }
    }

    #[test]
    fn secrets_with_something_beside_them() {
        // In two parts, as above.
        let secrets = [
            ("AKIA", "IOSFODNN7EXAMPLE"),
            ("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789"),
            ("glpat-", "abcdefghijklmnopqrst"),
            ("xoxb-", "123456789012-abcdefABCDEF"),
            ("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc"),
            ("AIza", "SyA1234567890abcdefghijklmnopqrstuv"),
            ("npm_", "abcdefghijklmnopqrstuvwxyz0123456789"),
            ("sk-proj-", "4eC39HqLyjWDarjtT1zdp7dc4eC39HqL"),
            ("eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc"),
            ("postgres://", "app:hunter2@db/prod"),
            ("password=", "hunter22"),
            ("Bearer ", "abcdef123456"),
            ("bob@", "example.com"),
            ("550e8400-", "e29b-41d4-a716-446655440000"),
            ("0123456789abcdef", "0123456789abcdef"),
            ("q7Xp2Lm9Zt4", "Rk8Vb1Nc6"),
        ];
        for (front, back) in secrets {
            for before in ["k_", "k-", "k:", "tok", "cache/", "authenticated_user_session_cache_", ""] {
                for behind in ["", "_1", "1", "x", ":x", ".json", "-of-yesterday"] {
                    let text = format!("{before}{front}{back}{behind}");
                    assert!(looks_like(&text).is_some(), "{text}");
                }
            }
        }
        for card in ["k_4111111111111111_1", "tok4111111111111111x", "12-4111 1111 1111 1111-2"] {
            assert_eq!(looks_like(card), Some("card number"), "{card}");
        }
    }

    #[test]
    fn paths() {
        for path in
            ["/srv/app.js", "file:///srv", "system / Script / /srv/app.js", "https://example.com", "a/b"]
        {
            assert!(holds_path(path), "{path}");
        }
        for name in ["system / Map", "/", "a / b", "Array"] {
            assert!(!holds_path(name), "{name}");
        }
    }
}
