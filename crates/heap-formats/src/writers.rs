//! Makes the writer of each target. Only tools that write formats link this.

#![cfg_attr(
    not(feature = "zstd"),
    allow(unused_imports, clippy::unnecessary_wraps, reason = "of writers that were left out")
)]

use std::io::Write;
use std::path::Path;

#[cfg(feature = "export")]
use flate2::Compression;
#[cfg(feature = "export")]
use flate2::write::GzEncoder;
use heap_base::{Error, Result};
#[cfg(feature = "export")]
use heap_export::{StackConfig, StackForm, StackWriter, Table};
use heap_record::write::Form;
use heap_record::{Target, Writer};

#[cfg(any(feature = "export", feature = "zstd"))]
use crate::ending::Ending;
use crate::targets::{Kind, Options};

#[cfg(any(feature = "sqlite", feature = "parquet"))]
const NEEDS_FILE: &str = "this format needs a file";

/// The writer of a format that is written in order. `out` needs no buffer: writers write large pieces.
///
/// # Errors
/// The options do not go together, or the format needs a file.
pub(crate) fn to_stream<'a>(
    kind: Kind,
    out: Box<dyn Write + 'a>,
    options: &Options,
) -> Result<Box<dyn Target + 'a>> {
    Ok(match kind {
        #[cfg(feature = "v8")]
        Kind::V8 => Box::new(heap_v8::writer::writer(out, v8_layout(options)?)),
        #[cfg(feature = "memory-infra")]
        Kind::MemoryInfra => Box::new(heap_infra::writer::writer(out, memory_infra_config(options)?)),
        Kind::Ndjson => Box::new(record_stream(out, options)),
        #[cfg(feature = "zstd")]
        Kind::Zst => {
            let stream = record_stream(encoder(out).map_err(Error::write)?, options);
            Box::new(Ending { sink: stream, end: |stream| end_frame(stream.get_mut()) })
        }
        #[cfg(feature = "dart")]
        Kind::Dart => Box::new(heap_dart::writer::writer(out)),
        #[cfg(feature = "moarvm")]
        Kind::Moarvm => Box::new(heap_moar::writer::writer(out)),
        #[cfg(feature = "java")]
        Kind::Hprof => Box::new(heap_java::writer::writer(out)),
        #[cfg(feature = "export")]
        Kind::Folded => Box::new(StackWriter::new(out, StackForm::Folded, stack_config(options)?)),
        #[cfg(feature = "export")]
        Kind::Pprof => {
            let out = GzEncoder::new(out, Compression::default());
            let sink = StackWriter::new(out, StackForm::Pprof, stack_config(options)?);
            Box::new(Ending { sink, end: |sink| sink.get_mut().try_finish().map_err(Error::write) })
        }
        #[cfg(feature = "export")]
        Kind::Dot => heap_export::dot(out),
        #[cfg(feature = "export")]
        Kind::Graphml => heap_export::graphml(out),
        #[cfg(feature = "export")]
        Kind::Csv => heap_export::csv(out, csv_table(options)?),
        #[cfg(feature = "sqlite")]
        Kind::Sqlite => return Err(Error::refused(NEEDS_FILE)),
        #[cfg(feature = "parquet")]
        Kind::Parquet => return Err(Error::refused(NEEDS_FILE)),
    })
}

/// The writer of a format that needs a file, which gets its name when it is finished. `None` for other formats.
///
/// # Errors
/// `path` may not be replaced, or no file can be made beside it.
#[cfg_attr(
    not(all(feature = "sqlite", feature = "parquet")),
    allow(unused_variables, clippy::unnecessary_wraps, reason = "of writers that were left out")
)]
pub(crate) fn to_file(kind: Kind, path: &Path, options: &Options) -> Result<Option<Box<dyn Target>>> {
    Ok(match kind {
        #[cfg(feature = "sqlite")]
        Kind::Sqlite => Some(Box::new(heap_sqlite::writer(path, heap_sqlite::Replace::Ours)?)),
        #[cfg(feature = "parquet")]
        Kind::Parquet => Some(Box::new(heap_parquet::writer(path, options.tags.clone())?)),
        _ => None,
    })
}

#[cfg(feature = "v8")]
fn v8_layout(options: &Options) -> Result<heap_v8::writer::Layout> {
    match options.get("layout") {
        None | Some("original") => Ok(heap_v8::writer::Layout::Original),
        Some("newest") => Ok(heap_v8::writer::Layout::Newest),
        Some(other) => Err(Error::refused(format!("no layout {other}: original or newest"))),
    }
}

#[cfg(feature = "memory-infra")]
fn memory_infra_config(options: &Options) -> Result<heap_infra::writer::Config> {
    let has = |name| options.get(name).is_some();
    if has("v1") && has("v2") {
        return Err(Error::refused("--v1 or --v2, not both"));
    }
    if !has("v1") && (has("cut") || has("self")) {
        return Err(Error::refused("--cut and --self need --v1: version 2 leaves nothing out"));
    }
    let cut = options.cut.unwrap_or_default();
    Ok(heap_infra::writer::Config { v1: has("v1"), cut, selves: has("self") })
}

#[cfg(feature = "export")]
fn stack_config(options: &Options) -> Result<StackConfig> {
    let default = StackConfig::default();
    let depth = match options.get("depth").map(str::parse) {
        None => default.depth,
        Some(Ok(depth)) if depth > 0 => depth,
        Some(_) => return Err(Error::refused("--depth takes a number from 1 on")),
    };
    let frames = match options.get("by") {
        None | Some("dom") => false,
        Some("frame") => true,
        Some(other) => return Err(Error::refused(format!("no stacks by {other}: dom or frame"))),
    };
    let count = options.get("count").is_some();
    Ok(StackConfig { cut: options.cut.unwrap_or(default.cut), depth, count, frames })
}

#[cfg(feature = "export")]
fn csv_table(options: &Options) -> Result<Table> {
    match options.get("table") {
        None | Some("nodes") => Ok(Table::Nodes),
        Some("edges") => Ok(Table::Edges),
        Some(other) => Err(Error::refused(format!("no table {other}: nodes or edges"))),
    }
}

fn record_stream<W: Write>(out: W, options: &Options) -> Writer<W> {
    Writer::new(out).form(Form::Canonical).provenance(options.provenance.as_str(), false)
}

/// Compresses on a thread of its own, as the `zstd` command does.
#[cfg(feature = "zstd")]
fn encoder<W: Write>(out: W) -> std::io::Result<zstd::Encoder<'static, W>> {
    let mut encoder = zstd::Encoder::new(out, 3)?;
    encoder.include_checksum(true)?;
    encoder.multithread(1)?;
    Ok(encoder)
}

/// Writes what zstd still holds, and the end of its frame.
#[cfg(feature = "zstd")]
fn end_frame<W: Write>(encoder: &mut zstd::Encoder<'_, W>) -> Result {
    encoder.do_finish().and_then(|()| encoder.get_mut().flush()).map_err(Error::write)
}
