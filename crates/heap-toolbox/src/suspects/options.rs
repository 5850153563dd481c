//! heap-suspects: what is wrong here? See `man/heap-suspects.1`.

use crate::memory::{MEMORY, limit};
use crate::suspects::rows::{self, Page};
use crate::suspects::{
    Doubt, Earlier, Findings, Limits, Suspect, SuspectColumns, limited, remember_within, suspects_within,
    value,
};
use heap_base::{Map, Set};
use heap_cli::{Args, Error, Example, Flag, GATE, INPUT, Out, Outcome, Status, Tool, output, own};
use heap_graph::LargeGraph;
use heap_ops::gate::Gate;
use heap_ops::graph::NamedGraph;
use heap_ops::parts::Parts;
use heap_ops::place::{ClueLoader, Clues};
use heap_ops::select::Selection;
use heap_ops::select::condition::{Of, Values};
use heap_ops::select::field::{Content, bracketed};
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
                       Columns: snapshot, rank, level, kind, class, retained, external, share, growth, turnover, runtime, count, \
                       holds, behind, path. Only such rows are written.",
            },
            MEMORY,
        ]),
        GATE,
        output(&[
            "snapshot",
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
            accounts for; growth, the same of what earlier dumps lack; detached DOM nodes; screens that were destroyed; equal strings; arrays that \
            are nearly empty; functions of one place in the source, or objects of one class, that retain much in many \
            places. Each is named by its holder, the last object that a property, a field or a variable of the \
            program leads to. What hangs below the roots themselves is the virtual machine's own and is left out. \
            Several files are dumps of one process in the order given; suspects are those of the last. Of a process with \
            several heaps, such as those of its workers, each is judged by itself.",
    exit: &[
        ("0", "done"),
        ("1", "the condition of --fail-on holds"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let (mut limits, mut all, mut memory) = (Limits::default(), false, None);
    while let Some(option) = args.next()? {
        match option {
            "share" => limits.share = percent(args, "--share")?,
            "growth" => limits.growth = percent(args, "--growth")?,
            "all" => all = true,
            "memory" => memory = Some(args.size()?),
            "fail-on" => args.fail_on()?,
            _ => args.select(option, &mut Selection::default())?,
        }
    }
    let mut gate = args.gate(&SuspectColumns)?;
    let inputs = args.inputs()?;
    let mut process = Process::default();
    for (index, mut input) in inputs.opened() {
        let last = index + 1 == inputs.len();
        let mut known = Known::new(&mut process, last);
        // What comes and goes is seen in the last two of three dumps or more.
        let numbers = inputs.len() > 2 && (index == 0 || index + 2 >= inputs.len());
        let mut parts = Parts::new(
            || limited(limit(memory)).with_numbers(numbers),
            |name, load: ClueLoader| {
                let (graph, clues, large) = load.build_within()?;
                if let Some(gate) = gate.as_mut().filter(|gate| last && gate.seeks()) {
                    texts(&graph, |text| gate.text_of_input(text))?;
                }
                known.take(name, (graph, large), &clues, limits)
            },
        );
        let outcome = inputs.read_open(index, &mut input, &mut parts)?;
        if outcome != Outcome::Refused && !inputs.accepts(index, parts.end().and_then(|()| known.check()))? {
            process.judged.clear();
        }
    }
    let Process { judged, .. } = process;
    let several = judged.len() > 1;
    let repeated = inputs.repeated().filter(|_| judged.iter().all(|of| of.findings.doubt.is_none()));
    // Of a damaged dump something else was said already.
    if inputs.is_intact() {
        for doubt in doubts(&judged).into_iter().chain(repeated.clone()) {
            heap_cli::warn(&doubt);
        }
    }
    if let Some(gate) = &mut gate {
        let dumps = inputs.len();
        let has_external = judged.is_empty() || judged.iter().any(|of| of.findings.external > 0);
        let has_parts = judged.is_empty() || several || judged.iter().any(|of| of.part.is_some());
        gate.needs(|column, value| match column {
            "external" if !has_external => {
                Some("nothing in the input says that it has bytes outside of the heap")
            }
            "snapshot" if !has_parts => Some("no row has the column 'snapshot': the input has one heap"),
            _ => lacks(dumps, column, value),
        });
        if let Some(why) = repeated {
            gate.refuse(why);
        }
        for Judged { findings, .. } in &judged {
            match &findings.doubt {
                Some(Doubt::Unsound(why)) => gate.void(why),
                Some(Doubt::Repeated(why)) => gate.refuse(why),
                Some(Doubt::Vague(_)) | None => {}
            }
        }
    }
    let mut pages = Vec::new();
    for Judged { part, mut findings } in judged {
        let mut found: Vec<(usize, Suspect)> = (1..).zip(std::mem::take(&mut findings.suspects)).collect();
        if let Some(gate) = &mut gate {
            let mut kept = Vec::new();
            for (rank, suspect) in found {
                let at = if suspect.place.is_empty() { "" } else { " at " };
                let of =
                    part.as_ref().filter(|_| several).map_or_else(String::new, |part| format!("{part}, "));
                let name = format!("{of}{}: {}{at}{}", suspect.kind.name(), suspect.class, suspect.place);
                if !gate.passes(
                    &Row(rank, &suspect, part.as_deref()),
                    &name,
                    Some(super::sentences::sentence(&suspect)),
                )? {
                    kept.push((rank, suspect));
                }
            }
            found = kept;
        }
        pages.push(Page {
            part,
            findings,
            suspects: found,
            chosen: gate.is_some(),
            damaged: !inputs.is_intact(),
        });
    }
    if let Some(gate) = &mut gate {
        gate.end_of_texts(&["path"]);
    }
    let status = args.close(gate.as_ref(), &inputs)?;
    gate.iter().flat_map(Gate::unmet).for_each(|what| heap_cli::warn(&what));
    if args.output.is_table(out) {
        let text = rows::pages(&pages, all || gate.is_some(), &args.output, out.screen());
        std::io::Write::write_all(out, text.as_bytes()).map_err(heap_base::Error::write)?;
        return Ok(status);
    }
    rows::report(&pages, &args.output)?.write(out)?;
    Ok(status)
}

/// What makes findings uncertain: of several heaps each thing once, with those that it is true of.
fn doubts(judged: &[Judged]) -> Vec<String> {
    if let [Judged { findings, .. }] = judged {
        let doubt = findings.doubt.iter().map(|doubt| doubt.text().to_owned());
        let unreached = findings.unreached.softness().into_iter().chain(findings.unreached.doubt());
        return doubt.chain(unreached).chain(findings.unseen()).collect();
    }
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for Judged { part, findings } in judged {
        let doubt = findings.doubt.iter().map(|doubt| doubt.text().to_owned());
        let garbage = findings.unreached.doubt().map(|_| {
            "no root reaches a part of the heap over strong references: as garbage it is left out, or the dump lacks \
             references"
                .to_owned()
        });
        let soft = findings.unreached.softness().map(|_| {
            "soft references alone hold a part of the heap: it counts, but goes when memory is short"
                .to_owned()
        });
        for text in doubt.chain(soft).chain(garbage).chain(findings.unseen()) {
            let part = part.as_deref().unwrap_or("one heap");
            match said.iter_mut().find(|(known, _)| *known == text) {
                Some((_, parts)) => parts.push(part),
                None => said.push((text, vec![part])),
            }
        }
    }
    let line = |(text, mut parts): (String, Vec<&str>)| {
        let more = parts.len().saturating_sub(rows::NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        parts.truncate(rows::NAMED);
        format!("{}{more}: {text}", parts.join(", "))
    };
    said.into_iter().map(line).collect()
}

/// What is known of the heaps of a process: most have one, without a name.
#[derive(Default)]
struct Process {
    /// What earlier dumps had, by part.
    earlier: Map<Option<String>, Vec<Earlier>>,
    /// What the last dump has.
    judged: Vec<Judged>,
}

struct Judged {
    part: Option<String>,
    findings: Findings,
}

/// The parts of one dump.
struct Known<'a> {
    process: &'a mut Process,
    last: bool,
    /// Parts that earlier dumps had; with none of them this dump goes on no series.
    before: Vec<Option<String>>,
    met: Vec<Option<String>>,
}

impl<'a> Known<'a> {
    fn new(process: &'a mut Process, last: bool) -> Self {
        let before = process.earlier.keys().cloned().collect();
        Self { process, last, before, met: Vec::new() }
    }

    /// Judges a heap, or remembers it for the dump that comes after.
    fn take(
        &mut self,
        part: Option<String>,
        graph: (NamedGraph, Option<LargeGraph>),
        clues: &Clues,
        limits: Limits,
    ) -> heap_base::Result {
        self.met.push(part.clone());
        if self.last {
            let earlier = self.process.earlier.get(&part).map_or(&[][..], Vec::as_slice);
            let findings = suspects_within(graph, clues, earlier, limits)?;
            self.process.judged.push(Judged { part, findings });
        } else {
            let earlier = remember_within(graph, clues, limits)?;
            self.process.earlier.entry(part).or_default().push(earlier);
        }
        Ok(())
    }

    /// A dump of heaps that no dump before has goes on no series.
    fn check(&self) -> heap_base::Result {
        let goes_on = self.before.is_empty() || self.met.iter().any(|part| self.before.contains(part));
        let said = |part: &Option<String>| part.clone().unwrap_or_else(|| "a whole process".to_owned());
        match (goes_on, self.met.first(), self.before.first()) {
            (false, Some(this), Some(other)) => Err(heap_base::Error::refused(format!(
                "this is the heap of {}, the dump before that of {}: they are no series, judge each by itself",
                said(this),
                said(other)
            ))),
            _ => Ok(()),
        }
    }
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

/// The texts that rows may have: names of classes and objects, each once, and subtypes in brackets.
fn texts(loaded: &NamedGraph, mut found: impl FnMut(&str)) -> heap_base::Result {
    let heap = &loaded.heap;
    let nodes = 0..heap.sizes.len() as u32;
    let ids: Set<i64> = nodes.flat_map(|node| [heap.class(node), heap.name(node)]).flatten().collect();
    for id in ids {
        found(&loaded.context.strings.text_or_number(id)?);
    }
    for of in loaded.context.types.node_types() {
        found(&bracketed(&of.name));
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

/// A suspect with its rank and the part of the process that it is in, for conditions.
struct Row<'a>(usize, &'a Suspect, Option<&'a str>);

impl Values for Row<'_> {
    fn get(&self, name: &str) -> heap_base::Result<Option<Content>> {
        if name == "snapshot" {
            return Ok(self.2.map(|part| Content::Text(part.to_owned())));
        }
        Ok(value(self.1, self.0, name))
    }

    fn base(&self, name: &str, of: Of) -> Option<f64> {
        let heap = if self.1.share > 0.0 { self.1.bytes() as f64 / self.1.share } else { 0.0 };
        (of == Of::Total && matches!(name, "retained" | "growth")).then_some(heap)
    }
}
