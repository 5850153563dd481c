//! Bytes outside the heap, by the object that keeps them.

use heap_base::{Blob, Result};

use super::find;
use super::ids::id;
use super::items::Item;
use super::resolve::field;
use super::scan::{SEGMENT, Scan};
use crate::layout::Kind;
use crate::strings::Strings;

const BUFFER: &str = "java.nio.DirectByteBuffer";

/// Finds which objects keep how many bytes, in the order of addresses, and sums these up by class.
///
/// # Errors
/// Those of reading.
pub(crate) fn find(blob: &Blob, scan: &mut Scan, strings: &Strings) -> Result<Vec<(u64, u64)>> {
    let mut list = Vec::new();
    for (name, of_class) in [(BUFFER, buffers(scan, strings)), (SEGMENT, segments(scan, strings))] {
        for &(_, bytes) in &of_class {
            if let Some(class) = class(scan, strings, name)
                && let Some(class) = scan.classes.get_mut(class)
            {
                class.external = class.external.saturating_add(bytes);
            }
        }
        list.extend(of_class);
    }
    let native = native(scan, strings);
    let objects: Vec<u64> = native.iter().map(|entry| entry.0).collect();
    let mut classes = vec![0; objects.len()];
    find::find(blob, scan, &objects, |at, item, _| {
        if let Item::Instance { class, .. } = item {
            classes[at] = class;
        }
    })?;
    for (&(_, bytes), id) in native.iter().zip(classes) {
        if let Some(class) = scan.classes.find(id).and_then(|number| scan.classes.get_mut(number)) {
            class.external = class.external.saturating_add(bytes);
        }
    }
    list.extend(native);
    list.sort_unstable();
    list.dedup_by(|next, entry| {
        let same = next.0 == entry.0;
        if same {
            entry.1 = entry.1.saturating_add(next.1);
        }
        same
    });
    Ok(list)
}

/// The number of the class of this name.
fn class(scan: &Scan, strings: &Strings, name: &str) -> Option<u32> {
    (0..)
        .zip(scan.classes.all())
        .find(|(_, class)| strings.text(class.text) == name)
        .map(|(number, _)| number)
}

/// A field of the kept instances of a class: reads it from their bodies.
struct Field {
    class: u64,
    offset: usize,
    size: usize,
}

impl Field {
    /// The field, if instances of the class have it with one of these types.
    fn new(scan: &Scan, strings: &Strings, (name, label): (&str, &str), kinds: &[Kind]) -> Option<Self> {
        let number = class(scan, strings, name)?;
        let class = scan.classes.get(number)?.id;
        let (offset, kind) =
            field(scan, number, label.as_bytes()).filter(|(_, kind)| kinds.contains(kind))?;
        let size = kind.bytes_in(scan.header.id_size.into());
        Some(Self { class, offset: usize::try_from(offset).ok()?, size })
    }

    /// The value in a body.
    fn of(&self, body: &[u8]) -> Option<u64> {
        let bytes = body.get(self.offset..).filter(|bytes| bytes.len() >= self.size)?;
        Some(id(bytes, self.size))
    }

    /// Address and body of all kept instances.
    fn all<'s>(&self, scan: &'s Scan) -> impl Iterator<Item = (u64, &'s [u8])> + use<'s> {
        let class = self.class;
        scan.kept.iter().filter(move |entry| entry.1 == class).map(|(address, _, body)| (*address, &**body))
    }
}

/// Direct buffers that have a cleaner own their memory, but for those of a file that is mapped.
fn buffers(scan: &Scan, strings: &Strings) -> Vec<(u64, u64)> {
    let field = |name, kind| Field::new(scan, strings, (BUFFER, name), &[kind]);
    let (Some(capacity), Some(cleaner)) = (field("capacity", Kind::Int), field("cleaner", Kind::Object))
    else {
        return Vec::new();
    };
    let file = field("fd", Kind::Object);
    let buffers = capacity.all(scan).filter_map(|(address, body)| {
        let is_mapped = file.as_ref().and_then(|file| file.of(body)).is_some_and(|file| file != 0);
        let owned = cleaner.of(body)? != 0 && !is_mapped;
        let bytes = i32::try_from(capacity.of(body)?).ok()?;
        Some((address, u64::try_from(bytes).ok()?)).filter(|_| owned)
    });
    each_once(buffers)
}

/// Of what an arena has allocated each segment has an object that frees it. Neither slices of it have one, nor buffers that are
/// views of it, nor files that are mapped.
fn segments(scan: &Scan, strings: &Strings) -> Vec<(u64, u64)> {
    let Some(size) = Field::new(scan, strings, (SEGMENT, "val$allocationSize"), &[Kind::Long]) else {
        return Vec::new();
    };
    let segments = size.all(scan).filter_map(|(address, body)| Some((address, size.of(body)?)));
    each_once(segments.filter(|&(_, bytes)| bytes.cast_signed() > 0))
}

/// Objects in the order of addresses; one that is there twice counts once.
fn each_once(objects: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
    let mut list: Vec<_> = objects.collect();
    list.sort_unstable();
    list.dedup_by_key(|entry| entry.0);
    list
}

/// Android: a cleaner's thunk belongs to a registry, whose size is that of what the cleaner's referent keeps. A referent may
/// come several times.
fn native(scan: &Scan, strings: &Strings) -> Vec<(u64, u64)> {
    const CLEANER: &str = "sun.misc.Cleaner";
    const THUNK: &str = "libcore.util.NativeAllocationRegistry$CleanerThunk";
    const REGISTRY: &str = "libcore.util.NativeAllocationRegistry";
    let field = |place, kinds| Field::new(scan, strings, place, kinds);
    let object = &[Kind::Object][..];
    let fields = (
        field((CLEANER, "thunk"), object),
        field((CLEANER, "referent"), object),
        field((THUNK, "this$0"), object),
        field((REGISTRY, "size"), &[Kind::Long, Kind::Int]),
    );
    let (Some(thunk), Some(referent), Some(outer), Some(size)) = fields else { return Vec::new() };
    let sorted = |field: &Field| {
        let mut list: Vec<_> = field.all(scan).filter_map(|(at, body)| Some((at, field.of(body)?))).collect();
        list.sort_unstable();
        list
    };
    let (thunks, registries) = (sorted(&outer), sorted(&size));
    let get = |list: &[(u64, u64)], at: u64| {
        list.binary_search_by_key(&at, |entry| entry.0).ok().map(|place| list[place].1)
    };
    let bytes = |body: &[u8]| get(&registries, get(&thunks, thunk.of(body)?)?);
    let cleaners = thunk.all(scan).filter_map(|(_, body)| Some((referent.of(body)?, bytes(body)?)));
    cleaners.filter(|&(object, bytes)| object != 0 && bytes.cast_signed() > 0).collect()
}
