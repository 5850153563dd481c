//! The lines of a text profile, one after another.

use heap_base::{Error, Map, Plus, Result, sort_by_key};

use super::figures::{Figures, Pair, parse};
use super::symbols::{Comment, Symbols, address};
use super::{Origin, Rule};
use crate::profile::{Label, Location, Mapping, Profile, Sample, ValueType};

/// What the next lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Those before the header.
    Head,
    /// Names of addresses, which `jeprof --raw` puts in front.
    Symbols,
    /// Stacks with their figures.
    Stacks,
    /// Files in memory, `/proc/PID/maps`.
    Maps,
    /// Statistics of Go.
    Statistics,
}

/// A stack and its figures. Addresses are those of calls, the innermost first.
struct Entry {
    stack: Vec<u64>,
    figures: Figures,
    /// Whether the figures have come. jemalloc writes them behind the stack.
    complete: bool,
}

/// Reads the lines.
pub(super) struct Parser {
    profile: Profile,
    symbols: Symbols,
    origin: Origin,
    part: Part,
    /// Whether it is jemalloc's form, with figures by thread behind each stack.
    threads: bool,
    rule: Rule,
    /// What the header says that the figures of all lines add up to, where that is so.
    total: Option<Figures>,
    entries: Vec<Entry>,
    comments: Vec<Comment>,
}

impl Parser {
    pub(super) fn new() -> Self {
        let mut this = Self {
            profile: Profile::default(),
            symbols: Symbols::default(),
            origin: Origin { source: "gperftools.heap", producer: "gperftools", ..Origin::default() },
            part: Part::Head,
            threads: false,
            rule: Rule::None,
            total: None,
            entries: Vec::new(),
            comments: Vec::new(),
        };
        this.symbols.text(&mut this.profile, b"");
        this
    }

    /// Takes all lines, up to the first that is damaged.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result {
        let mut at = 0;
        while at < bytes.len() {
            let end = memchr::memchr(b'\n', &bytes[at..]);
            let line = &bytes[at..end.map_or(bytes.len(), |n| at + n)];
            // What was cut off within a number is another number, and within a path another path.
            if end.is_none() {
                return Err(Error::at_byte(bytes.len() as u64, "ends within a line"));
            }
            self.line(line.strip_suffix(b"\r").unwrap_or(line))
                .map_err(|what| Error::at_byte(at as u64, what))?;
            at = end.map_or(bytes.len(), |n| at + n + 1);
        }
        if self.part == Part::Head || self.part == Part::Symbols {
            return Err(Error::at_byte(bytes.len() as u64, "ends before the profile"));
        }
        if self.entries.last().is_some_and(|entry| !entry.complete) {
            return Err(Error::at_byte(bytes.len() as u64, "the last stack has no figures: it was cut off"));
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let text = line.trim_ascii();
        if text.starts_with(b"heap profile:") || text.starts_with(b"heap_v2/") {
            return match self.part {
                Part::Head | Part::Symbols => self.header(text),
                _ => Err("another profile begins here: read each on its own".to_owned()),
            };
        }
        if let Some(what) = text.strip_prefix(b"--- ").filter(|_| self.part != Part::Maps) {
            match what {
                b"symbol" => self.part = Part::Symbols,
                b"heap" | b"growth" | b"profile" => self.part = Part::Head,
                b"Memory map: ---" => self.part = Part::Maps,
                _ => {
                    let what = String::from_utf8_lossy(what).into_owned();
                    return Err(format!("expected a heap profile, not --- {what}"));
                }
            }
            return Ok(());
        }
        if text == b"MAPPED_LIBRARIES:" {
            self.part = Part::Maps;
            return Ok(());
        }
        match self.part {
            Part::Head if text.is_empty() => Ok(()),
            Part::Head => Err("expected the header of a heap profile".to_owned()),
            Part::Symbols => {
                let other = text.is_empty() || text == b"---" || text.starts_with(b"binary=");
                let known = other || self.symbols.named(&mut self.profile, text);
                if known { Ok(()) } else { Err("expected an address and its name".to_owned()) }
            }
            Part::Stacks => self.stack(text),
            Part::Maps => {
                self.mapping(text);
                Ok(())
            }
            Part::Statistics => {
                self.statistic(text);
                Ok(())
            }
        }
    }

    /// The first line of the profile.
    fn header(&mut self, text: &[u8]) -> Result<(), String> {
        self.part = Part::Stacks;
        let shown = String::from_utf8_lossy(text).into_owned();
        let mut sampled = None;
        let period = |text: &[u8]| -> Result<u64, String> {
            let digits = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
            digits.ok_or_else(|| "expected the period of sampling".to_owned())
        };
        if let Some(number) = text.strip_prefix(b"heap_v2/") {
            let number = period(number)?;
            (self.threads, self.rule, sampled) = (true, Rule::Poisson(number as f64), Some(number));
            (self.origin.source, self.origin.producer) = ("jemalloc.heap", "jemalloc");
        } else {
            let rest = text.strip_prefix(b"heap profile:").unwrap_or_default();
            let (figures, rest) = parse(rest).ok_or("expected the sums of a heap profile")?;
            let kind = rest.trim_ascii().strip_prefix(b"@").map_or(&b""[..], <[u8]>::trim_ascii);
            let (name, number) = match memchr::memchr(b'/', kind) {
                Some(slash) => (&kind[..slash], Some(period(&kind[slash + 1..])?)),
                None => (kind, None),
            };
            match (name, number) {
                (b"heapprofile", _) => self.total = Some(figures),
                (b"heap_v2" | b"heapz_v2", Some(number)) => {
                    (self.rule, sampled) = (Rule::Poisson(number as f64), Some(number));
                    (self.origin.source, self.origin.producer) = ("tcmalloc.heap", "tcmalloc");
                }
                // Go writes twice its rate.
                (b"heap", Some(number)) => {
                    (self.rule, sampled) = (Rule::Poisson((number / 2) as f64), Some(number / 2));
                    self.total = Some(figures);
                    (self.origin.source, self.origin.producer) = ("go.heap", "Go");
                }
                (b"", None) if figures.live == figures.all => {
                    (self.rule, sampled) = (Rule::Fixed(131_072.0), Some(131_072));
                }
                (b"growthz" | b"fragmentationz" | b"fragmentation", _) | (b"", None) => {}
                _ => return Err(format!("unknown kind of heap profile: {}", String::from_utf8_lossy(kind))),
            }
        }
        let mut metadata = |key: &str, value: String| self.origin.metadata.push((key.to_owned(), value));
        if let Some(number) = sampled {
            metadata("heap.sampled", number.to_string());
        }
        metadata("profile.rule", self.rule.name().to_owned());
        metadata("profile.header", shown);
        self.profile.period = sampled.map_or(0, |n| i64::try_from(n).unwrap_or(i64::MAX));
        Ok(())
    }

    fn stack(&mut self, text: &[u8]) -> Result<(), String> {
        if let Some(comment) = text.strip_prefix(b"#") {
            if comment.trim_ascii().starts_with(b"runtime.MemStats") {
                self.part = Part::Statistics;
            } else {
                self.comments.extend(Comment::parse(comment));
            }
            return Ok(());
        }
        self.explain();
        if text.is_empty() {
            return Ok(());
        }
        if self.threads {
            return self.thread(text);
        }
        let (figures, rest) = parse(text).ok_or("expected the figures of a stack")?;
        let stack = rest.trim_ascii_start().strip_prefix(b"@").ok_or("expected @ and a stack")?;
        let stack = addresses(stack)?;
        self.entries.push(Entry { stack, figures, complete: true });
        Ok(())
    }

    /// A line of jemalloc's: a stack, or figures of all threads or of one.
    fn thread(&mut self, text: &[u8]) -> Result<(), String> {
        if let Some(stack) = text.strip_prefix(b"@") {
            if self.entries.last().is_some_and(|entry| !entry.complete) {
                return Err("the stack before has no figures".to_owned());
            }
            let stack = addresses(stack)?;
            self.entries.push(Entry { stack, figures: Figures::default(), complete: false });
            return Ok(());
        }
        let colon = memchr::memchr(b':', text).filter(|_| text.starts_with(b"t"));
        let colon = colon.ok_or("expected a stack or the figures of a thread")?;
        let (figures, _) = parse(&text[colon + 1..]).ok_or("expected the figures of a thread")?;
        match self.entries.last_mut() {
            Some(entry) if &text[..colon] == b"t*" => (entry.figures, entry.complete) = (figures, true),
            Some(_) => {}
            None => {
                let shown = String::from_utf8_lossy(text).into_owned();
                self.origin.metadata.push(("profile.header".to_owned(), shown));
            }
        }
        Ok(())
    }

    /// Gives the comments to the stack before them.
    fn explain(&mut self) {
        let comments = std::mem::take(&mut self.comments);
        if let Some(entry) = self.entries.last().filter(|_| !comments.is_empty()) {
            self.symbols.comments(&mut self.profile, &entry.stack, &comments);
        }
    }

    /// `START-END PERMISSIONS OFFSET DEVICE INODE PATH`, or `START-END: PATH`; other lines are passed over.
    fn mapping(&mut self, text: &[u8]) {
        let hex = |text: &[u8]| u64::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok();
        let end = text.iter().position(|b| matches!(b, b' ' | b'\t' | b':')).unwrap_or(text.len());
        let Some(dash) = memchr::memchr(b'-', &text[..end]) else { return };
        let Some((start, limit)) = hex(&text[..dash]).zip(hex(&text[dash + 1..end])) else { return };
        let rest = text[end..].trim_ascii_start();
        let (offset, path) = if let Some(path) = rest.strip_prefix(b":") {
            (0, path.trim_ascii())
        } else {
            let mut rest = rest;
            let mut part = || {
                let text = rest.trim_ascii_start();
                let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
                rest = &text[end..];
                &text[..end]
            };
            let (permissions, offset, _, _) = (part(), part(), part(), part());
            // Only what can be executed has calls in it.
            if permissions.get(2) != Some(&b'x') {
                return;
            }
            (hex(offset).unwrap_or(0), rest.trim_ascii())
        };
        let file = [self.symbols.text(&mut self.profile, path), 0];
        let id = self.profile.mappings.len() as u64 + 1;
        self.profile.mappings.push(Mapping { id, range: [start, limit, offset], file, has: [0; 4] });
    }

    /// `# Name = value`.
    fn statistic(&mut self, text: &[u8]) {
        let Some(text) = text.strip_prefix(b"#") else { return };
        let text = String::from_utf8_lossy(text);
        if let Some((name, value)) = text.split_once(" = ") {
            self.origin.metadata.push((format!("go.memstats.{}", name.trim()), value.trim().to_owned()));
        }
    }

    /// What was read. Where the rows add up to something else than the header says, metadata say so: pprof takes such a profile
    /// as it is, and people pass on excerpts.
    pub(super) fn finish(mut self) -> (Profile, Origin) {
        self.explain();
        self.entries.retain(|entry| entry.complete);
        let sum = |of: fn(&Figures) -> Pair| {
            self.entries.iter().map(|entry| of(&entry.figures)).fold(Pair::default(), |a, b| Pair {
                count: a.count.plus(b.count),
                bytes: a.bytes.plus(b.bytes),
            })
        };
        let found = Figures { live: sum(|f| f.live), all: sum(|f| f.all) };
        if let Some(total) = self.total.filter(|total| *total != found) {
            // Old rows have nothing alive any more: where only these are missing, it shows in what was allocated.
            let live = total.live != found.live;
            let pair = |f: Figures| if live { f.live } else { f.all };
            let say = |Pair { count, bytes }| {
                format!("{count} objects of {bytes} bytes{}", if live { "" } else { " allocated" })
            };
            let (total, found) = (pair(total), pair(found));
            let why =
                if found.bytes < total.bytes { "rows are missing" } else { "rows were added or changed" };
            let said = format!("the header says {}, the rows have {}: {why}", say(total), say(found));
            for key in ["profile.note", "profile.warning"] {
                self.origin.metadata.push((key.to_owned(), said.clone()));
            }
        }
        // jemalloc counts what was allocated only if it is asked to.
        let allocated = found.all != Pair::default();
        self.samples(allocated);
        (self.profile, self.origin)
    }

    fn samples(&mut self, allocated: bool) {
        let names = ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"];
        for name in &names[if allocated { 0 } else { 2 }..] {
            let unit = if name.ends_with("space") { "bytes" } else { "count" };
            let name = self.symbols.text(&mut self.profile, name.as_bytes());
            let unit = self.symbols.text(&mut self.profile, unit.as_bytes());
            self.profile.sample_types.push(ValueType { name, unit });
        }
        let [samples, bytes, space] =
            ["samples", "bytes", "space"].map(|text| self.symbols.text(&mut self.profile, text.as_bytes()));
        self.profile.default_type = self.profile.sample_types.last().map_or(0, |t| t.name);
        if self.profile.period > 0 {
            self.profile.period_type = Some(ValueType { name: space, unit: bytes });
        }
        let mut ids: Map<u64, u64> = Map::default();
        let mut mappings: Vec<Mapping> = self.profile.mappings.clone();
        sort_by_key(&mut mappings, |mapping| mapping.range[0]);
        for entry in std::mem::take(&mut self.entries) {
            let Figures { live, all } = entry.figures;
            let [scaled_live, scaled_all] = [live, all].map(|pair| self.rule.scale(pair));
            let mut values = vec![scaled_live.count, scaled_live.bytes];
            if allocated {
                values.splice(0..0, [scaled_all.count, scaled_all.bytes]);
            }
            let mut labels = Vec::new();
            let shown = if live.count != 0 { live } else { all };
            if let Some(average) = shown.bytes.checked_div(shown.count) {
                labels.push(Label { key: bytes, number: average, unit: bytes, ..Label::default() });
            }
            if self.rule != Rule::None && live.count != 0 {
                labels.push(Label { key: samples, number: live.count, ..Label::default() });
            }
            let mut locations = Vec::with_capacity(entry.stack.len());
            for address in entry.stack {
                let next = ids.len() as u64 + 1;
                let id = *ids.entry(address).or_insert(next);
                if id == next {
                    let behind = mappings.partition_point(|mapping| mapping.range[0] <= address);
                    let mapping = mappings[..behind].last().filter(|mapping| address < mapping.range[1]);
                    let mapping = mapping.map_or(0, |mapping| mapping.id);
                    let lines = self.symbols.lines.get(&address).cloned().unwrap_or_default();
                    self.profile.locations.push(Location { id, mapping, address, lines, folded: 0 });
                }
                locations.push(id);
            }
            self.profile.samples.push(Sample { locations, values, labels });
        }
    }
}

/// The addresses of the calls from which a stack returns.
fn addresses(text: &[u8]) -> Result<Vec<u64>, String> {
    let mut stack = Vec::new();
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        let (number, behind) = address(rest).ok_or("expected an address")?;
        if !behind.is_empty() && !behind[0].is_ascii_whitespace() {
            return Err("expected an address".to_owned());
        }
        stack.push(number.saturating_sub(1));
        rest = behind.trim_ascii_start();
    }
    Ok(stack)
}
