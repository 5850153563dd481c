//! A writer of snapshots as the format's description has them: the twin of the reader.

/// A snapshot, as plain as its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Snapshot {
    pub(crate) flags: u64,
    pub(crate) name: String,
    pub(crate) shallow_size: u64,
    pub(crate) capacity: u64,
    pub(crate) external_size: u64,
    pub(crate) classes: Vec<Class>,
    pub(crate) reference_count: u64,
    pub(crate) objects: Vec<Object>,
    pub(crate) properties: Vec<Property>,
    pub(crate) hashes: Option<Vec<u64>>,
    pub(crate) padding: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Class {
    pub(crate) flags: u64,
    pub(crate) name: Vec<u8>,
    pub(crate) library: Vec<u8>,
    pub(crate) uri: Vec<u8>,
    pub(crate) reserved: Vec<u8>,
    pub(crate) fields: Vec<Field>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Field {
    pub(crate) flags: u64,
    pub(crate) index: u64,
    pub(crate) name: Vec<u8>,
    pub(crate) reserved: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    pub(crate) class: u64,
    pub(crate) size: u64,
    pub(crate) data: Data,
    pub(crate) references: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    None,
    Null,
    Bool(u64),
    Unsigned(u64),
    Signed(i64),
    Double(u64),
    Latin1(u64, Vec<u8>),
    Utf16(u64, Vec<u16>),
    Length(u64),
    Name(Vec<u8>),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Property {
    pub(crate) object: u64,
    pub(crate) size: u64,
    pub(crate) name: Vec<u8>,
}

/// A file and where its parts end.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(crate) class_ends: Vec<usize>,
    pub(crate) object_ends: Vec<usize>,
    pub(crate) hashes_at: usize,
}

pub(crate) fn unsigned(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

pub(crate) fn signed(out: &mut Vec<u8>, mut n: i64) {
    loop {
        let byte = n as u8 & 0x7f;
        n >>= 7;
        if n == -i64::from(byte & 0x40 != 0) {
            return out.push(byte);
        }
        out.push(byte | 0x80);
    }
}

fn text(out: &mut Vec<u8>, bytes: &[u8]) {
    unsigned(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

impl Snapshot {
    pub(crate) fn write(&self) -> File {
        let mut file = File::default();
        let out = &mut file.bytes;
        out.extend_from_slice(b"dartheap");
        unsigned(out, self.flags);
        text(out, self.name.as_bytes());
        for n in [self.shallow_size, self.capacity, self.external_size, self.classes.len() as u64] {
            unsigned(out, n);
        }
        for class in &self.classes {
            unsigned(out, class.flags);
            for part in [&class.name, &class.library, &class.uri, &class.reserved] {
                text(out, part);
            }
            unsigned(out, class.fields.len() as u64);
            for field in &class.fields {
                unsigned(out, field.flags);
                unsigned(out, field.index);
                text(out, &field.name);
                text(out, &field.reserved);
            }
            file.class_ends.push(out.len());
        }
        unsigned(out, self.reference_count);
        unsigned(out, self.objects.len() as u64);
        for object in &self.objects {
            object.write(out);
            file.object_ends.push(out.len());
        }
        unsigned(out, self.properties.len() as u64);
        for property in &self.properties {
            unsigned(out, property.object);
            unsigned(out, property.size);
            text(out, &property.name);
        }
        file.hashes_at = out.len();
        for &hash in self.hashes.iter().flatten() {
            unsigned(out, hash);
        }
        out.resize(out.len() + self.padding as usize, 0);
        file
    }
}

impl Object {
    fn write(&self, out: &mut Vec<u8>) {
        unsigned(out, self.class);
        unsigned(out, self.size);
        match &self.data {
            Data::None => out.push(0),
            Data::Null => out.push(1),
            Data::Bool(n) => {
                out.push(2);
                unsigned(out, *n);
            }
            Data::Unsigned(n) => {
                out.push(3);
                unsigned(out, *n);
            }
            Data::Signed(n) => {
                out.push(3);
                signed(out, *n);
            }
            Data::Double(bits) => {
                out.push(4);
                out.extend_from_slice(&bits.to_le_bytes());
            }
            Data::Latin1(length, kept) => {
                out.push(5);
                unsigned(out, *length);
                text(out, kept);
            }
            Data::Utf16(length, kept) => {
                out.push(6);
                unsigned(out, *length);
                unsigned(out, kept.len() as u64);
                out.extend(kept.iter().flat_map(|unit| unit.to_le_bytes()));
            }
            Data::Length(n) => {
                out.push(7);
                unsigned(out, *n);
            }
            Data::Name(name) => {
                out.push(8);
                text(out, name);
            }
        }
        unsigned(out, self.references.len() as u64);
        for &reference in &self.references {
            unsigned(out, reference);
        }
    }
}
