//! A profile as `profile.proto` of github.com/google/pprof defines it, decoded and encoded.

use heap_base::{Error, Result};

use crate::wire::{self, Out, Value};

/// Number of a string in [`Profile::strings`].
pub type Text = u64;

/// What a number in a profile measures: `inuse_space` in `bytes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueType {
    /// Its name.
    pub name: Text,
    /// Its unit.
    pub unit: Text,
}

/// A stack and what was measured there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Ids of locations, the innermost first.
    pub locations: Vec<u64>,
    /// A value for each sample type.
    pub values: Vec<i64>,
    /// What else is known.
    pub labels: Vec<Label>,
}

/// A label of a sample: text, or a number with a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Its key.
    pub key: Text,
    /// Its text; 0 if it is a number.
    pub text: Text,
    /// Its number.
    pub number: i64,
    /// The number's unit.
    pub unit: Text,
}

/// A file that was mapped into the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    /// Its id, not 0.
    pub id: u64,
    /// Where it begins in memory, where it ends, and where it begins in the file.
    pub range: [u64; 3],
    /// Name of the file, and its build id.
    pub file: [Text; 2],
    /// Whether functions, files, lines and inlined calls are known: 0 or 1 each.
    pub has: [u64; 4],
}

/// A place in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Its id, not 0.
    pub id: u64,
    /// Id of its mapping; 0 if it is not known.
    pub mapping: u64,
    /// Its address.
    pub address: u64,
    /// The line, and those it was inlined into, the innermost first.
    pub lines: Vec<Line>,
    /// Whether several functions were folded into one: 0 or 1.
    pub folded: u64,
}

/// A line of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Id of the function.
    pub function: u64,
    /// Line and column, from 1; 0 if they are not known.
    pub line: i64,
    /// See `line`.
    pub column: i64,
}

/// A function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its id, not 0.
    pub id: u64,
    /// Name for people, name of the linker, and file.
    pub names: [Text; 3],
    /// Line where it begins.
    pub start_line: i64,
}

/// A profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// What the values of samples are.
    pub sample_types: Vec<ValueType>,
    /// The samples.
    pub samples: Vec<Sample>,
    /// Files in memory.
    pub mappings: Vec<Mapping>,
    /// Places in the program.
    pub locations: Vec<Location>,
    /// Functions.
    pub functions: Vec<Function>,
    /// All texts; the first is empty. They need not be Unicode.
    pub strings: Vec<Vec<u8>>,
    /// Patterns of frames to drop and to keep.
    pub frames: [Text; 2],
    /// When it was taken, and for how long, in nanoseconds.
    pub time: [i64; 2],
    /// What is between two samples.
    pub period_type: Option<ValueType>,
    /// How much of that.
    pub period: i64,
    /// Remarks.
    pub comments: Vec<Text>,
    /// Name of the sample type that tools show first.
    pub default_type: Text,
    /// Where it is explained.
    pub doc_url: Text,
}

impl Profile {
    /// Decodes a profile as far as it is intact; the error says where it stops being so.
    pub fn decode(bytes: &[u8]) -> (Self, Option<Error>) {
        let mut profile = Self::default();
        let outcome = profile.take(bytes);
        (profile, outcome.err())
    }

    fn take(&mut self, bytes: &[u8]) -> Result {
        let mut rest = bytes;
        while !rest.is_empty() {
            let at = |rest: &[u8]| (bytes.len() - rest.len()) as u64;
            let begin = at(rest);
            let (number, value) = wire::field(&mut rest).map_err(|what| Error::at_byte(begin, what))?;
            // A message begins where its bytes do.
            let inner = at(rest) - value.bytes().len() as u64;
            let here = |what: &'static str| Error::at_byte(begin, what);
            match number {
                1 => self.sample_types.push(value_type(value, inner)?),
                2 => self.samples.push(sample(value, inner)?),
                3 => self.mappings.push(mapping(value, inner)?),
                4 => self.locations.push(location(value, inner)?),
                5 => self.functions.push(function(value, inner)?),
                6 => self.strings.push(value.bytes().to_vec()),
                7 => self.frames[0] = value.int(),
                8 => self.frames[1] = value.int(),
                9 => self.time[0] = value.int() as i64,
                10 => self.time[1] = value.int() as i64,
                11 => self.period_type = Some(value_type(value, inner)?),
                12 => self.period = value.int() as i64,
                13 => value.ints(&mut self.comments).map_err(here)?,
                14 => self.default_type = value.int(),
                15 => self.doc_url = value.int(),
                _ => {}
            }
        }
        Ok(())
    }

    /// The text of this number; empty if there is none.
    pub fn text(&self, text: Text) -> &[u8] {
        usize::try_from(text).ok().and_then(|n| self.strings.get(n)).map_or(b"", Vec::as_slice)
    }

    /// Which sample types are the bytes and the number of objects. The bytes are those that the profile itself says tools
    /// show first, else those in use, else the last, as pprof takes them; the objects those of the same name (`alloc_space`,
    /// `alloc_objects`),
    /// else the count before it. `None` if none is in bytes.
    pub fn heap_values(&self) -> Option<(usize, Option<usize>)> {
        let first = [self.text(self.default_type), b"inuse_space"];
        let size = first.into_iter().find_map(|name| self.in_bytes(name));
        let size = size.or_else(|| self.sample_types.iter().rposition(|t| self.text(t.unit) == b"bytes"))?;
        Some((size, self.count_of(size)))
    }

    /// The same where a user has named the bytes.
    ///
    /// # Errors
    /// No sample type in bytes has this name; the names of those in bytes.
    pub fn named_values(&self, name: &str) -> Result<(usize, Option<usize>), Vec<String>> {
        let in_bytes = || self.sample_types.iter().filter(|t| self.text(t.unit) == b"bytes");
        let text = |t: &ValueType| String::from_utf8_lossy(self.text(t.name)).into_owned();
        let size = self.in_bytes(name.as_bytes()).ok_or_else(|| in_bytes().map(text).collect::<Vec<_>>())?;
        Ok((size, self.count_of(size)))
    }

    /// The sample type of this name, if it is in bytes.
    fn in_bytes(&self, name: &[u8]) -> Option<usize> {
        let is =
            |t: &ValueType| !name.is_empty() && self.text(t.name) == name && self.text(t.unit) == b"bytes";
        self.sample_types.iter().position(is)
    }

    /// The sample type that counts the objects of a number of bytes.
    fn count_of(&self, size: usize) -> Option<usize> {
        let is_count = |&at: &usize| self.text(self.sample_types[at].unit) == b"count";
        let objects = |stem: &[u8]| {
            let name = [stem, b"objects"].concat();
            self.sample_types.iter().position(|t| self.text(t.name) == name)
        };
        let name = self.text(self.sample_types[size].name);
        let same = name.strip_suffix(b"space").and_then(objects).filter(is_count);
        same.or_else(|| size.checked_sub(1).filter(is_count))
    }

    /// Encodes it. Strings come last, as Go writes them.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Out::default();
        for t in &self.sample_types {
            out.message(1, |out| t.encode(out));
        }
        for sample in &self.samples {
            out.message(2, |out| {
                out.packed(1, sample.locations.iter().copied());
                out.packed(2, sample.values.iter().map(|&v| v as u64));
                for label in &sample.labels {
                    out.message(3, |out| {
                        out.int(1, label.key);
                        out.int(2, label.text);
                        out.int(3, label.number as u64);
                        out.int(4, label.unit);
                    });
                }
            });
        }
        for mapping in &self.mappings {
            out.message(3, |out| {
                let values = [&[mapping.id][..], &mapping.range, &mapping.file, &mapping.has].concat();
                (1..).zip(values).for_each(|(field, value)| out.int(field, value));
            });
        }
        for location in &self.locations {
            out.message(4, |out| {
                out.int(1, location.id);
                out.int(2, location.mapping);
                out.int(3, location.address);
                for line in &location.lines {
                    out.message(4, |out| {
                        out.int(1, line.function);
                        out.int(2, line.line as u64);
                        out.int(3, line.column as u64);
                    });
                }
                out.int(5, location.folded);
            });
        }
        for function in &self.functions {
            out.message(5, |out| {
                out.int(1, function.id);
                (2..).zip(function.names).for_each(|(field, name)| out.int(field, name));
                out.int(5, function.start_line as u64);
            });
        }
        for text in &self.strings {
            out.bytes(6, text);
        }
        (7..).zip(self.frames).for_each(|(field, text)| out.int(field, text));
        (9..).zip(self.time).for_each(|(field, time)| out.int(field, time as u64));
        if let Some(period) = &self.period_type {
            out.message(11, |out| period.encode(out));
        }
        out.int(12, self.period as u64);
        out.packed(13, self.comments.iter().copied());
        out.int(14, self.default_type);
        out.int(15, self.doc_url);
        out.0
    }
}

impl ValueType {
    fn encode(self, out: &mut Out) {
        out.int(1, self.name);
        out.int(2, self.unit);
    }
}

fn value_type(value: Value<'_>, at: u64) -> Result<ValueType> {
    let mut found = ValueType::default();
    wire::message(value.bytes(), at, |number, value| {
        match number {
            1 => found.name = value.int(),
            2 => found.unit = value.int(),
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

fn sample(value: Value<'_>, at: u64) -> Result<Sample> {
    let mut found = Sample::default();
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    wire::message(value.bytes(), at, |number, value| {
        match number {
            1 => value.ints(&mut found.locations)?,
            2 => value.ints(&mut values)?,
            3 => labels.push(value.bytes()),
            _ => {}
        }
        Ok(())
    })?;
    found.values = values.into_iter().map(|v| v as i64).collect();
    for bytes in labels {
        let mut label = Label::default();
        wire::message(bytes, at, |number, value| {
            match number {
                1 => label.key = value.int(),
                2 => label.text = value.int(),
                3 => label.number = value.int() as i64,
                4 => label.unit = value.int(),
                _ => {}
            }
            Ok(())
        })?;
        found.labels.push(label);
    }
    Ok(found)
}

fn mapping(value: Value<'_>, at: u64) -> Result<Mapping> {
    let mut found = Mapping::default();
    wire::message(value.bytes(), at, |number, value| {
        match number {
            1 => found.id = value.int(),
            2..=4 => found.range[number as usize - 2] = value.int(),
            5 | 6 => found.file[number as usize - 5] = value.int(),
            7..=10 => found.has[number as usize - 7] = value.int(),
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

fn location(value: Value<'_>, at: u64) -> Result<Location> {
    let mut found = Location::default();
    let mut lines = Vec::new();
    wire::message(value.bytes(), at, |number, value| {
        match number {
            1 => found.id = value.int(),
            2 => found.mapping = value.int(),
            3 => found.address = value.int(),
            4 => lines.push(value.bytes()),
            5 => found.folded = value.int(),
            _ => {}
        }
        Ok(())
    })?;
    for bytes in lines {
        let mut line = Line::default();
        wire::message(bytes, at, |number, value| {
            match number {
                1 => line.function = value.int(),
                2 => line.line = value.int() as i64,
                3 => line.column = value.int() as i64,
                _ => {}
            }
            Ok(())
        })?;
        found.lines.push(line);
    }
    Ok(found)
}

fn function(value: Value<'_>, at: u64) -> Result<Function> {
    let mut found = Function::default();
    wire::message(value.bytes(), at, |number, value| {
        match number {
            1 => found.id = value.int(),
            2..=4 => found.names[number as usize - 2] = value.int(),
            5 => found.start_line = value.int() as i64,
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}
