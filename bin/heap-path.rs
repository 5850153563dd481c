//! heap-path: why objects are alive. See `man/heap-path.1`.

use std::io::Write;
use std::process::ExitCode;

use heap_cli::report::{Format, Unit};
use heap_cli::{
    Args, Cell, Column, Error, Example, Flag, INPUT, OUTPUT, Out, Outcome, Report, SELECTION, Status, Tool,
    own, text,
};
use heap_graph::Keep;
use heap_ops::glob::Glob;
use heap_ops::select::Selection;
use heap_ops::whole::load::{Load, Loaded};
use heap_ops::whole::path::{Step, each, merged};

const TOOL: Tool = Tool {
    name: "heap-path",
    about: "say why objects are alive",
    usage: "[OPTIONS] --id @N [FILE]",
    flags: &[
        own(&[
            Flag {
                short: Some('k'),
                long: "paths",
                value: Some("N"),
                help: "up to N paths to each object that share no object in between\n\
                       The default is 1, a shortest one.",
            },
            Flag {
                short: None,
                long: "merge",
                value: Some("class"),
                help: "fold the paths of all selected objects into one tree by class\n\
                       Neighbours of one class on a path, such as the links of a list, count as one.",
            },
            Flag {
                short: None,
                long: "avoid",
                value: Some("GLOB"),
                help: "no paths through objects of this type\n\
                       May be given more than once.",
            },
        ]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[
        Example {
            about: "one object, by the number that DevTools shows",
            command: "heap-path --id @3 app.heapsnapshot",
        },
        Example {
            about: "what holds all instances of a class",
            command: "heap-path --class Session --merge class app.heapsnapshot",
        },
        Example {
            about: "the last step of each path, with jq",
            command: "heap-path --class Session app.heapsnapshot | jq -s 'group_by(.path) | map(.[-2].class) | group_by(.) | map([.[0], length])'",
        },
    ],
    notes: "A path leads from a root to the object over edges that keep their target alive; weak ones never count. \
            Without --merge each object has rows of its own: path numbers the paths, step the objects on them from \
            the root on, label and kind say which edge led there. An object that no root keeps alive has no path.",
    exit: &[
        ("0", "done"),
        ("1", "no object was selected, or no root keeps any of them alive"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let (mut k, mut merge, mut avoid) = (1, false, Vec::new());
    while let Some(option) = args.next()? {
        match option {
            "paths" => k = args.parse("a number")?,
            "merge" => match args.text()?.as_str() {
                "class" => merge = true,
                other => return Err(args.invalid(other, "class")),
            },
            "avoid" => avoid.push(Glob::new(&args.text()?)),
            _ => args.select(option, &mut selection)?,
        }
    }
    if selection.is_all() {
        return Err(Error::usage("which objects? Say --id @N, --class NAME or the like"));
    }
    let inputs = args.inputs()?;
    let keep =
        Keep { ids: true, classes: true, names: true, labels: !merge, kinds: !merge, ..Keep::default() };
    let (mut any, mut status) = (false, Status::Done);
    for index in 0..inputs.len() {
        let Some(mut input) = inputs.open(index) else {
            status = Status::Failed;
            continue;
        };
        let mut load = Load::new(selection.clone(), keep, true);
        if inputs.read_open(index, &mut input, &mut load)? != Outcome::Whole {
            status = Status::Failed;
        }
        let loaded = load.build()?;
        any |= if merge {
            tree(&loaded, &avoid, args, out)?
        } else if args.output.format.unwrap_or(default_format(out)) == Format::Table {
            sentences(&loaded, k, &avoid, out)?
        } else {
            rows(&loaded, k, &avoid, args, out)?
        };
    }
    Ok(if any { status } else { status.max(Status::No) })
}

fn default_format(out: &Out) -> Format {
    if out.is_terminal() { Format::Table } else { Format::Json }
}

fn rows(loaded: &Loaded, k: usize, avoid: &[Glob], args: &Args, out: &mut Out) -> Result<bool, Error> {
    let columns = [
        ("path", Unit::Count),
        ("step", Unit::Count),
        ("label", Unit::Text),
        ("kind", Unit::Text),
        ("identifier", Unit::Id),
        ("class", Unit::Text),
        ("name", Unit::Text),
        ("size", Unit::Bytes),
    ];
    let columns = columns.iter().map(|(key, unit)| Column::new(*key, *unit)).collect();
    let mut report = Report::new("heap.path", columns, "", &args.output)?;
    let (mut path, mut any) = (0u64, false);
    let mut failed = None;
    each(loaded, k, avoid, |_, steps| {
        any = true;
        for (i, step) in steps.into_iter().enumerate() {
            let row = vec![
                path.into(),
                i.into(),
                step.label.into(),
                step.kind.into(),
                Cell::Shown(step.id, format!("@{}", step.number)),
                step.class.into(),
                step.name.into(),
                step.size.into(),
            ];
            // Paths of many objects can be far longer than the dump: each row goes out at once.
            match report.emit(row, out) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(e) => {
                    failed = Some(e);
                    return Ok(false);
                }
            }
        }
        path += 1;
        Ok(true)
    })?;
    if let Some(e) = failed {
        return Err(e);
    }
    report.write(out)?;
    Ok(any)
}

/// `Session @6163 (56 bytes) is kept alive by`, then the way back to the root, one object a line.
fn sentences(loaded: &Loaded, k: usize, avoid: &[Glob], out: &mut Out) -> Result<bool, Error> {
    let shown = |step: &Step| {
        let name =
            step.name.as_deref().filter(|name| !name.is_empty()).map_or(String::new(), |n| format!(" {n}"));
        format!("{}{name} @{}", step.class, step.number)
    };
    let mut lines = String::new();
    let mut any = false;
    each(loaded, k, avoid, |_, steps| {
        if any {
            lines.push('\n');
        }
        any = true;
        for (i, step) in steps.iter().enumerate().rev() {
            let what = match (i, i + 1 == steps.len(), steps.get(i + 1)) {
                (0, true, _) => format!("{} is a root", shown(step)),
                (_, true, _) => format!("{} ({} bytes) is kept alive by", shown(step), step.size),
                (_, _, next) => {
                    let label = next.and_then(|n| n.label.as_deref()).unwrap_or("?");
                    let kind = next.and_then(|n| n.kind.as_deref()).unwrap_or("edge");
                    let end = if i == 0 { ", a root" } else { "" };
                    format!("    {label}  in  {}{end}   ({kind})", shown(step))
                }
            };
            text::visible(&mut lines, &what);
            lines.push('\n');
        }
        let written = out.write_all(lines.as_bytes());
        lines.clear();
        written.map(|()| true).map_err(heap_record::Error::write)
    })?;
    Ok(any)
}

fn tree(loaded: &Loaded, avoid: &[Glob], args: &Args, out: &mut Out) -> Result<bool, Error> {
    let columns = [
        ("depth", Unit::Count),
        ("count", Unit::Count),
        ("size", Unit::Bytes),
        ("ends", Unit::Count),
        ("class", Unit::Text),
    ];
    let columns = columns.iter().map(|(key, unit)| Column::new(*key, *unit)).collect();
    let mut report = Report::new("heap.path", columns, "", &args.output)?;
    let table = args.output.format.unwrap_or(default_format(out)) == Format::Table;
    let branches = merged(loaded, avoid)?;
    for branch in &branches {
        let indent = if table { "  ".repeat(branch.depth.min(40) as usize) } else { String::new() };
        let class = format!("{indent}{}", branch.class);
        report.row(vec![
            u64::from(branch.depth).into(),
            branch.count.into(),
            branch.size.into(),
            branch.ends.into(),
            class.into(),
        ]);
    }
    report.write(out)?;
    Ok(!branches.is_empty())
}
