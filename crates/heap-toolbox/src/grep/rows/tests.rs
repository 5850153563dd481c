//! What the rows hold.

use crate::grep::{Found, FoundIn};
use heap_report::{Format, Layout, Report};

use super::{Matches, Rows};

fn csv() -> Layout {
    Layout { format: Some(Format::Csv), ..Layout::default() }
}

fn written(report: Report) -> String {
    let mut out = Vec::new();
    report.write_to(&mut out, false, heap_report::Screen::default()).expect("memory");
    String::from_utf8(out).expect("text")
}

/// Two matches in the first input, of which there may be three.
fn matches(rows: Rows, several: bool) -> String {
    let found = |id: i64, place, dest| Found {
        id,
        number: 10 + id,
        class: "A".to_owned(),
        place,
        text: "tiger".to_owned(),
        dest,
    };
    let mut matches = Matches::new(rows, several, &csv()).expect("nothing to sort by");
    matches.found(Some("a"), found(1, FoundIn::Value, None));
    matches.found(Some("a"), found(3, FoundIn::Label, Some(14)));
    matches.input(Some("a"), 2);
    if several {
        matches.input(Some("b"), 0);
        matches.found(None, found(5, FoundIn::Name, None));
        matches.input(None, 1);
    }
    written(matches.into_report())
}

#[test]
fn matches_have_a_row_each_and_their_file_if_there_are_several() {
    let one = "identifier,class,in,dest,text\n1,A,value,,tiger\n3,A,label,14,tiger\n";
    assert_eq!(matches(Rows::Matches, false), one);
    let several = "file,identifier,class,in,dest,text\n\
                   a,1,A,value,,tiger\na,3,A,label,14,tiger\n,5,A,name,,tiger\n";
    assert_eq!(matches(Rows::Matches, true), several);
}

#[test]
fn matches_are_counted_in_every_file_and_named_where_there_are_any() {
    assert_eq!(matches(Rows::Counts, false), "file,count\na,2\n");
    assert_eq!(matches(Rows::Counts, true), "file,count\na,2\nb,0\n,1\n");
    assert_eq!(matches(Rows::Files, false), "file\na\n");
    assert_eq!(matches(Rows::Files, true), "file\na\n\n");
}
