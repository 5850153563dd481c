//! What a core is, for heap-info: from its notes, its pages and its stacks, without its objects.

use heap_base::Result;
use heap_record::{Fact, Facts, Info};

use crate::elf::{Machine, signal_name};
use crate::emit::page_bytes;
use crate::heap::Heap;
use crate::stacks::Stack;

/// The facts about a core.
///
/// # Errors
/// Failures of reading.
pub(crate) fn info(heap: &Heap) -> Result<Info> {
    let stacks = heap.stacks();
    let isolates = heap.isolates(&stacks);
    let int = |n: usize| Fact::Int(n as i64);
    let mut facts: Facts = Vec::new();
    if let Some(version) = &heap.version.v8 {
        facts.push(("v8_version", Fact::Text(version.clone())));
    }
    let machine = match heap.machine {
        Machine::X86 => "x86-64",
        Machine::Arm => "aarch64",
    };
    facts.push(("machine", Fact::Text(machine.to_owned())));
    if let Some(pid) = heap.notes.pid {
        facts.push(("pid", Fact::Int(pid.into())));
    }
    if let Some(arguments) = &heap.notes.arguments {
        facts.push(("arguments", Fact::Text(arguments.clone())));
    }
    if let Some((signal, _)) = heap.notes.signal {
        let name = signal_name(signal).map_or_else(|| signal.to_string(), str::to_owned);
        facts.push(("signal", Fact::Text(name)));
    }
    facts.push(("threads", int(heap.notes.threads.len())));
    facts.push(("isolates", int(isolates.len())));
    facts.push(("pages", int(heap.pages.pages.len())));
    facts.push(("page_bytes", Fact::Bytes(heap.pages.pages.iter().map(|p| p.end - p.start).sum())));
    facts.push(("constants", Fact::Text(heap.constants.source.clone())));
    if heap.missing > 0 {
        facts.push(("missing_bytes", Fact::Bytes(heap.missing)));
    }
    if let Some(damage) = heap.damage.borrow_mut().take() {
        facts.push(("damage", Fact::Text(damage.to_string())));
    }
    if let [only] = isolates[..] {
        facts.extend(of_isolate(heap, only, &stacks));
    }
    let numbered = |(number, &isolate): (i64, &u64)| {
        let mut facts: Facts = vec![("snapshot", Fact::Int(number))];
        facts.extend(of_isolate(heap, isolate, &stacks));
        facts
    };
    heap.memory.check()?;
    Ok(Info {
        format: crate::FORMAT,
        version: heap.version.node.clone(),
        producer: Some("Node.js".to_owned()),
        facts,
        snapshots: if isolates.len() > 1 { (0..).zip(&isolates).map(numbered).collect() } else { Vec::new() },
        series: isolates.len() > 1,
    })
}

/// What is known of one isolate: its pages, and the thread that runs it.
fn of_isolate(heap: &Heap, isolate: u64, stacks: &[Stack]) -> Facts {
    let (pages, bytes) = page_bytes(heap, isolate);
    let mut facts: Facts = Vec::new();
    if let Some(role) = heap.role(isolate, stacks) {
        facts.push(("isolate", Fact::Text(role.to_string())));
    }
    facts.push(("isolate_pages", Fact::Int(pages as i64)));
    facts.push(("isolate_page_bytes", Fact::Bytes(bytes)));
    if let Some(stack) = stacks.iter().find(|s| s.heap == Some(isolate)) {
        facts.push(("thread", Fact::Int(stack.thread.lwp.into())));
        facts.push(("frames", Fact::Int(stack.scripts().count() as i64)));
    }
    facts
}
