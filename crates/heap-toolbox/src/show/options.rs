//! heap-show: one object in full. See `man/heap-show.1`.

use crate::memory::{WHOLE, guard};
use crate::show::handles;
use crate::show::rows::{self, awaits, handles as handle_rows, stack};
use crate::show::stack::{Calls, Which};
use crate::show::{Most, RetainedShow, Show, Sides, retained_sink};
use heap_cli::{
    Args, Error, Example, INPUT, Input, Inputs, Out, Outcome, SELECTION, Status, Tool, output, own, switch,
};
use heap_graph::{Analysis, Config, Guard, IdTable, analyse};
use heap_ops::select::Selection;
use heap_record::{Sink, Value};
use heap_report::Output;

/// What --sort takes.
const COLUMNS: &[&str] = &["file", "part", "label", "kind", "identifier", "class", "value", "size"];

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-show",
    about: "show an object with its fields and edges",
    usage: "[OPTIONS] --id @N [FILE...]",
    flags: &[
        own(&[
            switch(None, "in", "only the edges to it: what refers to it"),
            switch(None, "out", "only the edges from it: what it refers to"),
            switch(
                None,
                "retained",
                "work out what it retains: what would go with it\n\
                 Needs the whole graph, unless the stream comes from heap-dom.",
            ),
            WHOLE,
            switch(
                None,
                "stack",
                "the calls of each thread with their arguments and places, innermost first\n\
                 For core dumps, processes, Java dumps and whatever else has stacks; with --retained also what each thread \
                 and each object that a call holds retains. Takes no selection.",
            ),
            switch(
                None,
                "async",
                "the calls that wait, each with who waits for it, their places and variables\n\
                 For core dumps and processes of Node: every asynchronous function that stands at an await. Takes no \
                 selection.",
            ),
            switch(
                None,
                "handles",
                "what is open: requests, sockets, servers, timers, workers, child processes\n\
                 For core dumps, processes and snapshots of Node. Takes no selection.",
            ),
        ]),
        SELECTION,
        output(COLUMNS),
        INPUT,
    ],
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
            about: "at which stack an object was allocated, where the snapshot has stacks",
            command: "heap-show --table -n 4 --class Visit traced.heapsnapshot",
        },
        Example {
            about: "where a process stood when it died, with arguments",
            command: "heap-show --stack --table app.core",
        },
        Example {
            about: "what a server waits for, with arguments and variables",
            command: "heap-show --async yard.core",
        },
        Example {
            about: "when timers are due, with jq",
            command: "heap-show --handles yard.core | jq -c 'select(.kind==\"timer\") | [.due, .callback]'",
        },
        Example {
            about: "who refers to it, with jq",
            command: "heap-show --in --id @5 app.heapsnapshot | jq -c 'select(.part==\"in\") | [.class, .label]'",
        },
    ],
    notes: "One row for the object (part node), one for each field (part field), for each frame of the stack at which it was \
            allocated (part stack), for each edge to it (part in) and \
            from it (part out), with class, name and size of the other end. A table has edges as .property, [element], \
            {variable} and <part of the virtual machine>; -n N shows N edges each way.",
    exit: &[
        ("0", "done"),
        ("1", "no object was selected"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let (mut into, mut from, mut retained) = (false, false, false);
    let (mut calls, mut open, mut memory) = (None, false, None);
    while let Some(option) = args.next()? {
        match option {
            "in" => into = true,
            "out" => from = true,
            "retained" => retained = true,
            "stack" => calls = Some(("--stack", Which::Threads)),
            "async" => calls = Some(("--async", Which::Waiting)),
            "handles" => open = true,
            "memory" => memory = Some(args.size()?),
            _ => args.select(option, &mut selection)?,
        }
    }
    if open {
        if !selection.is_all() {
            return Err(Error::usage("--handles takes no selection"));
        }
        return show_handles(args, out);
    }
    if let Some((option, which)) = calls {
        if !selection.is_all() {
            return Err(Error::usage(format!("{option} takes no selection")));
        }
        return show_calls(which, retained.then(|| guard(memory)), args, out);
    }
    if selection.is_all() {
        return Err(Error::usage(format!("{}, or --stack", heap_cli::WHICH)));
    }
    let inputs = args.inputs()?;
    let sides = Sides { into: into || !from, out: from || !into };
    // Objects are shown in this order, so what is beyond the limit, or the screen, need not be kept.
    let layout = &args.output;
    let most = match layout.limit {
        _ if layout.sort.is_some() => Most::default(),
        // A table shows so many edges of each object, and counts the others.
        Some(_) if layout.is_table(out) => Most::default(),
        None if !layout.is_table(out) => Most::default(),
        None => Most { nodes: layout.lines(out.screen(), 0), ..Most::default() },
        limit => Most { nodes: limit, edges: limit, labels: None },
    };
    let (mut nodes, mut more) = (Vec::new(), 0);
    let mut missing = Vec::new();
    if retained {
        let make = || RetainedShow::new(Show::with_most(selection.clone(), sides, most), guard(memory));
        inputs.apart(make, |show, file| {
            let mut show = show.build()?;
            name(show.report_mut(), file);
            missing.extend(show.missing());
            more += show.report().more();
            nodes.extend(show.into_report().into_rows());
            Ok(())
        })?;
    } else {
        let mut show = Show::with_most(selection, sides, most);
        inputs.together(&mut show, name)?;
        missing = show.missing();
        more += show.report().more();
        nodes = show.into_report().into_rows();
    }
    rows::write(&nodes, more, &args.output, out)?;
    for what in &missing {
        heap_cli::warn(what);
    }
    let is_none = nodes.is_empty() && more == 0;
    if is_none && missing.is_empty() && inputs.is_intact() {
        heap_cli::note(None, "no such object");
    }
    Ok(if is_none { inputs.status().max(Status::No) } else { inputs.status() })
}

/// Names the input of what was found in it.
fn name(show: &mut Show, file: Option<String>) {
    if let Some(file) = file {
        show.of_file(&file);
    }
}

/// What is open.
fn show_handles(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let inputs = args.inputs()?.again();
    let (mut found, mut none) = (Vec::new(), handles::NOT_NODE);
    for (index, mut input) in inputs.opened() {
        let mut objects = handles::objects();
        let first = inputs.read_open(index, &mut input, &mut objects)?;
        objects.finish(first == Outcome::Whole)?;
        let objects = objects.report().rows();
        if objects.iter().any(|object| !object.out.is_empty()) {
            none = "nothing is open";
        }
        let details = match handles::details(objects) {
            Some(mut details) => {
                let second = inputs.read_again(index, &mut input, first, &mut details)?;
                details.finish(second == Outcome::Whole)?;
                details.report().rows().to_vec()
            }
            None => Vec::new(),
        };
        found.extend(handles::handles(objects, &details));
    }
    if args.output.is_table(out) {
        handle_rows::sentences(&found, &args.output, out)?;
    } else {
        handle_rows::report(&found, &args.output)?.write(out)?;
    }
    if found.is_empty() && inputs.is_intact() {
        heap_cli::note(None, none);
    }
    Ok(if found.is_empty() { inputs.status().max(Status::No) } else { inputs.status() })
}

/// The calls of each thread, or those that wait.
fn show_calls(
    which: Which,
    retained: Option<Guard>,
    args: &mut Args,
    out: &mut Out,
) -> Result<Status, Error> {
    let inputs = args.inputs()?.again();
    let (mut stacks, mut lost, mut none) = (Vec::new(), Vec::new(), "");
    for (index, mut input) in inputs.opened() {
        let mut calls = Calls::reading(which);
        let first = inputs.read_open(index, &mut input, &mut calls)?;
        calls.finish(first == Outcome::Whole)?;
        if let Some(text) = calls.report().lost().filter(|_| which == Which::Threads) {
            lost.push(text.to_owned());
        }
        none = which.none(&calls.context().types);
        let cut = calls.report().cut();
        if cut > 0 {
            heap_cli::warn(&format!(
                "chains of calls are too long or too many: they are cut at {cut} places"
            ));
        }
        let mut values = calls.report().values();
        let second = inputs.read_again(index, &mut input, first, &mut values)?;
        values.finish(second == Outcome::Whole)?;
        let known = retained.map(|guard| Retained::read(&inputs, (index, &mut input), first, guard));
        let mut known = known.transpose()?;
        let retained = |id| known.as_mut()?.of(id);
        stacks.extend(calls.into_report().stacks(&values.into_report(), retained));
    }
    match (which, args.output.is_table(out)) {
        (Which::Threads, true) => {
            stack::sentences(&stacks, &args.output, out)?;
            stack::lost(&lost, &args.output, out)?;
        }
        (Which::Threads, false) => {
            stack::report(&stacks, &args.output)?.write(out)?;
            for text in &lost {
                heap_cli::warn(text);
            }
        }
        (Which::Waiting, true) => awaits::sentences(&stacks, &args.output, out)?,
        (Which::Waiting, false) => awaits::report(&stacks, &args.output)?.write(out)?,
    }
    if stacks.is_empty() && inputs.is_intact() {
        heap_cli::note(None, none);
    }
    Ok(if stacks.is_empty() { inputs.status().max(Status::No) } else { inputs.status() })
}

/// What the objects of an input retain.
struct Retained {
    analysis: Analysis,
    table: IdTable,
}

impl Retained {
    fn read(
        inputs: &Inputs,
        (index, input): (usize, &mut Input),
        first: Outcome,
        guard: Guard,
    ) -> Result<Self, Error> {
        let mut sink = retained_sink(guard);
        let outcome = inputs.read_again(index, input, first, &mut sink)?;
        sink.finish(outcome == Outcome::Whole)?;
        let heap = sink.build()?;
        let config = Config { retained: true, ..Config::default() };
        let analysis = analyse(heap.graph, &heap.sizes, &heap.policy, config);
        Ok(Self { analysis, table: heap.table })
    }

    fn of(&mut self, id: Value) -> Option<u64> {
        let node = self.table.get(id).ok().flatten()?;
        self.analysis.in_tree(node).then(|| self.analysis.retained[node as usize])
    }
}
