//! heap-names: names written out, for jq, grep and eyes. See `man/heap-names.1`.

use crate::names::Names;
use heap_cli::{Args, EXIT, Error, Example, INPUT, Out, Status, Tool};
use heap_record::Writer;

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-names",
    about: "write names where the stream has numbers",
    usage: "[OPTIONS] [FILE...]",
    flags: &[INPUT],
    examples: &[
        Example {
            about: "large nodes as a table",
            command: "heap-names app.heapsnapshot | jq -r 'select(.type==\"node\" and .heap.size>10000) | [.identifier,.heap.class,.heap.size] | @tsv'",
        },
        Example {
            about: "select with jq, add up here",
            command: "heap-cat app.heapsnapshot | heap-names | jq -c 'select(.heap.class==\"Array\")' | heap-sum",
        },
        Example {
            about: "find a name with grep",
            command: "heap-names app.heapsnapshot | grep -c '\"label\":\"__proto__\"'",
        },
    ],
    notes: "Subtype numbers become names and string ids their text, in place; string records are dropped. The result \
            is a view and not the stream that heap-records(5) describes, but every tool of this set reads it.",
    exit: EXIT,
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    if args.next()?.is_some() {
        return Err(args.unexpected());
    }
    let inputs = args.inputs()?;
    let writer = Writer::new(out).provenance(args.provenance(), true);
    inputs.pump(&mut Names::new(writer))
}
