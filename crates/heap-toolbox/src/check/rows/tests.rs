//! A finding's cells are under the right columns.
#![cfg(test)]

use crate::check::{Finding, Rule};
use heap_report::{Cell, Fields};

use super::{FIELDS, Row};

/// What is known of a finding, by the key of its column.
fn known(finding: Finding, file: Option<&str>) -> Vec<(&'static str, Cell)> {
    let fields = Fields::all(FIELDS);
    let cells = fields.cells(&Row(finding, file.map(str::to_owned)));
    fields.keys().zip(cells).filter(|(_, cell)| *cell != Cell::Absent).collect()
}

#[test]
fn a_row_has_what_is_known() {
    let finding = Finding {
        rule: Rule::DanglingEdge,
        id: Some(-3),
        number: Some(2),
        line: Some(12),
        byte: None,
        snapshot: Some("1".to_owned()),
        text: "an edge from @2 ends at @4, which is no node".to_owned(),
    };
    let expected = [
        ("rule", Cell::from("dangling-edge")),
        ("identifier", Cell::Shown(-3, "@2".to_owned())),
        ("line", Cell::Uint(12)),
        ("file", Cell::from("a.ndjson")),
        ("snapshot", Cell::from("1")),
        ("text", Cell::from("an edge from @2 ends at @4, which is no node")),
    ];
    assert_eq!(known(finding, Some("a.ndjson")), expected);
}

/// Standard input has no name, and damage no node.
#[test]
fn what_is_not_known_is_absent() {
    let finding = Finding {
        rule: Rule::Damaged,
        id: None,
        number: None,
        line: None,
        byte: Some(7),
        snapshot: None,
        text: "a table ends early".to_owned(),
    };
    let expected = [
        ("rule", Cell::from("damaged")),
        ("byte", Cell::Uint(7)),
        ("text", Cell::from("a table ends early")),
    ];
    assert_eq!(known(finding, None), expected);
}
