//! heap-suspects: what is wrong here? See `man/heap-suspects.1`.

use crate::suspects::rows;
use crate::suspects::{Doubt, Findings, Limits, Suspect, SuspectColumns, loader, remember, suspects, value};
use heap_base::Set;
use heap_cli::{Args, Error, Example, Flag, GATE, INPUT, Out, Outcome, Status, Tool, output, own};
use heap_ops::graph::NamedGraph;
use heap_ops::select::Selection;
use heap_ops::select::condition::{Of, Values};
use heap_ops::select::field::Content;
use heap_report::Output;

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-suspects",
    about: "say what is wrong in a heap",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: None,
                long: "share",
                value: Some("PERCENT"),
                help: "a suspect has at least this part of the heap\n\
                       The default is 1.",
            },
            Flag {
                short: None,
                long: "growth",
                value: Some("PERCENT"),
                help: "what has grown has at least this part of what the heap grew by\n\
                       The default is 5.",
            },
            Flag { short: None, long: "all", value: None, help: "show notes in tables too" },
            Flag {
                short: None,
                long: "fail-on",
                value: Some("CONDITION"),
                help: "exit with status 1 if this holds for a suspect: 'kind=growth and growth>1M'\n\
                       Columns: rank, level, kind, class, retained, external, share, growth, turnover, runtime, count, \
                       holds, behind, path. Only such rows are written.",
            },
        ]),
        GATE,
        output(&[
            "rank",
            "level",
            "kind",
            "identifier",
            "class",
            "retained",
            "external",
            "share",
            "growth",
            "steps",
            "history",
            "course",
            "turnover",
            "runtime",
            "place",
            "path",
            "holds",
            "behind",
            "text",
        ]),
        INPUT,
    ],
    examples: &[
        Example { about: "what is wrong here", command: "heap-suspects app.heapsnapshot" },
        Example {
            about: "what has grown where",
            command: "heap-suspects before.heapsnapshot after.heapsnapshot later.heapsnapshot",
        },
        Example {
            about: "a gate for CI",
            command: "heap-suspects before.heapsnapshot after.heapsnapshot --fail-on 'growth > 1M'",
        },
        Example {
            about: "the sentences alone, with jq",
            command: "heap-suspects app.heapsnapshot | jq -r .text",
        },
    ],
    notes: "A suspect is an accumulation point, an object below which much hangs that no single object further down \
            accounts for; growth, the same of what earlier dumps lack; detached DOM nodes; equal strings; arrays that \
            are nearly empty; functions of one place in the source, or objects of one class, that retain much in many \
            places. Each is named by its holder, the last object that a property, a field or a variable of the \
            program leads to. What hangs below the roots themselves is the virtual machine's own and is left out. \
            Several files are dumps of one process in the order given; suspects are those of the last.",
    exit: &[
        ("0", "done"),
        ("1", "the condition of --fail-on holds"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut limits, mut all) = (Limits::default(), false);
    while let Some(option) = args.next()? {
        match option {
            "share" => limits.share = percent(args, "--share")?,
            "growth" => limits.growth = percent(args, "--growth")?,
            "all" => all = true,
            "fail-on" => args.fail_on()?,
            _ => args.select(option, &mut Selection::default())?,
        }
    }
    let mut gate = args.gate(&SuspectColumns)?;
    let inputs = args.inputs()?;
    let (mut earlier, mut status, mut findings) = (Vec::new(), Status::Done, Findings::default());
    for index in 0..inputs.len() {
        let mut load = loader();
        let Some(mut input) = inputs.open(index) else {
            status = Status::Failed;
            continue;
        };
        let outcome = inputs.read_open(index, &mut input, &mut load)?;
        if outcome != Outcome::Whole {
            status = Status::Failed;
        }
        if outcome == Outcome::Refused {
            continue;
        }
        let (graph, clues) = load.build()?;
        if index + 1 < inputs.len() {
            earlier.push(remember(graph, &clues, limits)?);
        } else {
            if let Some(gate) = gate.as_mut().filter(|gate| gate.seeks()) {
                texts(&graph, |text| gate.text_of_input(text))?;
            }
            findings = suspects(graph, &clues, &earlier, limits)?;
            // Of a damaged dump something else was said already.
            if status == Status::Done {
                findings.doubt.iter().for_each(|doubt| heap_cli::warn(doubt.text()));
                findings.unreached.doubt().iter().for_each(|doubt| heap_cli::warn(doubt));
            }
        }
    }
    if let Some(gate) = &mut gate {
        let dumps = inputs.len();
        gate.needs(|column, value| lacks(dumps, column, value));
        if let Some(Doubt::Unsound(why)) = &findings.doubt {
            gate.refuse(why);
        }
    }
    let mut found: Vec<(usize, Suspect)> = (1..).zip(std::mem::take(&mut findings.suspects)).collect();
    if let Some(gate) = &mut gate {
        let mut kept = Vec::new();
        for (rank, suspect) in found {
            let at = if suspect.place.is_empty() { "" } else { " at " };
            let name = format!("{}: {}{at}{}", suspect.kind.name(), suspect.class, suspect.place);
            if !gate.passes(&Row(rank, &suspect), &name, Some(rows::sentence(&suspect)))? {
                kept.push((rank, suspect));
            }
        }
        found = kept;
        gate.end_of_texts(&["path"]);
    }
    let status = args.close(gate.as_ref(), &inputs, status)?;
    if args.output.is_table(out) {
        let text = rows::page(&findings, &found, all || gate.is_some(), &args.output, out.screen());
        std::io::Write::write_all(out, text.as_bytes()).map_err(heap_base::Error::write)?;
        return Ok(status);
    }
    rows::report(&found, &args.output)?.write(out)?;
    Ok(status)
}

/// Why no suspect of so many dumps has a column, or a value in it.
fn lacks(dumps: usize, column: &str, value: Option<&str>) -> Option<&'static str> {
    match (column, value) {
        ("growth" | "turnover", _) | ("kind", Some("growth")) if dumps < 2 => {
            Some("growth takes two dumps or more of one process")
        }
        ("level", Some("leak")) if dumps < 3 => {
            Some("a leak takes three dumps or more of one process: one or two never prove it")
        }
        _ => None,
    }
}

/// The texts that rows may have: names of classes and objects, each once.
fn texts(loaded: &NamedGraph, mut found: impl FnMut(&str)) -> heap_base::Result {
    let heap = &loaded.heap;
    let nodes = 0..heap.graph.nodes();
    let ids: Set<i64> = nodes.flat_map(|node| [heap.class(node), heap.name(node)]).flatten().collect();
    for id in ids {
        found(&loaded.context.strings.text_or_number(id)?);
    }
    Ok(())
}

fn percent(args: &mut Args, option: &str) -> Result<f64, Error> {
    let percent: f64 = args.parse("a percentage")?;
    if !(0.0..=100.0).contains(&percent) {
        return Err(Error::usage(format!("{option} takes 0 to 100")));
    }
    Ok(percent / 100.0)
}

/// A suspect and its rank, for conditions.
struct Row<'a>(usize, &'a Suspect);

impl Values for Row<'_> {
    fn get(&self, name: &str) -> heap_base::Result<Option<Content>> {
        Ok(value(self.1, self.0, name))
    }

    fn base(&self, name: &str, of: Of) -> Option<f64> {
        let heap = if self.1.share > 0.0 { self.1.bytes() as f64 / self.1.share } else { 0.0 };
        (of == Of::Total && matches!(name, "retained" | "growth")).then_some(heap)
    }
}
