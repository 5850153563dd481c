//! Records that came from a profile as that profile again.

use heap_base::json::{Json, each, inside, member, scalar};
use heap_base::{Error, Map, Result};
use heap_record::{EdgeBatch, Extension, LeftOut, Metadata, NodeBatch, Str, StringId, Value};
use serde_json::Value as JsonValue;

use crate::emit::value_fields;
use crate::profile::{Function, Label, Line, Location, Mapping, Profile, Sample, Text, ValueType};

/// A frame: the number of its location, and whether it is the innermost line there.
struct Frame {
    location: u64,
    innermost: bool,
}

/// Collects the records of a profile. Records in any order, of any part of it: a filtered stream gives the samples that are left.
///
/// Memory: all of it.
#[derive(Default)]
pub struct Gather {
    profile: Profile,
    /// Texts by their numbers in the stream, and in the profile.
    texts: Map<StringId, Vec<u8>>,
    numbers: Map<Vec<u8>, Text>,
    /// Whether the stream has sample types: it came from a profile.
    found: bool,
    /// Whether nodes came before that was known.
    late: bool,
    frames: Map<Value, Frame>,
    /// The node that each frame and each allocation is called or made by.
    callers: Map<Value, Value>,
    allocations: Vec<(Value, Vec<u8>)>,
    lines: Vec<(u64, Line)>,
    /// Sides of a difference that came.
    sides: usize,
    left_out: LeftOut,
}

impl Gather {
    /// Nothing yet.
    pub fn new() -> Self {
        let mut this = Self::default();
        this.text(b"");
        this
    }

    /// The number of a text in the profile.
    fn text(&mut self, text: &[u8]) -> Text {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.profile.strings.len() as Text;
        self.profile.strings.push(text.to_vec());
        self.numbers.insert(text.to_vec(), number);
        number
    }

    /// The number of a text in JSON; 0 for anything else.
    fn json_text(&mut self, json: Option<&JsonValue>) -> Text {
        json.and_then(JsonValue::as_str).map_or(0, |text| self.text(text.as_bytes()))
    }

    /// Sample types as they stand in metadata: `[["alloc_space","bytes"]]`.
    fn types(&mut self, json: &str) -> Vec<ValueType> {
        let mut value_type = |pair: Vec<JsonValue>| ValueType {
            name: self.json_text(pair.first()),
            unit: self.json_text(pair.get(1)),
        };
        tuples(json).into_iter().map(&mut value_type).collect()
    }

    /// Whether the stream came from a profile, as far as is known.
    pub fn is_profile(&self) -> bool {
        self.found
    }

    /// Whether the stream has one side of a difference, so that the profile will not be the one that it was made from.
    pub fn lacks_a_side(&self) -> bool {
        self.sides == 1
    }

    /// A metadata record.
    ///
    /// # Errors
    /// The sample types come after nodes.
    pub fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        // Identifiers hold within a snapshot: a difference has two.
        if record.key == "heap.snapshot" {
            self.settle();
        }
        if record.key == "heap.sizes" {
            self.sides += usize::from(["went", "came"].contains(&record.value));
        }
        let Some(key) = record.key.strip_prefix("pprof.") else { return Ok(()) };
        let number = || record.value.parse().unwrap_or_default();
        match key {
            "sample_types" => {
                if self.late {
                    return Err(Error::refused("metadata pprof.sample_types must come before the nodes"));
                }
                self.found = true;
                self.profile.sample_types = self.types(record.value);
            }
            "period_type" => self.profile.period_type = self.types(record.value).first().copied(),
            "period" => self.profile.period = number(),
            "time_nanos" => self.profile.time[0] = number(),
            "duration_nanos" => self.profile.time[1] = number(),
            "drop_frames" => self.profile.frames[0] = self.text(record.value.as_bytes()),
            "keep_frames" => self.profile.frames[1] = self.text(record.value.as_bytes()),
            "default_sample_type" => self.profile.default_type = self.text(record.value.as_bytes()),
            "doc_url" => self.profile.doc_url = self.text(record.value.as_bytes()),
            "comment" => {
                let comment = self.text(record.value.as_bytes());
                self.profile.comments.push(comment);
            }
            _ => {}
        }
        Ok(())
    }

    /// A string record.
    pub fn string(&mut self, record: &Str<'_>) {
        let exact = member(record.rest, "heap.bytes").and_then(scalar).and_then(|json| match json {
            Json::Text(hex) => hex_bytes(&hex),
            _ => None,
        });
        let text = exact.unwrap_or_else(|| record.data.text().into_owned().into_bytes());
        self.texts.insert(record.id, text);
    }

    /// Nodes: frames and allocations.
    ///
    /// # Errors
    /// None.
    pub fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if !self.found {
            self.late |= !batch.is_empty();
            return Ok(());
        }
        batch.try_for_each(|node| {
            if let Some(location) = uint(node.rest, "pprof.location") {
                let innermost = uint(node.rest, "pprof.inline").is_none();
                self.frames.insert(node.id, Frame { location, innermost });
            } else if let Some(values) = member(node.rest, "pprof").and_then(inside) {
                self.allocations.push((node.id, values.to_vec()));
            }
            Ok(())
        })
    }

    /// Edges.
    ///
    /// # Errors
    /// None.
    pub fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| {
            if let Some(dest) = edge.dest {
                self.callers.insert(dest, edge.source);
            }
            Ok(())
        })
    }

    /// An extension record. String ids become texts of the profile at the end.
    pub fn extension(&mut self, record: &Extension<'_>) {
        let get = |key| member(record.body, key).and_then(scalar).and_then(|json| json.as_int()).unwrap_or(0);
        let [id, function] = ["id", "function"].map(|key| get(key) as u64);
        match record.kind {
            "pprof.mapping" => {
                let has = get("has");
                self.profile.mappings.push(Mapping {
                    id,
                    range: ["start", "limit", "offset"].map(|key| get(key) as u64),
                    file: ["file", "build_id"].map(|key| get(key) as u64),
                    has: std::array::from_fn(|bit| (has >> bit & 1) as u64),
                });
            }
            "pprof.location" => {
                let [mapping, address, folded] = ["mapping", "address", "folded"].map(|key| get(key) as u64);
                self.profile.locations.push(Location { id, mapping, address, lines: Vec::new(), folded });
            }
            "pprof.line" => {
                let line = Line { function, line: get("line"), column: get("column") };
                self.lines.push((get("location") as u64, line));
            }
            "pprof.function" => {
                let names = ["name", "system_name", "file"].map(|key| get(key) as u64);
                self.profile.functions.push(Function { id, names, start_line: get("start_line") });
            }
            _ => {}
        }
    }

    /// The profile, and what of its samples is lost; `None` if the records come from something else.
    pub fn finish(mut self) -> Option<(Profile, LeftOut)> {
        if !self.found {
            return None;
        }
        self.names();
        let places: Map<u64, usize> =
            self.profile.locations.iter().enumerate().map(|(at, location)| (location.id, at)).collect();
        for (location, line) in std::mem::take(&mut self.lines) {
            if let Some(&at) = places.get(&location) {
                self.profile.locations[at].lines.push(line);
            }
        }
        self.settle();
        Some((self.profile, self.left_out))
    }

    /// Makes samples of the allocations of a snapshot.
    fn settle(&mut self) {
        let fields = value_fields(&self.profile);
        for (id, members) in std::mem::take(&mut self.allocations) {
            let values = self.values(&fields, &members);
            let labels = match member(&members, "labels").and_then(scalar) {
                Some(Json::Text(json)) => self.labels(&json),
                _ => Vec::new(),
            };
            // Where frames were dropped, the allocation says which one made it.
            let frame =
                uint(&members, "frame").map(|id| id as Value).or_else(|| self.callers.get(&id).copied());
            let locations = self.stack(frame);
            self.profile.samples.push(Sample { locations, values, labels });
        }
        self.frames.clear();
        self.callers.clear();
    }

    /// The value of each sample type. Where names were made unreadable, fields and types may have other ones: as many values as
    /// there are types without any are theirs, in order.
    fn values(&mut self, fields: &[String], members: &[u8]) -> Vec<i64> {
        let int = |raw| scalar(raw).and_then(|value| value.as_int());
        let by_name = |field: &String| member(members, field).and_then(int);
        let mut values: Vec<Option<i64>> = fields.iter().map(by_name).collect();
        let lacking = values.iter().filter(|value| value.is_none()).count();
        if lacking > 0 {
            let is_other =
                |key: &str| !["labels", "frame"].contains(&key) && fields.iter().all(|field| field != key);
            let others = each(members).filter(|(key, _)| is_other(key)).filter_map(|(_, raw)| int(raw));
            let others: Vec<i64> = others.collect();
            if others.len() == lacking {
                values
                    .iter_mut()
                    .filter(|value| value.is_none())
                    .zip(others)
                    .for_each(|(value, n)| *value = Some(n));
            } else {
                self.left_out.add("values whose names are not known", lacking as u64);
            }
        }
        values.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Replaces numbers of the stream's strings by those of the profile's.
    fn names(&mut self) {
        let mut functions = std::mem::take(&mut self.profile.functions);
        let mut mappings = std::mem::take(&mut self.profile.mappings);
        let texts = std::mem::take(&mut self.texts);
        let names = functions.iter_mut().flat_map(|f| &mut f.names);
        for name in names.chain(mappings.iter_mut().flat_map(|m| &mut m.file)) {
            *name = self.text(texts.get(&(*name as StringId)).map_or(b"", Vec::as_slice));
        }
        (self.profile.functions, self.profile.mappings) = (functions, mappings);
    }

    /// Locations from a frame on, outwards.
    fn stack(&self, mut at: Option<Value>) -> Vec<u64> {
        let mut stack = Vec::new();
        // A stream that somebody made up may have a cycle.
        for _ in 0..=self.frames.len() {
            let Some((id, frame)) = at.and_then(|id| Some((id, self.frames.get(&id)?))) else { break };
            if frame.innermost {
                stack.push(frame.location);
            }
            at = self.callers.get(&id).copied();
        }
        stack
    }

    fn labels(&mut self, json: &str) -> Vec<Label> {
        let mut label = |parts: Vec<JsonValue>| Label {
            key: self.json_text(parts.first()),
            text: self.json_text(parts.get(1)),
            number: parts.get(1).and_then(JsonValue::as_i64).unwrap_or(0),
            unit: self.json_text(parts.get(2)),
        };
        let labels: Vec<Label> = tuples(json).into_iter().map(&mut label).collect();
        self.left_out.add("labels whose keys are not known", u64::from(labels.is_empty()));
        labels
    }
}

/// A list of lists; none if it is something else.
fn tuples(json: &str) -> Vec<Vec<JsonValue>> {
    serde_json::from_str(json).unwrap_or_default()
}

fn uint(members: &[u8], path: &str) -> Option<u64> {
    if members.is_empty() { None } else { heap_base::json::uint(members, path) }
}

/// The bytes that hexadecimal digits stand for.
fn hex_bytes(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
