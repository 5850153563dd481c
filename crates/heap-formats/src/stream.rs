//! What heap-info reports of a record stream: its metadata, and counts of its records.

use heap_base::Result;
use heap_record::write::END_EXPECTED;
use heap_record::{
    Declaration, EdgeBatch, Extension, Fact, Facts, Info, Metadata, NodeBatch, Sink, Str, Wants,
    write::Counts,
};

/// Counts the records of a stream. The counts in an end mark are not used: they may be wrong, and several streams may follow
/// each other.
#[derive(Debug, Default)]
pub(crate) struct StreamFacts {
    head: Info,
    all: Totals,
    snapshots: Vec<(String, Totals)>,
    others: u64,
    declarations: u64,
    streams: u64,
    ended: u64,
}

#[derive(Debug, Default)]
struct Totals {
    counts: Counts,
    size: u64,
}

impl Totals {
    fn facts(&self) -> Facts {
        vec![
            ("nodes", Fact::Int(self.counts.nodes as i64)),
            ("edges", Fact::Int(self.counts.edges as i64)),
            ("strings", Fact::Int(self.counts.strings as i64)),
            ("size", Fact::Bytes(self.size)),
        ]
    }
}

impl StreamFacts {
    pub(crate) fn into_info(self) -> Info {
        let Info { version, producer, mut facts, .. } = self.head;
        facts.extend(self.all.facts());
        if self.others > 0 {
            facts.push(("extensions", Fact::Int(self.others as i64)));
        }
        if self.streams > 1 {
            facts.push(("streams", Fact::Int(self.streams as i64)));
        }
        facts.push(("complete", Fact::Flag(self.streams > 0 && self.ended == self.streams)));
        let snapshots = self
            .snapshots
            .into_iter()
            .map(|(name, totals)| {
                let mut facts = vec![("snapshot", Fact::Text(name))];
                facts.extend(totals.facts());
                facts
            })
            .collect();
        Info { format: "records", version, producer, facts, snapshots, series: false }
    }

    fn each(&mut self, mut add: impl FnMut(&mut Totals)) {
        add(&mut self.all);
        if let Some((_, totals)) = self.snapshots.last_mut() {
            add(totals);
        }
    }
}

impl Sink for StreamFacts {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let Metadata { key, value, .. } = *record;
        match key {
            "heap.snapshot" => self.snapshots.push((value.to_owned(), Totals::default())),
            "heap.end" => self.ended += u64::from(value != END_EXPECTED),
            _ => {
                self.streams += u64::from(key == "version_major");
                self.head.metadata(key, value);
            }
        }
        Ok(())
    }

    fn declare(&mut self, _: &Declaration<'_>) -> Result {
        self.declarations += 1;
        Ok(())
    }

    fn string(&mut self, _: &Str<'_>) -> Result {
        self.each(|totals| totals.counts.strings += 1);
        Ok(())
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        for node in batch.iter() {
            let size = node.heap.size.unwrap_or(0);
            self.each(|totals| {
                totals.counts.nodes += 1;
                totals.size = totals.size.saturating_add(size);
            });
        }
        Ok(())
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.each(|totals| totals.counts.edges += batch.len() as u64);
        Ok(())
    }

    fn extension(&mut self, _: &Extension<'_>) -> Result {
        self.others += 1;
        Ok(())
    }
}
