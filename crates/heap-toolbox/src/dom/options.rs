//! heap-dom: retained size, dominator and distance written to every node. See `man/heap-dom.1`.

use crate::dom::Annotations;
use crate::memory::{MEMORY, guard};
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Out, Outcome, Status, Tool, own};
use heap_devtools::View;
use heap_graph::Keep;
use heap_record::write::Form;
use heap_record::{Sink, Writer};

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-dom",
    about: "annotate nodes with retained size, dominator and distance",
    usage: "[OPTIONS] [FILE]",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "devtools-sizes",
                value: None,
                help: "V8: shallow sizes as Chrome DevTools shows them, and retained sizes with these\n\
                       The size of a backing store moves to the object that owns it, if only one does. This holds the \
                       whole graph in memory.",
            },
            MEMORY,
        ]),
        INPUT,
    ],
    examples: &[
        Example {
            about: "what keeps most alive, by class",
            command: "heap-dom app.heapsnapshot | heap-sum --sort retained -n 20",
        },
        Example {
            about: "the objects that keep most alive",
            command: "heap-dom app.heapsnapshot | heap-top --key retained",
        },
        Example {
            about: "what no root reaches",
            command: "heap-dom app.heapsnapshot | heap-filter --where 'heap.reachable = false' | heap-sum",
        },
        Example {
            about: "what one object dominates, with jq",
            command: "heap-dom app.heapsnapshot | jq -c 'select(.heap.idom==3)' | head -n 3",
        },
    ],
    notes: "Adds heap.retained (bytes that would go with the node), heap.idom (identifier of its immediate dominator), \
            heap.distance (edges from the roots) and heap.reachable to every node, and passes everything else on. What \
            retains what is read from the stream, as heap-records(5) has it; for V8 that gives what Chrome DevTools \
            shows, on raw shallow sizes. There nodes that no root reaches count as held by the root; elsewhere they \
            have neither dominator nor retained size.\n\n\
            The whole graph is held in memory, about 12 bytes for each edge and 40 for each node, or goes through files \
            where that is more than --memory. An input that cannot be read twice is kept in a spool file.",
    exit: EXIT,
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut devtools_sizes, mut memory) = (false, None);
    while let Some(option) = args.next()? {
        match option {
            "memory" => memory = Some(args.size()?),
            "devtools-sizes" => devtools_sizes = true,
            _ => return Err(args.unexpected()),
        }
    }
    let inputs = args.inputs()?.again();
    let mut writer = Writer::new(out).form(Form::Canonical).provenance(args.provenance(), true);
    for (index, mut input) in inputs.opened() {
        let (first, annotations) = if devtools_sizes {
            let mut view = View::of_sizes(Keep { ids: true, ..Keep::default() }).guarded(guard(memory));
            let first = inputs.read_open(index, &mut input, &mut view)?;
            if first == Outcome::Refused {
                continue;
            }
            let mut heap = view.heap()?;
            let sizes = std::mem::take(&mut heap.sizes);
            (first, Annotations::of(heap, Some(sizes)))
        } else {
            let mut graph = Annotations::sink(memory);
            let first = inputs.read_open(index, &mut input, &mut graph)?;
            if first == Outcome::Refused {
                continue;
            }
            (first, Annotations::built(graph, true)?)
        };
        annotations.doubt().into_iter().for_each(heap_cli::warn);
        let mut annotate = annotations.to(&mut writer)?;
        inputs.read_again(index, &mut input, first, &mut annotate)?;
    }
    writer.finish(inputs.is_intact())?;
    Ok(inputs.status())
}
