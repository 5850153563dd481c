//! Conditions that hold, that do not, and that are refused.
#![cfg(test)]

use std::fmt::Write as _;

use super::{Columns, Condition, Kind, Of, Values};
use heap_base::Result;

use crate::select::Content;

/// The columns of a comparison, or of nodes.
struct Diff;

impl Columns for Diff {
    fn kind(&self, name: &str) -> Option<Kind> {
        match name {
            "class" | "kind" => Some(Kind::Text),
            "count_delta" | "size_delta" | "size" | "total.size_delta" => Some(Kind::Number),
            "reachable" => Some(Kind::Flag),
            "v8.field" | "v8.flag" | "v8.other" | "none" | "most" | "absent" => Some(Kind::Any),
            _ => None,
        }
    }

    fn has_base(&self, name: &str, of: Of) -> bool {
        name.ends_with("_delta") && !(name.starts_with("total.") && of == Of::Total)
    }

    fn values(&self, name: &str) -> &'static [&'static str] {
        if name == "kind" { &["new", "gone"] } else { &[] }
    }

    fn names(&self) -> Vec<String> {
        ["class", "count_delta"].map(str::to_owned).to_vec()
    }
}

fn parsed(text: &str) -> Condition {
    Condition::parse(text, &Diff).unwrap_or_else(|e| panic!("{text}: {e}"))
}

struct Row;

impl Values for Row {
    fn get(&self, name: &str) -> Result<Option<Content>> {
        Ok(Some(match name {
            "class" => Content::Text("Session and Co".to_owned()),
            "count_delta" => Content::Int(-3),
            "size_delta" => Content::Int(1 << 20),
            "total.size_delta" => Content::Int(1 << 30),
            "size" => Content::Int(10_240),
            "reachable" => Content::Bool(false),
            "v8.field" => Content::Float(1.5),
            "none" => Content::Float(f64::NAN),
            "most" => Content::Float(f64::INFINITY),
            _ => return Ok(None),
        }))
    }

    fn base(&self, name: &str, of: Of) -> Option<f64> {
        match (name, of) {
            ("size_delta", Of::Before) => Some(10.0 * 1024.0 * 1024.0),
            ("size_delta", Of::Total) => Some(100.0 * 1024.0 * 1024.0),
            _ => None,
        }
    }
}

#[test]
fn numbers_have_exponents() {
    for (text, number) in [
        ("1e3", super::Number::Int(1000)),
        ("1.5e-3", super::Number::Float(0.0015)),
        ("-1e+301", super::Number::Float(-1e301)),
        ("0x1e3", super::Number::Int(0x1e3)),
    ] {
        assert_eq!(super::Number::parse(text), Some(number), "{text}");
    }
    assert_eq!(super::Number::parse("1e"), None);
    assert_eq!(super::Number::parse("1e999"), None);
}

#[test]
fn numbers_have_exact_places() {
    use super::Number::{Float, Int};
    let wide = 1 << 60;
    let ascending = [
        Float(f64::NEG_INFINITY),
        Int(-3),
        Float(-2.5),
        Int(0),
        Float(0.5),
        Int(1),
        Int(wide),
        Int(wide + 1),
        Float(1e300),
        Float(f64::NAN),
    ];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            assert_eq!(a.rank(*b), i.cmp(&j), "{a:?} {b:?}");
        }
    }
    assert!(Float(-0.0).rank(Int(0)).is_eq() && Float(-0.0).rank(Float(0.0)).is_eq());
}

#[test]
fn what_holds() {
    for (text, expected) in [
        ("count_delta < 0", true),
        ("count_delta=-3", true),
        ("count_delta > -3", false),
        ("size >= 10K and count_delta != 0", true),
        ("size >= 10kb AND count_delta<=-3", true),
        ("size > 10KiB", false),
        ("size = 0x2800", true),
        ("size_delta>=1MB", true),
        ("size_delta>=1.5M", false),
        ("size_delta > 9%", true),
        ("size_delta > 10%", false),
        ("size_delta >= 10%", true),
        ("size_delta > 0.5% of total", true),
        ("size_delta > 1% of total", false),
        ("total.size_delta > 1023M", true),
        ("class ~ Sess*", true),
        ("class !~ Sess*", false),
        ("class =~ ^Session.*Co$", true),
        ("class =~ 'and C'", true),
        ("class=\"Session and Co\" and count_delta<0", true),
        ("class='Session and Co' && count_delta<0", true),
        ("class = \"Session \\and Co\"", true),
        ("class=x or count_delta<0 and size=10240", true),
        ("count_delta<0 and class=x or size=1", false),
        ("count_delta<0 && (class=x || size=10240)", true),
        ("(count_delta<0 and class=x) or (size=10240)", true),
        ("not class=x and not (size=1 or size=2)", true),
        ("! class=x and !(size=10240)", false),
        ("not not size=10240", true),
        ("class in (x, 'Session and Co')", true),
        ("class not in (x, (closure), <other>)", true),
        ("size in (1, 10K)", true),
        ("class != (closure)", true),
        ("class != Map<K,V>", true),
        ("none = NaN", true),
        ("none != NaN", false),
        ("none = Infinity", false),
        ("none = 1.5", false),
        ("none < 1 or none >= 1", false),
        ("most = Infinity", true),
        ("most in (NaN, -Infinity)", false),
        ("most > 1e300", true),
        ("v8.field = NaN", false),
        ("reachable = false", true),
        ("reachable != false", false),
        ("v8.field > 1", true),
        ("v8.field = 1.5", true),
        ("absent = 1", false),
        ("absent != 1", false),
        ("not absent = 1", true),
    ] {
        let condition = Condition::parse(text, &Diff).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(condition.holds(&Row).ok(), Some(expected), "{text}");
    }
}

/// What each says is in `refused.txt`; `SNAPSHOTS=overwrite` renews it.
#[test]
fn what_is_refused() {
    let wrong = [
        "",
        " ",
        "class",
        "= 5",
        "class=",
        "class=x and",
        "and class=x",
        "class=x y",
        "class=Session and Co",
        "class=x & count_delta>0",
        "class=x | count_delta>0",
        "class=x, count_delta>0",
        "class=x; count_delta>0",
        "class=x count_delta>0",
        "class=x and (count_delta>0",
        "class=x and count_delta>0)",
        "()",
        "not",
        "class=\"x",
        "class='x and count_delta>0",
        "class=\"x\"y",
        "klass=x",
        "count_delta=x",
        "count_delta>1MBB",
        "count_delta>1iB",
        "count_delta>1,5",
        "count_delta>1.2.3",
        "count_delta>--1",
        "count_delta>five",
        "count_delta > 0x",
        "count_delta ~= 3",
        "count_delta =< 3",
        "count_delta => 3",
        "count_delta <> 3",
        "count_delta === 3",
        "count_delta > 3 3",
        "count_delta > NaN",
        "count_delta > inf",
        "count_delta > %",
        "count_delta > 5% of",
        "count_delta > 5% of all",
        "count_delta > 5 % of total",
        "size > 5%",
        "total.size_delta > 5% of total",
        "class > 5",
        "class < abc",
        "class > 5%",
        "reachable = yes",
        "reachable > false",
        "class in x",
        "class in (",
        "class in ()",
        "class in (a b)",
        "class in (a,",
        "class in (a,)",
        "size in (a)",
        "size in (1, a)",
        "class not x",
        "class not = x",
        "class =~ (",
        "class =~ ^(Map|Set)$",
        "class=(closure",
        "class=(object shape)",
        "class=closure)",
        "class in ((closure, x)",
        "class =~ [",
        "v8.field > x",
        "class=Session & count_delta>0",
        "class=X AND count_delta > 0 count",
        "count_delta > 5%%",
        "count_delta >= 1 MB",
        "size between 1 and 2",
        "class like S*",
        "class =~ 'a' 'b'",
        "class='a'and count_delta>0 or",
        "not and class=x",
        "class=x or or size=1",
        "(class=x)(size=1)",
        "total.class=x",
    ];
    let mut said = String::new();
    for text in wrong {
        let message = Condition::parse(text, &Diff).err().unwrap_or_else(|| panic!("{text} is taken"));
        assert!(!message.is_empty() && !message.contains('\n'), "{text}: {message}");
        let _ = writeln!(said, "{text}\n    {message}");
    }
    assert!(wrong.len() >= 60);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/select/condition/refused.txt");
    if std::env::var_os("SNAPSHOTS").is_some_and(|what| what == "overwrite") {
        std::fs::write(path, &said).expect("the table is written");
    }
    assert_eq!(said, std::fs::read_to_string(path).expect("the table is there"));
    // A chain of brackets is refused, not followed without end.
    let long = format!("{}size=1{}", "(".repeat(100_000), ")".repeat(99_999));
    assert!(Condition::parse(&long, &Diff).is_err());
}

/// A field may be a text of one subtype and a number of another: what is of the other kind is not equal. If all are, somebody
/// made a mistake.
#[test]
fn what_only_the_rows_show() {
    let (text, number) = (|_: &str| Some(Content::Text("7a".to_owned())), |_: &str| Some(Content::Int(7)));
    for (condition, of_text, of_number) in [
        ("v8.field = 7a", true, false),
        ("v8.field != 7a", false, true),
        ("v8.field in (7, x)", false, true),
        ("v8.field > 1", false, true),
        ("not v8.field > 1", true, false),
        ("v8.field = x", false, false),
    ] {
        let of = parsed(condition);
        assert_eq!(of.mistake(), None, "{condition}");
        assert_eq!(of.holds(&number).ok(), Some(of_number), "{condition}");
        assert_eq!(of.holds(&text).ok(), Some(of_text), "{condition}");
        assert_eq!(of.mistake(), None, "{condition}");
    }
    let of = parsed("v8.field = x");
    assert_eq!(of.holds(&number).ok(), Some(false));
    assert_eq!(of.mistake().as_deref(), Some("'v8.field' holds numbers, and 'x' is none"));
    let of = parsed("v8.field > 1");
    assert_eq!(of.holds(&text).ok(), Some(false));
    assert_eq!(of.mistake().as_deref(), Some("'v8.field' holds texts, which are not compared with a number"));
}

#[test]
fn names_and_texts() {
    let condition = Condition::parse("class in (a, b) and (size>3 or class=c) and class!=d", &Diff)
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(condition.names().collect::<Vec<_>>(), ["class", "size", "class", "class"]);
}

/// What no row had of the texts that a condition asks for, in the order of its text.
#[test]
fn texts_that_no_row_has() {
    let unmet = |of: &Condition, all_have: bool| {
        let unmet =
            of.unmet(move |_| all_have).map(|(column, operator, text)| format!("{column}{operator}{text}"));
        unmet.collect::<Vec<_>>().join(" ")
    };
    let row = |text: &'static str| {
        move |name: &str| match name {
            "class" => Some(Content::Text(text.to_owned())),
            "v8.flag" => Some(Content::Int(1)),
            _ => None,
        }
    };
    for (condition, before, behind) in [
        ("class in (a, b, \"a b\") and size > 1", "class=a class=b class=a b", "class=b class=a b"),
        ("not class = a or class = b", "class=a class=b", "class=b"),
        ("class ~ a* or class =~ ^b$", "class~a* class=~^b$", "class=~^b$"),
        ("class != b and class !~ b*", "", ""),
        // That nothing has a number, is true, or has one of few values is an answer.
        ("size = 5 and v8.flag = false and v8.other = 5", "", ""),
        ("v8.other = true or v8.other = NaN or kind = new", "", ""),
        ("v8.other = x", "v8.other=x", "v8.other=x"),
    ] {
        let of = parsed(condition);
        assert_eq!(unmet(&of, true), before, "{condition}");
        assert_eq!(unmet(&of, false), "", "{condition}");
        assert_eq!(of.seeks(), !before.is_empty(), "{condition}");
        assert!(of.holds(&row("a")).is_ok());
        assert_eq!(unmet(&of.clone(), true), behind, "{condition}");
        for text in ["b", "a b", "x"] {
            of.may_have(text);
        }
        assert_eq!((unmet(&of, true).as_str(), of.seeks()), ("", false), "{condition}");
    }
    // Of a list those behind the sixtieth have no warning.
    let list: Vec<String> = (0..70).map(|n| format!("c{n}")).collect();
    let of = parsed(&format!("class in ({})", list.join(", ")));
    assert!(of.holds(&row("c65")).is_ok_and(|holds| holds));
    assert_eq!(of.unmet(|_| true).count(), 60);
}

/// A dump may have true and false as 1 and 0.
#[test]
fn true_and_false_are_one_and_zero() {
    let holds = |condition: &str, content: Content| {
        let of = parsed(condition);
        let holds = of.holds(&move |name: &str| (name == "v8.flag").then(|| content.clone()));
        (holds.ok(), of.mistake().is_some())
    };
    for (condition, content, expected) in [
        ("v8.flag = true", Content::Int(1), (true, false)),
        ("v8.flag = true", Content::Int(0), (false, false)),
        ("v8.flag = false", Content::Int(0), (true, false)),
        ("v8.flag != false", Content::Int(1), (true, false)),
        ("v8.flag in (true, false)", Content::Int(0), (true, false)),
        ("v8.flag = true", Content::Bool(true), (true, false)),
        ("v8.flag = 1", Content::Bool(true), (true, false)),
        ("v8.flag = 1", Content::Bool(false), (false, false)),
        ("v8.flag = true", Content::Text("true".to_owned()), (true, false)),
        ("v8.flag = true", Content::Int(2), (false, true)),
        ("v8.flag = yes", Content::Int(1), (false, true)),
    ] {
        assert_eq!(
            holds(condition, content.clone()),
            (Some(expected.0), expected.1),
            "{condition} {content:?}"
        );
    }
}

/// A slow twin: brackets around everything, and each operator by its own rule.
#[test]
fn precedence_is_that_of_brackets() {
    arbtest::arbtest(|u| {
        let n = u.int_in_range(1..=6)?;
        let (mut text, mut values, mut joins) = (String::new(), Vec::new(), Vec::new());
        for i in 0..n {
            if i > 0 {
                let and: bool = u.arbitrary()?;
                text.push_str(if and { " and " } else { " or " });
                joins.push(and);
            }
            let (not, holds): (bool, bool) = (u.arbitrary()?, u.arbitrary()?);
            text.push_str(if not { "not " } else { "" });
            text.push_str(if holds { "size=10240" } else { "size=1" });
            values.push(not != holds);
        }
        // Products first, then their sum.
        let (mut any, mut all) = (false, values[0]);
        for (and, value) in joins.iter().zip(&values[1..]) {
            if *and {
                all &= value;
            } else {
                any |= all;
                all = *value;
            }
        }
        let condition = Condition::parse(&text, &Diff).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(condition.holds(&Row).ok(), Some(any || all), "{text}");
        Ok(())
    });
}
