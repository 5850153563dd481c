//! heap-to: any dump or stream in another format. See `man/heap-to.1`.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Inputs, Out, Outcome, Status, Tool, own, warn};
use heap_formats::targets::{self, Format, Make, Options, Pending};
use heap_record::{Cut, Target};

const TOOL: Tool = Tool {
    name: "heap-to",
    about: "write a heap in another format",
    usage: "TARGET [OPTIONS] [FILE...]",
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
                long: "strict",
                value: None,
                help: "status 2 if the target cannot hold everything",
            },
            Flag {
                short: None,
                long: "layout",
                value: Some("original|newest"),
                help: "v8: fields and types as the original has them, or as the newest V8\n\
                       With original, the default, a snapshot comes out as it went in. With newest, tools that know \
                       no other layout read it, and a count that V8 writes too small is mended.",
            },
            Flag {
                short: None,
                long: "v1",
                value: None,
                help: "memory-infra: cumulative values by backtrace and type\n\
                       As Chromium 49 to 66 wrote them. Cells that the source has stay as they are, own values are \
                       broken down.",
            },
            Flag {
                short: None,
                long: "v2",
                value: None,
                help: "memory-infra: own values (heaps_v2), which is the default",
            },
            Flag {
                short: None,
                long: "cut",
                value: Some("RULE"),
                help: "memory-infra --v1: write only cells that pass: none, threshold=N, ratio=R, share=R, total=R
                       The rules are those of heap-tree(1). The default is none: all cells.",
            },
            Flag {
                short: None,
                long: "self",
                value: None,
                help: "memory-infra --v1: what a frame has of its own beside deeper ones goes to a frame <self>",
            },
        ]),
        INPUT,
    ],
    examples: &[
        Example {
            about: "an SQLite file to ask questions of",
            command: "heap-to sqlite -o app.db app.heapsnapshot",
        },
        Example {
            about: "keep a stream for later",
            command: "heap-filter --type Array app.heapsnapshot | heap-to zst -o arrays.ndjson.zst",
        },
        Example {
            about: "a snapshot to share, for Chrome DevTools, without its texts",
            command: "heap-redact app.heapsnapshot | heap-to v8 -o share.heapsnapshot",
        },
        Example { about: "the stream itself", command: "heap-to ndjson app.heapsnapshot | head -n 3" },
    ],
    notes: "TARGET is the format to write; sqlite needs -o. Into memory-infra heaps without stacks go by class.\n\n\
            What a target cannot hold is counted and said on standard error.",
    exit: EXIT,
};

fn main() -> ExitCode {
    heap_cli::main(&TOOL, run)
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut output: Option<OsString> = None;
    let mut strict = false;
    let mut options = Options::default();
    while let Some(option) = args.next()? {
        match option {
            "output" => output = Some(args.value()?),
            "strict" => strict = true,
            "layout" => match args.text()? {
                layout if layout == "original" || layout == "newest" => {
                    options.flags.push(("layout", layout));
                }
                other => return Err(args.invalid(&other, "original or newest")),
            },
            "cut" => {
                let text = args.text()?;
                let expected = "none, threshold=N, ratio=R, share=R or total=R";
                let cut = Cut::parse(&text, heap_cli::text::parse_size);
                options.cut = Some(cut.ok_or_else(|| args.invalid(&text, expected))?);
                options.flags.push(("cut", text));
            }
            flag @ ("v1" | "v2" | "self") => options.flags.push((flag, String::new())),
            _ => return Err(args.unexpected()),
        }
    }
    let format = format(args)?;
    options.provenance = format!("{} {}", args.generator(), format.name);
    if let Some((flag, _)) = options.flags.iter().find(|(flag, _)| !format.flags.contains(flag)) {
        return Err(Error::usage(format!("--{flag} is no option for {}", format.name)));
    }
    let inputs = args.inputs()?;
    let output = output.filter(|o| o != "-");
    match (format.make, &output) {
        (Make::File(_), None) => Err(Error::usage(format!("{} needs -o FILE", format.name))),
        (Make::File(make), Some(path)) => {
            let mut target = make(Path::new(path), &options)?;
            pump(&inputs, target.as_mut(), format, strict).map(|(status, _)| status)
        }
        (Make::Stream(_), None) if format.binary && out.is_terminal() => {
            Err(Error::usage(format!("{} is nothing for a terminal: -o FILE", format.name)))
        }
        (Make::Stream(make), None) => {
            let mut target = make(Box::new(out), &options)?;
            pump(&inputs, target.as_mut(), format, strict).map(|(status, _)| status)
        }
        (Make::Stream(make), Some(path)) => {
            let mut file = Pending::create(Path::new(path))?;
            let mut target = make(Box::new(file.file()), &options)?;
            let (status, any) = pump(&inputs, target.as_mut(), format, strict)?;
            drop(target);
            // Nothing stood before the damage: no file is better than an empty one.
            if any && (status == Status::Done || !file.is_empty()?) {
                file.persist()?;
            }
            Ok(status)
        }
    }
}

/// The format that the first operand names.
fn format(args: &mut Args) -> Result<&'static Format, Error> {
    let names: Vec<_> = targets::TARGETS.iter().map(|t| t.name).collect();
    let names = names.join(", ");
    if args.operands.is_empty() {
        return Err(Error::usage(format!("no TARGET: one of {names}")));
    }
    let name = args.operands.remove(0);
    targets::target(&name).ok_or_else(|| {
        Error::usage(format!("unknown target '{}': expected one of {names}", name.to_string_lossy()))
    })
}

/// Reads all inputs into the target, and says what that cannot hold. False if no input could be opened at all:
/// then nothing is written.
fn pump(
    inputs: &Inputs,
    target: &mut dyn Target,
    format: &Format,
    strict: bool,
) -> Result<(Status, bool), Error> {
    let (mut whole, mut any) = (true, false);
    for index in 0..inputs.len() {
        let outcome = inputs.open(index).map(|mut input| inputs.read_open(index, &mut input, target));
        any |= outcome.is_some();
        match outcome.transpose()? {
            Some(Outcome::Whole) => {}
            Some(Outcome::Stopped) => break,
            Some(Outcome::Damaged | Outcome::Refused) | None => whole = false,
        }
    }
    let mut status = if whole { Status::Done } else { Status::Failed };
    if !any {
        return Ok((status, false));
    }
    target.finish(whole)?;
    for note in target.notes() {
        warn(note);
    }
    target.left_out().lines(format.name).iter().for_each(|line| warn(line));
    if strict && !target.left_out().is_empty() {
        status = Status::Failed;
    }
    Ok((status, true))
}
