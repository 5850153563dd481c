//! heap-path: why objects are alive. See `man/heap-path.1`.

use crate::memory::{MEMORY, limit};
use crate::path::rows::{self, Steps, Trees};
use crate::path::{MergeBy, Ways};
use heap_cli::{
    Args, Error, Example, Flag, INPUT, Out, Outcome, SELECTION, Status, Tool, output, own, switch,
};
use heap_graph::Keep;
use heap_ops::place::{ClueLoader, Wanted};
use heap_ops::select::Glob;
use heap_ops::select::Selection;

/// Bytes a node and an edge that the graph, ways and names take in memory.
const IN_MEMORY: (u64, u64) = (28, 6);

/// What --sort takes.
const COLUMNS: &[&str] = &[
    "file",
    "path",
    "step",
    "label",
    "kind",
    "identifier",
    "class",
    "name",
    "size",
    "location",
    "held_by",
    "depth",
    "count",
    "ends",
    "share",
];

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
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
                       The default is 1, a shortest one. A table says which object all lead through where there are \
                       fewer.",
            },
            Flag {
                short: None,
                long: "named",
                value: None,
                help: "the way that the source of the program has most names for, not the shortest one\n\
                       It is the one by which heap-suspects and the column held_by say where the object hangs.",
            },
            Flag {
                short: None,
                long: "all",
                value: None,
                help: "all paths to each object that differ in at least one step, shortest first\n\
                       No more than 100, or as many as -k says.",
            },
            Flag {
                short: None,
                long: "merge",
                value: Some("class|label"),
                help: "fold the paths of all selected objects into one tree by class, or by label and class\n\
                       The labels of edges that became one are shown as .a, .b or [0…99]. Sections that repeat, such as \
                       the links of a list, count as one. -n N shows the N branches of the most objects.",
            },
            Flag {
                short: None,
                long: "avoid",
                value: Some("GLOB"),
                help: "no paths through objects of this type\n\
                       May be given more than once.",
            },
            switch(
                None,
                "weak",
                "paths may lead along references that the garbage collector may clear, where they count in sizes: \
                 Java's weak, soft, phantom and final ones",
            ),
            MEMORY,
        ]),
        SELECTION,
        output(COLUMNS),
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
    notes: "A path leads from a root to the object over edges that keep their target alive; weak ones do not count. \
            Without --merge each object has rows of its own: path numbers the paths, step the objects on them from \
            the root on, label and kind say which edge led there; the row of the object itself has held_by, the place \
            by which the program's source names it, as in heap-top. Without -n they end behind a million rows, with a \
            warning. A table leads from the object back to the root, with \
            edges as .property, [element], {variable} and <part of the virtual machine>; it has three paths unless -n \
            says otherwise. An object that no root keeps alive has no path. An @N is the number that the dump gives an \
            object, the same that heap-top, heap-grep, heap-show and Chrome DevTools show; in V8 it holds as long as \
            the process lives.",
    exit: &[
        ("0", "done"),
        ("1", "no object was selected, or no root keeps any of them alive"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

/// Paths of --all, unless -k says otherwise.
const EVERY: usize = 100;

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let (mut k, mut all, mut weak, mut merge, mut avoid) = (None, false, false, None, Vec::new());
    let mut named = false;
    let mut memory = None;
    while let Some(option) = args.next()? {
        match option {
            "paths" => {
                k = Some(args.parse_with("a number from 1 on", |n| n.parse().ok().filter(|&n| n > 0))?);
            }
            "all" => all = true,
            "named" => named = true,
            "memory" => memory = Some(args.size()?),
            "weak" => weak = true,
            "merge" => merge = Some(args.parse_with("class or label", MergeBy::named)?),
            "avoid" => avoid.push(Glob::new(&args.text()?)),
            _ => args.select(option, &mut selection)?,
        }
    }
    if selection.is_all() {
        return Err(Error::usage(heap_cli::WHICH));
    }
    if named && (all || k.is_some() || merge.is_some() || !avoid.is_empty()) {
        return Err(Error::usage("--named is one way to each object: no --paths, --all, --merge, --avoid"));
    }
    let inputs = args.inputs()?;
    let keep = Keep { aside: true, strong_only: !weak, ..Keep::default() };
    let ways = match (all, k) {
        (true, most) => Ways::Every(most.unwrap_or(EVERY)),
        _ if named => Ways::Named,
        (false, None | Some(1)) => Ways::Shortest,
        (false, Some(k)) => Ways::Disjoint(k),
    };
    let (table, several) = (args.output.is_table(out), inputs.len() > 1);
    let streams = merge.is_none() && !table;
    let mut steps = streams.then(|| Steps::new(several, &args.output)).transpose()?;
    let mut trees = Trees::default();
    let (mut any, mut shown) = (false, false);
    for (index, mut input) in inputs.opened() {
        let mut load = ClueLoader::new(selection.clone(), keep).with_limit(limit(memory), IN_MEMORY);
        let outcome = inputs.read_open(index, &mut input, &mut load)?;
        if outcome == Outcome::Refused {
            continue;
        }
        let missing = load.missing()?;
        for what in &missing {
            heap_cli::warn(what);
        }
        let (mut loaded, clues, large) = load.build_within()?;
        if let Some(large) = large {
            if merge.is_none() && matches!(ways, Ways::Disjoint(_) | Ways::Every(_)) {
                return Err(Error::from(heap_base::Error::refused(format!(
                    "-k and --all hold the whole graph in memory, which takes more than {}M: leave them out, or \
                     give more --memory",
                    limit(memory) >> 20
                ))));
            }
            let (targets, avoided) = (loaded.chosen_set(), loaded.of_types(&avoid)?);
            let wanted = Wanted { targets: &targets, names: merge.is_none(), paths: Some(&avoided) };
            loaded.thin(&clues, large, wanted)?;
        }
        let (file, of) = (inputs.one_of_several(index), (&loaded, &clues));
        let file = file.as_deref();
        let found = match (merge, &mut steps) {
            (Some(by), _) => trees.input(file, &loaded, &avoid, by, table)?,
            (None, Some(steps)) => steps.input(file, of, ways, &avoid, &args.output, out)?,
            (None, None) => {
                let name = file.filter(|_| !loaded.chosen.is_empty()).map(|file| format!("{file}:"));
                let gap = (shown && name.is_some()).then(String::new);
                shown |= name.is_some();
                let heading = gap.into_iter().chain(name).collect();
                rows::sentences(heading, of, ways, &avoid, &args.output, out)?
            }
        };
        loaded.check()?;
        clues.check()?;
        any |= found.alive > 0;
        if found.left > 0 {
            let (most, left) = (rows::MOST, found.left);
            heap_cli::warn(&format!(
                "stopped after {most} rows, {left} more objects: -n all writes their paths, --merge class makes one tree"
            ));
        }
        let said = merge.is_none() && table;
        if outcome == Outcome::Whole
            && missing.is_empty()
            && let Some(what) = found.remark(&loaded, !avoid.is_empty()).filter(|_| !said || found.lost == 0)
        {
            heap_cli::note(inputs.name(index), &what);
        }
    }
    if merge.is_some() {
        trees.write(several, &args.output, out)?;
    } else if let Some(steps) = steps {
        steps.write(out)?;
    }
    Ok(if any { inputs.status() } else { inputs.status().max(Status::No) })
}
