//! What heap-info shows of an HPROF file: heads of records are read, and of the heap only what they frame. Of Android's all is
//! read, because only the records of objects name the heaps.

use heap_base::{Blob, Result};
use heap_record::{Fact, Info};

use super::header::Header;
use super::parts::{Part, Record, parts, record};
use super::scan::Scan;
use crate::window::Window;

/// Goes from record to record.
///
/// # Errors
/// Damage in the head of the file; failures of reading.
pub(crate) fn info(blob: &Blob) -> Result<Info> {
    let header = Header::read(blob)?;
    let mut window = Window::new(blob, header.records_at);
    let int = |n: u64| Fact::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let (mut names, mut classes, mut traces) = (0, 0, 0);
    let mut damage = None;
    while window.position() < blob.len() {
        let at = window.position();
        if !window.has(9)? {
            damage = Some(format!("byte {at}: the head of a record ends early"));
            break;
        }
        let Record { tag, body, .. } = record(&mut window)?;
        match tag {
            0x01 => names += 1,
            0x02 => classes += 1,
            0x05 => traces += 1,
            _ => {}
        }
        if body > blob.len() - window.position() {
            damage = Some(format!("byte {at}: a record of {body} bytes ends early"));
            break;
        }
        window.skip(body);
    }
    let parts = parts(blob, &header)?;
    let complete = |part: &Part| part.ended || header.version == 1 && damage.is_none();
    let segments = parts.iter().map(|part| part.segments).sum();
    let bytes = parts.iter().map(|part| part.bytes).sum();
    let whole = Fact::Flag(damage.is_none() && parts.iter().all(complete));
    let snapshots = if parts.len() > 1 {
        let of = |part: &Part| {
            vec![
                ("elapsed_us", int(part.elapsed)),
                ("segments", int(part.segments)),
                ("heap_bytes", Fact::Bytes(part.bytes)),
                ("complete", Fact::Flag(complete(part))),
            ]
        };
        parts.iter().map(of).collect()
    } else {
        Vec::new()
    };
    let heaps = match parts.last() {
        Some(part) if header.version == 3 => {
            let scan = Scan::run(blob, header, part)?;
            scan.heaps.iter().filter_map(|&name| scan.names.get(name)).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    };
    let mut facts = vec![
        ("time_ms", int(header.time)),
        ("identifier_size", int(header.id_size.into())),
        ("names", int(names)),
        ("loaded_classes", int(classes)),
        ("traces", int(traces)),
        ("segments", int(segments)),
        ("heap_bytes", Fact::Bytes(bytes)),
        ("complete", whole),
    ];
    if !heaps.is_empty() {
        facts.push(("heaps", Fact::Text(heaps)));
    }
    if let Some(damage) = damage {
        facts.push(("damage", Fact::Text(damage)));
    }
    let producer = if header.version == 3 { "Android Runtime" } else { "Java VM" };
    Ok(Info {
        format: super::FORMAT,
        version: Some(format!("1.0.{}", header.version)),
        producer: Some(producer.to_owned()),
        facts,
        series: !snapshots.is_empty(),
        snapshots,
    })
}
