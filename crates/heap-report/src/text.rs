//! Text for people: what must not reach a terminal raw, sizes with units, widths, wrapping.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;

use unicode_width::UnicodeWidthChar;

/// Appends `text` so that a terminal shows it and does nothing else: control characters, and those that
/// turn the direction of writing, as `\n`, `\u{1b}`.
pub fn visible(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_active(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
}

/// What goes to a terminal in any format: characters that might command it, and that JSON allows in text, as `\u009b`,
/// which means the same in JSON. Those below U+0020 are never in JSON, and in tables they are ours.
pub fn tame(bytes: &[u8]) -> Cow<'_, [u8]> {
    // First bytes of what `is_active` names.
    let risky = |b: &u8| matches!(b, 0x7f | 0xc2 | 0xd8 | 0xe2 | 0xef | 0xf3);
    if !bytes.iter().any(risky) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_active(c) && c >= '\u{7f}' {
                // JSON has four digits; what is beyond them takes two escapes.
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            } else {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        out.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(out)
}

fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                // Tags and variation selectors, which nothing shows and some programs read.
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Columns that `text` takes on a terminal.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// `text` cut to `columns`, with `…` where something was cut off.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    if columns > 0 {
        out.push('…');
    }
    out
}

/// The end of `text` that fits into `columns`, with `…` where something was cut off.
pub fn cut_start(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut used = 1;
    let mut from = text.len();
    for (at, c) in text.char_indices().rev() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        from = at;
    }
    let dots = if columns > 0 { "…" } else { "" };
    format!("{dots}{}", &text[from..])
}

/// A third of `columns` from the beginning of `text`, and from its end what fits, with `…` where something was cut out.
pub fn cut_middle(text: &str, columns: usize) -> String {
    let head = cut(text, columns / 3);
    let Some(begin) = head.strip_suffix('…').filter(|_| width(text) > columns) else {
        return cut(text, columns);
    };
    format!("{begin}{}", cut_start(text, columns - width(begin)))
}

/// A number of bytes for people: `96`, `1.5K`, `12.3M`, `345M`; K, M, G, … stand for powers of 1024. A sum that has stopped
/// at the largest number is at least that: `≥16.0E`.
pub fn human_size(bytes: u64) -> String {
    if bytes < 1024 {
        return bytes.to_string();
    }
    let mut value = bytes as f64;
    let least = if bytes == u64::MAX { "≥" } else { "" };
    for unit in ["K", "M", "G", "T", "P", "E"] {
        value /= 1024.0;
        // What would round to 1024 belongs to the next unit.
        if value < 99.95 {
            return format!("{least}{value:.1}{unit}");
        }
        if value < 1023.5 {
            return format!("{value:.0}{unit}");
        }
    }
    bytes.to_string()
}

/// Reads a number of bytes: `4096`, `10K`, `1.5M`, `1G`; the units may be written `k`, `KB` or `KiB`.
pub fn parse_size(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    let (number, unit) = text.split_at(digits);
    let unit = unit.to_ascii_uppercase();
    let unit = unit.strip_suffix("IB").or_else(|| unit.strip_suffix('B')).unwrap_or(&unit);
    let shift = match unit {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return None,
    };
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(1 << shift);
    }
    let value =
        number.parse::<f64>().ok()? * f64::from(1_u32 << (shift / 2)) * f64::from(1_u32 << (shift / 2));
    (value < u64::MAX as f64).then_some(value.round() as u64)
}

/// Breaks `text` into lines of at most `columns`, at blanks.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
