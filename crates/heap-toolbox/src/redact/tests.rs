//! What is redacted is gone, what is kept is the same.

use std::io::{self, Write};

use heap_base::{Error, Result};
use heap_record::write::Form;
use heap_record::{Sink, SnapshotSelector, Wants, Writer};

use super::{Audit, Key, Rules, passes};
use heap_ops::select::glob::Glob;

const HEAD: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"target_psargs","value":"server --password tiger99"}
{"type":"metadata","key":"heap.pipeline","value":"heap-filter 0.1.0 --name 'tiger*'"}
{"type":"metadata","key":"core.warning","value":"plain"}
{"type":"metadata","key":"v8.extra.notes","value":"{\"a\":[\"tiger\"]}"}
{"type":"type","name":"node","fields":{"heap.size":"integer","chrome.allocator":"string","chrome.module":"string"}}
{"type":"node_type","nodetypeid":1,"name":"object"}
{"type":"node_type","nodetypeid":2,"name":"string_flat","fields":{"data":"string"}}
{"type":"node_type","nodetypeid":3,"name":"closure"}
{"type":"node_type","nodetypeid":4,"name":"heap_number","fields":{"value":"float"}}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"type","name":"v8.trace_function","fields":{"name":"string","file":"string","units":"text"}}
"#;

const STRINGS: &str = r#"{"type":"string","stringid":1,"data":"secretTiger"}
{"type":"string","stringid":2,"data":"Account"}
{"type":"string","stringid":3,"data":"only a value, tiger"}
{"type":"string","stringid":4,"data":"/srv/tiger/app.js"}
{"type":"string","stringid":5,"data":"tiger\ufffd","heap":{"utf16":"0074d800"}}
{"type":"string","stringid":6,"data":"ada@tiger.example"}
{"type":"string","stringid":7,"data":"unused tiger"}
{"type":"string","stringid":-1,"data":"0"}
"#;

const BODY: &str = r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":8,"class":2}}
{"type":"node","subtype":2,"identifier":3,"data":1,"heap":{"size":8,"name":1}}
{"type":"node","subtype":2,"identifier":5,"data":3,"heap":{"size":8},"y":{"seen":"0x10","by":"tiger"}}
{"type":"node","subtype":2,"identifier":7,"data":5,"heap":{"size":8,"more":"tiger"}}
{"type":"node","subtype":3,"identifier":9,"heap":{"size":8,"name":1},"chrome":{"allocator":2,"module":4}}
{"type":"node","subtype":4,"identifier":11,"value":7.25,"heap":{"size":8}}
{"type":"edge","subtype":1,"source":1,"dest":3,"label":1}
{"type":"edge","subtype":1,"source":1,"dest":14,"label":6}
{"type":"edge","subtype":1,"source":1,"dest":5,"label":-1,"heap":{"value":7.25}}
{"type":"v8.trace_function","name":1,"file":4,"units":"kept","deep":{"a":{"b":["tiger"]}}}
"#;

fn rules(set: impl FnOnce(&mut Rules)) -> Rules {
    let mut rules = Rules::default();
    set(&mut rules);
    rules
}

/// What comes out, what was found, and how often it was read.
fn passed(text: &str, rules: &Rules, map: Option<&mut dyn Write>) -> Result<(String, Audit, u32)> {
    let mut writer = Writer::new(Vec::new()).form(Form::Canonical);
    let mut times = 0;
    let read = |pass: &mut dyn Sink| {
        times += 1;
        heap_record::read::read(text.as_bytes(), SnapshotSelector::All, pass).map(|()| times)
    };
    let (audit, times) = passes(rules, Some(Key::new(b"for tests")), map, &mut writer, read)?;
    writer.finish(true)?;
    Ok((String::from_utf8(writer.into_inner()).expect("text"), audit, times))
}

fn redacted(text: &str, rules: &Rules) -> String {
    passed(text, rules, None).expect("sound lines").0
}

fn line<'a>(out: &'a str, begin: &str) -> &'a str {
    out.lines().find(|l| l.starts_with(begin)).unwrap_or_else(|| panic!("no {begin} in {out}"))
}

#[test]
fn contents_go_and_names_stay() {
    let out = redacted(&[HEAD, STRINGS, BODY].concat(), &Rules::default());
    // As a label and a name it stays; as contents it has a token of its own number.
    let stays =
        ["\"secretTiger\"", "\"Account\"", "\"/srv/tiger/app.js\"", "\"units\":\"kept\"", "\"plain\""];
    for text in stays {
        assert_eq!(out.matches(text).count(), 1, "{text} in {out}");
    }
    let left = out.replace("\"secretTiger\"", "").replace("/srv/tiger/app.js", "").to_lowercase();
    assert!(!left.contains("tiger") && !left.contains("d800"), "{left}");
    assert!(
        line(&out, r#"{"type":"node","subtype":2,"identifier":3"#)
            .contains(r#""data":8,"heap":{"size":8,"name":8}"#)
    );
    assert!(line(&out, r#"{"type":"edge","subtype":1,"source":1,"dest":3"#).contains(r#""label":1"#));
    assert!(
        line(&out, r#"{"type":"node","subtype":3"#)
            .contains(r#""name":1},"chrome":{"allocator":2,"module":4}"#)
    );
    assert!(out.contains(r#"{"type":"metadata","key":"heap.pipeline","value":"heap-filter 0.1.0"}"#));
    assert!(out.contains(r#""seen":"0x10""#) && out.contains("\"dest\":14") && out.contains("7.25"));
    assert!(out.contains(r#"{"type":"string","stringid":-1,"data":"0"}"#));
    assert!(out.contains(r#""value":"{\"a\":[\""#), "JSON stays JSON: {out}");
    // As long as before.
    let token = line(&out, r#"{"type":"string","stringid":3,"#).split('"').nth(9).expect("its data");
    assert_eq!(token.len(), "only a value, tiger".len());
    assert_eq!(out.lines().count(), [HEAD, STRINGS, BODY].concat().lines().count() + 3);
}

#[test]
fn what_is_asked_for_goes_too() {
    let all = |rules: &mut Rules| {
        (rules.labels, rules.names, rules.files, rules.numbers) = (true, true, true, true);
    };
    let text = [HEAD, STRINGS, BODY].concat();
    let check = |rules: Rules, gone: &[&str], stays: &[&str]| {
        let out = redacted(&text, &rules);
        for text in gone {
            assert!(!out.contains(text), "{text} in {out}");
        }
        for text in stays {
            assert!(out.contains(text), "no {text} in {out}");
        }
    };
    check(rules(|r| r.labels = true), &["ada@"], &["secretTiger", "Account", "/srv/tiger"]);
    check(rules(|r| r.names = true), &["Account"], &["secretTiger", "/srv/tiger"]);
    check(rules(|r| r.files = true), &["/srv/tiger"], &["secretTiger", "Account"]);
    check(rules(|r| r.numbers = true), &["7.25", "\"dest\":14"], &["\"dest\":5", "\"identifier\":11"]);
    check(
        rules(all),
        &["iger", "7.25", "Account", "0x10", "plain\"}\n{\"type\":\"string"],
        &["target_psargs", "heap-filter"],
    );
    let kept = |r: &mut Rules| {
        all(r);
        r.keep = vec![Glob::new("*Tiger"), Glob::new("ada@*")];
    };
    check(rules(kept), &["Account"], &["secretTiger", "ada@tiger.example"]);
}

#[test]
fn any_order_of_records_loses_the_same() {
    let in_order = redacted(&[HEAD, STRINGS, BODY].concat(), &Rules::default());
    let mixed = redacted(&[HEAD, BODY, STRINGS].concat(), &Rules::default());
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&in_order), sorted(&mixed));
    // Streams one after the other are each for themselves: string 1 is no label in the second.
    let second =
        STRINGS.to_owned() + &BODY.replace("\"label\":1}", "\"label\":2}").replace("name\":1", "name\":2");
    let both = redacted(&[HEAD, STRINGS, BODY, HEAD, &second].concat(), &Rules::default());
    let last = both.rsplit("version_major").next().expect("two streams");
    assert!(!last.contains("secretTiger") && both.contains("secretTiger"), "{both}");
}

#[test]
fn strings_are_read_first_where_a_record_comes_before_its_own() {
    let times = |text: &str| passed(text, &Rules::default(), None).expect("sound lines").2;
    assert_eq!(times(&[HEAD, STRINGS, BODY].concat()), 2);
    assert_eq!(times(&[HEAD, BODY, STRINGS].concat()), 3);
}

#[test]
fn what_the_input_says_ends_it_and_nothing_is_finished() {
    #[derive(Default)]
    struct Seen(u32, bool);
    impl Sink for Seen {
        fn wants(&self) -> Wants {
            Wants::ALL
        }

        fn nodes(&mut self, batch: &heap_record::NodeBatch<'_>) -> Result {
            self.0 += batch.len() as u32;
            Ok(())
        }
        fn edges(&mut self, _: &heap_record::EdgeBatch<'_>) -> Result {
            Ok(())
        }
        fn finish(&mut self, _: bool) -> Result {
            self.1 = true;
            Ok(())
        }
    }
    let text = [HEAD, BODY, STRINGS].concat();
    for fails in 1..=4 {
        let (mut seen, mut times) = (Seen::default(), 0);
        let result = passes(&Rules::default(), None, None, &mut seen, |pass| {
            times += 1;
            if times == fails {
                return Err(Error::input("the end"));
            }
            heap_record::read::read(text.as_bytes(), SnapshotSelector::All, pass)
        });
        assert_eq!((result.is_ok(), times), (fails == 4, fails.min(3)));
        assert_eq!((seen.0, seen.1), (if fails == 4 { 6 } else { 0 }, false));
    }
}

#[test]
fn the_map_tells_what_every_token_stands_for() {
    let text = [HEAD, STRINGS, BODY].concat();
    let mut map = Vec::new();
    let (out, ..) = passed(&text, &Rules::default(), Some(&mut map)).expect("sound lines");
    let map = String::from_utf8(map).expect("text");
    let entry = map.lines().find(|l| l.ends_with(r#""text":"only a value, tiger"}"#)).expect("its entry");
    let token = entry.split('"').nth(7).expect("its token");
    assert!(entry.starts_with(r#"{"type":"heap.redacted","token":"#), "{entry}");
    assert!(line(&out, r#"{"type":"string","stringid":3,"#).contains(token), "{token} in {out}");
}

#[test]
fn a_map_that_cannot_be_written_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    // The same if it is held back until all is done.
    let text = [HEAD, STRINGS, BODY].concat();
    let mut buffered = io::BufWriter::with_capacity(1 << 20, Full);
    let maps: [&mut dyn Write; 2] = [&mut Full, &mut buffered];
    for map in maps {
        let Err(e) = passed(&text, &Rules::default(), Some(map)) else { panic!("it is full") };
        assert!(matches!(e.kind(), heap_base::error::Kind::Write(_)), "{e}");
    }
}

#[test]
fn the_view_with_names_written_out_is_redacted_as_well() {
    let text = HEAD.to_owned()
        + r#"{"type":"node","subtype":"object","identifier":1,"heap":{"size":8,"class":"Account"}}
{"type":"node","subtype":"string_flat","identifier":3,"data":"value of tiger","heap":{"size":8,"name":"value of tiger"}}
{"type":"node","subtype":"string_flat","identifier":5,"data":"owner","heap":{"size":8,"name":"owner"}}
{"type":"edge","subtype":"object property","source":1,"dest":3,"label":"owner"}
"#;
    let out = redacted(&text, &Rules::default());
    assert!(!out.contains("tiger") && out.contains("Account"), "{out}");
    assert_eq!(out.matches("\"owner\"").count(), 1, "{out}");
}

#[test]
fn no_input_is_too_odd() {
    let text = [HEAD, STRINGS, BODY].concat();
    let ids = [
        ("\"stringid\":7", "\"stringid\":9007199254740990"),
        ("\"stringid\":7", "\"stringid\":-9007199254740991"),
        ("\"stringid\":7", "\"stringid\":3"),
        ("\"stringid\":-1", "\"stringid\":-5"),
    ];
    for (from, to) in ids {
        let out = redacted(&text.replace(from, to), &Rules::default());
        assert!(!out.contains("unused tiger"), "{out}");
    }
}

#[test]
fn a_text_that_shares_its_number_with_another_is_no_label() {
    let text = [HEAD, STRINGS, BODY].concat().replace("\"stringid\":7", "\"stringid\":1");
    let out = redacted(&text, &Rules::default());
    assert!(!out.contains("secretTiger") && !out.contains("unused tiger"), "{out}");
}

#[test]
fn an_edge_that_led_to_a_number_goes_with_it() {
    let text = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"type","name":"edge","fields":{"subtype":"integer","source":"value","dest":"value","label":"string","heap.value":"float","java.long":"integer"}}
{"type":"node_type","nodetypeid":1,"name":"java.instance"}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"string","stringid":1,"data":"field"}
{"type":"node","subtype":1,"identifier":1,"heap":{"size":16}}
{"type":"edge","subtype":1,"source":1,"dest":82,"label":1}
{"type":"edge","subtype":1,"source":1,"label":1,"heap":{"value":7.25}}
{"type":"edge","subtype":1,"source":1,"label":1,"heap":{"value":"NaN"}}
{"type":"edge","subtype":1,"source":1,"label":1,"heap":{"value":9.223372036854776e18},"java":{"long":"0x7fffffffffffffff"}}
{"type":"edge","subtype":1,"source":1,"dest":1,"label":1}
"#;
    let edges = |out: &str| out.lines().filter(|line| line.contains("\"edge\",")).count();
    assert_eq!(edges(&redacted(text, &Rules::default())), edges(text));
    let out = redacted(text, &rules(|r| r.numbers = true));
    let left: Vec<_> = out.lines().filter(|line| line.starts_with(r#"{"type":"edge","#)).collect();
    assert_eq!(left, [r#"{"type":"edge","subtype":1,"source":1,"dest":1,"label":1}"#]);
}

/// The texts of the program that an audit says stay.
fn listed(text: &str, rules: &Rules) -> Vec<String> {
    let rules = Rules { audit: true, ..rules.clone() };
    let mut after = super::Joined::new(heap_record::Discard);
    let read = |pass: &mut dyn Sink| heap_record::read::read(text.as_bytes(), SnapshotSelector::All, pass);
    let (audit, ()) =
        passes(&rules, Some(Key::new(b"for tests")), None, &mut after, read).expect("sound lines");
    audit.kept().filter(|kept| !kept.is_fact()).map(|kept| kept.text.to_owned()).collect()
}

#[test]
fn labels_of_weak_entries_keep_their_form_and_lose_the_names() {
    let entry = |key: &str, value: &str| {
        format!("1 / part of key ({key} @5) -> value ({value} @7) pair in WeakMap (table @9)")
    };
    let text = |label: &str| {
        let text = [HEAD, STRINGS, BODY].concat();
        let text = text.replace("only a value, tiger", &entry("hidden tiger", label));
        text.replace("\"dest\":3,\"label\":1", "\"dest\":3,\"label\":3")
    };
    let label = |out: &str, id: u32| line(out, &format!(r#"{{"type":"string","stringid":{id},"#)).to_owned();
    let all = rules(|r| (r.labels, r.names, r.files, r.numbers) = (true, true, true, true));
    for rules in [Rules::default(), rules(|r| r.labels = true), all] {
        let out = redacted(&text("secretTiger"), &rules);
        let kept = label(&out, 3);
        let token = label(&out, if rules.names { 1 } else { 8 });
        let token = token.split('"').nth(9).expect("its data");
        assert!(!kept.contains("iger") && kept.contains("\"1 / part of key ("), "{kept}");
        assert!(kept.contains(&format!(" @5) -> value ({token} @7) pair in WeakMap (table @9)\"")), "{kept}");
        // As contents it goes as a whole.
        assert_eq!(out.matches("WeakMap").count(), 1, "{out}");
        // An e-mail address in it changes nothing, nor does a line end.
        let kept = label(&redacted(&text("ada@tiger.example"), &rules), 3);
        assert!(kept.ends_with(" @7) pair in WeakMap (table @9)\"}") && !kept.contains("tiger"), "{kept}");
        let staying = listed(&text("secretTiger"), &rules);
        assert!(staying.iter().all(|text| !text.contains("WeakMap")), "{staying:?}");
        let kept = label(&redacted(&text("one tiger\\nand more"), &rules), 3);
        assert!(
            kept.contains("value (\\n") && kept.contains(" @7) pair") && !kept.contains("tiger"),
            "{kept}"
        );
    }
    let keep = rules(|r| r.keep = vec![Glob::new("secretT*")]);
    let kept = label(&redacted(&text("secretTiger"), &keep), 3);
    assert!(kept.contains("value (secretTiger @7)") && !kept.contains("hidden"), "{kept}");
    let staying = listed(&text("secretTiger"), &keep);
    assert!(staying.iter().any(|text| text == "secretTiger"), "{staying:?}");
    // Not of that form, or not a label: nothing stays.
    for (from, to) in [("table @9", "table 9"), ("\"label\":3", "\"label\":2")] {
        let out = redacted(&text("secretTiger").replace(from, to), &Rules::default());
        assert!(!label(&out, 3).contains("part of key"), "{out}");
    }
    let view = HEAD.to_owned()
        + r#"{"type":"node","subtype":"object","identifier":1,"heap":{"size":8,"class":"Account"}}
{"type":"edge","subtype":"object property","source":1,"dest":3,"label":""#
        + &entry("tiger", "value of tiger")
        + "\"}\n";
    let out = redacted(&view, &Rules::default());
    assert!(!out.contains("tiger") && out.contains(" @7) pair in WeakMap (table @9)"), "{out}");
}

/// Nothing is known of these namespaces, sections and members; all that is tiger has to go.
const FOREIGN: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"acme.note","value":"a tiger"}
{"type":"metadata","key":"heap.acme","value":"a tiger"}
{"type":"metadata","key":"v8.snapshot","value":"{\"meta\":{\"node_fields\":[\"type\"]},\"title\":{\"tiger\":\"a tiger\"},\"node_count\":1}"}
{"type":"type","name":"node","fields":{"heap.size":"integer","acme.owner":"text","acme.name":"string","acme.card":"integer"}}
{"type":"type","name":"acme.section","fields":{"key":"text","number":"integer"}}
{"type":"node_type","nodetypeid":1,"name":"object"}
{"type":"string","stringid":1,"data":"some tiger"}
{"type":"node","subtype":1,"identifier":1,"heap":{"size":8},"acme":{"owner":"tiger 2","name":1,"card":4111111111111111}}
{"type":"acme.section","key":"tiger 3","number":4111111111111111,"tiger4":{"tiger5":["tiger 6",4111111111111111]}}
{"type":"metadata","key":"heap.end","value":"nodes=1 edges=0 strings=1"}
"#;

#[test]
fn what_nothing_is_known_of_is_contents() {
    let out = redacted(FOREIGN, &Rules::default());
    // Keys are labels, which stay unless asked for.
    for text in ["a tiger", "tiger 2", "tiger 3", "tiger 6", "some tiger"] {
        assert!(!out.contains(text), "{text} in {out}");
    }
    assert!(
        out.contains(r#"{\"meta\":{\"node_fields\":[\"type\"]},"#) && out.contains(r#"\"node_count\":1"#),
        "{out}"
    );
    let all = |r: &mut Rules| (r.labels, r.names, r.files, r.numbers) = (true, true, true, true);
    let out = redacted(FOREIGN, &rules(all));
    assert!(!out.contains("tiger") && !out.contains("4111"), "{out}");
    // The promise of the end mark comes with it.
    assert_eq!(out.lines().count(), FOREIGN.lines().count() + 1);
    let audited = passed(FOREIGN, &rules(|r| r.audit = true), None).expect("sound lines").1;
    let cards = audited.rows().find(|(_, looks, _)| *looks == Some("card number")).map(|(.., row)| row.kept);
    assert_eq!((cards, audited.finds()), (Some(3), true));
}

const IN_STRINGS: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"node_type","nodetypeid":1,"name":"string_flat","fields":{"data":"string"}}
{"type":"node_type","nodetypeid":2,"name":"string_cons","fields":{"s1":"value","s2":"value"}}
{"type":"string","stringid":1,"data":"ghp_0123456789abcdefghijABCDEFGHIJ012345"}
{"type":"string","stringid":2,"data":"ghp_56789abcdefghij"}
{"type":"string","stringid":3,"data":"ABCDEFGHIJ012345678901234"}
{"type":"string","stringid":4,"data":"plain"}
{"type":"node","subtype":1,"identifier":1,"data":1,"heap":{"size":8}}
{"type":"node","subtype":1,"identifier":3,"data":2,"heap":{"size":8}}
{"type":"node","subtype":1,"identifier":5,"data":3,"heap":{"size":8}}
{"type":"node","subtype":1,"identifier":7,"data":4,"heap":{"size":8}}
{"type":"node","subtype":2,"identifier":9,"s1":3,"s2":5,"heap":{"size":8}}
"#;

/// Kind of secret, how many go and how many stay, of the strings' contents; and whether one stays.
fn findings(text: &str, set: impl FnOnce(&mut Rules)) -> (Vec<(&'static str, u64, u64)>, bool) {
    let rules = rules(|rules| {
        rules.audit = true;
        set(rules);
    });
    let mut after = super::Joined::new(heap_record::Discard);
    let read = |pass: &mut dyn Sink| heap_record::read::read(text.as_bytes(), SnapshotSelector::All, pass);
    let (mut audit, ()) =
        passes(&rules, Some(Key::new(b"for tests")), None, &mut after, read).expect("sound lines");
    audit.joined_stays(after.take_audit().expect("memory"));
    let rows = audit.rows().filter_map(|(_, looks, row)| Some((looks?, row.redacted, row.kept)));
    (rows.collect(), audit.finds())
}

#[test]
fn secrets_in_strings_are_found_whether_they_go_or_stay() {
    let keep = |glob: &'static str| move |rules: &mut Rules| rules.keep.push(Glob::new(glob));
    // One text is a string's, the other is kept in two parts.
    assert_eq!(findings(IN_STRINGS, |_| ()), (vec![("GitHub token", 2, 0)], false));
    assert_eq!(findings(IN_STRINGS, keep("ghp_0*")), (vec![("GitHub token", 1, 1)], true));
    assert_eq!(findings(IN_STRINGS, keep("*")), (vec![("GitHub token", 0, 2)], true));
}
