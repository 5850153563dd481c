//! heap-sum: group nodes and add up their counts and sizes. See `man/heap-sum.1`.

use std::process::ExitCode;

use heap_cli::report::Unit;
use heap_cli::{
    Args, Cell, Column, EXIT, Error, Example, Flag, INPUT, Inputs, OUTPUT, Out, Outcome, Report, SELECTION,
    Status, Tool, own,
};
use heap_devtools::{Group, View};
use heap_ops::field::Content;
use heap_ops::select::Selection;
use heap_ops::sum::{By, Sum, Totals};
use heap_ops::whole::sum::RetainedSum;
use heap_record::Sink;

const TOOL: Tool = Tool {
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
                value: Some("FIELDS"),
                help: "group by these, parted by commas: class, subtype, name, snapshot or any field\n\
                       The default is class. A node without a class stands under its subtype in brackets: (closure).",
            },
            Flag {
                short: None,
                long: "devtools",
                value: None,
                help: "V8: the rows of Chrome DevTools' summary, figure for figure\n\
                       Classes of one name stand apart by where their source is, plain objects are named after \
                       their properties, backing stores count with their owners; nodes without size are left out.",
            },
        ]),
        SELECTION,
        OUTPUT,
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
        Example { about: "by subtype, as CSV", command: "heap-sum --by subtype --csv app.heapsnapshot" },
        Example {
            about: "bytes in closures, with jq",
            command: "heap-sum app.heapsnapshot | jq 'select(.class==\"(closure)\").size'",
        },
    ],
    notes: "Columns are count and size, external where nodes say how many bytes they hold outside the heap, and \
            retained where it is asked for or the stream has it. The largest size comes first. Of an input with several snapshots each is added up for itself.",
    exit: EXIT,
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut by = Vec::new();
    let (mut retained, mut devtools) = (false, false);
    while let Some(option) = args.next()? {
        match option {
            "retained" => retained = true,
            "devtools" => devtools = true,
            "by" => by.extend(args.text()?.split(',').filter(|f| !f.is_empty()).map(By::named)),
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    if devtools {
        if !by.is_empty() || !selection.is_all() || inputs.len() > 1 {
            return Err(Error::usage("--devtools takes one whole snapshot: no --by, no selection"));
        }
        return summary(&inputs, args, out);
    }
    let mut sum = Sum::new(by, selection);
    retained |= args.output.sort.as_ref().is_some_and(|key| key.trim_start_matches('-') == "retained");
    let status = if retained {
        let mut with_graph = RetainedSum::new(sum);
        let status = inputs.pump(&mut with_graph)?;
        sum = with_graph.build()?;
        sum.finish(status == Status::Done)?;
        status
    } else {
        inputs.pump(&mut sum)?
    };
    report(&sum, args)?.write(out)?;
    sum.missing().iter().for_each(|what| heap_cli::warn(what));
    Ok(status)
}

/// The summary of Chrome DevTools.
fn summary(inputs: &Inputs, args: &Args, out: &mut Out) -> Result<Status, Error> {
    let mut view = View::new();
    if inputs.read(0, &mut view)? != Outcome::Whole {
        return Ok(Status::Failed);
    }
    let units = [Unit::Text, Unit::Text, Unit::Count, Unit::Bytes, Unit::Bytes, Unit::Count];
    let keys = ["class", "key", "count", "size", "retained", "distance"];
    let columns = keys.into_iter().zip(units).map(|(key, unit)| Column::new(key, unit)).collect();
    let mut report = Report::new("heap.sum", columns, "retained", &args.output)?;
    for Group { key, class, count, size, retained, distance } in view.build()?.aggregates() {
        report.row(vec![
            class.into(),
            key.into(),
            count.into(),
            size.into(),
            retained.into(),
            distance.into(),
        ]);
    }
    report.write(out)?;
    Ok(Status::Done)
}

fn report(sum: &Sum, args: &Args) -> Result<Report, Error> {
    let rows = sum.rows();
    let external = rows.iter().any(|row| row.totals.external.is_some());
    let mut columns: Vec<_> = sum.columns().into_iter().map(|key| Column::new(key, Unit::Text)).collect();
    let keys = columns.len();
    columns.push(Column::new("count", Unit::Count));
    columns.push(Column::new("size", Unit::Bytes));
    if external {
        columns.push(Column::new("external", Unit::Bytes));
    }
    let retained = rows.iter().any(|row| row.totals.retained.is_some());
    if retained {
        columns.push(Column::new("retained", Unit::Bytes));
    }
    let mut report = Report::new("heap.sum", columns, "size", &args.output)?;
    let mut total = Totals::default();
    let cells = |totals: &Totals| {
        let external = external.then(|| Cell::from(totals.external));
        let retained = retained.then(|| Cell::from(totals.retained));
        [Cell::from(totals.count), Cell::from(totals.size)].into_iter().chain(external).chain(retained)
    };
    for row in &rows {
        // What groups retain overlaps, so it does not add up.
        total.add(&Totals { retained: None, ..row.totals });
        report.row(
            row.keys
                .iter()
                .map(|key| key.as_ref().map_or(Cell::Absent, cell))
                .chain(cells(&row.totals))
                .collect(),
        );
    }
    let name = |i| if i == 0 { Cell::from("total") } else { Cell::Absent };
    report.total((0..keys).map(name).chain(cells(&total)).collect());
    Ok(report)
}

fn cell(content: &Content) -> Cell {
    match content {
        Content::Int(n) => i64::try_from(*n).map_or_else(|_| Cell::Uint(*n as u64), Cell::Int),
        Content::Float(x) => Cell::Float(*x),
        Content::Text(text) => Cell::Text(text.clone()),
        Content::Bool(b) => Cell::Bool(*b),
    }
}
