//! heap-cat: any dump or stream as the record stream. See `man/heap-cat.1`.

use crate::cat::{Only, Tagged};
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Out, Status, Tool, own};
use heap_record::write::Form;
use heap_record::{Tag, Writer};

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-cat",
    about: "write any heap dump as a stream of records",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "only",
                value: Some("TYPES"),
                help: "only these record types, parted by commas: node,edge,string\n\
                       Also metadata, type, node_type, edge_type, and extension types such as v8.location. Without \
                       --only all are written.",
            },
            Flag {
                short: None,
                long: "tag",
                value: Some("KEY=VALUE"),
                help: "add this tag to the metadata, such as pod=17; may repeat\n\
                       The key is letters, digits and _. heap-sum --by tag.KEY and heap-to parquet --tag KEY find it.",
            },
        ]),
        INPUT,
    ],
    examples: &[
        Example {
            about: "the main pipeline",
            command: "heap-cat app.heapsnapshot | heap-filter --type Array | heap-sum",
        },
        Example {
            about: "count the edges by subtype with jq",
            command: "heap-cat --only edge app.heapsnapshot | jq .subtype | sort -n | uniq -c",
        },
        Example {
            about: "keep a stream for later",
            command: "heap-cat app.heapsnapshot | zstd -q > app.ndjson.zst",
        },
    ],
    notes: "Reads V8, WebKit, MoarVM and Dart heap snapshots, core dumps of Node.js, Java and Ruby heap dumps, Chromium memory-infra traces, heap \
            profiles of pprof, jemalloc, gperftools and Go, SQLite files and record streams, \
            plain or packed with zstd or gzip. A stream in another spelling, such as jq or heap-names print, comes \
            out in canonical form.\n\n\
            Of a file with several snapshots the last is written unless --snapshot says otherwise.",
    exit: EXIT,
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut only, mut tags) = (None, Vec::new());
    while let Some(option) = args.next()? {
        match option {
            "only" => {
                let types = args.text()?;
                only.get_or_insert_with(Only::default).add(&types).map_err(|name| {
                    args.invalid(&name, "metadata, type, node_type, edge_type, string, node, edge or ns.name")
                })?;
            }
            "tag" => {
                let text = args.text()?;
                let tag = Tag::parse(&text).map_err(Error::usage)?;
                if tag.value.is_none() {
                    return Err(args.invalid(&text, "KEY=VALUE"));
                }
                tags.retain(|other: &Tag| other.key != tag.key);
                tags.push(tag);
            }
            _ => return Err(args.unexpected()),
        }
    }
    let inputs = args.inputs()?;
    let writer = Writer::new(out).form(Form::Canonical).provenance(args.provenance(), false);
    match (only, tags.is_empty()) {
        (None, true) => inputs.pump(&mut { writer }),
        (None, false) => inputs.pump(&mut Tagged::new(tags, writer)),
        (Some(only), _) => inputs.pump(&mut Tagged::new(tags, only.to(writer))),
    }
}
