//! heap-strings: strings that are there more than once. See `man/heap-strings.1`.

use std::process::ExitCode;

use heap_cli::report::Unit;
use heap_cli::{
    Args, Cell, Column, EXIT, Error, Example, Flag, INPUT, OUTPUT, Out, Report, SELECTION, Status, Tool, own,
};
use heap_ops::equal::Equal;
use heap_ops::select::Selection;

const TOOL: Tool = Tool {
    name: "heap-strings",
    about: "find equal strings and what they waste",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[Flag {
            short: None,
            long: "min-count",
            value: Some("N"),
            help: "only texts that N nodes hold or more\n\
                   The default is 2; 1 lists every string.",
        }]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example { about: "what duplicates cost", command: "heap-strings -n 10 app.heapsnapshot" },
        Example {
            about: "the longest strings",
            command: "heap-strings --min-count 1 --sort length -n 3 app.heapsnapshot",
        },
        Example {
            about: "bytes wasted in all, with jq",
            command: "heap-strings app.heapsnapshot | jq -s 'map(.wasted) | add'",
        },
    ],
    notes: "Compares the text of string nodes as the dump has it. Many sources cut long strings: cut is true where \
            one is known to be longer than what is seen (then its real length is told and compared), and absent \
            where a text is as long as the source's limit and nothing more is known. Strings that are put together \
            from others (string_cons, string_sliced) have no text of their own and are left out. Wasted are the \
            bytes of all but the first node.",
    exit: EXIT,
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let mut at_least = 2;
    while let Some(option) = args.next()? {
        match option {
            "min-count" => at_least = args.parse("a number")?,
            _ => args.select(option, &mut selection)?,
        }
    }
    let inputs = args.inputs()?;
    let mut equal = Equal::new(selection, at_least);
    let status = inputs.pump(&mut equal)?;
    report(&equal, args)?.write(out)?;
    equal.missing().iter().for_each(|what| heap_cli::warn(what));
    if status == Status::Done && !equal.has_text() {
        heap_cli::warn("no node has text: the source does not tell what its strings hold");
    }
    Ok(status)
}

fn report(equal: &Equal, args: &Args) -> Result<Report, Error> {
    let snapshots = equal.rows().iter().any(|row| row.snapshot.is_some());
    let columns = [
        ("snapshot", Unit::Text),
        ("count", Unit::Count),
        ("size", Unit::Bytes),
        ("wasted", Unit::Bytes),
        ("length", Unit::Count),
        ("cut", Unit::Text),
        ("first", Unit::Id),
        ("text", Unit::Text),
    ];
    let from = usize::from(!snapshots);
    let kept = columns[from..].iter().map(|(key, unit)| Column::new(*key, *unit)).collect();
    let mut report = Report::new("heap.strings", kept, "wasted", &args.output)?;
    let (mut count, mut size, mut wasted) = (0u64, 0u64, 0u64);
    for row in equal.rows() {
        count += row.count;
        size = size.saturating_add(row.size);
        wasted = wasted.saturating_add(row.wasted);
        let cells = [
            Cell::snapshot(row.snapshot.as_deref()),
            row.count.into(),
            row.size.into(),
            row.wasted.into(),
            row.length.into(),
            row.cut.into(),
            Cell::Shown(row.first, format!("@{}", row.number)),
            row.text.as_str().into(),
        ];
        report.row(cells.into_iter().skip(from).collect());
    }
    let mut total = vec![Cell::Absent; columns.len()];
    (total[1], total[2], total[3]) = (count.into(), size.into(), wasted.into());
    total[7] = "total".into();
    report.total(total.into_iter().skip(from).collect());
    Ok(report)
}
