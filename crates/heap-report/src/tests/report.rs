//! Rows in all formats.

use crate::{Cell, Color, Column, Error, Format, Layout, Report, Screen, Unit};

fn columns() -> Vec<Column> {
    vec![
        Column::new("class", Unit::Text),
        Column::new("identifier", Unit::Id),
        Column::new("count", Unit::Count),
        Column::new("size", Unit::Bytes),
    ]
}

fn rows() -> Vec<Vec<Cell>> {
    vec![
        vec!["Array".into(), Cell::Shown(7, "@3".into()), 3_u64.into(), 96_u64.into()],
        vec!["(closure)".into(), Cell::Int(5), 1_u64.into(), 2048_u64.into()],
        vec!["A, \"b\"\n\t\u{1b}[1m".into(), Cell::Int(3), 2_u64.into(), Cell::Absent],
        vec!["Array".into(), Cell::Int(1), 9_u64.into(), 96_u64.into()],
    ]
}

fn layout(format: Format) -> Layout {
    Layout { format: Some(format), ..Layout::default() }
}

fn written(columns: Vec<Column>, rows: Vec<Vec<Cell>>, layout: &Layout, room: Option<usize>) -> String {
    let mut report = Report::new("heap.sum", columns, "size", layout).expect("a known key");
    for row in rows {
        report.row(row);
    }
    let mut out = Vec::new();
    report.write_to(&mut out, false, Screen { columns: room, lines: None }).expect("memory");
    String::from_utf8(out).expect("text")
}

#[test]
fn json_leaves_out_what_is_unknown() {
    assert_eq!(
        written(columns(), rows(), &layout(Format::Json), None),
        concat!(
            r#"{"type":"heap.sum","class":"(closure)","identifier":5,"count":1,"size":2048}"#,
            "\n",
            r#"{"type":"heap.sum","class":"Array","identifier":1,"count":9,"size":96}"#,
            "\n",
            r#"{"type":"heap.sum","class":"Array","identifier":7,"count":3,"size":96}"#,
            "\n",
            r#"{"type":"heap.sum","class":"A, \"b\"\n\t\u001b[1m","identifier":3,"count":2}"#,
            "\n",
        )
    );
    // Without a format and without a terminal it is JSON too.
    let plain = written(columns(), rows(), &Layout::default(), None);
    assert_eq!(plain, written(columns(), rows(), &layout(Format::Json), None));
}

#[test]
fn csv_is_quoted_and_tsv_escaped() {
    assert_eq!(
        written(columns(), rows(), &layout(Format::Csv), None),
        "class,identifier,count,size\n(closure),5,1,2048\nArray,1,9,96\nArray,7,3,96\n\
         \"A, \"\"b\"\"\n\t\u{1b}[1m\",3,2,\n"
    );
    assert_eq!(
        written(columns(), rows(), &layout(Format::Tsv), None),
        "class\tidentifier\tcount\tsize\n(closure)\t5\t1\t2048\nArray\t1\t9\t96\nArray\t7\t3\t96\n\
         A, \"b\"\\n\\t\u{1b}[1m\t3\t2\t\n"
    );
    // The header is there even if nothing else is.
    assert_eq!(written(columns(), Vec::new(), &layout(Format::Csv), None), "class,identifier,count,size\n");
}

#[test]
fn tables_are_aligned_and_safe() {
    assert_eq!(
        written(columns(), rows(), &layout(Format::Table), None),
        "class                identifier  count  size\n\
         (closure)                     5      1  2.0K\n\
         Array                         1      9    96\n\
         Array                        @3      3    96\n\
         A, \"b\"\\n\\t\\u{1b}[1m           3      2\n"
    );
    let plain = Layout { plain: true, color: Color::Always, ..layout(Format::Table) };
    let table = written(columns(), rows(), &plain, Some(33));
    assert_eq!(
        table,
        "\u{1b}[1mclass     identifier  count  size\u{1b}[0m\n\
         (closur…           5      1  2048\n\
         Array              1      9    96\n\
         Array             @3      3    96\n\
         A, \"b\"\\…           3      2\n"
    );
}

#[test]
fn a_table_tells_what_it_leaves_out_and_ends_in_the_total() {
    let layout = Layout { limit: Some(1), ..layout(Format::Table) };
    let mut report = Report::new("heap.sum", columns(), "size", &layout).expect("a known key");
    for row in rows() {
        report.row(row);
    }
    report.total(vec!["total".into(), Cell::Absent, 15_u64.into(), 2240_u64.into()]);
    let mut out = Vec::new();
    report.write_to(&mut out, false, Screen::default()).expect("memory");
    assert_eq!(
        String::from_utf8_lossy(&out),
        "class      identifier  count  size\n\
         (closure)           5      1  2.0K\n\
         … 3 more\n\
         total                     15  2.2K\n"
    );
}

#[test]
fn changes_have_signs() {
    let columns = vec![
        Column::new("n", Unit::Change),
        Column::new("b", Unit::BytesChange),
        Column::new("s", Unit::Share),
        Column::new("x", Unit::Number),
    ];
    let row = |n: i64| vec![n.into(), (n * 1024).into(), 0.25.into(), 1.5.into()];
    let mut report = Report::new("t", columns, "", &layout(Format::Table)).expect("no key");
    for n in [-2, 0, 3] {
        report.row(row(n));
    }
    let mut out = Vec::new();
    report.write_to(&mut out, false, Screen::default()).expect("memory");
    assert_eq!(
        String::from_utf8_lossy(&out),
        " n      b      s     x\n-2  -2.0K  25.0%  1.50\n 0      0  25.0%  1.50\n+3  +3.0K  25.0%  1.50\n"
    );
}

#[test]
fn rows_are_sorted() {
    let order = |sort: Option<&str>| {
        let layout = Layout { sort: sort.map(str::to_owned), ..layout(Format::Tsv) };
        let text = written(columns(), rows(), &layout, None);
        let ids = text.lines().skip(1).map(|l| l.split('\t').nth(1).expect("a column").to_owned());
        ids.collect::<Vec<_>>().join(" ")
    };
    // Ties by name, then identifier; unknown last either way.
    assert_eq!(order(None), "5 1 7 3");
    assert_eq!(order(Some("-size")), "1 7 5 3");
    assert_eq!(order(Some("count")), "1 7 3 5");
    assert_eq!(order(Some("class")), "1 7 3 5");
    assert_eq!(order(Some("-class")), "5 3 1 7");
    let layout = Layout { sort: Some("nosuch".into()), ..Layout::default() };
    let Error::Usage(what) = Report::new("t", columns(), "", &layout).expect_err("no such key") else {
        panic!("not about usage")
    };
    assert_eq!(what, "no column 'nosuch' to sort by: class, identifier, count, size");
}

#[test]
fn numbers_of_all_kinds_have_one_order() {
    let column = || vec![Column::new("n", Unit::Number)];
    let cells: Vec<Cell> = vec![
        u64::MAX.into(),
        i64::MIN.into(),
        0.5.into(),
        f64::NAN.into(),
        f64::INFINITY.into(),
        true.into(),
        "text".into(),
        (-1_i64).into(),
    ];
    let layout = Layout { sort: Some("-n".into()), ..layout(Format::Tsv) };
    let mut report = Report::new("t", column(), "", &layout).expect("a known key");
    for cell in cells {
        report.row(vec![cell]);
    }
    let mut out = Vec::new();
    report.write_to(&mut out, false, Screen::default()).expect("memory");
    assert_eq!(
        String::from_utf8_lossy(&out),
        "n\n-9223372036854775808\n-1\n0.5\ntrue\n18446744073709551615\nInfinity\nNaN\ntext\n"
    );
}

#[test]
fn tables_narrow_the_widest_names_first() {
    let columns = || {
        ["a", "b", "c"]
            .iter()
            .map(|key| Column::new(*key, Unit::Text))
            .chain([Column::new("n", Unit::Count)])
            .collect::<Vec<_>>()
    };
    let row = vec!["x".repeat(40).into(), "y".repeat(20).into(), "z".into(), 1_u64.into()];
    for width in 1..80 {
        let text = written_one(columns(), row.clone(), width);
        let widest = text.lines().map(crate::text::width).max().unwrap_or(0);
        assert!(widest <= width.max(8), "{width}: {text}");
    }
    assert!(written_one(columns(), row, 50).contains(&format!("{}…  {}", "x".repeat(21), "y".repeat(20))));
}

/// Cut at the end, names of one package would look alike.
#[test]
fn texts_with_one_beginning_are_cut_in_the_middle() {
    let table = |names: [&str; 2]| {
        let mut report = Report::new("t", vec![Column::new("class", Unit::Text)], "", &layout(Format::Table))
            .expect("no key");
        for name in names {
            report.row(vec![name.into()]);
        }
        let mut out = Vec::new();
        report.write_to(&mut out, false, Screen { columns: Some(24), lines: None }).expect("memory");
        String::from_utf8(out).expect("text").lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let names = ["java.util.concurrent.Map$Node", "java.util.concurrent.Map$Segment"];
    assert_eq!(table(names), ["java.ut…current.Map$Node", "java.ut…rent.Map$Segment"].map(str::to_owned));
    assert_eq!(table(["java.util.concurrent.Map$Node", "short"])[0], "java.util.concurrent.Ma…");
    assert_eq!(table([names[0], names[0]])[0], "java.util.concurrent.Ma…");
}

fn written_one(columns: Vec<Column>, row: Vec<Cell>, width: usize) -> String {
    let mut report = Report::new("t", columns, "", &layout(Format::Table)).expect("no key");
    report.row(row);
    let mut out = Vec::new();
    report.write_to(&mut out, false, Screen { columns: Some(width), lines: None }).expect("memory");
    String::from_utf8(out).expect("text")
}

/// A table of three rows and a total on a screen of this size.
fn on_screen(layout: &Layout, columns: Option<usize>, lines: Option<usize>) -> String {
    let all = vec![
        Column::new("class", Unit::Text),
        Column::new("before", Unit::Count).rank(1),
        Column::new("count", Unit::Count).heading("n"),
        Column::new("place", Unit::Text).keeps_end(),
    ];
    let mut report = Report::new("t", all, "", layout).expect("no key");
    for i in 1..=3_u64 {
        report.row(vec![
            "x".repeat(30).into(),
            i.into(),
            (10 * i).into(),
            format!("global.cache.{i}").into(),
        ]);
    }
    report.total(vec!["total".into(), 6_u64.into(), 60_u64.into(), Cell::Absent]);
    let mut out = Vec::new();
    report.write_to(&mut out, true, Screen { columns, lines }).expect("memory");
    String::from_utf8(out).expect("text")
}

#[test]
fn columns_that_do_not_fit_are_named() {
    let plain = Layout { color: Color::Never, ..layout(Format::Table) };
    let x = "x".repeat(29);
    assert_eq!(
        on_screen(&plain, Some(50), None),
        format!(
            "class                            n  place\n\
             x{x}  10  global.cache.1\n\
             x{x}  20  global.cache.2\n\
             x{x}  30  global.cache.3\n\
             total                           60\n\
             … --wide adds before\n"
        )
    );
    // With room, after the columns of rank 0.
    assert!(
        on_screen(&plain, Some(60), None)
            .starts_with("class                            n  place           before\n")
    );
    let narrow = on_screen(&plain, Some(26), None);
    assert!(narrow.contains("xxxxxxxxx…  10  …l.cache.1\n"), "{narrow}");
    let wide = Layout { wide: true, ..plain };
    assert!(!on_screen(&wide, Some(26), None).contains('…'));
}

#[test]
fn rows_fill_the_screen_and_no_more() {
    let plain = Layout { color: Color::Never, ..layout(Format::Table) };
    for lines in 4..9 {
        let text = on_screen(&plain, None, Some(lines));
        assert!(text.lines().count() < lines.max(5), "{lines}: {text}");
        let shown = text.lines().filter(|line| line.starts_with('x')).count();
        assert_eq!(text.contains(&format!("… {} more (-n all)\n", 3 - shown)), shown < 3, "{text}");
    }
    let all = Layout { limit: Some(usize::MAX), ..plain };
    assert_eq!(on_screen(&all, None, Some(4)).lines().count(), 5);
}
