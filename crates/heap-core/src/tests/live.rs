//! A process that runs, from its start to its end: it is read, and goes on.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use heap_record::testing::Recorder;
use heap_record::{SnapshotSelector, Wants};

use super::shop::{Graph, field, number};

const PROGRAM: &str = "
  class Ship { constructor(i) { this.i = i; } }
  globalThis.ships = Array.from({ length: 25 }, (_, i) => new Ship(i));
  async function load(id) { const label = 'crate-' + id; await new Promise((resolve) => { globalThis.go = resolve; }); return label; }
  load(7).then((label) => { console.log('went on with ' + label); process.exit(0); });
  process.stdin.once('data', () => globalThis.go());
  setTimeout(() => console.log('ready'), 50);
";

#[test]
fn a_process_is_read_and_goes_on() {
    let mut node = Command::new("node");
    node.args(["-e", PROGRAM, "first argument", "second"]).env("CARGO_OF_SHIPS", "25 crates");
    let node = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut node) = node else {
        eprintln!("not tested: node is not at hand");
        return;
    };
    let mut lines = BufReader::new(node.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "ready");
    let dump = match crate::capture(node.id()) {
        Ok(dump) => dump,
        Err(why) => {
            // A container without the rights of a debugger.
            eprintln!("not tested: {why}");
            node.kill().unwrap();
            node.wait().unwrap();
            return;
        }
    };
    node.stdin.as_mut().unwrap().write_all(b"go\n").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "went on with crate-7");
    assert!(node.wait().unwrap().success());

    let recorder = Recorder::new(Wants::ALL).with(|sink| crate::read(&dump, SnapshotSelector::Last, sink));
    if let Some(error) = recorder.error.as_ref().map(ToString::to_string).filter(|e| e.contains("not known"))
    {
        eprintln!("not tested: {error}");
        return;
    }
    assert_eq!(recorder.problems(), Vec::<String>::new());
    assert_eq!(recorder.values("target_source"), ["process"]);
    let arguments = recorder.values("core.argument");
    assert_eq!(arguments[arguments.len() - 2..], ["first argument", "second"]);
    assert!(recorder.values("core.environment").contains(&"CARGO_OF_SHIPS=25 crates"));
    let graph = Graph::new(&recorder);
    assert_eq!(graph.made("Ship").len(), 25);
    let frame = graph.nodes.values().find(|n| n.rest.contains("\"tier\":\"suspended\"")).unwrap();
    assert_eq!(graph.texts[&number(&field(frame, "function").unwrap())], "load");
    let locals = graph.out(frame.id, "heap.local");
    let locals: Vec<String> =
        locals.iter().map(|(l, e)| format!("{l}={}", graph.show(e.dest.unwrap()))).collect();
    assert_eq!(locals, ["label=\"crate-7\""]);
}
