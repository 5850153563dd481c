//! A data set of heaps in Parquet: many record streams as tables that query engines read at full speed. Written by
//! [`writer`], read back by [`read`].
//!
//! Each dump is a partition: a file in the folder of each table, below folders `KEY=VALUE` for its tags and its name, as
//! Hive, Spark and DuckDB know them: `nodes/pod=17/dump=a.heapsnapshot/part-0.parquet`. The tables:
//! - `nodes`: a row a node. `class` is its type name as heap-sum has it, `subtype` and `name` are texts, all other fields
//!   typed columns; those of `heap` are `size`, `count`, `retained` as in reports, others `v8_detachedness`. Fields that are strings are texts.
//! - `edges`: `source`, `subtype`, `label`, `dest`. `strings`: all string records.
//! - `metadata`: metadata and the lines of declarations.
//! - `v8_location` and the like: extension records.
//!
//! The stream comes back byte for byte: `heap_row` is the number of a record in the stream, `heap_rest` JSON of what the
//! columns would not give back. Names are dictionaries; behind each, where no reader of Parquet looks, stands which string
//! records its entries are (`HPID`). A partition that another program wrote anew lacks them: it can be queried, not read.
//!
//! Rows are in the order of the stream, not sorted by class: in order, identifiers and row numbers pack into bits, and a
//! column of classes is so small that a query reads all of it.
//!
//! Memory: to write, the row groups that wait (2^17 nodes, 2^18 edges), 12 bytes a string, and the longest text; to read,
//! a row group of each table.

mod column;
mod data_set;
mod encode;
mod file;
mod footer;
mod keys;
mod names;
mod open;
mod partition;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod thrift;

pub use data_set::{Writer, writer};
pub use keys::keys_in;
pub use open::{partitions, with_tables};
pub use read::{info, read};

/// Whether an input that begins with these bytes is a Parquet file.
pub fn sniff(head: &[u8]) -> bool {
    head.starts_with(file::MAGIC)
}
