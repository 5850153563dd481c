//! heap-view: pictures of a heap. See `man/heap-view.1`.

use crate::diff::Census;
use crate::memory::{MEMORY, guard};
use crate::suspects::{self, Earlier};
use crate::view::drawn::{Contents, Dump, Pending, Picture, page, svg};
use crate::view::{
    Extent, Growth, HeapView, StackTree, ViewLoader, allocation_cells, backtraces, growth, remember,
};
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Input, Inputs, Out, Outcome, Status, Tool, own};
use heap_graph::Guard;
use heap_ops::select::Selection;
use heap_record::{Fact, Sink};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-view",
    about: "draw a heap: one page with everything, or a still picture",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: Some('o'),
                long: "output",
                value: Some("FILE"),
                help: "write to FILE, not to standard output\n\
                       The file takes its name when it is finished; until then what had the name stays.",
            },
            Flag {
                short: None,
                long: "svg",
                value: Some("treemap|flame"),
                help: "write a still picture of the tree\n\
                       It is dark where the system of who looks at it is.",
            },
            MEMORY,
        ]),
        INPUT,
    ],
    examples: &[
        Example { about: "a page to look at", command: "heap-view -o report.html app.heapsnapshot" },
        Example {
            about: "growth over three snapshots of one process",
            command: "heap-view -o growth.html before.heapsnapshot after.heapsnapshot later.heapsnapshot",
        },
        Example {
            about: "a page without texts, to show to others",
            command: "heap-redact app.heapsnapshot | heap-view -o share.html",
        },
        Example {
            about: "a picture for a report",
            command: "heap-view --svg treemap app.heapsnapshot > heap.svg",
        },
        Example {
            about: "the figures of a page, with jq",
            command: "heap-view app.heapsnapshot | grep -o '{\"files\".*}' | jq -c '.classes.rows[0]'",
        },
    ],
    notes: "The page needs no network, no server and no other file. It shows what the dump is and how the heap has grown, \
            suspects with their paths, a treemap and a flame graph to zoom into, in which they are marked, classes to sort \
            and search, and equal strings; of a profile its functions, own and with callees; of a dump \
            with stacks of allocations a button shows the tree of these. Of several files, dumps of one \
            process in the order of time, it shows the last, and how the classes have grown. Dumps of allocations are \
            drawn by backtrace. Large heaps are added up: what is too small or too deep for a cell of its own counts in \
            its parent or in a cell <other>.\n\n\
            The page contains names and texts of the heap.",
    exit: EXIT,
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut output, mut picture, mut memory) = (None::<OsString>, None, None);
    while let Some(option) = args.next()? {
        match option {
            "memory" => memory = Some(args.size()?),
            "output" => output = Some(args.value()?),
            "svg" => picture = Some(args.parse_with("treemap or flame", Picture::named)?),
            _ => return Err(args.unexpected()),
        }
    }
    let inputs = args.inputs()?.again();
    let path = output.as_ref().filter(|o| *o != "-").map(Path::new);
    if picture.is_some() && inputs.len() > 1 {
        return Err(Error::usage("--svg takes one file"));
    }
    if path.is_none() && out.is_terminal() {
        return Err(Error::usage("a page is not for a terminal: give -o FILE, or write to a pipe"));
    }
    let extent = Extent { picture: picture.is_some(), ..Extent::default() };
    let Some((view, growth, dumps)) = look(&inputs, extent, guard(memory))? else {
        return Ok(Status::Failed);
    };
    let text = match picture {
        Some(picture) => svg(&view.tree, picture),
        None => page(&Contents { dumps: &dumps, view: &view, growth: &growth }),
    };
    match path {
        Some(path) => Pending::save(path, text.as_bytes())?,
        None => out.write_all(text.as_bytes()).map_err(heap_base::Error::write)?,
    }
    Ok(inputs.status())
}

/// An input that is read several times.
struct Again<'a> {
    inputs: &'a Inputs,
    index: usize,
    input: Input,
    outcome: Outcome,
    damage: Option<String>,
}

impl Again<'_> {
    /// Reads it into a sink. What is wrong with it is said once, and remembered for the page.
    fn read(&mut self, sink: &mut dyn Sink) -> Result<(), Error> {
        let result = self.inputs.try_read(self.index, &mut self.input, sink);
        if let Err(e) = &result {
            self.damage.get_or_insert_with(|| e.to_string());
        }
        self.outcome = self.inputs.judge(self.index, result, self.outcome, sink)?;
        Ok(())
    }

    fn census(&mut self) -> Result<Census, Error> {
        let mut census = Census::new(Selection::default(), false);
        self.read(&mut census)?;
        census.finish(self.outcome == Outcome::Whole)?;
        Ok(census.into_report())
    }

    /// What it shows; `None` if it is refused.
    fn view(
        &mut self,
        (extent, guard): (Extent, Guard),
        earlier: &[Earlier],
    ) -> Result<Option<HeapView>, Error> {
        let mut load = ViewLoader::new(extent).within(guard.limit);
        self.read(&mut load)?;
        if self.outcome == Outcome::Refused {
            return Ok(None);
        }
        let loaded = load.finish()?;
        if !loaded.is_allocations() {
            let functions = loaded.allocating()?;
            let mut view = loaded.build(extent, earlier)?;
            if !functions.is_empty() && !extent.picture {
                let mut load = backtraces().of_objects().within(guard);
                self.read(&mut load)?;
                view.stacks = Some(StackTree::new(&load.build()?, &functions, extent));
            }
            if self.outcome == Outcome::Whole {
                let unreached = view.totals.unreached;
                unreached
                    .softness()
                    .into_iter()
                    .chain(unreached.doubt())
                    .chain(view.findings.unseen())
                    .for_each(|doubt| heap_cli::warn(&doubt));
            }
            return Ok(Some(view));
        }
        let functions = loaded.functions(earlier)?;
        drop(loaded);
        let mut load = backtraces();
        self.read(&mut load)?;
        let cells = allocation_cells(&load.build()?, extent.shape);
        Ok(Some(HeapView::of_allocations(cells, functions, self.census()?, extent)))
    }
}

/// Who wrote a dump, when and of which process, as far as its head or its name says: Node puts date, time and process into the
/// names of its files. A stream is not read for that.
fn facts(input: &mut Input, name: &str) -> (String, Vec<String>) {
    let (mut producer, mut facts) = (String::new(), Vec::new());
    if !input.is_stream()
        && let Ok(info) = input.info()
    {
        producer = info.producer.unwrap_or_default();
        for (key, fact) in &info.facts {
            match (*key, fact) {
                ("isolate", Fact::Text(isolate)) => facts.push(format!("isolate {isolate}")),
                ("pid", Fact::Int(pid)) => facts.push(format!("pid {pid}")),
                ("time", Fact::Int(seconds)) => facts.push(moment(*seconds)),
                ("time_ms", Fact::Int(milliseconds)) => facts.push(moment(milliseconds.div_euclid(1000))),
                _ => {}
            }
        }
    }
    let file = name.rsplit('/').next().unwrap_or(name);
    let parts: Vec<&str> = file.split('.').collect();
    if let ["Heap" | "Heap-timeline", date, time, pid, ..] = parts[..]
        && [date, time, pid].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        && (date.len(), time.len()) == (8, 6)
    {
        facts.push(format!("pid {pid}"));
        let (date, time) = (date.split_at(4), time.split_at(2));
        let ((month, day), (minute, second)) = (date.1.split_at(2), time.1.split_at(2));
        facts.push(format!("{}-{month}-{day} {}:{minute}:{second}", date.0, time.0));
    }
    (producer, facts)
}

/// A time in seconds since 1970 as people write it.
fn moment(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years begin in March here, so the day that is too much comes last. Eras of 400 years all have as many days.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// The last input, growth over all, and what they are called.
type Looked = (HeapView, Vec<Growth>, Vec<Dump>);

/// Reads all inputs; `None` if the last gives no heap.
fn look(inputs: &Inputs, extent: Extent, guard: Guard) -> Result<Option<Looked>, Error> {
    let (mut dumps, mut censuses, mut earlier, mut last) = (Vec::new(), Vec::new(), Vec::new(), None);
    for (index, mut input) in inputs.opened() {
        let name = inputs.name(index).map_or("standard input".into(), |name| name.to_string_lossy());
        let (producer, facts) = facts(&mut input, &name);
        let format = input.format().about.to_owned();
        let dump = Dump { name: name.into_owned(), format, producer, facts, damage: None };
        let mut again = Again { inputs, index, input, outcome: Outcome::Whole, damage: None };
        if inputs.len() > 1 {
            let census = again.census()?;
            if again.outcome != Outcome::Refused {
                censuses.push(census);
                dumps.push(dump);
                if index + 1 < inputs.len() {
                    let mut load = suspects::limited(guard.limit);
                    again.read(&mut load)?;
                    earlier.push(remember(load)?);
                }
            }
        } else {
            dumps.push(dump);
        }
        if index + 1 == inputs.len() && again.outcome != Outcome::Refused {
            last = again.view((extent, guard), &earlier)?;
        }
        if let Some(dump) = dumps.last_mut().filter(|_| again.outcome == Outcome::Damaged) {
            dump.damage = again.damage;
        }
    }
    // Of a damaged dump something else was said already.
    let doubt = last.as_ref().and_then(|view| view.findings.doubt.as_ref()).filter(|_| inputs.is_intact());
    if let Some(doubt) = doubt {
        heap_cli::warn(doubt.text());
    }
    let growth = if censuses.len() > 1 { growth(censuses) } else { Vec::new() };
    Ok(last.map(|view| (view, growth, dumps)))
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_700_000_000, "2023-11-14 22:13:20 UTC"),
            (-1, "1969-12-31 23:59:59 UTC"),
        ] {
            assert_eq!(moment(seconds), expected);
        }
    }
}
