//! Reads the footer of a Parquet file and the values of its column chunks.
//!
//! Files are not trusted: what a header claims is checked against the bytes that are there.

use std::io::Read as _;

use heap_base::{Blob, Error, Result, unzigzag};
use zstd::bulk::Decompressor;

use crate::column::Entry;
use crate::encode::Bytes;
use crate::file::{ENTRIES, MAGIC, codes};
use crate::thrift::{Decoder, LIST};

/// Most rows of a row group: ours have 2^20.
const MOST_ROWS: i64 = 1 << 24;
/// Largest page that is unpacked at once; a larger one grows while it is unpacked.
const AT_ONCE: usize = 16 << 20;

/// Bytes of the number of a name, at most.
const LONGEST_ENTRY: u64 = 11;

/// A column of the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColumnInfo {
    pub(crate) name: String,
    physical: i64,
    optional: bool,
    children: i64,
}

/// Where the values of a column are.
#[derive(Clone, Debug, Default)]
struct Chunk {
    codec: i64,
    values: i64,
    packed: i64,
    data: i64,
    dictionary: Option<i64>,
}

#[derive(Clone, Debug, Default)]
struct Group {
    rows: i64,
    chunks: Vec<Chunk>,
}

/// An open file and what its footer says.
#[derive(Debug)]
pub(crate) struct FileReader {
    blob: Blob,
    pub(crate) columns: Vec<ColumnInfo>,
    groups: Vec<Group>,
    facts: Vec<(String, String)>,
}

/// The values of a column in a row group.
#[derive(Debug)]
pub(crate) enum Data {
    Int(Vec<i64>),
    Float(Vec<f64>),
    Bool(Vec<bool>),
    Text { ends: Vec<usize>, bytes: Vec<u8> },
    Name { indexes: Vec<u32>, entries: Vec<Entry> },
}

/// The same, read row by row.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) data: Data,
    /// Whether each row has a value; empty if all have.
    present: Vec<u32>,
    row: usize,
    value: usize,
}

impl Loaded {
    /// The position of the current row's value, if it has one.
    #[inline]
    pub(crate) fn at(&self) -> Option<usize> {
        (self.present.is_empty() || self.present.get(self.row) == Some(&1)).then_some(self.value)
    }

    #[inline]
    pub(crate) fn advance(&mut self) {
        self.value += usize::from(self.at().is_some());
        self.row += 1;
    }

    /// The current row's whole number; of a boolean 0 or 1.
    #[inline]
    pub(crate) fn int(&self) -> Option<i64> {
        let at = self.at()?;
        match &self.data {
            Data::Int(list) => list.get(at).copied(),
            Data::Bool(list) => list.get(at).map(|&b| b.into()),
            _ => None,
        }
    }

    /// What the current row's name is.
    #[inline]
    pub(crate) fn entry(&self) -> Option<Entry> {
        let at = self.at()?;
        match &self.data {
            Data::Name { indexes, entries } => entries.get(*indexes.get(at)? as usize).copied(),
            _ => None,
        }
    }

    pub(crate) fn float(&self) -> Option<f64> {
        let at = self.at()?;
        match &self.data {
            Data::Float(list) => list.get(at).copied(),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        let at = self.at()?;
        match &self.data {
            Data::Text { ends, bytes } => {
                let start = if at == 0 { 0 } else { *ends.get(at - 1)? };
                std::str::from_utf8(bytes.get(start..*ends.get(at)?)?).ok()
            }
            _ => None,
        }
    }
}

impl FileReader {
    /// Reads the footer.
    pub(crate) fn open(blob: &Blob) -> Result<Self> {
        let len = blob.len();
        let mut tail = [0; 8];
        if len < 12 {
            return Err(Error::at_byte(len, "a Parquet file ends early"));
        }
        blob.read_exact_at(&mut tail, len - 8, "the end of a Parquet file")?;
        if &tail[4..] != MAGIC {
            return Err(Error::at_byte(len - 4, "expected PAR1 at the end of a Parquet file"));
        }
        let length = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        if length > len - 12 {
            return Err(Error::at_byte(len - 8, "the footer is longer than the file"));
        }
        let mut bytes = vec![0; length as usize];
        blob.read_exact_at(&mut bytes, len - 8 - length, "the footer")?;
        let mut file =
            Self { blob: blob.clone(), columns: Vec::new(), groups: Vec::new(), facts: Vec::new() };
        file.footer(&mut Decoder::new(&bytes, len - 8 - length))?;
        let flat = file.columns.first().is_some_and(|root| root.children == file.columns.len() as i64 - 1);
        if !flat || file.columns.iter().skip(1).any(|c| c.children != 0) {
            return Err(Error::input("a Parquet file with columns within columns"));
        }
        file.columns.remove(0);
        if file
            .groups
            .iter()
            .any(|g| g.chunks.len() != file.columns.len() || !(0..=MOST_ROWS).contains(&g.rows))
        {
            return Err(Error::input("a row group of a Parquet file does not fit its columns"));
        }
        Ok(file)
    }

    /// A fact of the footer.
    pub(crate) fn fact(&self, key: &str) -> Option<&str> {
        self.facts.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> u64 {
        self.groups.iter().fold(0, |sum, g| sum.saturating_add(g.rows as u64))
    }

    /// Rows of a row group; `None` behind the last.
    pub(crate) fn group_rows(&self, group: usize) -> Option<usize> {
        self.groups.get(group).map(|g| g.rows as usize)
    }

    fn footer(&mut self, from: &mut Decoder<'_>) -> Result {
        each(from, |id, kind, from| match id {
            2 => elements(from, kind, |from| {
                let mut column = ColumnInfo::default();
                each(from, |id, kind, from| match id {
                    1 => number(from, &mut column.physical),
                    3 => from.number().map(|n| column.optional = n == 1),
                    4 => text(from).map(|name| column.name = name),
                    5 => number(from, &mut column.children),
                    _ => from.skip(kind),
                })?;
                self.columns.push(column);
                Ok(())
            }),
            4 => elements(from, kind, |from| {
                let mut group = Group::default();
                each(from, |id, kind, from| match id {
                    1 => elements(from, kind, |from| {
                        group.chunks.push(chunk(from)?);
                        Ok(())
                    }),
                    3 => number(from, &mut group.rows),
                    _ => from.skip(kind),
                })?;
                self.groups.push(group);
                Ok(())
            }),
            5 => elements(from, kind, |from| {
                let mut fact = (String::new(), String::new());
                each(from, |id, kind, from| match id {
                    1 => text(from).map(|key| fact.0 = key),
                    2 => text(from).map(|value| fact.1 = value),
                    _ => from.skip(kind),
                })?;
                self.facts.push(fact);
                Ok(())
            }),
            _ => from.skip(kind),
        })
    }

    /// Reads a column of a row group.
    pub(crate) fn load(&self, group: usize, column: usize) -> Result<Loaded> {
        let (Some(info), Some(group)) = (self.columns.get(column), self.groups.get(group)) else {
            return Err(Error::input("no such column"));
        };
        let Some(chunk) = group.chunks.get(column) else { return Err(Error::input("no such column")) };
        let start = chunk.dictionary.unwrap_or(chunk.data).max(0) as u64;
        let wrong = |at: u64, what: &str| Error::at_byte(at, format!("column {}: {what}", info.name));
        let packed = u64::try_from(chunk.packed).unwrap_or(u64::MAX);
        if packed > self.blob.len().saturating_sub(start) {
            return Err(wrong(start, "longer than the file"));
        }
        if chunk.values != group.rows {
            return Err(wrong(start, "expected a value for each row"));
        }
        let mut bytes = vec![0; packed as usize];
        self.blob.read_exact_at(&mut bytes, start, "a column")?;
        let rows = group.rows as usize;
        let mut reader = Chunked {
            info,
            bytes: &bytes,
            base: start,
            codec: chunk.codec,
            unpacker: Decompressor::new().map_err(Error::read)?,
            page: Vec::new(),
        };
        let mut loaded = reader.all(rows)?;
        if let Data::Name { indexes, entries } = &mut loaded.data {
            *entries = self.entries(start + packed, rows as u64, &wrong)?;
            if indexes.iter().any(|&i| i as usize >= entries.len()) {
                return Err(wrong(start, "a name beyond its dictionary"));
            }
        }
        Ok(loaded)
    }

    /// Reads what the entries of a dictionary are.
    fn entries(&self, at: u64, rows: u64, wrong: &dyn Fn(u64, &str) -> Error) -> Result<Vec<Entry>> {
        let mut head = [0; 8];
        self.blob.read_exact_at(&mut head, at, "the numbers of names")?;
        if &head[..4] != ENTRIES {
            return Err(wrong(
                at,
                "another program wrote this file: it can be queried, not read as a stream",
            ));
        }
        let length = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
        if length > self.blob.len().saturating_sub(at + 8) {
            return Err(wrong(at, "the numbers of names end early"));
        }
        let mut packed = vec![0; length as usize];
        self.blob.read_exact_at(&mut packed, at + 8, "the numbers of names")?;
        let mut list = Vec::new();
        let unpacked = zstd::stream::read::Decoder::with_buffer(packed.as_slice());
        unpacked
            .and_then(|unpacked| unpacked.take(rows * LONGEST_ENTRY).read_to_end(&mut list))
            .map_err(|_| wrong(at, "the numbers of names are damaged"))?;
        let mut bytes = Bytes(&list);
        let mut entries = Vec::new();
        while !bytes.0.is_empty() {
            let entry = bytes.take(1).map(|tag| tag[0]).and_then(|tag| Ok((tag, bytes.varint()?)));
            let (tag, n) = entry.map_err(|what| wrong(at, what))?;
            let subtype = u32::try_from(n).map_err(|_| wrong(at, "a subtype beyond 2^32"));
            entries.push(match tag {
                0 => Entry::String(unzigzag(n)),
                1 => Entry::Subtype(subtype?),
                2 => Entry::Bracketed(subtype?),
                _ => return Err(wrong(at, "expected the number of a name")),
            });
        }
        Ok(entries)
    }
}

/// The bytes of a column chunk.
struct Chunked<'a> {
    info: &'a ColumnInfo,
    bytes: &'a [u8],
    base: u64,
    codec: i64,
    unpacker: Decompressor<'static>,
    page: Vec<u8>,
}

/// The header of a page.
#[derive(Debug, Default)]
struct PageHead {
    kind: i64,
    raw: i64,
    packed: i64,
    values: i64,
    encoding: i64,
}

impl Chunked<'_> {
    fn wrong(&self, at: usize, what: &str) -> Error {
        Error::at_byte(self.base + at as u64, format!("column {}: {what}", self.info.name))
    }

    /// All values of the column.
    fn all(&mut self, rows: usize) -> Result<Loaded> {
        let data = match self.info.physical as i32 {
            codes::INT64 => Data::Int(Vec::new()),
            codes::DOUBLE => Data::Float(Vec::new()),
            codes::BOOLEAN => Data::Bool(Vec::new()),
            codes::BYTE_ARRAY => Data::Text { ends: Vec::new(), bytes: Vec::new() },
            _ => return Err(self.wrong(0, "a type that these tools do not write")),
        };
        let mut loaded = Loaded { data, present: Vec::new(), row: 0, value: 0 };
        let (mut at, mut done) = (0, 0);
        while done < rows {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let mut decoder = Decoder::new(rest, self.base + at as u64);
            let head = page_head(&mut decoder)?;
            let body = at + decoder.position();
            let packed = usize::try_from(head.packed).ok().and_then(|n| self.bytes.get(body..)?.get(..n));
            let Some(packed) = packed else { return Err(self.wrong(at, "a page ends early")) };
            at = body + packed.len();
            if head.kind == i64::from(codes::DICTIONARY_PAGE) {
                // Its texts are strings of the stream.
                loaded.data = Data::Name { indexes: Vec::new(), entries: Vec::new() };
                continue;
            }
            let values = usize::try_from(head.values).ok().filter(|&n| n > 0 && n <= rows - done);
            let Some(values) = values.filter(|_| head.kind == i64::from(codes::DATA_PAGE)) else {
                return Err(self.wrong(body, "expected a page of values"));
            };
            self.unpack(packed, head.raw, body)?;
            let page = std::mem::take(&mut self.page);
            let decoded =
                decode(&mut Bytes(&page), self.info.optional, values, head.encoding as i32, &mut loaded);
            decoded.map_err(|what| self.wrong(body, what))?;
            self.page = page;
            done += values;
        }
        if loaded.present.iter().all(|&level| level == 1) {
            loaded.present = Vec::new();
        }
        Ok(loaded)
    }

    fn unpack(&mut self, packed: &[u8], raw: i64, at: usize) -> Result {
        let raw = usize::try_from(raw).map_err(|_| self.wrong(at, "a page of negative length"))?;
        self.page.clear();
        let unpacked = match self.codec as i32 {
            0 => {
                self.page.extend_from_slice(packed);
                Ok(())
            }
            codes::ZSTD if raw <= AT_ONCE => {
                self.page.reserve(raw);
                self.unpacker.decompress_to_buffer(packed, &mut self.page).map(drop)
            }
            codes::ZSTD => zstd::stream::read::Decoder::with_buffer(packed)
                .and_then(|decoder| decoder.take(raw as u64 + 1).read_to_end(&mut self.page))
                .map(drop),
            _ => return Err(self.wrong(at, "packed in a way that these tools do not write")),
        };
        match unpacked {
            Ok(()) if self.page.len() == raw => Ok(()),
            _ => Err(self.wrong(at, "a page is damaged")),
        }
    }
}

/// Decodes a page of `rows` rows.
fn decode(
    page: &mut Bytes<'_>,
    optional: bool,
    rows: usize,
    encoding: i32,
    loaded: &mut Loaded,
) -> Result<(), &'static str> {
    let mut count = rows;
    if optional {
        let length = page.u32()? as usize;
        let before = loaded.present.len();
        Bytes(page.take(length)?).runs(1, rows, &mut loaded.present)?;
        count = loaded.present[before..].iter().filter(|&&level| level == 1).count();
    }
    match (&mut loaded.data, encoding) {
        (Data::Int(list), codes::DELTA) => page.deltas(count, list),
        (Data::Int(list), codes::PLAIN) => {
            for _ in 0..count {
                list.push(page.u64()? as i64);
            }
            Ok(())
        }
        (Data::Float(list), codes::PLAIN) => {
            for _ in 0..count {
                list.push(f64::from_bits(page.u64()?));
            }
            Ok(())
        }
        (Data::Bool(list), codes::PLAIN) => {
            let bits = page.take(count.div_ceil(8))?;
            list.extend((0..count).map(|i| bits[i / 8] >> (i % 8) & 1 == 1));
            Ok(())
        }
        (Data::Text { ends, bytes }, codes::PLAIN) => {
            for _ in 0..count {
                let length = page.u32()? as usize;
                bytes.extend_from_slice(page.take(length)?);
                ends.push(bytes.len());
            }
            Ok(())
        }
        (Data::Name { indexes, .. }, codes::DICTIONARY) => {
            let width = u32::from(page.take(1)?[0]);
            page.runs(width, count, indexes)
        }
        // A row group without any name has no dictionary.
        (Data::Name { .. }, codes::PLAIN) if count == 0 => Ok(()),
        _ => Err("encoded in a way that these tools do not write"),
    }
}

/// Reads the fields of a struct.
fn each<'a>(from: &mut Decoder<'a>, mut field: impl FnMut(i16, u8, &mut Decoder<'a>) -> Result) -> Result {
    let mut last = 0;
    while let Some((id, kind)) = from.field(&mut last)? {
        field(id, kind, from)?;
    }
    Ok(())
}

/// Reads the structs of a list.
fn elements<'a>(
    from: &mut Decoder<'a>,
    kind: u8,
    mut element: impl FnMut(&mut Decoder<'a>) -> Result,
) -> Result {
    if kind != LIST {
        return Err(from.wrong("expected a list"));
    }
    let (len, _) = from.list()?;
    (0..len).try_for_each(|_| element(from))
}

fn number(from: &mut Decoder<'_>, to: &mut i64) -> Result {
    from.number().map(|n| *to = n)
}

fn text(from: &mut Decoder<'_>) -> Result<String> {
    from.binary().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

fn chunk(from: &mut Decoder<'_>) -> Result<Chunk> {
    let mut chunk = Chunk::default();
    each(from, |id, kind, from| match id {
        3 => each(from, |id, kind, from| match id {
            4 => number(from, &mut chunk.codec),
            5 => number(from, &mut chunk.values),
            7 => number(from, &mut chunk.packed),
            9 => number(from, &mut chunk.data),
            11 => from.number().map(|n| chunk.dictionary = Some(n)),
            _ => from.skip(kind),
        }),
        _ => from.skip(kind),
    })?;
    Ok(chunk)
}

fn page_head(from: &mut Decoder<'_>) -> Result<PageHead> {
    let mut head = PageHead::default();
    each(from, |id, kind, from| match id {
        1 => number(from, &mut head.kind),
        2 => number(from, &mut head.raw),
        3 => number(from, &mut head.packed),
        5 | 7 => each(from, |id, kind, from| match id {
            1 => number(from, &mut head.values),
            2 => number(from, &mut head.encoding),
            _ => from.skip(kind),
        }),
        _ => from.skip(kind),
    })?;
    Ok(head)
}
