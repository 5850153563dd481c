//! Snapshots to read: one small one with everything in it, and any number of generated ones.

use arbitrary::{Result, Unstructured};

use super::twin::{Class, Data, Field, Object, Property, Snapshot};

pub(crate) fn class(name: &str, library: &str, fields: &[(u64, &str)]) -> Class {
    let uri = library.replacen("dart.", "dart:", 1);
    Class {
        name: name.into(),
        library: library.into(),
        uri: uri.into(),
        fields: fields
            .iter()
            .map(|&(index, name)| Field { flags: 1, index, name: name.into(), reserved: Vec::new() })
            .collect(),
        ..Class::default()
    }
}

pub(crate) fn object(class: u64, size: u64, data: Data, references: &[u64]) -> Object {
    Object { class, size, data, references: references.to_vec() }
}

/// At least one object of each kind that the format has, as a 32-bit VM writes it.
pub(crate) fn kinds() -> Snapshot {
    let classes = vec![
        class("Root", "", &[]),
        class("Read-Only Pages", "", &[]),
        class("Isolate", "", &[(0, ""), (1, "cache")]),
        class("", "", &[]),
        class("Function", "", &[(0, "name_")]),
        class("_Closure", "dart.core", &[(0, "function_"), (0, "_function"), (1, "context_")]),
        class("Context", "", &[(0, "parent_")]),
        class("_Smi", "dart.core", &[]),
        class("_Mint", "dart.core", &[]),
        class("_Double", "dart.core", &[]),
        class("bool", "dart.core", &[]),
        class("Null", "dart.core", &[]),
        class("_OneByteString", "dart.core", &[]),
        class("_TwoByteString", "dart.core", &[]),
        class("_List", "dart.core", &[(0, "type_arguments_"), (1, "length_")]),
        class("_GrowableList", "dart.core", &[(0, "type_arguments_"), (1, "length_"), (2, "data_")]),
        class("_Map", "dart._compact_hash", &[(4, "data_")]),
        class("_WeakProperty", "dart.core", &[(0, "key_"), (1, "value_")]),
        class("_WeakReference", "dart.core", &[(0, "target_"), (1, "type_arguments_")]),
        class(
            "FinalizerEntry",
            "dart._internal",
            &[(0, "value_"), (1, "detach_"), (2, "token_"), (3, "finalizer_"), (4, "next_")],
        ),
        class("Node", "file:///a.dart", &[(0, "next"), (1, "weight")]),
        class("Node", "other.lib", &[]),
        class("_List", "file:///a.dart", &[(0, "first")]),
    ];
    let objects = vec![
        object(1, 0, Data::None, &[2, 3, 12]),
        object(2, 0, Data::None, &[]),
        object(3, 0, Data::Name(b"3491318699532695".into()), &[12, 22, 5]),
        object(5, 88, Data::Name(b"main".into()), &[13]),
        object(6, 32, Data::None, &[4, 6]),
        object(7, 24, Data::None, &[12, 12, 9]),
        object(9, 16, Data::Signed(i64::MIN), &[]),
        object(9, 16, Data::Signed(-1 << 62), &[]),
        object(10, 16, Data::Double(0x7ff8_0000_0000_0001), &[]),
        object(10, 16, Data::Double((-0.0f64).to_bits()), &[]),
        object(11, 0, Data::Bool(1), &[]),
        object(12, 0, Data::Null, &[]),
        object(13, 24, Data::Latin1(5, b"caf\xe9\0".into()), &[]),
        object(13, 208, Data::Latin1(200, vec![b'x'; 128]), &[]),
        object(14, 24, Data::Utf16(3, vec![0x3bb, 0xd800, 0x41]), &[]),
        object(14, 24, Data::Utf16(2, vec![0xd83d, 0xde00]), &[]),
        object(15, 24, Data::Length(3), &[12, 23, 13, 14, 13]),
        object(16, 16, Data::Length(2), &[12, 23, 17]),
        object(17, 32, Data::Length(4), &[12, 12, 12, 12, 17]),
        object(18, 16, Data::None, &[21, 13]),
        object(21, 24, Data::None, &[22, 0]),
        object(22, 16, Data::None, &[20, 19]),
        object(8, 0, Data::Unsigned(3), &[]),
        object(8, 0, Data::Unsigned(0xffff_ffff), &[]),
        object(19, 16, Data::None, &[21, 12]),
        object(20, 32, Data::None, &[21, 21, 12, 25, 12]),
        object(23, 16, Data::None, &[24, 0, 99, 1 << 63]),
    ];
    let mut hashes = vec![0; objects.len()];
    hashes[20] = 0x3fff_1234;
    hashes[21] = u64::from(u32::MAX);
    Snapshot {
        flags: 0,
        name: "main".to_owned(),
        shallow_size: objects.iter().map(|o| o.size).sum(),
        capacity: 4096,
        external_size: 4144,
        classes,
        reference_count: objects.iter().map(|o| o.references.len() as u64).sum(),
        objects,
        properties: [(20, 4096, "a"), (21, 16, "b"), (20, 32, "a")]
            .map(|(object, size, name)| Property { object, size, name: name.into() })
            .into(),
        hashes: Some(hashes),
        padding: 0,
    }
}

/// The same as the first version would have it: no class for the root, no small integers, no hashes.
pub(crate) fn first_version() -> Snapshot {
    let mut snapshot = kinds();
    snapshot.objects[0].class = 0;
    snapshot.hashes = None;
    for object in &mut snapshot.objects {
        if object.class == 8 {
            object.class = 22;
            object.data = Data::None;
        }
        for reference in &mut object.references {
            if [23, 24].contains(reference) {
                *reference = 0;
            }
        }
    }
    snapshot
}

/// The same as a viewer saves it.
pub(crate) fn resaved() -> Snapshot {
    let mut snapshot = kinds();
    for field in snapshot.classes.iter_mut().flat_map(|c| &mut c.fields) {
        field.flags = 0;
    }
    for object in &mut snapshot.objects {
        let (length, text) = match &object.data {
            Data::Latin1(length, kept) => (*length, kept.iter().map(|&b| char::from(b)).collect()),
            Data::Utf16(length, kept) => (*length, String::from_utf16_lossy(kept)),
            Data::Signed(n) => {
                object.data = Data::Unsigned(if *n == i64::MIN { 1 << 63 } else { 1 << 62 });
                continue;
            }
            _ => continue,
        };
        object.data = Data::Name((text + if length > 128 { "..." } else { "" }).into());
    }
    snapshot.padding = 3000;
    snapshot
}

const CLASS_NAMES: [&str; 16] = [
    "_List",
    "_GrowableList",
    "_OneByteString",
    "_TwoByteString",
    "_Smi",
    "_Mint",
    "_Closure",
    "Function",
    "Context",
    "_WeakProperty",
    "FinalizerEntry",
    "Isolate",
    "Node",
    "",
    "_Record",
    "Code",
];
const LIBRARIES: [&str; 4] = ["dart.core", "", "file:///a.dart", "dart._internal"];
const FIELD_NAMES: [&str; 8] = ["key_", "value_", "function_", "next", "", "a", "detach_", "length_"];

fn bytes(u: &mut Unstructured<'_>, max: usize) -> Result<Vec<u8>> {
    let n = u.int_in_range(0..=max)?;
    Ok(u.bytes(n.min(u.len()))?.to_vec())
}

/// A number of any magnitude.
fn number(u: &mut Unstructured<'_>) -> Result<u64> {
    Ok(u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?)
}

/// Any snapshot, sane or not, that a file can hold.
pub(crate) fn any(u: &mut Unstructured<'_>) -> Result<Snapshot> {
    let resaved = u.ratio(1, 4)?;
    let mut classes = vec![class("_Smi", "dart.core", &[]), class("_Mint", "dart.core", &[])];
    for _ in 0..u.int_in_range(0..=12)? {
        let mut class = class(u.choose(&CLASS_NAMES)?, u.choose(&LIBRARIES)?, &[]);
        class.flags = u64::from(u.ratio(1, 8)?);
        if u.ratio(1, 8)? {
            class.reserved = bytes(u, 4)?;
        }
        for _ in 0..u.int_in_range(0..=5)? {
            let index = if u.ratio(1, 16)? { number(u)? } else { u.int_in_range(0..=9)? };
            let name =
                if u.ratio(1, 8)? { bytes(u, 3)? } else { u.choose(&FIELD_NAMES)?.as_bytes().to_vec() };
            class.fields.push(Field { flags: u64::from(!resaved), index, name, reserved: Vec::new() });
        }
        classes.push(class);
    }
    let count = u.int_in_range(0..=40)?;
    let mut objects = Vec::new();
    for _ in 0..count {
        if u.is_empty() {
            break;
        }
        let mut class = u.int_in_range(0..=classes.len() as u64 + 1)?;
        let data = match u.int_in_range(0..=9)? {
            1 => Data::Null,
            2 => Data::Bool(u.int_in_range(0..=2)?),
            3 => {
                class = 1;
                Data::Unsigned(number(u)? & 0x7fff_ffff)
            }
            4 => Data::Double(u.arbitrary()?),
            5 if !resaved => {
                let kept = bytes(u, 150)?;
                Data::Latin1(kept.len() as u64 + u.int_in_range(0..=2)?, kept)
            }
            6 if !resaved => {
                let kept: Vec<u16> =
                    (0..u.int_in_range(0..=9)?).map(|_| u.arbitrary()).collect::<Result<_>>()?;
                Data::Utf16(kept.len() as u64 + u.int_in_range(0..=2)?, kept)
            }
            7 => Data::Length(number(u)?),
            8 => Data::Name(bytes(u, 150)?),
            9 if !resaved => {
                class = 2;
                Data::Signed(number(u)? as i64)
            }
            _ => Data::None,
        };
        let most = if u.ratio(1, 16)? { 900 } else { 12 };
        let references = (0..u.int_in_range(0..=most)?)
            .map(|_| if u.ratio(1, 8)? { number(u) } else { u.int_in_range(0..=count) })
            .collect::<Result<_>>()?;
        objects.push(Object { class, size: number(u)?, data, references });
    }
    let hashes = match objects.len() {
        0 => None,
        _ if u.ratio(1, 4)? => None,
        n => Some((0..n).map(|_| number(u)).collect::<Result<_>>()?),
    };
    Ok(Snapshot {
        flags: number(u)?,
        name: String::from_utf8_lossy(&bytes(u, 6)?).into_owned(),
        shallow_size: number(u)?,
        capacity: number(u)?,
        external_size: number(u)?,
        classes,
        reference_count: number(u)?,
        properties: (0..u.int_in_range(0..=3)?)
            .map(|_| {
                let object = u.int_in_range(0..=count)?;
                Ok(Property { object, size: number(u)?, name: bytes(u, 2)? })
            })
            .collect::<Result<_>>()?,
        padding: if hashes.is_some() { u.int_in_range(0..=20)? } else { 0 },
        hashes,
        objects,
    })
}
