//! Stream to SQLite to stream, files of other writers, damaged files.

mod damage;
mod index;
mod plain;
mod round;

use std::path::Path;

use heap_base::{Blob, Result};
use heap_record::write::Form;
use heap_record::{Sink, SnapshotSelector, Writer};

use crate::{Replace, read, writer};

/// A stream as an SQLite file.
fn stored(stream: &[u8], path: &Path) -> Result {
    let mut out = writer(path, Replace::Ours)?;
    heap_record::read::read(stream, SnapshotSelector::All, &mut out)?;
    out.finish(true)
}

/// What a reader emits, as a stream.
fn emitted(read: impl FnOnce(&mut dyn Sink) -> Result) -> (String, Result) {
    let mut out = Writer::new(Vec::new());
    let result = read(&mut out);
    out.finish(result.is_ok()).expect("a vector");
    (String::from_utf8(out.into_inner()).expect("the writer writes UTF-8"), result)
}

/// An SQLite file as a stream.
fn stream_of(path: &Path, pick: SnapshotSelector) -> (String, Result) {
    let blob = Blob::from_file(std::fs::File::open(path).expect("was written")).expect("has a length");
    emitted(|sink| read(&blob, pick, sink))
}

/// A stream in canonical form.
fn canonical(stream: &[u8]) -> String {
    let mut out = Writer::new(Vec::new()).form(Form::Canonical);
    heap_record::read::read(stream, SnapshotSelector::All, &mut out).expect("is a stream");
    out.finish(true).expect("a vector");
    String::from_utf8(out.into_inner()).expect("the writer writes UTF-8")
}

/// One column of a query's rows.
fn query(path: &Path, sql: &str) -> Vec<String> {
    let conn = rusqlite::Connection::open(path).expect("was written");
    let mut statement = conn.prepare(sql).expect("is SQL");
    let width = statement.column_count();
    let rows = statement
        .query_map([], |row| {
            let cell = |i| {
                Ok(match row.get_ref(i)? {
                    rusqlite::types::ValueRef::Null => "NULL".to_owned(),
                    rusqlite::types::ValueRef::Integer(n) => n.to_string(),
                    rusqlite::types::ValueRef::Real(x) => x.to_string(),
                    rusqlite::types::ValueRef::Text(t) | rusqlite::types::ValueRef::Blob(t) => {
                        String::from_utf8_lossy(t).into_owned()
                    }
                })
            };
            (0..width).map(cell).collect::<rusqlite::Result<Vec<_>>>().map(|cells| cells.join("|"))
        })
        .expect("runs");
    rows.collect::<rusqlite::Result<_>>().expect("runs")
}

/// A stream with something of everything.
const SAMPLE: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.end","value":"expected"}
{"type":"metadata","key":"generator","value":"by hand"}
{"type":"metadata","key":"target_source","value":"v8.heapsnapshot"}
{"type":"metadata","key":"heap.identifier","value":"v8"}
{"type":"metadata","key":"heap.order","value":"strings nodes edges"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"type","name":"node","fields":{"subtype":"integer","identifier":"value","heap.size":"integer","heap.class":"string","heap.name":"string","v8.detachedness":"integer","v8.trace":"integer"}}
{"type":"type","name":"edge","fields":{"subtype":"integer","source":"value","dest":"value","label":"string","heap.value":"float","heap.key":"value"}}
{"type":"node_type","nodetypeid":1,"name":"v8.synthetic"}
{"type":"node_type","nodetypeid":2,"name":"object","table_name":"object","fields":{"constructor":"value"}}
{"type":"node_type","nodetypeid":3,"name":"string_flat","table_name":"string_flat","fields":{"data":"string"}}
{"type":"node_type","nodetypeid":4,"name":"native","table_name":"native","fields":{"address":"address"}}
{"type":"node_type","nodetypeid":5,"name":"dart.number","fields":{"value":"float","text":"text","exact":"boolean"}}
{"type":"node_type","nodetypeid":6,"name":"code","table_name":"code"}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"edge_type","edgetypeid":2,"name":"v8.weak","heap":{"retains":"no"}}
{"type":"edge_type","edgetypeid":3,"name":"v8.shortcut","heap":{"retains":"root"},"v8":{"id":5}}
{"type":"type","name":"v8.location","fields":{"object":"value","line":"integer","v8.script":"integer"}}
{"type":"string","stringid":0,"data":""}
{"type":"string","stringid":17,"data":"Account"}
{"type":"string","stringid":203,"data":"owner\n\u0000\"x\""}
{"type":"string","stringid":-1,"data":"�","heap":{"utf16":"d800"}}
{"type":"node","subtype":1,"identifier":1,"heap":{"size":0,"name":0}}
{"type":"node","subtype":2,"identifier":3,"constructor":7,"heap":{"size":96,"class":17,"external":5,"count":2,"retained":100,"idom":1,"distance":1,"reachable":true},"v8":{"detachedness":2,"trace":9}}
{"type":"node","subtype":3,"identifier":5,"data":203,"heap":{"size":24},"v8":{"detachedness":0}}
{"type":"node","subtype":4,"identifier":7,"address":"0xffffffff80000000","heap":{"size":"0xffffffffffffffff","class":17}}
{"type":"node","subtype":5,"identifier":"0x20000000000001","value":1.5,"text":"12","exact":false,"heap":{"size":8}}
{"type":"node","subtype":5,"identifier":11,"value":"NaN","text":"0x10","exact":true,"heap":{"size":8,"more":{"a":[1,2]}}}
{"type":"node","subtype":5,"identifier":13,"value":-0.0,"heap":{"size":8},"v8":{"trace":9,"detachedness":1}}
{"type":"node","subtype":5,"identifier":15,"value":"-Infinity","heap":{"size":8},"v8":{"trace":9},"other":{"x":1}}
{"type":"node","subtype":6,"identifier":17,"undeclared":true,"heap":{"size":1,"reachable":false}}
{"type":"node","subtype":99,"identifier":-2}
{"type":"edge","subtype":1,"source":1,"dest":3,"label":203}
{"type":"edge","subtype":1,"source":3,"dest":10,"label":203}
{"type":"edge","subtype":2,"source":3,"dest":5}
{"type":"edge","subtype":1,"source":3,"label":17,"heap":{"value":2.5}}
{"type":"edge","subtype":1,"source":3,"dest":7,"heap":{"key":3},"v8":{"x":1}}
{"type":"v8.location","object":3,"line":7,"v8":{"script":2}}
{"type":"v8.location","line":7,"object":3}
{"type":"never.declared","a":[1,{"b":null}]}
{"type":"metadata","key":"late","value":"2"}
{"type":"string","stringid":204,"data":"late"}
{"type":"edge","subtype":1,"source":3,"dest":5,"label":204}
{"type":"metadata","key":"heap.end","value":"nodes=10 edges=6 strings=5"}
"#;
