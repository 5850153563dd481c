//! Where objects stand in their source.

use std::sync::OnceLock;

use heap_base::json::member;
use heap_graph::Column;
use heap_record::Value;

use super::texts::{code, id_of};
use crate::select::field::int_field;

/// The place of a function in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The source's number of the script.
    pub script: i64,
    /// Line, from 1.
    pub line: i64,
    /// Column, from 1.
    pub column: i64,
}

/// What a node of a script says of its place: string ids, lines and columns from 1, 0 where it says none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_field_names, reason = "a line has a line")]
pub struct Line {
    /// The script's name.
    pub script: i64,
    /// The line.
    pub line: i64,
    /// The column.
    pub column: i64,
    /// Of a frame: the function's name.
    pub function: Option<i64>,
}

/// The locations of a dump in the order of their records: some 10 bytes each, and 4 more once one was asked for.
#[derive(Clone, Debug, Default)]
pub struct Locations {
    objects: Column,
    scripts: Column,
    lines: Column,
    columns: Column,
    /// Their numbers by object, the later one of an object first; made when it is needed.
    order: OnceLock<Vec<u32>>,
}

/// The members of a record that has `object` and `line`, and perhaps `script_id` and `column`: integers.
type Parts = [Option<i64>; 4];

const NAMES: [&str; 4] = ["object", "script_id", "line", "column"];

impl Locations {
    /// Takes the location of a record in, if it is one.
    pub fn add(&mut self, body: &[u8]) {
        let [Some(object), script, Some(line), column] = plain(body).unwrap_or_else(|| any(body)) else {
            return;
        };
        self.order.take();
        self.objects.push(code(object));
        self.scripts.push(code(script.unwrap_or(0)));
        self.lines.push(code(line));
        self.columns.push(code(column.unwrap_or(0)));
    }

    fn at(&self, i: u32) -> Location {
        let [script, line, column] = [&self.scripts, &self.lines, &self.columns].map(|of| id_of(of.get(i)));
        Location { script, line: line.saturating_add(1), column: column.saturating_add(1) }
    }

    /// The place of an object: the last of its records says it.
    pub fn find(&self, id: Value) -> Option<Location> {
        let wanted = code(id);
        let order = self.order.get_or_init(|| {
            let mut order: Vec<u32> = (0..self.objects.len() as u32).rev().collect();
            // Snapshots of V8 have a million.
            order.sort_by_key(|&i| self.objects.get(i));
            order
        });
        let at = order.partition_point(|&i| self.objects.get(i) < wanted);
        order.get(at).filter(|&&i| self.objects.get(i) == wanted).map(|&i| self.at(i))
    }
}

/// The members of any record.
fn any(body: &[u8]) -> Parts {
    NAMES.map(|name| member(body, name).and_then(int_field))
}

/// Those of a record of short integers in the usual order; `None` for another one.
fn plain(body: &[u8]) -> Option<Parts> {
    let mut rest = body.strip_prefix(b"\"object\":")?;
    let object = number(&mut rest)?;
    rest = rest.strip_prefix(b",\"script_id\":")?;
    let script = number(&mut rest)?;
    rest = rest.strip_prefix(b",\"line\":")?;
    let line = number(&mut rest)?;
    rest = rest.strip_prefix(b",\"column\":")?;
    let column = number(&mut rest)?;
    rest.is_empty().then_some([Some(object), Some(script), Some(line), Some(column)])
}

/// Takes the digits of a number off.
fn number(rest: &mut &[u8]) -> Option<i64> {
    let (mut number, mut digits) = (0, 0);
    while let Some(digit) = rest.get(digits).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        number = number * 10 + i64::from(digit);
        digits += 1;
        if digits > 15 {
            return None;
        }
    }
    let zeros = digits > 1 && rest[0] == b'0';
    *rest = &rest[digits..];
    (digits > 0 && !zeros).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_records_are_read_as_any_other() {
        for (body, is_plain) in [
            (r#""object":7,"script_id":3,"line":0,"column":12"#, true),
            (r#""object":999999999999999,"script_id":3,"line":0,"column":12"#, true),
            (r#""object":1234567890123456,"script_id":3,"line":0,"column":12"#, false),
            (r#""object":7,"script_id":3,"line":0,"column":12,"object":9"#, false),
            (r#""object":7,"script_id":3,"line":0,"column":1.5"#, false),
            (r#""object":7,"script_id":-3,"line":0,"column":1"#, false),
            (r#""object":07,"script_id":3,"line":0,"column":1"#, false),
            (r#""object":"7","script_id":3,"line":0,"column":1"#, false),
            (r#""object":,"script_id":3,"line":0,"column":1"#, false),
            (r#""line":5,"other":1,"object":9"#, false),
            ("", false),
            ("\"object\":", false),
        ] {
            assert_eq!(plain(body.as_bytes()).is_some(), is_plain, "{body}");
            assert_eq!(
                plain(body.as_bytes()).unwrap_or_else(|| any(body.as_bytes())),
                any(body.as_bytes()),
                "{body}"
            );
        }
    }

    #[test]
    fn a_location_is_found_again() {
        let mut all = Locations::default();
        all.add(br#""object":-7,"line":0"#);
        all.add(br#""object":9,"script_id":3,"line":4,"column":2"#);
        all.add(br#""object":7,"script_id":3,"line":4,"column":2"#);
        all.add(br#""object":11"#);
        assert_eq!(all.find(-7), Some(Location { script: 0, line: 1, column: 1 }));
        assert_eq!(all.find(9), Some(Location { script: 3, line: 5, column: 3 }));
        assert_eq!(all.find(11), None);
        assert_eq!(all.find(7).map(|at| at.line), Some(5));
        all.add(br#""object":7,"script_id":3,"line":8,"column":2"#);
        assert_eq!(all.find(7).map(|at| at.line), Some(9), "the last one says it");
        assert_eq!(all.objects.len(), 4);
    }
}
