//! What comes before the objects.

use heap_base::{Error, Result};

use crate::classes::Classes;
use crate::names::Names;
use crate::source::{MAGIC, Source};
use crate::window::{Fault, Window};

/// The head of a snapshot.
#[derive(Debug)]
pub(crate) struct Header {
    /// Reserved, 0.
    pub(crate) flags: u64,
    /// Name of the isolate that asked.
    pub(crate) name: String,
    /// Heap in use, bytes, as the allocator counts.
    pub(crate) shallow_size: u64,
    /// Heap reserved, bytes.
    pub(crate) capacity: u64,
    /// Bytes of external properties.
    pub(crate) external_size: u64,
    /// How many classes the file claims.
    pub(crate) class_count: u64,
    /// The class table.
    pub(crate) classes: Classes,
    /// Offset of the first class.
    pub(crate) classes_at: u64,
    /// How many references and objects the file claims; none if it is damaged before.
    pub(crate) counts: Option<(u64, u64)>,
    /// Offset of the first object.
    pub(crate) objects_at: u64,
    /// Class id of the first object, the root: 0 in the oldest files.
    pub(crate) root_class: Option<u64>,
    /// Damage in the class table or behind it.
    pub(crate) damage: Option<Error>,
}

impl Header {
    /// Reads it; an error if the head itself is cut off.
    pub(crate) fn read(source: &Source, names: &mut Names) -> Result<Self> {
        let mut magic = [0; MAGIC.len()];
        if source.read_at(&mut magic, 0)? < magic.len() || magic != *MAGIC {
            return Err(Error::at_byte(source.place(0), "expected dartheap"));
        }
        let mut window = Window::new(source, MAGIC.len() as u64);
        let mut header = match Self::head(&mut window) {
            Ok(header) => header,
            Err(fault) => return Err(window.error(fault, "the header")),
        };
        header.classes_at = window.offset();
        (header.classes, header.damage) = Classes::read(&mut window, header.class_count, names);
        if header.damage.is_none() {
            match counts(&mut window) {
                Ok(counts) => {
                    header.counts = Some(counts);
                    header.objects_at = window.offset();
                    header.root_class = (counts.1 > 0).then(|| window.number().ok()).flatten();
                }
                Err(fault) => header.damage = Some(window.error(fault, "the object count")),
            }
        }
        Ok(header)
    }

    fn head(window: &mut Window) -> Result<Self, Fault> {
        window.near()?;
        let flags = window.number()?;
        let name = window.utf8()?;
        let name = String::from_utf8_lossy(window.bytes(name)).into_owned();
        window.near()?;
        Ok(Self {
            flags,
            name,
            shallow_size: window.number()?,
            capacity: window.number()?,
            external_size: window.number()?,
            class_count: window.number()?,
            classes: Classes::default(),
            classes_at: 0,
            counts: None,
            objects_at: 0,
            root_class: None,
            damage: None,
        })
    }

    /// The dialect, as far as the head shows.
    pub(crate) fn dialect(&self) -> &'static str {
        match self.version() {
            "2021" if self.classes.flagless => "re-saved",
            version => version,
        }
    }

    /// The dialect of a file that was not re-saved: the oldest version has a root without a class.
    pub(crate) fn version(&self) -> &'static str {
        if self.root_class == Some(0) { "2019" } else { "2021" }
    }
}

fn counts(window: &mut Window) -> Result<(u64, u64), Fault> {
    window.near()?;
    let counts = (window.number()?, window.number()?);
    window.near()?;
    Ok(counts)
}
