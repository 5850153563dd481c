//! The first pass over a dump: classes, shapes, frozen strings, roots, and what the dump says of Ruby.

use heap_base::Map;

use heap_base::{Blob, Error, Result};

use crate::addresses::Addresses;
use crate::kinds::{Kind, Kinds};
use crate::line::{Line, Parser, Text, Truths};
use crate::lines::{Lines, Place};

/// A class, a module, or the place of a module among the ancestors of a class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    pub(crate) address: u64,
    pub(crate) class: Option<u64>,
    pub(crate) superclass: Option<u64>,
    /// Whether it is one that no object says is its class: a singleton, or an included module.
    pub(crate) hidden: bool,
    pub(crate) singleton: bool,
    pub(crate) name: Option<Box<[u8]>>,
    pub(crate) real_name: Option<Box<[u8]>>,
}

/// A shape: the instance variables that objects of it have.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) parent: Option<u64>,
    /// The instance variable that it adds to those of its parent.
    pub(crate) variable: Option<Box<[u8]>>,
}

/// What Ruby's version shows by.
#[derive(Clone, Copy, Debug, Default)]
struct Signs {
    imemo: bool,
    superclass: bool,
    shapes: bool,
    receiver: bool,
    chilled: bool,
    fields: bool,
}

/// What the first pass found in one dump.
#[derive(Debug)]
pub(crate) struct Scan {
    /// The dump's first line, and where it ends.
    pub(crate) start: Place,
    pub(crate) end: Place,
    pub(crate) kinds: Kinds,
    pub(crate) classes: Vec<Class>,
    pub(crate) class_numbers: Map<u64, u32>,
    pub(crate) shapes: Map<u64, Shape>,
    pub(crate) roots: Vec<Box<[u8]>>,
    /// How many objects and free slots came before the first root of each name.
    before: Vec<u64>,
    pub(crate) addresses: Addresses,
    /// Of addresses that more than one line has: where the last of these lines begins.
    pub(crate) repeated: Map<u64, u64>,
    /// Addresses of frozen strings with a text, in the order of the file.
    pub(crate) frozen: Vec<u64>,
    pub(crate) objects: u64,
    pub(crate) traced: u64,
    pub(crate) free_slots: u64,
    pub(crate) repaired: u64,
    pub(crate) damaged: u64,
    /// The first line that could not be read, and why.
    pub(crate) damage: Option<(u64, &'static str)>,
    /// Some of what the roots refer to.
    rooted: Vec<u64>,
    signs: Signs,
}

impl Scan {
    fn new(start: Place) -> Self {
        Self {
            start,
            end: start,
            kinds: Kinds::default(),
            classes: Vec::new(),
            class_numbers: Map::default(),
            shapes: Map::default(),
            roots: Vec::new(),
            before: Vec::new(),
            addresses: Addresses::default(),
            repeated: Map::default(),
            frozen: Vec::new(),
            objects: 0,
            traced: 0,
            free_slots: 0,
            repaired: 0,
            damaged: 0,
            damage: None,
            rooted: Vec::new(),
            signs: Signs::default(),
        }
    }

    /// Goes over the dump that begins behind `start`, up to the next one or the end.
    pub(crate) fn run(blob: &Blob, start: Place, wants_frozen: bool) -> Result<Self> {
        let mut scan = Self::new(start);
        let mut lines = Lines::new(blob, start, blob.len());
        let mut parser = Parser::new();
        let mut torn = false;
        // Where the file ends, if no other dump begins before.
        scan.end = Place { offset: blob.len(), number: u64::MAX };
        while let Some((place, text)) = lines.next()? {
            if text.trim_ascii().is_empty() {
                continue;
            }
            let line = match record(&mut parser, text, &mut torn) {
                Ok(Record::Line(line)) => line,
                Ok(Record::Rest) => {
                    scan.repaired += 1;
                    continue;
                }
                Err(what) => {
                    scan.damaged += 1;
                    scan.damage.get_or_insert((place.number, what));
                    continue;
                }
            };
            if let Some(root) = line.root {
                // The roots come first in a dump, but not in one whose lines were sorted.
                if scan.is_behind(root) {
                    scan.end = Place { offset: place.offset, number: place.number - 1 };
                    break;
                }
                let room = ROOTED.saturating_sub(scan.rooted.len());
                scan.rooted.extend(parser.references.iter().take(room));
            }
            // Up to Ruby 2.3 control characters stand in texts as they are, which JSON does not allow.
            let bare = line.value.is_some_and(|text| text.bytes.iter().any(|&b| b < b' '));
            scan.repaired += u64::from(line.repaired || bare);
            if let Err(what) = scan.line(&line, place, wants_frozen) {
                scan.damaged += 1;
                scan.damage.get_or_insert((place.number, what));
            }
        }
        Ok(scan)
    }

    fn line(&mut self, line: &Line<'_>, place: Place, wants_frozen: bool) -> Result<(), &'static str> {
        if let Some(root) = line.root {
            if !self.roots.iter().any(|known| **known == *root.bytes) {
                if self.roots.len() >= MOST_ROOTS {
                    return Err("too many kinds of roots");
                }
                self.roots.push(root.bytes.into());
                self.before.push(self.objects + self.free_slots);
            }
            return Ok(());
        }
        let Some(address) = line.address else { return Err("expected an address or a root") };
        if line.kind == b"SHAPE" {
            let variable = line.shape_type.is_some_and(|kind| kind.bytes == b"IVAR");
            let variable = variable.then_some(line.edge_name).flatten();
            let variable = variable.map(|text| text.decode().as_bytes().into());
            let id = line.id.ok_or("expected the number of a shape")?;
            self.shapes.insert(id, Shape { parent: line.parent, variable });
            return Ok(());
        }
        if line.kind == b"NONE" {
            self.free_slots += 1;
            return Ok(());
        }
        let kind = self.kinds.of(line)?;
        if self.addresses.insert(address) {
            self.objects += 1;
        } else {
            self.repeated.insert(address, place.offset);
        }
        self.traced += u64::from(line.generation.is_some());
        self.signs.imemo |= kind.is_imemo();
        self.signs.shapes |= line.shape.is_some();
        self.signs.superclass |= line.superclass.is_some();
        self.signs.receiver |= line.receiver_class.is_some();
        self.signs.chilled |= line.truths.has(Truths::CHILLED);
        self.signs.fields |= kind == Kind::FIELDS;
        if [Kind::CLASS, Kind::MODULE, Kind::ICLASS].contains(&kind) {
            let own = |text: Option<Text<'_>>| text.map(|text| text.decode().as_bytes().into());
            let singleton = line.truths.has(Truths::SINGLETON);
            let class = Class {
                address,
                class: line.class,
                superclass: line.superclass,
                hidden: singleton || kind == Kind::ICLASS,
                singleton,
                name: own(line.name),
                real_name: own(line.real_class_name),
            };
            let number = self.classes.len() as u32;
            self.class_numbers.insert(address, number);
            self.classes.push(class);
        }
        if wants_frozen && is_frozen_text(kind, line) {
            self.frozen.push(address);
        }
        Ok(())
    }

    /// Whether a root of this name was there, and objects behind it: then it is that of the next dump.
    fn is_behind(&self, root: Text<'_>) -> bool {
        let at = self.roots.iter().position(|known| **known == *root.bytes);
        at.is_some_and(|at| self.before[at] < self.objects + self.free_slots)
    }

    /// How many of some references of the roots there are, and how many of these end at no object, if those are most.
    pub(crate) fn lost(&self) -> Option<(usize, usize)> {
        let all = self.rooted.len();
        let lost = self.rooted.iter().filter(|&&address| !self.addresses.has(address)).count();
        (lost >= FEW && lost * 2 > all).then_some((lost, all))
    }

    /// The name of the constant by which one class or module refers to another: the name of the other says whose constant it
    /// is. Before Ruby 3.1 a singleton has the name of a class too, so there is no telling.
    pub(crate) fn constant(&self, from: u64, to: u64) -> Option<&[u8]> {
        if !self.signs.superclass {
            return None;
        }
        let name = |address| {
            let class = &self.classes[*self.class_numbers.get(&address)? as usize];
            class.name.as_deref().filter(|_| !class.hidden)
        };
        let (from, to) = (name(from)?, name(to)?);
        let top = from == b"Object" && !to.contains(&b':');
        let inner = || to.strip_prefix(from)?.strip_prefix(b"::").filter(|name| !name.contains(&b':'));
        if top { Some(to) } else { inner() }
    }

    /// The version of Ruby, as far as the dump shows it.
    pub(crate) fn form(&self) -> &'static str {
        match self.signs {
            Signs { fields: true, .. } => "4.0",
            Signs { chilled: true, .. } => "3.4",
            Signs { receiver: true, .. } => "3.3",
            Signs { shapes: true, .. } => "3.2",
            Signs { superclass: true, .. } => "3.1",
            Signs { imemo: true, .. } => "2.5 to 3.0",
            Signs { .. } => "2.4 or before",
        }
    }

    /// What is wrong with the dump.
    pub(crate) fn error(&self) -> Option<Error> {
        let (line, what) = self.damage?;
        let more = match self.damaged {
            1 => String::new(),
            n => format!("; {n} lines were left out"),
        };
        Some(Error::at_line(line, format!("{what}{more}")))
    }
}

/// Most kinds of roots; Ruby has about ten.
pub(crate) const MOST_ROOTS: usize = 1000;
/// References of roots that are looked for among the objects: a small program has some 900.
const ROOTED: usize = 4096;
/// No more of them say nothing of a dump, such as one that was written by hand.
const FEW: usize = 16;

/// Whether a string's text is numbered beforehand: frozen strings are keys of hashes and names of code.
pub(crate) fn is_frozen_text(kind: Kind, line: &Line<'_>) -> bool {
    kind == Kind::STRING && line.value.is_some() && line.truths.has(Truths::FROZEN)
}

/// A line, or the rest of the line before it.
pub(crate) enum Record<'a> {
    Line(Line<'a>),
    Rest,
}

/// Takes a line apart. `torn`: whether the last line ended inside of a method name; then one without an address is its rest.
pub(crate) fn record<'a>(
    parser: &mut Parser,
    text: &'a [u8],
    torn: &mut bool,
) -> Result<Record<'a>, &'static str> {
    let was_torn = std::mem::take(torn);
    match parser.parse(text) {
        Ok(line) => {
            if was_torn && line.address.is_none() && line.root.is_none() {
                return Ok(Record::Rest);
            }
            *torn = line.torn;
            Ok(Record::Line(line))
        }
        Err(_) if was_torn && !text.starts_with(b"{\"address\":\"0x") => Ok(Record::Rest),
        Err(what) => Err(what),
    }
}
