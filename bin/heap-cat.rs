//! heap-cat: any dump or stream as a record stream.

use std::process::ExitCode;

use heap_cli::{Args, EXIT, Error, Example, INPUT, Out, Status, Tool};
use heap_record::Writer;

static TOOL: Tool = Tool {
    name: "heap-cat",
    about: "any dump or record stream as a record stream",
    usage: "[OPTIONS] [FILE...]",
    flags: &[INPUT],
    examples: &[Example { about: "all there is in a snapshot", command: "heap-cat x.heapsnapshot | wc -l" }],
    notes: "",
    exit: EXIT,
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    while args.next()?.is_some() {
        return Err(args.unexpected());
    }
    let inputs = args.inputs()?;
    inputs.pump(&mut Writer::new(out).provenance(args.provenance(), false))
}
