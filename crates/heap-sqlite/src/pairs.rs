//! An index of integers that come in no order, made from pairs that are sorted on the way.
//!
//! `CREATE INDEX` on the targets of 5 million edges takes 2.2 s, as long as everything else together: SQLite's
//! sorter compares records. Sorted as plain numbers, by a second thread while edges still come in, and put into an
//! empty index one behind the other, they take 0.8 s. SQLite has no statement for that, but a table without row ids
//! whose primary key is (value, row) *is* that index in the file: the format says that both are index b-trees of
//! records with these two numbers. So the pairs are put into such a table by plain INSERTs, and at the end its row
//! in the schema says that it is an index, which is what `PRAGMA writable_schema` is there for.
//! `PRAGMA integrity_check`, `REINDEX` and VACUUM agree in the tests.
//!
//! Memory: two pieces of 32 MiB; beyond one piece, 16 bytes a pair in a file in `TMPDIR` that has no name.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::thread::JoinHandle;

use heap_base::spool::{in_temporary, temporary};
use heap_base::{Error, Result};
use rusqlite::Connection;

use crate::fault;

/// Pairs of one piece.
const PIECE: usize = 2 << 20;
/// Pairs that one statement puts in.
const ROWS: usize = 256;
/// Bytes of a pair in the file.
const PAIR: usize = 16;

type Pair = (i64, i64);

/// Gathers the pairs of an index.
#[derive(Debug)]
pub(crate) struct Pairs {
    current: Vec<Pair>,
    /// Sorted pieces in files of their own.
    pieces: Vec<File>,
    /// Sorts the piece before the current one, and writes it down.
    worker: Option<JoinHandle<io::Result<File>>>,
    /// Pairs of a piece.
    piece: usize,
}

impl Default for Pairs {
    fn default() -> Self {
        Self::in_pieces(PIECE)
    }
}

impl Pairs {
    /// As [`Default`], with another number of pairs in a piece.
    pub(crate) fn in_pieces(piece: usize) -> Self {
        Self { current: Vec::new(), pieces: Vec::new(), worker: None, piece }
    }

    /// Takes a value and the number of its row.
    #[inline]
    pub(crate) fn push(&mut self, value: i64, row: i64) -> Result {
        self.current.push((value, row));
        if self.current.len() >= self.piece { self.put_away() } else { Ok(()) }
    }

    #[cold]
    fn put_away(&mut self) -> Result {
        self.wait()?;
        let mut pairs = std::mem::take(&mut self.current);
        let worker = std::thread::Builder::new().name("sort".to_owned()).spawn(move || {
            pairs.sort_unstable();
            let mut file = temporary()?;
            let mut bytes = Vec::with_capacity(1 << 16);
            for pairs in pairs.chunks((1 << 16) / PAIR) {
                bytes.clear();
                for (value, row) in pairs {
                    bytes.extend_from_slice(&value.to_le_bytes());
                    bytes.extend_from_slice(&row.to_le_bytes());
                }
                file.write_all(&bytes).map_err(in_temporary)?;
            }
            file.seek(SeekFrom::Start(0))?;
            Ok(file)
        });
        self.worker = Some(worker.map_err(Error::write)?);
        Ok(())
    }

    fn wait(&mut self) -> Result {
        if let Some(worker) = self.worker.take() {
            let file = worker.join().unwrap_or_else(|_| Err(io::Error::other("sorting failed")));
            self.pieces.push(file.map_err(Error::write)?);
        }
        Ok(())
    }

    /// Makes the index `name` on `column` of `table`, both names that need no quotes. It leaves out NULL. The
    /// connection must be closed after the transaction, and not read the schema before.
    pub(crate) fn finish(mut self, conn: &Connection, name: &str, table: &str, column: &str) -> Result {
        self.current.sort_unstable();
        self.wait()?;
        conn.execute_batch(&format!(
            "CREATE TABLE {name}(value INTEGER, row INTEGER, PRIMARY KEY(value, row)) WITHOUT ROWID"
        ))
        .map_err(fault::write)?;
        let mut fill = Fill { conn, name, sql: insert(name, ROWS), waiting: Vec::with_capacity(ROWS) };
        if self.pieces.is_empty() {
            for pair in self.current {
                fill.push(pair)?;
            }
        } else {
            merge(self.pieces, self.current, |pair| fill.push(pair))?;
        }
        fill.flush()?;
        conn.execute_batch(&format!(
            "PRAGMA writable_schema = 1;
             UPDATE sqlite_schema SET type = 'index', tbl_name = '{table}',
               sql = 'CREATE INDEX {name} ON {table}({column}) WHERE {column} IS NOT NULL' WHERE name = '{name}';
             PRAGMA writable_schema = 0;"
        ))
        .map_err(fault::write)
    }
}

/// Goes over sorted pieces and the last, which is in memory, in the order of all pairs.
fn merge(pieces: Vec<File>, last: Vec<Pair>, mut each: impl FnMut(Pair) -> Result) -> Result {
    let mut readers: Vec<_> = pieces.into_iter().map(|f| BufReader::with_capacity(1 << 16, f)).collect();
    let (count, mut last) = (readers.len(), last.into_iter());
    let mut next = |i: usize| -> Result<Option<Pair>> {
        let Some(reader) = readers.get_mut(i) else { return Ok(last.next()) };
        let mut pair = [0; PAIR];
        match reader.read_exact(&mut pair) {
            Ok(()) => {
                let (value, row) = pair.split_at(8);
                let number = |bytes: &[u8]| bytes.try_into().map_or(0, i64::from_le_bytes);
                Ok(Some((number(value), number(row))))
            }
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(e) => Err(Error::read(e)),
        }
    };
    let mut heads = BinaryHeap::new();
    for i in 0..=count {
        heads.extend(next(i)?.map(|pair| Reverse((pair, i))));
    }
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((pair, i)) = *head;
        each(pair)?;
        match next(i)? {
            Some(pair) => *head = Reverse((pair, i)),
            None => drop(std::collections::binary_heap::PeekMut::pop(head)),
        }
    }
    Ok(())
}

fn insert(name: &str, rows: usize) -> String {
    format!("INSERT INTO {name} VALUES{}", vec!["(?,?)"; rows].join(","))
}

/// Puts pairs in, many at a time.
struct Fill<'c> {
    conn: &'c Connection,
    name: &'c str,
    /// Puts [`ROWS`] in.
    sql: String,
    waiting: Vec<Pair>,
}

impl Fill<'_> {
    #[inline]
    fn push(&mut self, pair: Pair) -> Result {
        self.waiting.push(pair);
        if self.waiting.len() == ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result {
        if self.waiting.is_empty() {
            return Ok(());
        }
        if self.waiting.len() != ROWS {
            self.sql = insert(self.name, self.waiting.len());
        }
        let mut statement = self.conn.prepare_cached(&self.sql).map_err(fault::write)?;
        let mut at = 0;
        for (value, row) in self.waiting.drain(..) {
            for n in [value, row] {
                at += 1;
                statement.raw_bind_parameter(at, n).map_err(fault::write)?;
            }
        }
        statement.raw_execute().map(|_| ()).map_err(fault::write)
    }
}
