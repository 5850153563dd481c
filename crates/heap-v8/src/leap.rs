//! Where a long list ends, without reading it: a guess, for readers that go over the list anyway and then know.
//!
//! Up to version 13.4 V8 writes a record a line, so that a few lines anywhere tell which list they are from, by the
//! number of integers in them. Between the beginning of a list, where they do, and the end of the file, where they do
//! not, the end is found by halving. Whatever is not as V8 writes it is left to the scan, byte by byte.

use heap_base::{Blob, Result};

/// Lists are looked for in files with at least this much to come.
const WORTH: u64 = if cfg!(test) { 1 << 10 } else { 16 << 20 };

/// Bytes that are looked at in one place.
const GLANCE: usize = if cfg!(test) { 256 } else { 4 << 10 };

/// The offset of the bracket that closes the list of records of `width` integers that begins at `start`.
pub(crate) fn end(blob: &Blob, start: u64, width: usize) -> Result<Option<u64>> {
    let mut buf = [0; GLANCE];
    let mut within = |at: u64| -> Result<bool> {
        let n = blob.read_at(&mut buf, at)?;
        Ok(lines_of(&buf[..n], width))
    };
    let (mut low, mut high) = (start, blob.len());
    if high.saturating_sub(start) < WORTH || !within(start)? {
        return Ok(None);
    }
    while high - low > GLANCE as u64 {
        let middle = low + (high - low) / 2;
        if within(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    // From `low` on some lines are the list's, so that its end is not far.
    let mut buf = [0; 3 * GLANCE];
    let n = blob.read_at(&mut buf, low)?;
    let end = buf[..n].iter().position(|b| !matches!(b, b'0'..=b'9' | b',' | b'\n'));
    Ok(end.filter(|&i| buf[i] == b']').map(|i| low + i as u64))
}

/// Whether `text`, cut anywhere, is of such records, a line each.
fn lines_of(text: &[u8], width: usize) -> bool {
    let mut lines = text.split(|&b| b == b'\n');
    let first = lines.next();
    let inner: Vec<&[u8]> = lines.collect();
    let Some((last, inner)) = inner.split_last() else { return false };
    let flat = |line: &[u8]| line.iter().all(|b| matches!(b, b'0'..=b'9' | b','));
    let whole = |line: &&[u8]| {
        let commas = memchr::memchr_iter(b',', line).count();
        flat(line) && line.first() == Some(&b',') && commas == width
    };
    inner.len() > 1 && inner.iter().all(whole) && first.is_some_and(flat) && flat(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(width: usize, records: usize) -> String {
        let record = |i: usize| (0..width).map(|k| (i * k).to_string()).collect::<Vec<_>>().join(",");
        (0..records).map(record).collect::<Vec<_>>().join("\n,")
    }

    #[test]
    fn the_end_of_each_of_several_lists_is_found() {
        let mut found = 0;
        for (nodes, edges, locations) in [(90, 200, 0), (300, 20, 40), (40, 900, 300), (1000, 1, 1)] {
            let lists = [(7, nodes), (3, edges), (4, locations)];
            let texts = lists.map(|(width, n)| format!("[{}\n]", list(width, n)));
            let text = texts.join(",\n\"k\":") + &format!(",\n\"strings\":[\"{}\"]", "1,2,3\\n".repeat(200));
            let blob = Blob::from_bytes(text.as_bytes());
            for (k, (width, _)) in lists.into_iter().enumerate() {
                let start: usize = texts[..k].iter().map(|t| t.len() + 6).sum();
                let end = end(&blob, start as u64 + 1, width).expect("memory never fails");
                if let Some(end) = end {
                    assert_eq!(end as usize, start + texts[k].len() - 1);
                    found += 1;
                }
            }
        }
        assert!(found >= 7, "{found}");
    }

    #[test]
    fn what_is_no_list_of_lines_is_left_alone() {
        let lines = format!("{}\n]", list(7, 300));
        for text in [
            lines.replace('\n', ""),
            lines.replace(',', ", "),
            lines.replace("\n,", ",\n"),
            lines.replace(']', ""),
            "x".repeat(5000),
            "1".repeat(5000),
        ] {
            let blob = Blob::from_bytes(text.as_bytes());
            assert_eq!(end(&blob, 0, 7).expect("memory never fails"), None, "{text:.40}");
        }
        let blob = Blob::from_bytes(lines.as_bytes());
        assert_eq!(end(&blob, 0, 7).expect("memory never fails"), Some(lines.len() as u64 - 1));
        assert_eq!(end(&blob, 0, 6).expect("memory never fails"), None);
    }
}
