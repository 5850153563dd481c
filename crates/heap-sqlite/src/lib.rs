//! The SQLite form of the record stream: the draft's tables, written by [`writer`] and read by [`read`].
//!
//! One row is one record, in the draft's tables under the draft's names: `metadata(key, value)`,
//! `node_types(nodetypeid, name, table_name)`, `edge_types(edgetypeid, name)`, `strings(stringid, data)`,
//! `node(identifier, nodetypeid)`, `edge(edgetypeid, source, dest, label)`, and for each subtype that has fields
//! a table of those with a `node_identifier`. Beyond the draft:
//! - A field in a namespace has a column (`heap.size` is `heap_size`), an extension record a table
//!   (`v8.location` is `v8_location`). `heap_fields` says which, and of which kind they are; `heap_types` and
//!   `heap_tables` have the declarations of record types and the tables of extension records.
//! - `heap_row` is the number of the record in the stream; a subtype's row has that of its node. Rows in this
//!   order are the stream again, byte for byte. The column is a primary key because VACUUM renumbers rows else.
//! - `heap_rest` is NULL, or JSON of what columns would not give back: undeclared or nested members, members in
//!   another order, numbers from 2^63 on, NaN.
//! - `heap_snapshot`, where there are several snapshots, says which one a row belongs to.
//! - Views `objects` and `edges` have names written out; `heap_classes` has those of classes, by which a condition on the
//!   class finds its nodes.
//!
//! Absent is NULL. [`read`] takes the draft's tables alone just as well, as somebody else may write them.
//! A file from elsewhere is not trusted: see `open.rs`, `claims.rs` and `cursor.rs`.
//!
//! Memory: to write, 64 rows of each table, 1 MiB of page cache, and two pieces of 32 MiB for the index on targets
//! of edges (`pairs.rs`), with 16 bytes an edge in a file in `TMPDIR`; to read, a page cache of 2 MiB.
//!
//! Time, on a busy two-core machine: 5 million edges among 1.5 million nodes are written in 3.1 s of processor time
//! with all indexes, 73 bytes an edge, and read in 2.1 s.

mod claims;
mod cursor;
mod emit;
mod fault;
mod file;
mod info;
mod load;
mod open;
mod pairs;
mod plain;
mod read;
mod schema;
mod table;
#[cfg(test)]
mod tests;
mod write;

pub use info::info;
pub use read::read;
pub use write::{Replace, Writer, writer};

/// How every SQLite file begins.
pub(crate) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Whether an input that begins with these bytes is an SQLite file.
pub fn sniff(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}
