//! The first pass: string records, and everything that must be known before the first node: where the objects
//! end, what they hold outside the heap, how wide a machine word was.

use heap_base::{Error, Result};
use heap_record::wants::Strings;
use heap_record::{Sink, StringId, Texts, Wants};

use crate::classes::{Class, Kind};
use crate::header::Header;
use crate::names::Names;
use crate::object::{Data, Object};
use crate::source::{MAGIC, Source};
use crate::window::{Fault, Window};

/// Most names of external properties that are kept apart; in practice there is one.
const MAX_PROPERTY_NAMES: usize = 1 << 16;

/// What is wrong with a file of two dumps.
const ANOTHER: &str = "another dump follows: each needs a file of its own";

/// What the first pass found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// How many objects are intact.
    pub(crate) objects: u64,
    /// Where the list of external properties begins.
    pub(crate) properties_at: u64,
    /// How many of them are intact.
    pub(crate) properties: u64,
    /// Object and bytes, by object: one pair for each object that has any.
    pub(crate) external: Vec<(u64, u64)>,
    /// Where the identity hashes begin, if there are any.
    pub(crate) hashes_at: Option<u64>,
    /// How many bytes follow the last that has a meaning, and whether all of them are zero.
    pub(crate) trailing: (u64, bool),
    /// True if an object's size shows a 32-bit VM.
    pub(crate) narrow: bool,
    /// True if small integers are objects; else a reference to one is 0.
    pub(crate) smis: bool,
    /// True if a viewer wrote the file anew: strings are names, and integers are unsigned.
    pub(crate) resaved: bool,
    /// Property names that have a number of their own.
    pub(crate) property_names: Names,
    /// Id of the first string record of an object.
    pub(crate) first_text: StringId,
    /// Id of the first property name.
    pub(crate) first_property_name: StringId,
    /// Damage; all before it was read.
    pub(crate) damage: Option<Error>,
}

impl Scan {
    /// Bits of a machine word of the VM.
    pub(crate) fn word_bits(&self) -> u8 {
        if self.narrow { 32 } else { 64 }
    }

    /// Reads the whole snapshot and emits the strings of objects, which get ids from `first_text` on.
    pub(crate) fn run(
        source: &Source,
        header: &Header,
        first_text: StringId,
        wants: Wants,
        sink: &mut dyn Sink,
    ) -> Result<Self> {
        let mut scan = Self { first_text, resaved: header.classes.flagless, ..Self::default() };
        let mut window = Window::new(source, header.objects_at);
        let mut texts = Texts::default();
        let mut text_id = first_text;
        // Classes have their names from the header.
        let all = wants.strings == Strings::All;
        // Only full nodes say which string is their contents.
        let contents = all && (wants.node_details() || !wants.any_nodes());
        let count = header.counts.map_or(0, |(_, objects)| objects);
        while scan.objects < count {
            let intact = match window.object() {
                Ok(object) => {
                    let class = header.classes.get(object.class);
                    if object.data.has_text() {
                        if contents || all && !is_contents(&object, class) {
                            string(&mut texts, text_id, &window, object.data, sink)?;
                        }
                        text_id += 1;
                    }
                    window.skip_numbers(object.references).map(|()| (object, class))
                }
                Err(fault) => Err(fault),
            };
            match intact {
                Ok((object, class)) => {
                    scan.objects += 1;
                    scan.narrow |= object.size % 16 == 8;
                    match object.data {
                        Data::Int(..) => scan.smis |= class.is_some_and(|c| c.kind == Kind::Smi),
                        Data::Latin1(..) | Data::Utf16(..) => scan.resaved = false,
                        _ => {}
                    }
                }
                Err(fault) => {
                    let what = format!("object {}", scan.objects + 1);
                    scan.damage = Some(window.error(fault, &what));
                    break;
                }
            }
        }
        scan.first_property_name = text_id;
        if scan.damage.is_none() {
            scan.tail(source, &mut window, &mut texts, wants, sink)?;
        }
        Ok(scan)
    }

    /// Reads what follows the objects.
    fn tail(
        &mut self,
        source: &Source,
        window: &mut Window,
        texts: &mut Texts,
        wants: Wants,
        sink: &mut dyn Sink,
    ) -> Result {
        self.properties_at = window.offset();
        let count = match window.near().and_then(|()| window.number()) {
            Ok(count) => count,
            Err(fault) => {
                self.damage = Some(window.error(fault, "the count of external properties"));
                return Ok(());
            }
        };
        let mut name_id = self.first_property_name;
        while self.properties < count {
            let (object, size, name) = match property(window) {
                Ok(property) => property,
                Err(fault) => {
                    let what = format!("external property {}", self.properties + 1);
                    self.damage = Some(window.error(fault, &what));
                    break;
                }
            };
            self.properties += 1;
            self.external.push((object, size));
            if self.new_property_name(name) {
                if wants.strings == Strings::All && wants.extensions {
                    texts.utf8(name_id, name, sink)?;
                }
                name_id += 1;
            }
        }
        heap_base::sort_by_key(&mut self.external, |&(object, _)| object);
        self.external.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        if self.damage.is_none() && window.left() > 0 {
            self.hashes_at = Some(window.offset());
            let mut next = 0;
            let end = window.skip_numbers(self.objects).and_then(|()| {
                next = window.offset();
                let is_other = window.begins_with(MAGIC)?;
                Ok((is_other, window.rest()?))
            });
            match end {
                Ok((true, _)) => self.damage = Some(Error::at_byte(source.place(next), ANOTHER)),
                Ok((false, rest)) => self.trailing = rest,
                Err(fault) => self.damage = Some(window.error(fault, "the list of identity hashes")),
            }
        }
        Ok(())
    }

    /// Numbers a property name; true if it needs a string record. Beyond the limit each use of a name needs one.
    fn new_property_name(&mut self, name: &[u8]) -> bool {
        if self.property_names.find(name).is_some() {
            return false;
        }
        if self.property_names.all().len() < MAX_PROPERTY_NAMES {
            self.property_names.intern(name);
        }
        true
    }
}

/// True if the text of an object is what the program stored in it, not a name that the VM gives it.
pub(crate) fn is_contents(object: &Object, class: Option<&Class>) -> bool {
    !matches!(object.data, Data::Name(_)) || class.is_some_and(Class::is_string)
}

/// Object, bytes and name of an external property.
pub(crate) fn property(window: &mut Window) -> Result<(u64, u64, &[u8]), Fault> {
    window.near()?;
    let object = window.number()?;
    let size = window.number()?;
    let name = window.utf8()?;
    Ok((object, size, window.bytes(name)))
}

fn string(texts: &mut Texts, id: StringId, window: &Window, data: Data, sink: &mut dyn Sink) -> Result {
    match data {
        Data::Latin1(_, text) => texts.latin1(id, window.bytes(text), sink),
        Data::Utf16(_, _, text) => {
            let units = window.bytes(text).as_chunks().0.iter().map(|&unit| u16::from_le_bytes(unit));
            texts.utf16(id, units, sink)
        }
        Data::Name(text) => texts.utf8(id, window.bytes(text), sink),
        _ => Ok(()),
    }
}
