//! heap-sum: group nodes and add up their counts and sizes. See `man/heap-sum.1`.

use crate::memory::{MEMORY, guard};
use crate::sum::rows;
use crate::sum::{By, RetainedSum, Sum, SumColumns, begin_input};
use heap_cli::{
    Args, Error, Example, Flag, GATE, INPUT, Inputs, Out, Outcome, SELECTION, Status, Tool, output, own,
};
use heap_devtools::View;
use heap_ops::OnePass;
use heap_ops::gate::Gate;
use heap_ops::select::Selection;
use heap_record::Sink;

/// What --sort takes.
const COLUMNS: &[&str] = &["class", "subtype", "name", "snapshot", "count", "size", "external", "retained"];

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-sum",
    about: "group nodes and add up counts and sizes",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "retained",
                value: None,
                help: "add the column retained: what would go with the group\n\
                       Nodes below another one of their group in the dominator tree count once. Needs the whole graph, \
                       unless the stream comes from heap-dom; --sort retained implies it.",
            },
            Flag {
                short: None,
                long: "by",
                value: Some("class|package|subtype|name|snapshot|file|FIELDS"),
                help: "group by these, parted by commas: class, package, subtype, name, snapshot, file, location, tag.KEY or any field\n\
                       The default is class. A node without a class counts under its subtype in brackets: (closure). \
                       A package is what stands before the last dot of the class, of Go before the first dot behind the last slash, \
                       location the function with file and line. Of a dump with stacks of allocation function, script_name, line, column and \
                       location are of what allocated a node. \
                       Of several inputs file is the name, tag.KEY the folder KEY=VALUE that it is in, as in a data set of \
                       heap-to parquet, or else its metadata KEY; host, pid and time stand for the keys that formats have.",
            },
            Flag {
                short: None,
                long: "devtools",
                value: None,
                help: "V8: the rows of Chrome DevTools' summary, figure for figure\n\
                       Classes of one name are separate rows if their source is in different places; plain objects \
                       are named after their properties, backing stores count with their owners; nodes without size are left out.",
            },
            Flag {
                short: None,
                long: "fail-on",
                value: Some("CONDITION"),
                help: "exit with status 1 if this holds for a row: 'class=Session and size > 5% of total'\n\
                       Columns: the groupings, count, size, external, retained, and total. before the first three. Only \
                       such rows are written.",
            },
            MEMORY,
        ]),
        GATE,
        SELECTION,
        output(COLUMNS),
        INPUT,
    ],
    examples: &[
        Example { about: "what takes the space", command: "heap-sum -n 20 app.heapsnapshot" },
        Example {
            about: "the main pipeline",
            command: "heap-cat app.heapsnapshot | heap-filter --type Array | heap-sum",
        },
        Example {
            about: "what keeps most alive",
            command: "heap-sum --sort retained -n 20 app.heapsnapshot",
        },
        Example {
            about: "what the Memory panel of Chrome shows",
            command: "heap-sum --devtools -n 20 app.heapsnapshot",
        },
        Example {
            about: "which functions allocated what is still there",
            command: "heap-sum --by function -n 5 traced.heapsnapshot",
        },
        Example { about: "a gate for CI", command: "heap-sum --fail-on 'total.size > 1G' app.heapsnapshot" },
        Example { about: "by subtype, as CSV", command: "heap-sum --by subtype --csv app.heapsnapshot" },
        Example {
            about: "bytes in closures, with jq",
            command: "heap-sum app.heapsnapshot | jq 'select(.class==\"(closure)\").size'",
        },
    ],
    notes: "Columns are count and size, external where nodes say how many bytes they hold outside the heap, and \
            retained where it is asked for or the stream has it. The largest size comes first. Of an input with several snapshots each is added up for itself.",
    exit: &[
        ("0", "done"),
        ("1", "the condition of --fail-on holds"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut by = Vec::new();
    let (mut retained, mut devtools) = (false, false);
    let mut memory = None;
    while let Some(option) = args.next()? {
        match option {
            "retained" => retained = true,
            "devtools" => devtools = true,
            "memory" => memory = Some(args.size()?),
            "fail-on" => args.fail_on()?,
            "by" => By::add(&mut by, &args.fields()?),
            _ => args.select(option, &mut selection)?,
        }
    }
    let mut columns: Vec<_> = by.iter().map(|by| by.name().to_owned()).collect();
    if columns.is_empty() {
        columns.push("class".to_owned());
    }
    columns.push("snapshot".to_owned());
    let mut gate = args.gate(&SumColumns { by: columns })?;
    retained |= gate.as_ref().is_some_and(Gate::needs_retained);
    let inputs = args.inputs()?;
    if devtools {
        if !by.is_empty() || !selection.is_all() || inputs.len() > 1 || gate.is_some() {
            return Err(Error::usage(
                "--devtools takes one whole snapshot: no --by, no selection, no --fail-on",
            ));
        }
        let mut view = View::new().guarded(guard(memory));
        if inputs.read(0, &mut view)? != Outcome::Whole {
            return Ok(Status::Failed);
        }
        rows::devtools(&view.build()?, &args.output)?.write(out)?;
        return Ok(Status::Done);
    }
    let sum = Sum::new(by, selection);
    retained |= args.output.sort.as_ref().is_some_and(|key| key.trim_start_matches('-') == "retained");
    let Some(sum) =
        (if retained { with_retained(sum, &inputs, memory)? } else { Some(added_up(sum, &inputs)?) })
    else {
        return Ok(Status::Failed);
    };
    let report = rows::groups(sum.report(), gate.as_mut(), &args.output)?;
    gate.iter_mut().for_each(Gate::end);
    let status = args.close(gate.as_ref(), &inputs)?;
    report.write(out)?;
    sum.missing().iter().for_each(|what| heap_cli::warn(what));
    gate.iter().flat_map(Gate::unmet).for_each(|what| heap_cli::warn(&what));
    Ok(status)
}

/// The sum of all inputs.
fn added_up(mut sum: OnePass<Sum>, inputs: &Inputs) -> Result<OnePass<Sum>, Error> {
    for index in 0..inputs.len() {
        begin_input(&mut sum, |name| inputs.known(index, name))?;
        if inputs.read(index, &mut sum)? == Outcome::Stopped {
            break;
        }
    }
    sum.finish(inputs.is_intact())?;
    Ok(sum)
}

/// The same with retained sizes; `None` if the inputs are several heaps, which have no one graph.
fn with_retained(
    mut sum: OnePass<Sum>,
    inputs: &Inputs,
    memory: Option<u64>,
) -> Result<Option<OnePass<Sum>>, Error> {
    begin_input(&mut sum, |name| inputs.known(0, name))?;
    let mut with_graph = RetainedSum::new(sum, memory);
    for index in 0..inputs.len() {
        match inputs.read(index, &mut with_graph)? {
            Outcome::Whole | Outcome::Damaged => {}
            Outcome::Stopped => break,
            Outcome::Refused => return Ok(None),
        }
    }
    let mut sum = with_graph.build()?;
    sum.finish(inputs.is_intact())?;
    Ok(Some(sum))
}
