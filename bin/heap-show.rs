//! heap-show: one object in full. See `man/heap-show.1`.

use std::process::ExitCode;

use heap_cli::report::Unit;
use heap_cli::{Args, Cell, Column, Error, Example, INPUT, OUTPUT, Out, Report, SELECTION, Status, Tool};
use heap_ops::select::Selection;
use heap_ops::show::{End, Show, Shown};

const TOOL: Tool = Tool {
    name: "heap-show",
    about: "show an object with its fields and edges",
    usage: "[OPTIONS] --id @N [FILE...]",
    flags: &[SELECTION, OUTPUT, INPUT],
    examples: &[
        Example {
            about: "an object by the number that DevTools shows",
            command: "heap-show --id @1 app.heapsnapshot",
        },
        Example {
            about: "every instance of a class",
            command: "heap-show --class Session app.heapsnapshot | head -n 20",
        },
        Example {
            about: "who refers to it, with jq",
            command: "heap-show --id @3 app.heapsnapshot | jq -c 'select(.part==\"in\")'",
        },
    ],
    notes: "One row for the object (part node), one for each field (part field), for each edge from it (part out) and \
            to it (part in), with class, name and size of the other end.",
    exit: &[
        ("0", "done"),
        ("1", "no object was selected"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    while let Some(option) = args.next()? {
        args.select(option, &mut selection)?;
    }
    if selection.is_all() {
        return Err(Error::usage("which objects? Say --id @N, --class NAME or the like"));
    }
    let inputs = args.inputs()?;
    let mut show = Show::new(selection);
    let status = inputs.pump(&mut show)?;
    report(show.nodes(), args)?.write(out)?;
    show.missing().iter().for_each(|what| heap_cli::warn(what));
    Ok(if show.nodes().is_empty() { status.max(Status::No) } else { status })
}

fn report(nodes: &[Shown], args: &Args) -> Result<Report, Error> {
    let columns = [
        ("snapshot", Unit::Text),
        ("part", Unit::Text),
        ("label", Unit::Text),
        ("kind", Unit::Text),
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("value", Unit::Text),
        ("size", Unit::Bytes),
    ];
    let from = usize::from(nodes.iter().all(|n| n.snapshot.is_none()));
    let kept = columns[from..].iter().map(|(key, unit)| Column::new(*key, *unit)).collect();
    let mut report = Report::new("heap.show", kept, "", &args.output)?;
    for node in nodes {
        let mut row = |cells: [Cell; 7]| {
            let snapshot = Cell::snapshot(node.snapshot.as_deref());
            report.row(std::iter::once(snapshot).chain(cells).skip(from).collect());
        };
        let size = node.fields.iter().find(|f| f.0 == "heap.size").and_then(|f| f.1.parse::<u64>().ok());
        row([
            "node".into(),
            Cell::Absent,
            node.subtype.as_str().into(),
            Cell::Shown(node.id, format!("@{}", node.number)),
            node.class.as_str().into(),
            node.name.clone().into(),
            size.into(),
        ]);
        for (name, value) in &node.fields {
            let (name, value) = (name.as_str().into(), value.as_str().into());
            row(["field".into(), name, Cell::Absent, Cell::Absent, Cell::Absent, value, Cell::Absent]);
        }
        node.out.iter().for_each(|end| row(edge("out", end)));
        node.into.iter().for_each(|end| row(edge("in", end)));
    }
    Ok(report)
}

fn edge(part: &str, end: &End) -> [Cell; 7] {
    // A small integer is its own value.
    let small = end.other.filter(|id| id & 1 == 0).map(|n| (n >> 1).to_string());
    let id = match (end.other, end.number) {
        (Some(id), Some(number)) => Cell::Shown(id, format!("@{number}")),
        _ => Cell::Absent,
    };
    [
        part.into(),
        end.label.clone().into(),
        end.kind.as_str().into(),
        id,
        end.class.clone().into(),
        end.name.clone().or(small).into(),
        end.size.into(),
    ]
}
