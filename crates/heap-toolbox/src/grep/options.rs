//! heap-grep: search text and name the nodes that hold it. See `man/heap-grep.1`.

use crate::grep::rows::{Matches, Rows};
use crate::grep::{self, FoundIn, Grep, Search};
use heap_cli::{
    Args, Error, Example, Flag, INPUT, Out, Outcome, SELECTION, Status, Tool, output, own, switch,
};
use heap_ops::select::Selection;
use heap_record::Sink as _;
use std::ffi::OsStr;

/// What --sort takes.
const COLUMNS: &[&str] = &["file", "identifier", "class", "in", "dest", "text", "count"];

/// Options, examples and notes of the tool.
pub const TOOL: Tool = Tool {
    name: "heap-grep",
    about: "search text in values, names and labels",
    usage: "[OPTIONS] PATTERN [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: Some('e'),
                long: "regexp",
                value: Some("PATTERN"),
                help: "search for this; may be given more than once\n\
                       Then all operands are files.",
            },
            switch(Some('F'), "fixed-strings", "patterns are plain text, not regular expressions"),
            switch(Some('i'), "ignore-case", "upper and lower case are the same"),
            Flag {
                short: None,
                long: "in",
                value: Some("PLACES"),
                help: "search these, parted by commas: value,name,class,label\n\
                       The default is value,name,label.",
            },
            switch(Some('c'), "count", "only count the matches in each file"),
            switch(Some('l'), "files-with-matches", "only name the files with a match"),
            switch(Some('q'), "quiet", "write nothing; status 0 if there is a match, else 1"),
            Flag {
                short: Some('m'),
                long: "max-count",
                value: Some("N"),
                help: "stop after N matches in a file",
            },
        ]),
        SELECTION,
        output(COLUMNS),
        INPUT,
    ],
    examples: &[
        Example { about: "who holds a user's name", command: "heap-grep -F user42 app.heapsnapshot" },
        Example {
            about: "anything like an e-mail address, by class",
            command: "heap-grep --in value '[a-z.]+@[a-z]+\\.[a-z]+' app.heapsnapshot | jq -r .class | sort | uniq -c",
        },
        Example { about: "which dump has it", command: "heap-grep -l -i session *.heapsnapshot" },
    ],
    notes: "A value is the text of a string, a regular expression and the like; names are those of functions, code and \
            roots; labels those of properties and variables. A label is reported with the node that has it, and dest, \
            what it leads to. Where the source cuts strings, only what is in the dump is searched.",
    exit: &[
        ("0", "done, whether or not there was a match"),
        ("1", "with -q: no match"),
        ("2", "wrong usage, input that cannot be read or is damaged, or output that fails"),
    ],
    run,
};

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut selection = Selection::default();
    let (mut texts, mut fixed, mut ignore_case) = (Vec::new(), false, false);
    let (mut places, mut most) = (Vec::new(), None);
    let (mut count, mut files, mut quiet) = (false, false, false);
    while let Some(option) = args.next()? {
        match option {
            "regexp" => texts.push(args.text()?),
            "fixed-strings" => fixed = true,
            "ignore-case" => ignore_case = true,
            "in" => {
                let words = args.text()?;
                let list = FoundIn::list(&words);
                places.extend(list.map_err(|word| args.invalid(word, "value, name, class or label"))?);
            }
            "count" => count = true,
            "files-with-matches" => files = true,
            "quiet" => quiet = true,
            "max-count" => most = Some(args.parse("a number")?),
            _ => args.select(option, &mut selection)?,
        }
    }
    if texts.is_empty() {
        if args.operands.is_empty() {
            return Err(Error::usage("no PATTERN"));
        }
        texts.push(args.operands.remove(0).to_string_lossy().into_owned());
    }
    if places.is_empty() {
        places = vec![FoundIn::Value, FoundIn::Name, FoundIn::Label];
    }
    let inputs = args.inputs()?;
    let patterns = grep::patterns(&texts, fixed, ignore_case).map_err(Error::usage)?;
    let most = if quiet || files { Some(1) } else { most };
    let search = Search { patterns, places, selection, most };
    let rows = if files {
        Rows::Files
    } else if count {
        Rows::Counts
    } else {
        Rows::Matches
    };
    let mut matches = Matches::new(rows, inputs.len() > 1, &args.output)?;
    let mut any = false;
    for index in 0..inputs.len() {
        let name = inputs.name(index).map(OsStr::to_string_lossy);
        let mut grep = Grep::new(search.clone(), |found| matches.found(name.as_deref(), found));
        let outcome = inputs.read(index, &mut grep)?;
        grep.finish(outcome == Outcome::Whole)?;
        grep.missing().iter().for_each(|what| heap_cli::warn(what));
        let count = grep.report().count();
        any |= count > 0;
        // That a part of a file has no match is no answer.
        if count > 0 || matches!(outcome, Outcome::Whole | Outcome::Stopped) {
            matches.input(name.as_deref(), count);
        }
    }
    if !quiet {
        matches.into_report().write(out)?;
    }
    Ok(if quiet && !any { inputs.status().max(Status::No) } else { inputs.status() })
}
