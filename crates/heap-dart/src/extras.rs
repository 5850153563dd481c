//! Extension records: classes, their fields, external properties, and the layout of the file.

use heap_base::{Members, Result};
use heap_record::{Extension, Sink, StringId, index_id};

use crate::classes::record;
use crate::header::Header;
use crate::names::Names;
use crate::scan::{Scan, property};
use crate::source::Source;
use crate::window::Window;

/// Emits the intact part of the class table.
pub(crate) fn classes(source: &Source, header: &Header, names: &mut Names, sink: &mut dyn Sink) -> Result {
    let mut window = Window::new(source, header.classes_at);
    let mut fields = Vec::new();
    let mut body = Members::new();
    for id in 1..=header.classes.len() {
        let class = record(&mut window, names, &mut fields)
            .map_err(|fault| window.error(fault, &format!("class {id}")))?;
        body.clear();
        body.uint("id", id).uint("name", class.name.into()).uint("library", class.library.into());
        body.uint("uri", class.uri.into());
        reserved(&mut body, class.flags, class.reserved, names);
        sink.extension(&Extension { kind: "dart.class", body: body.as_bytes(), ..Extension::default() })?;
        for field in &fields {
            body.clear();
            body.uint("class", id).uint("index", field.index).uint("name", field.name.into());
            reserved(&mut body, field.flags, field.reserved, names);
            sink.extension(&Extension {
                kind: "dart.class_field",
                body: body.as_bytes(),
                ..Extension::default()
            })?;
        }
    }
    Ok(())
}

/// What is reserved, where it is not zero or empty.
fn reserved(body: &mut Members, flags: u64, text: u32, names: &Names) {
    if flags != 0 {
        body.uint("flags", flags);
    }
    if !names.text(text).is_empty() {
        body.uint("reserved", text.into());
    }
}

/// Emits the intact external properties.
pub(crate) fn properties(source: &Source, scan: &Scan, sink: &mut dyn Sink) -> Result {
    if scan.properties == 0 {
        return Ok(());
    }
    let mut window = Window::new(source, scan.properties_at);
    let mut body = Members::new();
    let mut next: StringId = scan.first_property_name;
    let fault = |window: &mut Window, fault| window.error(fault, "an external property");
    window.near().and_then(|()| window.number()).map_err(|f| fault(&mut window, f))?;
    let mut ids = Vec::new();
    for _ in 0..scan.properties {
        let (object, size, name) = match property(&mut window) {
            Ok(property) => property,
            Err(f) => return Err(fault(&mut window, f)),
        };
        // The first pass gave ids in order of appearance: to a name it noted once, else to each.
        let id = match scan.property_names.find(name) {
            Some(number) if (number as usize) < ids.len() => ids[number as usize],
            Some(_) => {
                ids.push(next);
                next += 1;
                next - 1
            }
            None => {
                next += 1;
                next - 1
            }
        };
        body.clear();
        body.int("object", index_id(object)).uint("size", size).int("name", id);
        sink.extension(&Extension { kind: "dart.external", body: body.as_bytes(), ..Extension::default() })?;
    }
    Ok(())
}

/// Emits what only the whole file shows.
pub(crate) fn layout(dialect: &str, scan: &Scan, sink: &mut dyn Sink) -> Result {
    let mut body = Members::new();
    body.text("dialect", dialect).uint("word_bits", scan.word_bits().into());
    body.boolean("smis", scan.smis).boolean("hashes", scan.hashes_at.is_some());
    match scan.trailing {
        (0, _) => {}
        (bytes, true) => {
            body.uint("padding", bytes);
        }
        (bytes, false) => {
            body.uint("trailing", bytes);
        }
    }
    sink.extension(&Extension { kind: "dart.layout", body: body.as_bytes(), ..Extension::default() })
}
