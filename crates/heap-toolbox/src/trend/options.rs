//! heap-trend: how classes grow over a series of dumps. See `man/heap-trend.1`.

use crate::memory::MEMORY;
use crate::sum::{By, RetainedSum};
use crate::trend::rows;
use crate::trend::{Trend, TrendColumns};
use heap_cli::{
    Args, Error, Example, Flag, GATE, INPUT, Out, Outcome, SELECTION, Status, Tool, output, own, switch,
};
use heap_ops::gate::Gate;
use heap_ops::select::Selection;
use heap_record::SnapshotSelector;

/// What --sort takes.
const COLUMNS: &[&str] = &[
    "class",
    "dumps",
    "count",
    "size",
    "count_delta",
    "size_delta",
    "count_slope",
    "slope",
    "fit",
    "growth",
    "retained",
    "retained_delta",
    "retained_slope",
];

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-trend",
    about: "say how classes grow over a series of dumps",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            switch(
                None,
                "long",
                "a row for each class and dump, to be drawn or joined\n\
                 Classes come in the order of their slopes. A class that a dump lacks has zeros there.",
            ),
            Flag {
                short: None,
                long: "by",
                value: Some("class|subtype|name|file|FIELDS"),
                help: "group by these, parted by commas, as heap-sum does\n\
                       By file or tag.KEY each input, or each value of the tag, has a series of its own dumps.",
            },
            switch(
                None,
                "retained",
                "also what the groups retain\n\
                 Takes the whole graph of each dump, unless it comes from heap-dom. Of a file with several snapshots \
                 name each: FILE@0 FILE@1.",
            ),
            Flag {
                short: None,
                long: "fail-on",
                value: Some("CONDITION"),
                help: "exit with status 1 if this holds for a group: 'growth=steady and slope > 10K'\n\
                       Columns: the groupings and those of the report. A percentage of a delta or slope is one of the \
                       first dump. Only such rows are written.",
            },
            MEMORY,
        ]),
        GATE,
        SELECTION,
        output(COLUMNS),
        INPUT,
    ],
    examples: &[
        Example {
            about: "what grows",
            command: "heap-trend -n 10 before.heapsnapshot after.heapsnapshot later.heapsnapshot",
        },
        Example { about: "all snapshots of one file", command: "heap-trend -n 10 app.mvmheap" },
        Example {
            about: "one class over time, as CSV for a plot",
            command: "heap-trend --long --csv --class Session before.heapsnapshot after.heapsnapshot later.heapsnapshot",
        },
        Example {
            about: "a gate for CI",
            command: "heap-trend --fail-on 'growth=steady and slope > 1M' before.heapsnapshot after.heapsnapshot later.heapsnapshot",
        },
        Example {
            about: "classes that never shrink, with jq",
            command: "heap-trend before.heapsnapshot after.heapsnapshot later.heapsnapshot | jq -r 'select(.growth==\"steady\").class'",
        },
    ],
    notes: "The dumps come in the order given; of a file with several snapshots all count, unless --snapshot or FILE@N says \
            otherwise. count and size are those of the last dump, the deltas what it has more than the first. slope is by \
            how many bytes the group grows from dump to dump, by least squares, and fit the part of the variance that \
            this line explains, 0 to 1. growth is steady if each dump has more bytes than the one before, rising if none \
            has less, falling, flat or mixed.\n\n\
            A damaged dump is left out and keeps its place; the status is 2.",
    exit: &[
        ("0", "done"),
        ("1", "the condition of --fail-on holds"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut selection, mut by) = (Selection::default(), Vec::new());
    let (mut long, mut retained, mut memory) = (false, false, None);
    while let Some(option) = args.next()? {
        match option {
            "long" => long = true,
            "retained" => retained = true,
            "memory" => memory = Some(args.size()?),
            "fail-on" => args.fail_on()?,
            "by" => By::add(&mut by, &args.fields()?),
            _ => args.select(option, &mut selection)?,
        }
    }
    if by.contains(&By::Snapshot) {
        return Err(Error::usage(
            "a snapshot is a dump of the series here; --by takes what they have in common",
        ));
    }
    // Without a word all snapshots of a file count.
    args.input.pick.get_or_insert(SnapshotSelector::All);
    let mut trend = Trend::new(by, selection);
    let mut gate = args.gate(&TrendColumns { by: trend.columns().collect() })?;
    retained |= gate.as_ref().is_some_and(Gate::needs_retained);
    let inputs = args.inputs()?;
    for index in 0..inputs.len() {
        let sum = trend.begin(|name| inputs.known(index, name))?;
        let (outcome, sum) = if retained {
            let mut with_graph = RetainedSum::new(sum, memory);
            let outcome = inputs.read(index, &mut with_graph)?;
            (outcome, if outcome == Outcome::Whole { Some(with_graph.build()?) } else { None })
        } else {
            let mut sum = sum;
            (inputs.read(index, &mut sum)?, Some(sum))
        };
        if let Some(sum) = sum.filter(|_| outcome == Outcome::Whole) {
            trend.end(&inputs.known(index, "file").unwrap_or_default(), sum)?;
        } else {
            trend.skip();
        }
    }
    let doubt = trend.is_series(inputs.repeated())?;
    let make = if long { rows::points } else { rows::series };
    let report = make(&trend, gate.as_mut(), &args.output)?;
    if let Some(gate) = &mut gate {
        let one = trend.dumps().len() < 2;
        gate.needs(|column, _| {
            (one && TrendColumns::compares(column)).then_some("it takes two dumps or more")
        });
        gate.end();
        if let Some(why) = &doubt {
            why.refuse(gate);
        }
    }
    let status = args.close(gate.as_ref(), &inputs)?;
    report.write(out)?;
    if let Some(why) = &doubt {
        heap_cli::warn(why.text());
    }
    trend.missing().iter().for_each(|what| heap_cli::warn(what));
    gate.iter().flat_map(Gate::unmet).for_each(|what| heap_cli::warn(&what));
    Ok(status)
}
