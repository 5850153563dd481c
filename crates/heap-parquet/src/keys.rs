//! Partition keys: how values become names of folders, as Hive, Spark and DuckDB have it.

use std::path::{Component, Path};

use heap_record::tag::is_key;

/// What engines read as NULL.
pub(crate) const NULL: &str = "__HIVE_DEFAULT_PARTITION__";
/// Longest name of a folder.
const LONGEST: usize = 255;

/// `key=value` as the name of a folder; `None` if it is too long.
pub(crate) fn folder(key: &str, value: &str) -> Option<String> {
    use std::fmt::Write as _;
    let mut out = format!("{key}=");
    if value.is_empty() {
        out.push_str(NULL);
    }
    for c in value.chars() {
        // The characters that Hive escapes; engines decode others too, but not all of them text beyond ASCII.
        if c.is_ascii_control() || "\"#%'*/:=?\\{}[]^<>|".contains(c) {
            let _ = write!(out, "%{:02X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    (out.len() <= LONGEST).then_some(out)
}

/// Key and value of a folder, if it is one of a partition; the value of NULL is empty.
pub(crate) fn pair(folder: &str) -> Option<(&str, String)> {
    let (key, escaped) = folder.split_once('=')?;
    if escaped == NULL {
        return Some((key, String::new()));
    }
    let bytes = escaped.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        if let Some(decoded) = hex.filter(|_| byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            out.push(decoded);
            at += 3;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    Some((key, String::from_utf8_lossy(&out).into_owned()))
}

/// Keys and values in a path, from the outermost on.
pub fn keys_in(path: &Path) -> Vec<(String, String)> {
    let folders = path.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    folders
        .filter_map(pair)
        .filter(|(key, _)| is_key(key))
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_from_folders() {
        for value in ["17", "a/b", "a=b", "50%", "a\nb", "größe", "..", "", "%2F", "a b", "\u{1}", "x:y?*"]
        {
            let folder = folder("k", value).expect("short");
            assert!(!folder.contains('/') && !folder.contains('\n'), "{folder}");
            assert_eq!(pair(&folder), Some(("k", value.to_owned())), "{folder}");
        }
        assert_eq!(folder("k", &"x".repeat(300)), None);
        assert_eq!(pair("k=50%zz"), Some(("k", "50%zz".to_owned())));
    }
}
