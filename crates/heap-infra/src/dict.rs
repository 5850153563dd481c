//! The names of one process: stack frames with their parents, and types.

use heap_base::Result;

use crate::ids::{Ids, Key};
use crate::names::type_name;
use crate::scan::Scanner;
use crate::texts::{NONE, TextId, Texts};

/// A stack frame. Frames that are referred to but never defined stay undefined.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// v1: the name. v2: dense number of the string that is the name, resolved at use because a later map may
    /// change the string.
    name: u32,
    /// Dense number of the frame that called it.
    parent: u32,
    category: TextId,
    defined: bool,
}

const UNDEFINED: Frame = Frame { name: NONE, parent: NONE, category: NONE, defined: false };

/// The dictionary of a process. About 60 bytes per frame and 30 per type or string, beside the texts.
#[derive(Debug, Default)]
pub(crate) struct Dict {
    frame_ids: Ids,
    frames: Vec<Frame>,
    type_ids: Ids,
    /// Name of each type, as in [`Frame::name`].
    types: Vec<u32>,
    string_ids: Ids,
    strings: Vec<TextId>,
    /// True if names go through `strings`.
    indirect: bool,
    /// True if there was a list of types.
    pub(crate) has_types: bool,
}

impl Dict {
    /// An empty dictionary for the previous format and v1.
    pub(crate) fn v1() -> Self {
        Self::default()
    }

    /// An empty dictionary for heaps_v2.
    pub(crate) fn v2() -> Self {
        Self { indirect: true, ..Self::default() }
    }

    /// How many frames are known, the undefined ones too.
    pub(crate) fn n_frames(&self) -> usize {
        self.frames.len()
    }

    /// How many types are known, the undefined ones too.
    pub(crate) fn n_types(&self) -> usize {
        self.types.len()
    }

    /// The dense number of a frame.
    #[inline]
    pub(crate) fn frame(&mut self, key: Key) -> u32 {
        let dense = self.frame_ids.dense(key);
        if dense as usize >= self.frames.len() {
            self.frames.push(UNDEFINED);
        }
        dense
    }

    /// The dense number of a type.
    #[inline]
    pub(crate) fn type_(&mut self, key: Key) -> u32 {
        let dense = self.type_ids.dense(key);
        if dense as usize >= self.types.len() {
            self.types.push(NONE);
        }
        dense
    }

    /// The dense number of a frame that was met before.
    pub(crate) fn find_frame(&self, key: Key) -> Option<u32> {
        self.frame_ids.find(key)
    }

    /// The dense number of a type that was met before.
    pub(crate) fn find_type(&self, key: Key) -> Option<u32> {
        self.type_ids.find(key)
    }

    fn string(&mut self, id: u64) -> u32 {
        let dense = self.string_ids.dense(Key::Number(id));
        if dense as usize >= self.strings.len() {
            self.strings.push(NONE);
        }
        dense
    }

    fn resolve(&self, name: u32) -> TextId {
        if self.indirect { self.strings.get(name as usize).copied().unwrap_or(NONE) } else { name }
    }

    /// True if the frame has a definition.
    pub(crate) fn frame_defined(&self, frame: u32) -> bool {
        self.frames.get(frame as usize).is_some_and(|f| f.defined)
    }

    /// True if the type has a name.
    pub(crate) fn type_defined(&self, ty: u32) -> bool {
        self.types.get(ty as usize).is_some_and(|&name| self.resolve(name) != NONE)
    }

    /// The name of a frame; [`NONE`] if it has none.
    pub(crate) fn frame_name(&self, frame: u32) -> TextId {
        self.frames.get(frame as usize).map_or(NONE, |f| self.resolve(f.name))
    }

    /// The category of a frame, if it has one.
    pub(crate) fn frame_category(&self, frame: u32) -> TextId {
        self.frames.get(frame as usize).map_or(NONE, |f| f.category)
    }

    /// The frame that called it, [`NONE`] for the root.
    pub(crate) fn frame_parent(&self, frame: u32) -> u32 {
        self.frames.get(frame as usize).map_or(NONE, |f| f.parent)
    }

    /// What the dump calls the frame.
    pub(crate) fn frame_key(&self, frame: u32) -> Option<Key> {
        self.frame_ids.key(frame)
    }

    /// What the dump calls the type.
    pub(crate) fn type_key(&self, ty: u32) -> Option<Key> {
        self.type_ids.key(ty)
    }

    /// The name of a type exactly as recorded; [`NONE`] if it has none.
    pub(crate) fn type_recorded(&self, ty: u32) -> TextId {
        self.types.get(ty as usize).map_or(NONE, |&name| self.resolve(name))
    }

    /// The name of a type for people; `type 7` where the dump does not name it.
    pub(crate) fn type_text(&self, ty: u32, texts: &mut Texts) -> TextId {
        let recorded = self.type_recorded(ty);
        if recorded == NONE {
            let text = match self.type_key(ty) {
                Some(Key::Number(n)) => format!("type {n}"),
                Some(Key::Text(t)) => format!("type {}", texts.get(t)),
                None => return NONE,
            };
            return texts.id(&text);
        }
        let text = texts.get(recorded);
        let name = type_name(text);
        if name.len() == text.len() {
            return recorded;
        }
        let name = name.to_owned();
        texts.id(&name)
    }

    /// True if this frame is no frame but the empty stack: not defined, or v2's node 0 without name and parent.
    pub(crate) fn is_root(&self, frame: u32, texts: &Texts) -> bool {
        let Some(f) = self.frames.get(frame as usize) else { return true };
        if !f.defined {
            return true;
        }
        self.indirect
            && self.frame_key(frame) == Some(Key::Number(0))
            && (f.parent == NONE || f.parent == frame)
            && texts.get(self.resolve(f.name)).is_empty()
    }

    /// Reads the object of a `stackFrames` event; later definitions replace earlier ones.
    pub(crate) fn read_stack_frames(&mut self, scanner: &mut Scanner, texts: &mut Texts) -> Result {
        scanner.expect(b'{', "an object")?;
        let mut first = true;
        while let Some(key) = scanner.key(&mut first)? {
            let id = self.frame(key_of(key, texts));
            let mut frame = Frame { defined: true, ..UNDEFINED };
            if !scanner.enter(b'{')? {
                continue;
            }
            let mut first = true;
            while let Some(member) = scanner.member(&mut first, &["name", "parent", "category"])? {
                match member {
                    "name" if is_string(scanner)? => frame.name = texts.id_of_bytes(scanner.string()?),
                    "category" if is_string(scanner)? => {
                        frame.category = texts.id_of_bytes(scanner.string()?);
                    }
                    "parent" => {
                        frame.parent = match id_value(scanner, texts)? {
                            Some(parent) => self.frame(parent),
                            None => NONE,
                        }
                    }
                    _ => scanner.skip()?,
                }
            }
            if let Some(place) = self.frames.get_mut(id as usize) {
                *place = frame;
            }
        }
        Ok(())
    }

    /// Reads the object of a `typeNames` event.
    pub(crate) fn read_type_names(&mut self, scanner: &mut Scanner, texts: &mut Texts) -> Result {
        self.has_types = true;
        scanner.expect(b'{', "an object")?;
        let mut first = true;
        while let Some(key) = scanner.key(&mut first)? {
            let id = self.type_(key_of(key, texts));
            if is_string(scanner)? {
                let name = texts.id_of_bytes(scanner.string()?);
                self.types[id as usize] = name;
            } else {
                scanner.skip()?;
            }
        }
        Ok(())
    }

    /// Reads the `maps` of a heaps_v2 dump over what earlier dumps of the process defined.
    pub(crate) fn read_maps(&mut self, scanner: &mut Scanner, texts: &mut Texts) -> Result {
        if !scanner.enter(b'{')? {
            return Ok(());
        }
        let mut first = true;
        while let Some(map) = scanner.member(&mut first, &["strings", "nodes", "types"])? {
            if map.is_empty() || scanner.next_token()? != b'[' {
                scanner.skip()?;
                continue;
            }
            scanner.expect(b'[', "an array")?;
            let mut first = true;
            while scanner.element(&mut first, b']')? {
                if scanner.next_token()? == b'{' {
                    self.read_map_entry(map, scanner, texts)?;
                } else {
                    scanner.skip()?;
                }
            }
        }
        Ok(())
    }

    fn read_map_entry(&mut self, map: &str, scanner: &mut Scanner, texts: &mut Texts) -> Result {
        scanner.expect(b'{', "an entry")?;
        let (mut id, mut name, mut parent, mut text) = (None, None, None, NONE);
        let mut first = true;
        while let Some(member) =
            scanner.member(&mut first, &["id", "name_sid", "parent", "string", "parent_id"])?
        {
            match member {
                "id" if is_number(scanner)? => id = Some(scanner.number()?.id()),
                "name_sid" if is_number(scanner)? => name = Some(scanner.number()?.id()),
                "parent" | "parent_id" if is_number(scanner)? => parent = Some(scanner.number()?.id()),
                "string" if is_string(scanner)? => text = texts.id_of_bytes(scanner.string()?),
                _ => scanner.skip()?,
            }
        }
        let Some(id) = id else { return Ok(()) };
        match map {
            "strings" => {
                let dense = self.string(id);
                self.strings[dense as usize] = text;
            }
            "nodes" => {
                let name = name.map_or(NONE, |name| self.string(name));
                let parent = parent.map_or(NONE, |parent| self.frame(Key::Number(parent)));
                let dense = self.frame(Key::Number(id));
                self.frames[dense as usize] = Frame { name, parent, category: NONE, defined: true };
            }
            _ => {
                let name = name.map_or(NONE, |name| self.string(name));
                let dense = self.type_(Key::Number(id));
                self.types[dense as usize] = name;
                self.has_types = true;
            }
        }
        Ok(())
    }
}

/// The types that one dump uses, and their names. Kept from dump to dump so that a dump costs no more than what it
/// uses.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// By type: the dump that it was met in, and its name there.
    marks: Vec<(u32, TextId)>,
    dump: u32,
    used: Vec<u32>,
}

impl Classes {
    /// Begins another dump.
    pub(crate) fn begin(&mut self, dict: &Dict) {
        self.dump += 1;
        self.marks.resize(dict.n_types(), (0, NONE));
        self.used.clear();
    }

    /// Notes that a type is used; numbers that are no type are ignored.
    #[inline]
    pub(crate) fn note(&mut self, ty: u32, dict: &Dict, texts: &mut Texts) {
        if let Some(mark) = self.marks.get_mut(ty as usize)
            && mark.0 != self.dump
        {
            *mark = (self.dump, dict.type_text(ty, texts));
            self.used.push(ty);
        }
    }

    /// The name of a type that was noted; [`NONE`] for others.
    #[inline]
    pub(crate) fn name(&self, ty: u32) -> TextId {
        match self.marks.get(ty as usize) {
            Some(&(dump, name)) if dump == self.dump => name,
            _ => NONE,
        }
    }

    /// The types that were noted, in the order of their first use.
    pub(crate) fn used(&self) -> &[u32] {
        &self.used
    }
}

/// The key that a text is.
pub(crate) fn key_of(text: &[u8], texts: &mut Texts) -> Key {
    Key::decimal(text).map_or_else(|| Key::Text(texts.id_of_bytes(text)), Key::Number)
}

/// Takes an identifier that should be text but may be a number. `None` for anything else.
pub(crate) fn id_value(scanner: &mut Scanner, texts: &mut Texts) -> Result<Option<Key>> {
    match scanner.next_token()? {
        b'"' => Ok(Some(key_of(scanner.string()?, texts))),
        b'0'..=b'9' => Ok(Some(Key::Number(scanner.number()?.id()))),
        _ => scanner.skip().map(|()| None),
    }
}

/// True if a string comes next.
pub(crate) fn is_string(scanner: &mut Scanner) -> Result<bool> {
    Ok(scanner.next_token()? == b'"')
}

/// True if a number comes next.
pub(crate) fn is_number(scanner: &mut Scanner) -> Result<bool> {
    Ok(matches!(scanner.next_token()?, b'0'..=b'9' | b'-'))
}
