//! heap-filter: keep selected nodes, the edges among them and what these refer to. See `man/heap-filter.1`.

use crate::filter::{Edges, Filter};
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Out, SELECTION, Status, Tool, own};
use heap_ops::select::Selection;
use heap_record::Writer;

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-filter",
    about: "keep selected nodes and the edges among them",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        SELECTION,
        own(&[Flag {
            short: None,
            long: "edges",
            value: Some("inner|out|in|touching|none"),
            help: "which edges of the kept nodes are kept\n\
                   inner, the default: those between two kept nodes; out: from a kept node; in: to a kept node; \
                   touching: either.",
        }]),
        INPUT,
    ],
    examples: &[
        Example {
            about: "the main pipeline",
            command: "heap-cat app.heapsnapshot | heap-filter --type Array | heap-sum",
        },
        Example {
            about: "large objects that are neither code nor strings",
            command: "heap-filter --min-size 1K --subtype object --subtype closure app.heapsnapshot | heap-top -n 5",
        },
        Example {
            about: "detached DOM nodes",
            command: "heap-filter --where 'v8.detachedness = 2' app.heapsnapshot | heap-sum",
        },
        Example {
            about: "who refers to a Session, with jq",
            command: "heap-filter --class Session --edges in app.heapsnapshot | jq -c 'select(.type==\"edge\")'",
        },
    ],
    notes: "Records that are kept are passed on byte for byte. String records go out just before the first record \
            that refers to them, and only those that are referred to. An extension record is kept if all nodes that \
            it refers to are. Metadata and declarations are always passed on. Keeping nothing is no error. Edges of \
            nodes that are not kept are not looked at closely; heap-check does that.",
    exit: EXIT,
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut edges = Edges::default();
    while let Some(option) = args.next()? {
        match option {
            "edges" => {
                let word = args.text()?;
                edges = Edges::named(&word)
                    .ok_or_else(|| args.invalid(&word, "inner, out, in, touching or none"))?;
            }
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    let writer = Writer::new(out).provenance(args.provenance(), true);
    let mut filter = Filter::new(selection, edges, writer);
    inputs.pump(&mut filter)?;
    filter.missing().iter().for_each(|what| heap_cli::warn(what));
    Ok(inputs.status())
}
