//! Writes one Parquet file: row groups of column chunks, and the footer that says where they are.

use std::io::Write;

use heap_base::{Error, Result, push_varint, zigzag};
use zstd::bulk::Compressor;

use crate::column::{Column, Dictionary, Entry, Kind, Spec, Values};
use crate::encode::{push_deltas, push_runs, width};
use crate::thrift::{BINARY, Encoder, I32, STRUCT};

/// How every Parquet file begins and ends.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";
/// In front of the stream's numbers of the names in a dictionary.
pub(crate) const ENTRIES: &[u8; 4] = b"HPID";

/// Numbers of types, encodings and the like in Parquet's headers.
pub(crate) mod codes {
    pub(crate) const BOOLEAN: i32 = 0;
    pub(crate) const INT64: i32 = 2;
    pub(crate) const DOUBLE: i32 = 5;
    pub(crate) const BYTE_ARRAY: i32 = 6;
    pub(crate) const PLAIN: i32 = 0;
    pub(crate) const RLE: i32 = 3;
    pub(crate) const DELTA: i32 = 5;
    pub(crate) const DICTIONARY: i32 = 8;
    pub(crate) const ZSTD: i32 = 6;
    pub(crate) const DATA_PAGE: i32 = 0;
    pub(crate) const DICTIONARY_PAGE: i32 = 2;
}

/// Rows in a page.
const PAGE: u32 = 1 << 16;
/// Level of zstd: bits of numbers gain next to nothing from a higher one.
const LEVEL: i32 = 1;
/// Longest text in statistics.
const LONGEST_BOUND: usize = 64;

/// Type on disk.
pub(crate) const fn physical(kind: Kind) -> i32 {
    match kind {
        Kind::Int => codes::INT64,
        Kind::Float => codes::DOUBLE,
        Kind::Bool => codes::BOOLEAN,
        Kind::Text | Kind::Name => codes::BYTE_ARRAY,
    }
}

/// Texts of a dictionary's entries, one after another, in order.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) ends: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

/// What the footer says of a column chunk.
#[derive(Debug)]
struct Chunk {
    dictionary: Option<u64>,
    data: u64,
    encoding: i32,
    values: i64,
    nulls: i64,
    raw: i64,
    packed: i64,
    bounds: Option<(Vec<u8>, Vec<u8>)>,
}

/// A Parquet file that is being written.
pub(crate) struct FileWriter<W: Write> {
    out: W,
    at: u64,
    compressor: Compressor<'static>,
    groups: Vec<(u32, Vec<Chunk>)>,
    rows: u64,
    /// Room for a page, its packed form and its levels.
    page: Vec<u8>,
    packed: Vec<u8>,
    levels: Vec<u32>,
}

impl<W: Write> FileWriter<W> {
    pub(crate) fn new(out: W) -> Result<Self> {
        let mut file = Self {
            out,
            at: 0,
            compressor: Compressor::new(LEVEL).map_err(Error::write)?,
            groups: Vec::new(),
            rows: 0,
            page: Vec::new(),
            packed: Vec::new(),
            levels: Vec::new(),
        };
        file.put(MAGIC)?;
        Ok(file)
    }

    fn put(&mut self, bytes: &[u8]) -> Result {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes).map_err(Error::write)
    }

    /// Writes `rows` rows. `texts` are those of the dictionaries, one for each column of names, in order.
    pub(crate) fn group(&mut self, specs: &[Spec], columns: &[Column], rows: u32, texts: &[Texts]) -> Result {
        let mut chunks = Vec::with_capacity(columns.len());
        let mut texts = texts.iter();
        for (spec, column) in specs.iter().zip(columns) {
            let texts = match column.values {
                Values::Name(_) => texts.next(),
                _ => None,
            };
            chunks.push(self.chunk(spec, column, rows, texts)?);
        }
        self.groups.push((rows, chunks));
        self.rows += u64::from(rows);
        Ok(())
    }

    fn chunk(&mut self, spec: &Spec, column: &Column, rows: u32, texts: Option<&Texts>) -> Result<Chunk> {
        let present: u32 = column.present.iter().map(|(start, end)| end - start).sum();
        let mut chunk = Chunk {
            dictionary: None,
            data: self.at,
            encoding: codes::PLAIN,
            values: rows.into(),
            nulls: i64::from(rows - present),
            raw: 0,
            packed: 0,
            bounds: None,
        };
        match (&column.values, texts) {
            (Values::Int(list), _) => {
                chunk.encoding = codes::DELTA;
                let bounds = list.iter().copied().min().zip(list.iter().copied().max());
                chunk.bounds =
                    bounds.map(|(least, most)| (least.to_le_bytes().to_vec(), most.to_le_bytes().to_vec()));
            }
            (Values::Name(dictionary), Some(texts)) if !dictionary.entries.is_empty() => {
                chunk.encoding = codes::DICTIONARY;
                chunk.bounds = text_bounds(texts);
                chunk.dictionary = Some(self.at);
                self.page.clear();
                let mut start = 0;
                for &end in &texts.ends {
                    push_text(&mut self.page, &texts.bytes[start..end]);
                    start = end;
                }
                self.page(codes::DICTIONARY_PAGE, dictionary.entries.len(), codes::PLAIN, &mut chunk)?;
                chunk.data = self.at;
            }
            _ => {}
        }
        // The runs of present rows, and the number of values before.
        let (mut run, mut before) = (0, 0);
        for start in (0..rows).step_by(PAGE as usize) {
            let end = (start + PAGE).min(rows);
            self.page.clear();
            let values = if spec.optional {
                self.levels.clear();
                let mut values = 0;
                let mut at = start;
                while let Some(&(from, to)) = column.present.get(run)
                    && from < end
                {
                    let (from, to) = (from.max(at), to.min(end));
                    self.levels.extend(std::iter::repeat_n(0, (from - at) as usize));
                    self.levels.extend(std::iter::repeat_n(1, (to - from) as usize));
                    values += (to - from) as usize;
                    at = to;
                    if column.present[run].1 > end {
                        break;
                    }
                    run += 1;
                }
                self.levels.extend(std::iter::repeat_n(0, (end - at) as usize));
                self.page.extend_from_slice(&[0; 4]);
                push_runs(&mut self.page, 1, &self.levels);
                let length = (self.page.len() - 4) as u32;
                self.page[..4].copy_from_slice(&length.to_le_bytes());
                values
            } else {
                (end - start) as usize
            };
            push_values(&mut self.page, &column.values, before, before + values);
            before += values;
            self.page(codes::DATA_PAGE, (end - start) as usize, chunk.encoding, &mut chunk)?;
        }
        if let Values::Name(dictionary) = &column.values {
            self.entries(dictionary)?;
        }
        Ok(chunk)
    }

    /// Writes the page that was built.
    fn page(&mut self, kind: i32, values: usize, encoding: i32, chunk: &mut Chunk) -> Result {
        let too_large = || Error::refused("a text of 1 GiB or more is more than a page of Parquet holds");
        let raw = i32::try_from(self.page.len()).map_err(|_| too_large())?;
        self.packed.clear();
        self.packed.resize(zstd::zstd_safe::compress_bound(self.page.len()), 0);
        let packed =
            self.compressor.compress_to_buffer(&self.page, &mut self.packed[..]).map_err(Error::write)?;
        self.packed.truncate(packed);
        let mut head = Encoder::default();
        head.begin();
        head.i32(1, kind);
        head.i32(2, raw);
        head.i32(3, i32::try_from(packed).map_err(|_| too_large())?);
        if kind == codes::DICTIONARY_PAGE {
            head.open(7);
            head.i32(1, values as i32);
            head.i32(2, encoding);
        } else {
            head.open(5);
            head.i32(1, values as i32);
            head.i32(2, encoding);
            head.i32(3, codes::RLE);
            head.i32(4, codes::RLE);
        }
        head.end();
        head.end();
        chunk.raw += head.out.len() as i64 + i64::from(raw);
        chunk.packed += (head.out.len() + packed) as i64;
        let body = std::mem::take(&mut self.packed);
        self.put(&head.out)?;
        self.put(&body)?;
        self.packed = body;
        Ok(())
    }

    /// Writes which string records and subtypes a dictionary's texts are: between two column chunks, where no reader
    /// of Parquet looks.
    fn entries(&mut self, dictionary: &Dictionary) -> Result {
        let mut list = Vec::with_capacity(dictionary.entries.len() * 3);
        for entry in &dictionary.entries {
            let (tag, n) = match *entry {
                Entry::String(id) => (0, zigzag(id)),
                Entry::Subtype(n) => (1, n.into()),
                Entry::Bracketed(n) => (2, n.into()),
            };
            list.push(tag);
            push_varint(&mut list, n);
        }
        let packed = self.compressor.compress(&list).map_err(Error::write)?;
        self.put(ENTRIES)?;
        self.put(&(packed.len() as u32).to_le_bytes())?;
        self.put(&packed)
    }

    /// Writes the footer. `facts` are keys and values for those who know them.
    pub(crate) fn finish(mut self, specs: &[Spec], facts: &[(&str, &str)]) -> Result<W> {
        let mut footer = Encoder::default();
        footer.begin();
        footer.i32(1, 1);
        footer.list(2, STRUCT, specs.len() + 1);
        footer.begin();
        footer.binary(4, b"schema");
        footer.i32(5, specs.len() as i32);
        footer.end();
        for spec in specs {
            footer.begin();
            footer.i32(1, physical(spec.kind));
            footer.i32(3, spec.optional.into());
            footer.binary(4, spec.name.as_bytes());
            if matches!(spec.kind, Kind::Text | Kind::Name) {
                // UTF-8, in the old and in the new form.
                footer.i32(6, 0);
                footer.open(10);
                footer.open(1);
                footer.end();
                footer.end();
            }
            footer.end();
        }
        footer.i64(3, self.rows as i64);
        footer.list(4, STRUCT, self.groups.len());
        for (number, (rows, chunks)) in self.groups.iter().enumerate() {
            footer.begin();
            footer.list(1, STRUCT, chunks.len());
            chunks.iter().zip(specs).for_each(|(chunk, spec)| push_chunk(&mut footer, chunk, spec));
            footer.i64(2, chunks.iter().map(|c| c.raw).sum());
            footer.i64(3, (*rows).into());
            let first = chunks.first().map_or(0, |c| c.dictionary.unwrap_or(c.data));
            footer.i64(5, first as i64);
            footer.i64(6, chunks.iter().map(|c| c.packed).sum());
            if let Ok(number) = i16::try_from(number) {
                footer.i16(7, number);
            }
            footer.end();
        }
        footer.list(5, STRUCT, facts.len());
        for (key, value) in facts {
            footer.begin();
            footer.binary(1, key.as_bytes());
            footer.binary(2, value.as_bytes());
            footer.end();
        }
        footer.binary(6, concat!("heap-tools version ", env!("CARGO_PKG_VERSION"), " (build 0)").as_bytes());
        footer.list(7, STRUCT, specs.len());
        for _ in specs {
            // Bounds are in the order of the type.
            footer.begin();
            footer.open(1);
            footer.end();
            footer.end();
        }
        footer.end();
        let length = (footer.out.len() as u32).to_le_bytes();
        self.put(&footer.out)?;
        self.put(&length)?;
        self.put(MAGIC)?;
        self.out.flush().map_err(Error::write)?;
        Ok(self.out)
    }
}

fn push_chunk(footer: &mut Encoder, chunk: &Chunk, spec: &Spec) {
    footer.begin();
    footer.i64(2, chunk.dictionary.unwrap_or(chunk.data) as i64);
    footer.open(3);
    footer.i32(1, physical(spec.kind));
    let mut encodings = vec![codes::RLE, chunk.encoding];
    if chunk.dictionary.is_some() {
        encodings.push(codes::PLAIN);
    }
    footer.list(2, I32, encodings.len());
    for encoding in encodings {
        footer.number(encoding.into());
    }
    footer.list(3, BINARY, 1);
    footer.bytes(spec.name.as_bytes());
    footer.i32(4, codes::ZSTD);
    footer.i64(5, chunk.values);
    footer.i64(6, chunk.raw);
    footer.i64(7, chunk.packed);
    footer.i64(9, chunk.data as i64);
    if let Some(at) = chunk.dictionary {
        footer.i64(11, at as i64);
    }
    footer.open(12);
    footer.i64(3, chunk.nulls);
    if let Some((least, most)) = &chunk.bounds {
        footer.binary(5, most);
        footer.binary(6, least);
    }
    footer.end();
    footer.end();
    footer.end();
}

/// The least and the greatest text, if both are short.
fn text_bounds(texts: &Texts) -> Option<(Vec<u8>, Vec<u8>)> {
    let starts = std::iter::once(0).chain(texts.ends.iter().copied());
    let list = || starts.clone().zip(&texts.ends).map(|(start, &end)| &texts.bytes[start..end]);
    let (least, most) = (list().min()?, list().max()?);
    (least.len() <= LONGEST_BOUND && most.len() <= LONGEST_BOUND).then(|| (least.to_vec(), most.to_vec()))
}

fn push_text(page: &mut Vec<u8>, text: &[u8]) {
    page.extend_from_slice(&(text.len() as u32).to_le_bytes());
    page.extend_from_slice(text);
}

/// Appends the values of a page.
fn push_values(page: &mut Vec<u8>, values: &Values, from: usize, to: usize) {
    match values {
        Values::Int(list) => push_deltas(page, &list[from..to]),
        Values::Float(list) => list[from..to].iter().for_each(|x| page.extend_from_slice(&x.to_le_bytes())),
        Values::Bool(list) => {
            for bits in list[from..to].chunks(8) {
                page.push(bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
            }
        }
        Values::Text { ends, bytes } => {
            let mut start = if from == 0 { 0 } else { ends[from - 1] };
            for &end in &ends[from..to] {
                push_text(page, &bytes[start..end]);
                start = end;
            }
        }
        Values::Name(dictionary) => {
            if dictionary.entries.is_empty() {
                return;
            }
            let width = width(dictionary.entries.len() as u32 - 1).max(1);
            page.push(width as u8);
            push_runs(page, width, &dictionary.indexes[from..to]);
        }
    }
}
