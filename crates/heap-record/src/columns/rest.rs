//! What columns cannot hold: the JSON in `heap_rest`.

use crate::model::{Line, Node};
use heap_base::Members;
use heap_base::json::{compact, each, inside, unescape};

/// What the columns cannot give back, as a JSON object: `{"own":{…},"rest":{…}}`.
#[derive(Debug, Default)]
pub struct Rest {
    text: String,
}

impl Rest {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Keeps members under `name`.
    pub fn keep(&mut self, name: &str, members: &[u8]) {
        // Members are UTF-8: they were made from text, or by a writer of text.
        self.text.push(if self.text.is_empty() { '{' } else { ',' });
        self.text.push('"');
        self.text.push_str(name);
        self.text.push_str("\":{");
        self.text.push_str(&String::from_utf8_lossy(members));
        self.text.push('}');
    }

    /// Whether something is kept under `name`, as the first thing.
    pub fn holds(&self, name: &str) -> bool {
        self.text.get(2..).is_some_and(|t| t.starts_with(name))
    }

    /// The object, if there is anything in it.
    pub fn object(&mut self) -> Option<&str> {
        if self.text.is_empty() {
            return None;
        }
        self.text.push('}');
        Some(&self.text)
    }
}

/// The canonical form of a JSON object that came out of a file, without its braces; `None` if it is none.
pub fn object(text: &str) -> Option<Vec<u8>> {
    if !text.trim_ascii_start().starts_with('{')
        || serde_json::from_str::<serde::de::IgnoredAny>(text).is_err()
    {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    compact(&mut out, text.as_bytes());
    inside(&out).map(<[u8]>::to_vec)
}

/// Members kept under `name` in an object of [`Rest`].
pub fn kept<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    each(object).find(|(key, _)| unescape(key) == name).and_then(|(_, raw)| inside(raw))
}

/// Keeps sizes from 2^63 on, which SQLite's integers do not hold.
#[cold]
pub fn keep_big(rest: &mut Rest, record: &Node<'_>) {
    if rest.holds("big") {
        return;
    }
    let heap = &record.heap;
    let mut members = Members::new();
    let sizes = [
        ("size", heap.size),
        ("external", heap.external),
        ("count", heap.count),
        ("retained", heap.retained),
        ("retained_from", heap.retained_from),
    ];
    for (name, n) in sizes {
        if let Some(n) = n.filter(|n| i64::try_from(*n).is_err()) {
            members.uint(name, n);
        }
    }
    rest.keep("big", members.as_bytes());
}

/// Keeps the line of a declaration that says more than we know of.
pub fn keep_line(rest: &mut Rest, line: Line<'_>, known: &[&str], fields: usize) {
    if line.bytes.is_empty() || line.canonical {
        return;
    }
    let members = inside(line.bytes).unwrap_or_default();
    let more = each(members).any(|(key, raw)| {
        let key = unescape(key);
        !known.contains(&key.as_ref())
            || key == "fields" && inside(raw).is_some_and(|f| each(f).count() != fields)
    });
    if more {
        let mut text = Vec::new();
        compact(&mut text, members);
        rest.keep("line", &text);
    }
}
