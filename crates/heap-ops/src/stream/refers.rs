//! What members refer to: values and string ids, as declared.

use heap_base::json::{digits8, each, inside, scalar};
use heap_record::types::OwnedFields;
use heap_record::{Extension, FieldKind, Types};

/// Whose declared fields count.
#[derive(Clone, Copy, Debug)]
pub enum Owner<'a> {
    /// A node of this subtype.
    Node(u32),
    /// A record of this type.
    Record(&'a str),
}

/// Calls `found` for each declared value and string id in `members`, one namespace deep.
pub fn refers(types: &Types, owner: Owner<'_>, members: &[u8], mut found: impl FnMut(FieldKind, i64)) {
    let counts = |kind: &FieldKind| matches!(kind, FieldKind::Value | FieldKind::String);
    let of_record = |name| types.record(name).into_iter().flat_map(OwnedFields::iter);
    // Most records refer to one thing, and name it first.
    let mut left = match owner {
        Owner::Node(subtype) => {
            types.node_fields(subtype).chain(of_record("node")).filter(|(_, kind)| counts(kind)).count()
        }
        Owner::Record(record) => of_record(record).filter(|(_, kind)| counts(kind)).count(),
    };
    let kind = |path: &str| match owner {
        Owner::Node(subtype) => types.node_field(subtype, path),
        Owner::Record(record) => types.record_field(record, path),
    };
    let mut visit = |path: &str, raw: &[u8]| {
        let Some(kind) = kind(path).filter(counts) else { return 0 };
        if let Some(id) = scalar(raw).and_then(|v| v.as_int()) {
            found(kind, id);
        }
        1
    };
    let mut members = each(members);
    while left > 0
        && let Some((key, raw)) = members.next()
    {
        let visited = match inside(raw) {
            Some(inner) => each(inner).map(|(name, raw)| visit(&format!("{key}.{name}"), raw)).sum(),
            None => visit(key, raw),
        };
        left = left.saturating_sub(visited);
    }
}

/// What extension records refer to. Most come in a row of one type, refer to one thing, and name it first: how that is
/// declared is looked up once.
#[derive(Debug, Default)]
pub struct References {
    /// The type of the last record.
    record: String,
    /// What its one field is that counts, if there is just one.
    kind: Option<FieldKind>,
    /// How its members begin then.
    begin: String,
}

impl References {
    /// Calls `found` for each declared value and string id in an extension record. Make a new one when declarations change.
    #[inline]
    pub fn each(&mut self, types: &Types, record: &Extension<'_>, mut found: impl FnMut(FieldKind, i64)) {
        if self.record != record.kind {
            self.learn(types, record.kind);
        }
        match self.first(record.body) {
            Some((kind, id)) => found(kind, id),
            None => refers(types, Owner::Record(record.kind), record.body, found),
        }
    }

    /// Looks up the fields of a record type.
    fn learn(&mut self, types: &Types, record: &str) {
        record.clone_into(&mut self.record);
        self.kind = None;
        let fields = types.record(record).into_iter().flat_map(OwnedFields::iter);
        let mut counts = fields.filter(|(_, kind)| matches!(kind, FieldKind::Value | FieldKind::String));
        // What is declared twice counts as it is declared first.
        if let (Some((name, kind)), None) = (counts.next(), counts.next())
            && types.record_field(record, name) == Some(kind)
            && !name.contains(['"', '\\'])
        {
            self.kind = Some(kind);
            self.begin.clear();
            for part in ["\"", name, "\":"] {
                self.begin.push_str(part);
            }
        }
    }

    /// The one thing that members refer to, if they begin with it and go on: a number of up to eight digits.
    #[inline]
    fn first(&self, members: &[u8]) -> Option<(FieldKind, i64)> {
        let kind = self.kind?;
        let rest = members.strip_prefix(self.begin.as_bytes())?.first_chunk::<9>()?;
        let (id, digits) = digits8(u64::from_le_bytes(*rest.first_chunk()?));
        (digits > 0 && rest[digits] == b',').then_some((kind, id as i64))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use arbitrary::{Result as Gen, Unstructured};
    use heap_record::{Declared, Extension, FieldKind, Types};

    use super::{Owner, References, refers};

    #[test]
    fn what_is_looked_up_once_is_what_is_looked_up_each_time() {
        let (mut quick, mut found) = (0, 0);
        for i in 1..=1000u32 {
            // The same input in every run: random bits above, the number of bytes below.
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 1024;
            arbtest::arbtest(|u| both_ways(u, &mut quick, &mut found)).seed(seed);
        }
        assert!(quick > 50 && found > quick, "{quick} of {found}");
    }

    /// Some records, looked up once and each time. Counts those that refer to something, and where that was seen at once.
    fn both_ways(u: &mut Unstructured<'_>, quick: &mut u32, found: &mut u32) -> Gen<()> {
        let (mut types, mut references) = (Types::default(), References::default());
        for _ in 0..u.int_in_range(1..=20)? {
            let record = *u.choose(&["v8.location", "x.y", ""])?;
            if u.ratio(1, 2)? {
                let mut fields = Vec::new();
                for _ in 0..u.int_in_range(0..=2)? {
                    let name = *u.choose(&["object", "object", "line", "a\\", "b.c"])?;
                    let kinds = [FieldKind::Value, FieldKind::String, FieldKind::Integer, FieldKind::Text];
                    fields.push((name.into(), *u.choose(&kinds)?));
                }
                types.declare(&Declared::Record { name: record, fields: &fields }.into());
                references = References::default();
            }
            let mut body = String::new();
            for _ in 0..u.int_in_range(1..=4)? {
                let key = *u.choose(&[
                    "object", "object", "object", "line", "a\\", "a\\\\", "a\\\":1,", "b.c", "objects",
                ])?;
                let number = u.arbitrary::<u32>()? >> u.int_in_range(0..=31)?;
                let value = match u.int_in_range(0..=8)? {
                    0 => number.to_string() + ".5",
                    1 => format!("\"{number:#x}\""),
                    2 => format!("{{\"c\":{number}}}"),
                    3 => format!("-{number}"),
                    _ => number.to_string(),
                };
                let _ = write!(body, "\"{key}\":{value},");
            }
            body.pop();
            let other = Extension { kind: record, body: body.as_bytes(), ..Extension::default() };
            let (mut some, mut all) = (Vec::new(), Vec::new());
            references.each(&types, &other, |kind, id| some.push((kind, id)));
            refers(&types, Owner::Record(record), other.body, |kind, id| all.push((kind, id)));
            assert_eq!(some, all, "{body}");
            *quick += u32::from(references.first(other.body).is_some());
            *found += u32::from(!all.is_empty());
        }
        Ok(())
    }
}
