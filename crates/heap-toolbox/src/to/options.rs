//! heap-to: any dump or stream in another format. See `man/heap-to.1`.

use heap_base::Cutoff;
use heap_cli::{Args, EXIT, Error, Example, Flag, INPUT, Out, Outcome, Status, Tool, own, switch, warn};
use heap_formats::Destination;
use heap_formats::targets::{self, Options};
use heap_record::Tag;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
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
                       The file takes its name when it is finished; until then what had the name stays. For parquet \
                       FILE is a folder, to which partitions are added.",
            },
            Flag {
                short: None,
                long: "tag",
                value: Some("KEY[=VALUE]"),
                help: "parquet: a further partition key, such as pod=17; may repeat\n\
                       Without VALUE it is that of the dump's metadata KEY; host, pid and time stand for the keys that \
                       formats have for these. dump=VALUE replaces the name of the input.",
            },
            switch(None, "strict", "status 2 if the target cannot hold everything"),
            switch(
                None,
                "partial",
                "with -o: write FILE also if an input is damaged or ends early\n\
                 A database says that it is a part, and tools that read it do; in other files nothing says it. A record \
                 stream says it, and is always written.",
            ),
            Flag {
                short: None,
                long: "layout",
                value: Some("original|newest"),
                help: "v8: fields and types as the original has them, or as the newest V8\n\
                       With original, the default, a snapshot comes out as it went in. With newest, tools that know \
                       no other layout read it, and a count that V8 writes too small is mended.",
            },
            switch(
                None,
                "v1",
                "memory-infra: cumulative values by backtrace and type\n\
                       As Chromium 49 to 66 wrote them. Cells that the source has stay as they are, own values are \
                       broken down.",
            ),
            switch(None, "v2", "memory-infra: own values (heaps_v2), which is the default"),
            Flag {
                short: None,
                long: "cut",
                value: Some("RULE"),
                help: "write only what passes: none, threshold=N, ratio=R, share=R, total=R\n\
                       For folded, pprof and memory-infra --v1. The rules are those of heap-tree(1). The default is \
                       none. In stacks, what does not pass is <other>.",
            },
            Flag {
                short: None,
                long: "by",
                value: Some("dom|frame"),
                help: "folded, pprof: what the stacks are; dom, the default, are those of the dominator tree\n\
                       frame are those at which objects were allocated, where the dump has them. In an allocation dump both \
                       are the same.",
            },
            Flag {
                short: None,
                long: "depth",
                value: Some("N"),
                help: "folded, pprof: no more than N names in a stack; the default is 200",
            },
            switch(None, "count", "folded: numbers of objects in place of bytes"),
            Flag {
                short: None,
                long: "table",
                value: Some("nodes|edges"),
                help: "csv: what the rows are; the default is nodes",
            },
            switch(
                None,
                "self",
                "memory-infra --v1: what a frame has of its own beside deeper ones goes to a frame <self>",
            ),
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
        Example {
            about: "a flame graph of what keeps what alive",
            command: "heap-to folded app.heapsnapshot | head -n 3",
        },
        Example {
            about: "a drawing of one object and what it leads to",
            command: "heap-walk --class Session --depth 1 app.heapsnapshot | heap-to dot -o piece.dot",
        },
        Example {
            about: "a data set for Spark and DuckDB, a partition for each dump",
            command: "heap-to parquet -o fleet --tag pod=17 app.heapsnapshot",
        },
        Example { about: "the stream itself", command: "heap-to ndjson app.heapsnapshot | head -n 3" },
    ],
    notes: "TARGET is the format to write; sqlite and parquet need -o. Into memory-infra heaps without stacks go by class.\n\n\
            What a target cannot hold is counted and said on standard error.",
    exit: EXIT,
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut output: Option<OsString> = None;
    let (mut strict, mut partial) = (false, false);
    let mut options = Options::default();
    while let Some(option) = args.next()? {
        match option {
            "output" => output = Some(args.value()?),
            "strict" => strict = true,
            "partial" => partial = true,
            "layout" => match args.text()? {
                layout if layout == "original" || layout == "newest" => {
                    options.flags.push(("layout", layout));
                }
                other => return Err(args.invalid(&other, "original or newest")),
            },
            "tag" => {
                let text = args.text()?;
                options.tags.push(Tag::parse(&text).map_err(Error::usage)?);
                options.flags.push(("tag", text));
            }
            "cut" => {
                let text = args.text()?;
                let expected = "none, threshold=N, ratio=R, share=R or total=R";
                let cut = Cutoff::parse(&text, heap_report::text::parse_size);
                options.cut = Some(cut.ok_or_else(|| args.invalid(&text, expected))?);
                options.flags.push(("cut", text));
            }
            flag @ ("by" | "depth" | "table") => options.flags.push((flag, args.text()?)),
            flag @ ("v1" | "v2" | "self" | "count") => options.flags.push((flag, String::new())),
            _ => return Err(args.unexpected()),
        }
    }
    let name = (!args.operands.is_empty()).then(|| args.operands.remove(0));
    let format = targets::named(name.as_deref()).map_err(Error::usage)?;
    options.provenance = format!("{} {}", args.generator(), format.name);
    format.takes(&options).map_err(Error::usage)?;
    let mut inputs = args.inputs()?;
    if format.joins_snapshots() {
        inputs = inputs.with_all_snapshots_of(format.name);
    }
    let path = output.as_ref().filter(|o| *o != "-").map(Path::new);
    format.goes_to(path.is_some(), out.is_terminal()).map_err(Error::usage)?;
    let mut destination = Destination::open(format, path, out, &options)?;
    let names: Vec<_> = (0..inputs.len()).map(|index| inputs.name(index)).collect();
    let labels = labels(&names);
    let (mut whole, mut any) = (true, false);
    for (index, label) in labels.iter().enumerate() {
        let Some(mut input) = inputs.open(index) else {
            whole = false;
            continue;
        };
        any = true;
        destination.begin_input(label.as_deref())?;
        let outcome = inputs.read_open(index, &mut input, destination.sink())?;
        let ended = destination.end_input(outcome == Outcome::Whole);
        whole &= inputs.accepts(index, ended)? && matches!(outcome, Outcome::Whole | Outcome::Stopped);
        match outcome {
            Outcome::Stopped => break,
            // A file of the first inputs alone would look finished.
            Outcome::Refused if path.is_some() && !format.many => return Ok(Status::Failed),
            _ => {}
        }
    }
    let status = if whole { Status::Done } else { Status::Failed };
    if !any {
        // Nothing is written if nothing could be opened at all.
        return Ok(status);
    }
    if !whole && !partial && !format.many && !format.is_stream() && path.is_some() {
        let what = "not written, because the input is not whole: --partial writes what came";
        return Err(Error::Failed(output, heap_base::Error::refused(what)));
    }
    destination.finish(whole)?;
    destination.notes().iter().for_each(|note| warn(note));
    let left_out = destination.left_out();
    left_out.lines(format.name).iter().for_each(|line| warn(line));
    Ok(if strict && !left_out.is_empty() { Status::Failed } else { status })
}

/// What inputs are called: the names of their files, or all of it where two files have one name.
fn labels(names: &[Option<&OsStr>]) -> Vec<Option<String>> {
    let file = |name: &OsStr| Path::new(name).file_name().unwrap_or(name).to_os_string();
    let twice = |short: &OsStr| names.iter().flatten().filter(|name| file(name) == short).count() > 1;
    let label = |name: &OsStr| {
        let short = file(name);
        let label = if twice(&short) { name } else { &short };
        label.to_string_lossy().into_owned()
    };
    names.iter().map(|name| name.map(label)).collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::labels;

    #[test]
    fn inputs_are_called_by_their_files_unless_two_are_equal() {
        let names = ["a/1.heapsnapshot", "b/1.heapsnapshot", "b/2.heapsnapshot@0", "x"].map(OsStr::new);
        let names = [names.map(Some).to_vec(), vec![None]].concat();
        let expected = ["a/1.heapsnapshot", "b/1.heapsnapshot", "2.heapsnapshot@0", "x"];
        assert_eq!(
            labels(&names),
            [expected.map(|name| Some(name.to_owned())).to_vec(), vec![None]].concat()
        );
    }
}
