//! Puts the file together when all records have come.

use std::io::Write;

use heap_base::{Error, Map, Result};

use super::Writer;
use super::classes::Classes;
use super::file::File;
use super::heap::Heap;
use super::node::address;
use super::objects::Maker;
use super::roots::Roots;
use crate::layout::{Layout, Overrides};

/// Sizes are written as they are claimed, since zeros take the place of what the stream lacks. Beyond this, and so much
/// for each record, the claims are taken for false.
const MAX_CLAIMED: u64 = 64 << 30;
const CLAIMED_EACH: u64 = 4096;

impl<W: Write> Writer<W> {
    /// Puts the file together.
    pub(super) fn assemble(&mut self, out: W) -> Result {
        let java = self.java();
        let mut input = std::mem::take(&mut self.input);
        input.by_key = Map::default();
        self.left_out.add("nodes with the identifier of another", input.ids.seal());
        let says = |key: &str, value: &str| self.head.get(key).is_some_and(|v| v == value);
        let number = |key: &str| self.head.get(key).and_then(|v| v.parse::<u64>().ok());
        let index = says("heap.identifier", "index");
        let narrow = java && says("java.identifier_size", "4");
        let version = if java && says("java.version", "1.0.3") { b'3' } else { b'2' };
        let layout = self.head.get("java.layout").filter(|_| java);
        let layout = layout.and_then(Overrides::parse).unwrap_or_default();
        let layout = layout.over(Layout::COMPRESSED);
        let hold_all = says("heap.unreachable", "root");
        let file =
            File::new(out, version - b'0', if narrow { 4 } else { 8 }, number("java.time").unwrap_or(0));

        let ids = std::mem::take(&mut input.ids);
        let mut heap = Heap {
            java,
            index,
            layout,
            types: &self.types,
            ids: &ids,
            classes: Classes::default(),
            class_of: Vec::new(),
            forms: Vec::new(),
            lengths: Vec::new(),
            contents: Map::default(),
            edge_forms: Map::default(),
            places: Vec::new(),
            roots: Roots::default(),
            next: 0,
        };
        heap.gather_classes(&mut input)?;
        let size = heap.gather_nodes(&mut input)?;
        let records = heap.forms.len() as u64 + input.links.len();
        if size > MAX_CLAIMED.max(records.saturating_mul(CLAIMED_EACH)) {
            let what = format!("{records} records claim {size} bytes, and the file would be as large");
            return Err(Error::refused(what));
        }
        if java {
            heap.gather_java(&mut input)?;
        }
        heap.gather_labels(&input)?;
        heap.place_nodes(&mut self.left_out)?;
        // Where none is named, what nothing refers to is a root beside those that edges say.
        if heap.roots.list.is_empty() || self.head.roots().is_empty() {
            heap.find_roots(&input, self.head.roots(), hold_all)?;
        }
        let all = input.links.len();
        let texts = std::mem::take(&mut input.texts);
        let mut maker = Maker::new(heap, texts, file, &mut self.left_out);
        maker.front(&input)?;
        maker.objects(input)?;
        let dropped = all - maker.delivered;
        maker.left_out.add("edges of nodes that are not there", dropped);
        maker.hold_names()?;
        maker.file.append_made()?;
        let (index, roots) = (maker.heap.index, std::mem::take(&mut maker.heap.roots));
        roots.write(|id| address(id, index), &mut maker.file)?;
        maker.file.finish()?;
        let (written, too_large, names) = (maker.written, maker.too_large, maker.name_bytes);
        maker.left_out.add("elements beyond what an array holds", too_large);
        if !java && written != size {
            let names =
                if names > 0 { format!(", of them {names} for names and labels") } else { String::new() };
            self.notes.push(format!("objects have {written} bytes in the file{names}; {size} in the input"));
        }
        Ok(())
    }
}
