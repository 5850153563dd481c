//! Which release of the JDK wrote a dump. No record says it, but classes do.

use heap_base::{Blob, Result};
use heap_record::texts::{latin1, utf16};

use super::find::find;
use super::ids::id;
use super::items::Item;
use super::resolve::{declares, fields};
use super::scan::Scan;
use crate::layout::{Fields, Kind};
use crate::strings::Strings;

/// A release of the JDK: 8, 17, …
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Release(Option<u32>);

/// What a dump without any sign of a release is taken for: the layout of objects has not changed since.
const USUAL: u32 = 17;
/// From this release on, fields fill the gaps that superclasses leave.
const PACKED: u32 = 15;

impl Release {
    /// The number, that of a usual one if nothing is known.
    pub(crate) fn number(self) -> u32 {
        self.0.unwrap_or(USUAL)
    }

    /// Subtypes of edges that its dumps leave without a node, as `heap.dangling` says it. Dumpers pass over classes that are
    /// archived and not loaded, and the table of the archive's objects refers to them. To JDK 7, what shared spaces hold was
    /// not dumped.
    pub(crate) fn dangling(self) -> &'static [&'static str] {
        match self.0 {
            Some(..=7) => &["any array element", "any java.root"],
            Some(9..) => &["one array element"],
            _ => &[],
        }
    }

    /// How fields are packed.
    pub(crate) fn fields(self) -> Fields {
        if self.number() < PACKED { Fields::Inherited } else { Fields::Packed }
    }

    /// Whether a class object has the static fields of its class.
    pub(crate) fn statics_in_class(self) -> bool {
        self.number() >= 7
    }

    /// The release that the version's text says: `1.8.0_05`, `11.0.4`, `25`.
    fn of_version(text: &str) -> Option<u32> {
        let rest = text.strip_prefix("1.").unwrap_or(text);
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        // The token of a redacted version may begin with digits, too.
        let (number, more) = rest.split_at(digits);
        let mut next = more.chars();
        let is_version = match next.next() {
            None => true,
            Some('.' | '_' | '+') => next.next().is_some_and(|c| c.is_ascii_digit()),
            Some('-') => {
                ["ea", "internal", "beta", "adhoc"].iter().any(|word| next.as_str().starts_with(word))
            }
            Some(_) => false,
        };
        number.parse().ok().filter(|n| is_version && (1..1000).contains(n))
    }

    /// The release by what the classes declare, if they are those of a JDK.
    fn of_classes(scan: &Scan, strings: &Strings) -> Option<u32> {
        let named = |name: &str| {
            let mut all = scan.classes.all().iter();
            all.find(|class| class.dumped && strings.text(class.text) == name)
        };
        let (class, string) = (named("java.lang.Class")?, named("java.lang.String")?);
        // Writers of other heaps make classes of these names as well.
        if !declares(scan, class, b"reflectionData") && !declares(scan, class, b"cachedConstructor") {
            return None;
        }
        let has = |field: &[u8]| declares(scan, string, field);
        Some(if has(b"coder") {
            match (has(b"hashIsZero"), declares(scan, class, b"classData")) {
                (true, true) => USUAL,
                (true, false) => 14,
                (false, _) => 11,
            }
        } else if !has(b"hash32") && !has(b"offset") {
            8
        } else if has(b"hash32") || named("java.lang.invoke.MethodHandle").is_some() {
            7
        } else {
            6
        })
    }
}

/// The text of the version, and the release. The version stands in a static field that every JDK has, if that class was
/// loaded and the field holds something.
///
/// # Errors
/// Those of reading.
pub(crate) fn release(
    blob: &Blob,
    scan: &Scan,
    order: &[u32],
    strings: &Strings,
) -> Result<(Option<String>, Release)> {
    let version = version(blob, scan, order, strings)?;
    let stated = version.as_deref().and_then(Release::of_version);
    Ok((version, Release(stated.or_else(|| Release::of_classes(scan, strings)))))
}

/// The text that `java -version` prints as well.
fn version(blob: &Blob, scan: &Scan, order: &[u32], strings: &Strings) -> Result<Option<String>> {
    let mut classes = scan.classes.all().iter().filter(|class| class.dumped);
    let class = classes
        .find(|class| matches!(strings.text(class.text), "java.lang.VersionProps" | "sun.misc.Version"));
    let field = class.and_then(|class| {
        let mut statics = scan.classes.statics(class).iter();
        statics.find(|field| scan.names.bytes(field.name) == Some(b"java_version"))
    });
    let Some(field) = field.filter(|field| field.kind == Kind::Object && field.value != 0) else {
        return Ok(None);
    };
    Ok(texts(blob, scan, order, &[field.value])?.pop().flatten())
}

/// The contents of these objects, if they are strings or arrays of characters.
///
/// # Errors
/// Those of reading.
pub(crate) fn texts(blob: &Blob, scan: &Scan, order: &[u32], objects: &[u64]) -> Result<Vec<Option<String>>> {
    let field = |name: &[u8]| {
        let places = fields(scan, order, name);
        move |item: Item| {
            let Item::Instance { class, .. } = item else { return None };
            places.get(scan.classes.find(class)? as usize).copied().flatten()
        }
    };
    let (value, coder) = (field(b"value"), field(b"coder"));
    let (offset, count) = (field(b"offset"), field(b"count"));
    let size = usize::from(scan.header.id_size);
    let mut values = objects.to_vec();
    // Without a coder, bytes are single characters: Android's.
    let mut wide = vec![false; objects.len()];
    // Old strings are parts of arrays.
    let mut ranges = vec![(0, usize::MAX); objects.len()];
    let int = |place: Option<(u64, Kind)>, body: &[u8]| {
        let (at, _) = place.filter(|&(_, kind)| kind == Kind::Int)?;
        body.get(at as usize..)?.first_chunk().map(|&bytes| u32::from_be_bytes(bytes) as usize)
    };
    find(blob, scan, objects, |at, item, body| {
        if let Item::Instance { .. } = item {
            values[at] = reference(value(item), body, size);
            wide[at] = coder(item).is_some_and(|(offset, _)| body.get(offset as usize) == Some(&1));
            if let Some(range) = int(offset(item), body).zip(int(count(item), body)) {
                ranges[at] = range;
            }
        }
    })?;
    let mut texts = vec![None; objects.len()];
    find(blob, scan, &values, |at, item, body| {
        let Item::Primitives { kind, data: true, .. } = item else { return };
        let mut text = String::new();
        let (skip, take) = ranges[at];
        let pairs = body.chunks_exact(2).map(|pair| [pair[0], pair[1]]).skip(skip).take(take);
        match kind {
            Kind::Byte if !wide[at] => latin1(body, &mut text),
            Kind::Byte => _ = utf16(pairs.map(u16::from_le_bytes), &mut text),
            Kind::Char => _ = utf16(pairs.map(u16::from_be_bytes), &mut text),
            _ => return,
        }
        texts[at] = Some(text);
    })?;
    Ok(texts)
}

/// The value of a field at this place that is a reference, 0 if there is none.
pub(crate) fn reference(place: Option<(u64, Kind)>, body: &[u8], size: usize) -> u64 {
    match place {
        Some((offset, Kind::Object)) => {
            let bytes = body.get(offset as usize..).filter(|bytes| bytes.len() >= size);
            bytes.map_or(0, |bytes| id(bytes, size))
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_name_their_release() {
        let cases = [
            ("1.8.0_05", Some(8)),
            ("1.5.0_13", Some(5)),
            ("11.0.4", Some(11)),
            ("25", Some(25)),
            ("26-ea", Some(26)),
            ("9-internal+0-2016", Some(9)),
            ("5EH-QfD", None),
            ("5-EHQfD", None),
            ("5_EHQfD", None),
            ("17.0.15+6-LTS", Some(17)),
            ("", None),
            ("next", None),
            ("1.", None),
        ];
        for (text, release) in cases {
            assert_eq!(Release::of_version(text), release, "{text}");
        }
    }
}
