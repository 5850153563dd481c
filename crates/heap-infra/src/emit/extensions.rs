//! Extension records: `chrome.dump`, `chrome.total`, `chrome.type`, `chrome.region`, `chrome.cell`.

use heap_base::{Members, Result, sort_by_key};
use heap_record::{Extension, Sink};

use super::{Emitter, Plan};
use crate::ids::Key;
use crate::load::{Loaded, Names};
use crate::rows::NO_COUNT;
use crate::texts::{NONE, TextId, Texts};

impl Emitter<'_> {
    /// Emits the dump's own data beside nodes: where it comes from, totals, types, regions.
    pub(super) fn emit_extensions(&self, loaded: &Loaded, process: &[Plan], sink: &mut dyn Sink) -> Result {
        let Some(Names { dict, classes, .. }) = self.trace.names(loaded) else { return Ok(()) };
        let texts = &self.trace.texts;
        let dump = &self.trace.index.dumps[loaded.dump];
        let process_name = self.process_name(dump.pid);
        let mut members = Members::new();
        let members = &mut members;
        let string = |members: &mut Members, key: &str, text: TextId| {
            if let Some(string) = texts.string(text) {
                members.int(key, string);
            }
        };

        members.clear();
        members.int("pid", dump.pid);
        string(members, "process", process_name);
        string(members, "dump_id", dump.id);
        string(members, "trigger", dump.trigger);
        string(members, "level_of_detail", dump.members.level);
        members.float("ts", dump.ts);
        sink.extension(&Extension { kind: "chrome.dump", body: members.as_bytes(), ..Extension::default() })?;

        for total in &loaded.totals {
            members.clear();
            members.int("pid", dump.pid);
            string(members, "allocator", total.allocator);
            string(members, "attribute", total.attribute);
            string(members, "units", total.units);
            members.uint("value", total.value);
            sink.extension(&Extension {
                kind: "chrome.total",
                body: members.as_bytes(),
                ..Extension::default()
            })?;
        }

        let mut types = classes.used().to_vec();
        // By id: another trace with the same tables may use them in another order.
        sort_by_key(&mut types, |&ty| dict.type_key(ty));
        for ty in types {
            let class = classes.name(ty);
            members.clear();
            members.int("pid", dump.pid);
            push_key(members, "type_id", "type_key", dict.type_key(ty), texts);
            string(members, "class", class);
            let recorded = dict.type_recorded(ty);
            if recorded != class {
                string(members, "recorded", recorded);
            }
            sink.extension(&Extension {
                kind: "chrome.type",
                body: members.as_bytes(),
                ..Extension::default()
            })?;
        }

        let mut files: Vec<TextId> =
            process.iter().flat_map(|plan| plan.frames.iter().map(|frame| frame.module)).collect();
        heap_base::sort(&mut files);
        files.dedup();
        for region in &loaded.regions.list {
            if region.file == NONE || files.binary_search(&region.file).is_err() {
                continue;
            }
            members.clear();
            members.int("pid", dump.pid);
            members.uint("start", region.start).uint("size", region.size);
            members.uint("protection", region.protection.into());
            string(members, "file", region.file);
            sink.extension(&Extension {
                kind: "chrome.region",
                body: members.as_bytes(),
                ..Extension::default()
            })?;
        }
        Ok(())
    }

    /// Emits the entries of the previous format and of v1, as in the file.
    pub(super) fn emit_cells(&self, loaded: &Loaded, process: &[Plan], sink: &mut dyn Sink) -> Result {
        let Some(Names { dict, classes, .. }) = self.trace.names(loaded) else { return Ok(()) };
        let texts = &self.trace.texts;
        let mut members = Members::new();
        for (heap, plan) in loaded.heaps.iter().zip(process) {
            for cell in &heap.cells {
                members.clear();
                members.int("frame", plan.id(cell.slot));
                if let Some(class) = texts.string(classes.name(cell.class)) {
                    members.int("class", class);
                }
                members.uint("size", cell.size);
                if cell.count != NO_COUNT {
                    members.uint("count", cell.count);
                }
                push_key(&mut members, "type_id", "type_key", dict.type_key(cell.class), texts);
                sink.extension(&Extension {
                    kind: "chrome.cell",
                    body: members.as_bytes(),
                    ..Extension::default()
                })?;
            }
        }
        Ok(())
    }
}

fn push_key(members: &mut Members, number: &str, text: &str, key: Option<Key>, texts: &Texts) {
    match key {
        Some(Key::Number(n)) => {
            members.uint(number, n);
        }
        Some(Key::Text(t)) => {
            if let Some(string) = texts.string(t) {
                members.int(text, string);
            }
        }
        None => {}
    }
}
