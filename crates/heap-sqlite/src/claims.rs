//! Adds up what the rows of a file claim to be, before SQLite takes memory for it.
//!
//! Of a row that goes on beyond its page SQLite keeps a list of pages, as long as the length in the row asks for: up
//! to 4 GiB of row, 8 bytes a page, for every table that is open. A file of a thousand small tables could ask for
//! tens of gigabytes. But rows lie side by side, so all of them together are no longer than the file.

use std::sync::Arc;

use heap_base::{Blob, Error, Result};
use rusqlite::Connection;

use crate::fault;

/// Pages of b-trees begin with one of these.
const INNER_INDEX: u8 = 2;
const INNER_TABLE: u8 = 5;
const LEAF_INDEX: u8 = 10;
const LEAF_TABLE: u8 = 13;

/// An error if the rows of all tables claim more bytes than the file has, or it ends within a page. SQLite finds other damage. Files so large that
/// the claims do no harm are not checked. Call this before anything reads the schema, which is a table too.
pub(crate) fn check(blob: &Blob, conn: &Connection) -> Result {
    let mut head = [0; 32];
    if blob.read_at(&mut head, 0)? < head.len() {
        return Ok(());
    }
    let size = match u16::from_be_bytes([head[16], head[17]]) {
        1 => 1 << 16,
        size => usize::from(size),
    };
    let usable = size.saturating_sub(usize::from(head[20])) as u64;
    let pages = u32::try_from(blob.len() / size.max(1) as u64).unwrap_or(u32::MAX);
    if size < 512 || usable <= 4 {
        return Ok(());
    }
    // SQLite takes what the last page lacks as zeros.
    let said = u32::from_be_bytes([head[28], head[29], head[30], head[31]]);
    if said > pages && !blob.len().is_multiple_of(size as u64) {
        return Err(Error::at_byte(blob.len(), "ends within a page: the file was cut off"));
    }
    let harmless = |tables: u64| tables * ((8 << 32) / (usable - 4)) <= blob.len();
    if harmless(1) {
        return Ok(());
    }
    // The progress bar counts rows, not this.
    let blob = blob.clone().with_meter(Arc::default());
    let mut walk =
        Walk { blob, size, pages, stack: Vec::new(), seen: vec![0; pages as usize / 64 + 1], claimed: 0 };
    walk.push(1);
    walk.run()?;
    let failed = |e: rusqlite::Error| fault::read("not a whole SQLite file", &e);
    let mut list = conn
        .prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
        .map_err(failed)?;
    let mut rows = list.query([]).map_err(failed)?;
    let mut tables = 1;
    while let Some(row) = rows.next().map_err(failed)? {
        tables += 1;
        walk.push(row.get(0).unwrap_or(0));
    }
    if harmless(tables) { Ok(()) } else { walk.run() }
}

/// Goes over the pages of b-trees, each once.
struct Walk {
    blob: Blob,
    size: usize,
    pages: u32,
    stack: Vec<u32>,
    /// A bit for each page.
    seen: Vec<u64>,
    claimed: u64,
}

impl Walk {
    fn push(&mut self, page: u32) {
        let (word, bit) = (page as usize / 64, 1 << (page % 64));
        if (1..=self.pages).contains(&page) && self.seen[word] & bit == 0 {
            self.seen[word] |= bit;
            self.stack.push(page);
        }
    }

    fn run(&mut self) -> Result {
        let mut page = vec![0; self.size];
        while let Some(number) = self.stack.pop() {
            let start = u64::from(number - 1) * self.size as u64;
            self.blob.read_exact_at(&mut page, start, "a page")?;
            let header = if number == 1 { 100 } else { 0 };
            let (inner, has_rows) = match page[header] {
                INNER_TABLE => (true, false),
                INNER_INDEX => (true, true),
                LEAF_TABLE | LEAF_INDEX => (false, true),
                _ => continue,
            };
            if inner {
                self.push(u32_at(&page, header + 8));
            }
            let cells = header + if inner { 12 } else { 8 };
            for cell in 0..usize::from(u16_at(&page, header + 3)) {
                let at = usize::from(u16_at(&page, cells + 2 * cell));
                if inner {
                    self.push(u32_at(&page, at));
                }
                if has_rows {
                    let claim = varint(&page, at + if inner { 4 } else { 0 });
                    self.claimed = self.claimed.saturating_add(claim);
                    if self.claimed > self.blob.len() {
                        return Err(Error::at_byte(
                            start + at as u64,
                            "rows claim more bytes than there are",
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Numbers that lie beyond the page are 0.
fn u16_at(page: &[u8], at: usize) -> u16 {
    page.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |&bytes| u16::from_be_bytes(bytes))
}

fn u32_at(page: &[u8], at: usize) -> u32 {
    page.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |&bytes| u32::from_be_bytes(bytes))
}

/// SQLite's integers of variable length, the highest seven bits first; the ninth byte has eight.
fn varint(page: &[u8], at: usize) -> u64 {
    let mut value = 0;
    for (i, &byte) in page.iter().skip(at).take(9).enumerate() {
        if i == 8 {
            return value << 8 | u64::from(byte);
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            break;
        }
    }
    value
}
