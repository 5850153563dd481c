//! heap-walk: what selected objects lead to, as a stream. See `man/heap-walk.1`.

use crate::filter::{Edges, Filter};
use crate::memory::{MEMORY, limit};
use crate::walk::{Way, unreachable, unreachable_far, walk, walk_far};
use heap_base::BitSet;
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Out, Outcome, SELECTION, Status, Tool, own};
use heap_graph::Keep;
use heap_ops::graph::GraphLoader;
use heap_ops::select::Glob;
use heap_ops::select::Selection;
use heap_record::{Sink, Writer};

/// Bytes a node and an edge that a walk takes, and one over labels.
const IN_MEMORY: (u64, u64) = (12, 6);
const LABELLED: (u64, u64) = (12, 11);

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-walk",
    about: "write what selected objects lead to",
    usage: "[OPTIONS] [FILE]",
    flags: &[
        own(&[
            Flag { short: None, long: "depth", value: Some("N"), help: "no further than N edges" },
            Flag {
                short: None,
                long: "back",
                value: None,
                help: "against the edges: what leads to the selected objects",
            },
            Flag {
                short: None,
                long: "via",
                value: Some("LABEL"),
                help: "only over edges with this label\n\
                       The characters * and ? stand for any text and any one character. May be given more than once.",
            },
            Flag {
                short: None,
                long: "with-path",
                value: None,
                help: "also a shortest path from a root to each selected object, which says why it is alive\n\
                       Weak edges keep nothing alive, and no path leads over them.",
            },
            Flag {
                short: None,
                long: "unreachable",
                value: None,
                help: "write what no root keeps alive instead\n\
                       Takes no selection.",
            },
            MEMORY,
        ]),
        SELECTION,
        INPUT,
    ],
    examples: &[
        Example {
            about: "a cache and what hangs on it",
            command: "heap-walk --class Session --depth 4 app.heapsnapshot | heap-sum",
        },
        Example {
            about: "who refers to an object, two steps back",
            command: "heap-walk --id @3 --back --depth 2 app.heapsnapshot | heap-sum",
        },
        Example {
            about: "an object to share, with the reason why it is alive",
            command: "heap-walk --id @6171 --depth 2 --with-path app.heapsnapshot | heap-to v8 -o piece.heapsnapshot",
        },
        Example {
            about: "the links of lists alone, with jq",
            command: "heap-walk --class Account --via 'own*' app.heapsnapshot | jq -c 'select(.type==\"node\")' | head -n 3",
        },
    ],
    notes: "The selected objects and those they lead to are written with the edges among them, as heap-filter does. All \
            edges are followed, weak ones too. Reads the input twice; one that cannot be is kept in a spool file.",
    exit: EXIT,
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut way = Way { depth: u32::MAX, back: false, via: Vec::new(), with_path: false };
    let (mut garbage, mut memory) = (false, None);
    while let Some(option) = args.next()? {
        match option {
            "depth" => way.depth = args.parse("a number")?,
            "back" => way.back = true,
            "via" => way.via.push(Glob::new(&args.text()?)),
            "with-path" => way.with_path = true,
            "unreachable" => garbage = true,
            "memory" => memory = Some(args.size()?),
            _ => args.select(option, &mut selection)?,
        }
    }
    if garbage && !selection.is_all() {
        return Err(Error::usage("--unreachable takes no selection"));
    }
    if way.with_path && selection.is_all() {
        return Err(Error::usage(
            "--with-path: the path to which objects? Say --id @N, --class NAME or the like",
        ));
    }
    let inputs = args.inputs()?.again();
    let mut writer = Writer::new(out).provenance(args.provenance(), true);
    for (index, mut input) in inputs.opened() {
        let labels = !way.via.is_empty();
        let keep = Keep { ids: true, labels, kinds: labels, weak: !garbage, ..Keep::default() };
        let mut load = GraphLoader::new(selection.clone(), keep, labels)
            .with_limit(limit(memory), if labels { LABELLED } else { IN_MEMORY });
        let first = inputs.read_open(index, &mut input, &mut load)?;
        if first == Outcome::Refused {
            continue;
        }
        load.missing()?.iter().for_each(|what| heap_cli::warn(what));
        let (mut loaded, large) = load.build_within()?;
        let (any, (ids, labelled)) = if let Some(large) = large {
            let starts: BitSet =
                if selection.is_all() { (0..large.nodes()).collect() } else { loaded.chosen_set() };
            loaded.chosen = Vec::new();
            let found = if garbage {
                (unreachable_far(&loaded, large)?, true)
            } else {
                walk_far(&loaded, large, &way, &starts)?
            };
            (starts.count() > 0, found)
        } else {
            if selection.is_all() {
                loaded.chosen = (0..loaded.heap.graph.nodes()).collect();
            }
            let found = if garbage { (unreachable(&loaded), true) } else { walk(&loaded, &way)? };
            (!loaded.chosen.is_empty(), found)
        };
        if !labelled && any {
            heap_cli::warn("no edge on the way has a label that --via names");
        }
        drop(loaded);
        let mut filter = Filter::new(Selection::default().among(ids), Edges::Inner, &mut writer);
        inputs.read_again(index, &mut input, first, &mut filter)?;
        filter.end_snapshot()?;
    }
    writer.finish(inputs.is_intact())?;
    Ok(inputs.status())
}
