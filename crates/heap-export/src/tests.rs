//! What each target makes of a small stream.

use heap_base::Cutoff;
use heap_pprof::Profile;
use heap_record::{SnapshotSelector, Target, read};

use super::{StackConfig, StackForm, StackWriter, Table};

/// A root, a cache with two entries, one of them held by a table too, and garbage; a weak edge, a number in a field.
const STREAM: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.identifier","value":"v8"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"type","name":"node","fields":{"subtype":"integer","identifier":"value","heap.size":"integer","x.kind":"integer"}}
{"type":"node_type","nodetypeid":1,"name":"heap.root"}
{"type":"node_type","nodetypeid":2,"name":"object"}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"edge_type","edgetypeid":2,"name":"x.weak","heap":{"retains":"no"}}
{"type":"string","stringid":1,"data":"Cache;A"}
{"type":"string","stringid":2,"data":"say \"hi\", <b> & \\"}
{"type":"string","stringid":-1,"data":"0"}
{"type":"node","subtype":1,"identifier":1,"heap":{"size":8}}
{"type":"node","subtype":2,"identifier":3,"heap":{"size":16,"class":1}}
{"type":"node","subtype":2,"identifier":5,"heap":{"size":32,"class":1,"name":2},"x":{"kind":7}}
{"type":"node","subtype":2,"identifier":7,"heap":{"size":64,"class":1,"count":2}}
{"type":"node","subtype":2,"identifier":9,"heap":{"size":128}}
{"type":"edge","subtype":1,"source":1,"dest":3,"label":2}
{"type":"edge","subtype":1,"source":3,"dest":5,"label":1}
{"type":"edge","subtype":1,"source":3,"dest":7,"label":-1}
{"type":"edge","subtype":2,"source":5,"dest":9,"label":1}
{"type":"edge","subtype":1,"source":5,"dest":84,"label":1}
{"type":"x.note","text":"not kept"}
"#;

fn write(stream: &str, target: &mut dyn Target) -> Result<Vec<String>, String> {
    read::read(stream.as_bytes(), SnapshotSelector::Last, target).map_err(|e| e.to_string())?;
    target.finish(true).map_err(|e| e.to_string())?;
    Ok(target.left_out().lines("x"))
}

fn folded(config: StackConfig) -> String {
    let mut writer = StackWriter::new(Vec::new(), StackForm::Folded, config);
    write(STREAM, &mut writer).expect("a sound stream");
    String::from_utf8(std::mem::take(writer.get_mut())).expect("text")
}

#[test]
fn folded_stacks_add_up_to_all_nodes() {
    let all = "(root) 8\n(root);Cache,A 16\n(root);Cache,A;Cache,A 96\n(unreachable) 128\n";
    assert_eq!(folded(StackConfig::default()), all);
    let count = "(root) 1\n(root);Cache,A 1\n(root);Cache,A;Cache,A 3\n(unreachable) 1\n";
    assert_eq!(folded(StackConfig { count: true, ..StackConfig::default() }), count);
    let short = "(root) 8\n(root);Cache,A 16\n(root);Cache,A;<other> 96\n(unreachable) 128\n";
    assert_eq!(folded(StackConfig { depth: 2, ..StackConfig::default() }), short);
    let cut = "(root) 8\n(root);<other> 112\n(unreachable) 128\n";
    assert_eq!(folded(StackConfig { cut: Cutoff::Threshold(1000), ..StackConfig::default() }), cut);
}

#[test]
fn a_profile_has_the_same_sums() {
    let mut writer = StackWriter::new(Vec::new(), StackForm::Pprof, StackConfig::default());
    write(STREAM, &mut writer).expect("a sound stream");
    let (profile, damage) = Profile::decode(writer.get_mut());
    assert!(damage.is_none());
    let values: Vec<_> = profile.samples.iter().map(|s| (s.locations.len(), s.values.clone())).collect();
    assert_eq!(values, [(1, vec![1, 8]), (2, vec![1, 16]), (3, vec![3, 96]), (1, vec![1, 128])]);
    // The innermost location is the second time that of the cache.
    assert_eq!(profile.samples[2].locations, [2, 2, 1]);
}

/// What `target` writes, and what it says is left out.
fn text<'a>(
    stream: &str,
    target: impl FnOnce(&'a mut Vec<u8>) -> Box<dyn Target + 'a>,
    out: &'a mut Vec<u8>,
) -> Vec<String> {
    write(stream, &mut *target(out)).expect("a sound stream")
}

#[test]
fn csv_has_a_column_for_each_declared_field() {
    let mut out = Vec::new();
    let left_out = text(STREAM, |out| super::csv(out, Table::Nodes), &mut out);
    assert_eq!(left_out, ["x holds no x.note records: 1 left out"]);
    let expected = "\
identifier,number,subtype,class,name,size,external,count,retained,idom,distance,reachable,x.kind\r
1,1,heap.root,,,8,,,,,,,\r
3,3,object,Cache;A,,16,,,,,,,\r
5,5,object,Cache;A,\"say \"\"hi\"\", <b> & \\\",32,,,,,,,7\r
7,7,object,Cache;A,,64,,2,,,,,\r
9,9,object,,,128,,,,,,,\r
";
    assert_eq!(String::from_utf8_lossy(&out), expected);
    out.clear();
    text(STREAM, |out| super::csv(out, Table::Edges), &mut out);
    let expected = "\
source,dest,value,subtype,label\r
1,3,,object property,\"say \"\"hi\"\", <b> & \\\"\r
3,5,,object property,Cache;A\r
3,7,,object property,0\r
5,9,,x.weak,Cache;A\r
5,,42,object property,Cache;A\r
";
    assert_eq!(String::from_utf8_lossy(&out), expected);
}

#[test]
fn many_columns_have_the_cells_of_few() {
    let stream = |more: &str| {
        format!(
            r#"{{"type":"metadata","key":"version_major","value":"1"}}
{{"type":"type","name":"node","fields":{{"heap.size":"integer","heap.retained_from":"integer","x.kind":"integer","heap.odd":"string"{more}}}}}
{{"type":"type","name":"edge","fields":{{"x.weight":"integer","plain":"value"{more}}}}}
{{"type":"node_type","nodetypeid":2,"name":"object","fields":{{"a":"value","kind":"integer","odd":"integer","name":"string"}}}}
{{"type":"edge_type","edgetypeid":1,"name":"object property"}}
{{"type":"string","stringid":1,"data":"one"}}
{{"type":"node","subtype":2,"identifier":3,"a":5,"kind":1,"heap":{{"size":16,"retained_from":4,"odd":1}},"x":{{"kind":7,"other":8}}}}
{{"type":"node","subtype":2,"identifier":5,"a":6,"odd":9,"heap":{{"size":16,"name":1}}}}
{{"type":"node","subtype":2,"identifier":7,"heap":{{"size":16}}}}
{{"type":"edge","subtype":1,"source":3,"dest":5,"plain":7,"x":{{"weight":2}}}}
{{"type":"edge","subtype":1,"source":3,"dest":7}}
"#
        )
    };
    let more = (0..40).map(|i| format!(r#","y.f{i}":"integer""#)).collect::<Vec<_>>().concat();
    for table in [Table::Nodes, Table::Edges] {
        let [mut few, mut many] = [Vec::new(), Vec::new()];
        text(&stream(""), |out| super::csv(out, table), &mut few);
        text(&stream(&more), |out| super::csv(out, table), &mut many);
        let (few, many) = (String::from_utf8_lossy(&few), String::from_utf8_lossy(&many));
        let columns: Vec<_> = few.lines().next().expect("a head").split(',').collect();
        let at = |head: &str, name: &str| head.split(',').position(|column| column == name);
        let head = many.lines().next().expect("a head");
        for (few, many) in few.lines().zip(many.lines()) {
            for name in &columns {
                let cell = |line: &str, head: &str| {
                    line.split(',').nth(at(head, name).expect("is there")).map(str::to_owned)
                };
                assert_eq!(cell(few, &columns.join(",")), cell(many, head), "{name}: {few}");
            }
        }
        assert_eq!(few.lines().count(), many.lines().count());
    }
}

#[test]
fn drawings_escape_text() {
    let mut out = Vec::new();
    let left_out = text(STREAM, |out| super::dot(out), &mut out);
    assert_eq!(
        left_out,
        ["x holds no x.note records: 1 left out", "x holds no edges to numbers: 1 left out"]
    );
    let dot = String::from_utf8_lossy(&out).into_owned();
    assert!(dot.contains("n5 [label=\"Cache;A say \\\"hi\\\", <b> & \\\\\\n@5, 32 bytes\"];\n"), "{dot}");
    assert!(dot.contains("n5 -> n9 [label=\"Cache;A\" style=dashed];\n"), "{dot}");
    assert!(dot.starts_with("digraph heap {\n") && dot.ends_with("}\n"));
    out.clear();
    text(STREAM, |out| super::graphml(out), &mut out);
    let xml = String::from_utf8_lossy(&out).into_owned();
    assert!(xml.contains("<data key=\"name\">say &quot;hi&quot;, &lt;b&gt; &amp; \\</data>"), "{xml}");
    assert!(xml.contains("<data key=\"retains\">false</data>"), "{xml}");
}

#[test]
fn records_in_any_order_give_the_same_rows() {
    let mut lines: Vec<&str> = STREAM.lines().collect();
    // Strings last.
    lines[1..].sort_by_key(|line| {
        (line.contains("\"string\""), line.contains("\"edge\""), line.contains("\"x.note\""))
    });
    let shuffled = lines.join("\n") + "\n";
    for table in [Table::Nodes, Table::Edges] {
        let [mut straight, mut other] = [Vec::new(), Vec::new()];
        text(STREAM, |out| super::csv(out, table), &mut straight);
        text(&shuffled, |out| super::csv(out, table), &mut other);
        let sorted = |out: Vec<u8>| {
            let mut lines: Vec<_> = String::from_utf8_lossy(&out).lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(straight), sorted(other));
    }
}

#[test]
fn several_snapshots_are_refused() {
    let twice = STREAM.repeat(2);
    let mut out = Vec::new();
    let error = write(&twice, &mut *super::dot(&mut out)).expect_err("two streams");
    assert_eq!(error, "several snapshots or streams: --snapshot N chooses one");
}
