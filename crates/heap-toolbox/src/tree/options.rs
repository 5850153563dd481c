//! heap-tree: what holds how much, as a tree with cumulative sizes. See `man/heap-tree.1`.

use crate::memory::{MEMORY, guard};
use crate::tree::rows;
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Out, Outcome, SELECTION, Status, Tool, output, own};
use heap_ops::select::Selection;
use heap_ops::tree::{Axes, Cutoff, TreeLoader, TreeOptions};
use heap_report::text::parse_size;
use heap_report::{Format, Report};

/// What --sort takes.
const COLUMNS: &[&str] = &["file", "depth", "name", "path", "class", "size", "count", "exact"];

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-tree",
    about: "show what holds how much, as a tree with cumulative sizes",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "by",
                value: Some("dom|frame|class|dom,class|frame,class"),
                help: "break down by these: dom, frame or class, or dom,class or frame,class\n\
                       dom, the default, is the dominator tree: what each thing alone keeps alive, things of one \
                       type merged. frame is the tree of backtraces of an allocation dump, or of the stacks \
                       at which objects were allocated. Of two axes every entry is broken down by both.",
            },
            Flag {
                short: None,
                long: "cut",
                value: Some("none|threshold=N|share=R|ratio=R|total=R"),
                help: "show only what passes: none, threshold=N, ratio=R, share=R or total=R\n\
                       threshold: at least N bytes. share: at least the part R of its parent. total: at least the \
                       part R of the whole. ratio: in descending order, up to the first that is less than the part \
                       R of the sum so far. R is 1/125, 0.8% or 0.008. The default is total=1% in tables, none \
                       elsewhere.",
            },
            Flag {
                short: None,
                long: "depth",
                value: Some("N"),
                help: "no more than N levels below the top\n\
                       The default is 20 in tables, 200 elsewhere.",
            },
            Flag {
                short: None,
                long: "self",
                value: None,
                help: "give what a node of two axes has of its own beside children an entry <self>\n\
                       Trees of one axis always have it.",
            },
            Flag {
                short: None,
                long: "other",
                value: None,
                help: "rows for <other>, what the entries shown leave over, outside tables too",
            },
            MEMORY,
        ]),
        SELECTION,
        output(COLUMNS),
        INPUT,
    ],
    examples: &[
        Example {
            about: "what keeps most alive, and what below that",
            command: "heap-tree app.heapsnapshot",
        },
        Example {
            about: "a table, with everything above 100 bytes",
            command: "heap-tree --table --cut threshold=100 app.heapsnapshot",
        },
        Example {
            about: "backtraces and types of an allocation dump",
            command: "heap-tree --by frame,class --cut threshold=40 --table trace.json",
        },
        Example {
            about: "who called a function that allocated what is still there",
            command: "heap-tree --by frame --where function=open --table traced.heapsnapshot",
        },
        Example {
            about: "where the strings hang",
            command: "heap-tree --subtype 'string*' --cut share=10% app.heapsnapshot",
        },
        Example {
            about: "the second level alone, with jq",
            command: "heap-tree --by dom,class app.heapsnapshot | jq -c 'select(.depth == 1 and .class == null)'",
        },
    ],
    notes: "Sizes and counts are cumulative: of all selected nodes at and below an entry. Rows have depth, name, path \
            (names from the top, separated by ';'; a ';' in a name becomes ','), class (absent: all classes), size and \
            count. An entry reachable by two paths is one row in JSON and CSV; a table shows it under both. <other> is \
            the rest of the parent: cut off, too deep, its own, or unknown to the dump. Cumulative cells of older \
            Chromium dumps are used as they are; exact is false where the dump leaves a total out and the row has the \
            sum of what is below it. Nodes that no root reaches are in no dominator tree.",
    exit: EXIT,
    run,
};

const AXES: &str = "dom, frame, class, dom,class or frame,class";
const CUT: &str = "none, threshold=N, ratio=R, share=R or total=R";

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut selection, mut options, mut memory) = (Selection::default(), TreeOptions::default(), None);
    while let Some(option) = args.next()? {
        match option {
            "by" => options.axes = args.parse_with(AXES, Axes::named)?,
            "cut" => options.cut = Some(args.parse_with(CUT, |text| Cutoff::parse(text, parse_size))?),
            "depth" => options.depth = Some(args.parse("a number")?),
            "self" => options.selves = true,
            "other" => options.others = true,
            "memory" => memory = Some(args.size()?),
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    let table = args.output.format.map_or(out.is_terminal(), |format| format == Format::Table);
    let plan = options.plan(table);
    let columns = rows::columns(table, inputs.len() > 1, options.axes.types);
    let mut report = Report::new("heap.tree", columns, "", &args.output)?;
    let mut deeper = false;
    inputs.each(|index, input| {
        let mut load = TreeLoader::new(plan.spec, selection.clone()).within(guard(memory));
        if inputs.read_open(index, input, &mut load)? == Outcome::Refused {
            return Ok(());
        }
        load.missing()?.iter().for_each(|what| heap_cli::warn(what));
        let tree = load.build()?;
        if let Some(what) = rows::without_stack(&tree) {
            heap_cli::note(inputs.name(index).filter(|_| inputs.len() > 1), &what);
        }
        let name = inputs.name(index).map_or("-".into(), |name| name.to_string_lossy());
        let file = (inputs.len() > 1).then_some(name.as_ref());
        deeper |= rows::lines(&tree, plan.view, table, file, &mut report, out)?;
        Ok(())
    })?;
    report.write(out)?;
    if deeper && let Some(what) = plan.too_deep() {
        heap_cli::warn(&what);
    }
    Ok(inputs.status())
}
