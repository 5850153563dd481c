//! Writes the records of a trace or profile: `records FILE [SNAPSHOT|all]`. For trying things out.

use std::fs::File;
use std::io;

use heap_record::{Blob, Pick, Sink, Writer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("no file")?;
    let pick = match args.next().as_deref() {
        None => Pick::Last,
        Some("all") => Pick::All,
        Some(n) => Pick::Number(n.parse()?),
    };
    let blob = Blob::from_file(File::open(path)?)?;
    let mut writer = Writer::new(io::stdout().lock());
    let result = heap_infra::read(&blob, pick, &mut writer);
    writer.finish(result.is_ok())?;
    Ok(result?)
}
