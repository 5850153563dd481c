//! The command line, and what is made from a tool's table.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use heap_record::SnapshotSelector;

use crate::tool::{EXIT, Example, Flag, INPUT, OUTPUT, SELECTION, Tool, own};
use crate::{Args, Error, Status, completions, help, mdoc};
use heap_report::{Color, Format};

static TOOL: Tool = Tool {
    name: "heap-x",
    about: "try things",
    usage: "[OPTIONS] [FILE...]",
    flags: &[
        own(&[
            Flag {
                short: Some('k'),
                long: "depth",
                value: Some("N"),
                help: "how deep\nNot at 'all'. And a\\b.",
            },
            Flag { short: None, long: "mode", value: Some("fast|slow|N"), help: "how: [fast] or it's slow" },
            Flag { short: Some('q'), long: "quiet", value: None, help: "say nothing" },
        ]),
        SELECTION,
        OUTPUT,
        INPUT,
    ],
    examples: &[Example { about: "one", command: "heap-x a" }],
    notes: "First.\n\nSecond.",
    exit: EXIT,
    run: |_, _| Ok(Status::Done),
};

fn parsed(line: &str) -> (Args, Result<Vec<String>, Error>) {
    let words: Vec<OsString> =
        std::iter::once("heap-x").chain(line.split_whitespace()).map(Into::into).collect();
    let mut args = Args::new(&TOOL, words);
    let mut found = Vec::new();
    let result = loop {
        match args.next() {
            Ok(Some(long)) if TOOL.long(long).is_some_and(|(_, f)| f.value.is_some()) => match args.text() {
                Ok(value) => found.push(format!("{long}={value}")),
                Err(e) => break Err(e),
            },
            Ok(Some(long)) => found.push(long.to_owned()),
            Ok(None) => break Ok(found),
            Err(e) => break Err(e),
        }
    };
    (args, result)
}

#[test]
fn options_in_all_spellings() {
    for (line, expected) in [
        ("", ""),
        ("-k 3", "depth=3"),
        ("-k3", "depth=3"),
        ("-k=3", "depth=3"),
        ("--depth 3", "depth=3"),
        ("--depth=3", "depth=3"),
        ("--depth -3", "depth=-3"),
        ("-qk3 -v", "quiet depth=3 invert"),
        ("a -q b", "quiet"),
        ("-q -- -q", "quiet"),
        ("-t A --type B", "type=A type=B"),
        ("-n5 --sort -size --csv --snapshot all --format v8 --no-progress --bytes --color never", ""),
    ] {
        assert_eq!(parsed(line).1.expect("a good line").join(" "), expected, "{line}");
    }
    let (args, _) = parsed("-q x -- -q - --type");
    assert_eq!(args.operands, ["x", "-q", "-", "--type"]);
    let (args, _) = parsed("-n5 --sort -size --csv --snapshot all --format v8 --no-progress --color always");
    assert_eq!((args.output.limit, args.output.sort.as_deref()), (Some(5), Some("-size")));
    assert_eq!((args.output.format, args.output.color), (Some(Format::Csv), Color::Always));
    assert_eq!(
        (args.input.pick, args.input.format.map(|f| f.name)),
        (Some(SnapshotSelector::All), Some("v8"))
    );
    assert!(!args.input.progress);
}

#[test]
fn wrong_lines_are_told_in_one_line() {
    for (line, what) in [
        ("--nosuch", "invalid option '--nosuch'"),
        ("-x", "invalid option '-x'"),
        ("-qx", "invalid option '-x'"),
        ("--quiet=1", "option '--quiet' takes no value"),
        ("--depth", "option '--depth' needs a value"),
        ("-k", "option '-k' needs a value"),
        ("-n x", "invalid value 'x' for --limit: expected a number or all"),
        ("-n -1", "invalid value '-1' for --limit: expected a number or all"),
        ("--snapshot first", "invalid value 'first' for --snapshot: expected a number, last or all"),
        ("--color red", "invalid value 'red' for --color: expected auto, always or never"),
        ("--completions tcsh", "no completions for 'tcsh': bash, zsh or fish"),
    ] {
        match parsed(line).1 {
            Err(Error::Usage(said)) => assert_eq!(said, what, "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
    let mut args = Args::new(&TOOL, ["heap-x".into(), "-k".into(), OsString::from_vec(vec![0xff])]);
    assert_eq!(args.next().expect("an option"), Some("depth"));
    assert!(matches!(args.text(), Err(Error::Usage(said)) if said.ends_with("expected text in UTF-8")));
}

#[test]
fn what_a_stream_tells_of_the_tool() {
    let version = env!("CARGO_PKG_VERSION");
    for (line, options) in [
        ("x y", ""),
        ("-t Array -v x", " --type Array --invert"),
        ("-k3 --no-progress --snapshot 1 -n3 --json", " --depth 3"),
        ("--where a>1 --name O'Hara*", r" --where 'a>1' --name 'O'\''Hara*'"),
        ("--type=", " --type ''"),
    ] {
        assert_eq!(parsed(line).0.provenance(), format!("heap-x {version}{options}"), "{line}");
    }
}

#[test]
fn answers() {
    let answer = |line| match parsed(line).1 {
        Err(Error::Answer(text)) => text,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(answer("-V"), format!("heap-x {}\n", env!("CARGO_PKG_VERSION")));
    let mut built =
        Args::new(&TOOL, ["heap-x", "-V"].map(OsString::from)).built_from(Some("1a2b3c 2026-11-25"));
    let Err(Error::Answer(text)) = built.next() else { panic!("no answer") };
    assert_eq!(text, format!("heap-x {} (1a2b3c 2026-11-25)\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(answer("-h"), help::short(&TOOL));
    assert_eq!(answer("--help"), help::long(&TOOL));
    assert_eq!(answer("--mdoc"), mdoc::options(&TOOL));
    assert!(answer("--help").contains("\n  $ heap-x a\n"));
    assert!(answer("-h").lines().count() <= 24);
}

#[test]
fn manual_and_completions_quote_what_is_special() {
    let page = mdoc::options(&TOOL);
    assert!(page.starts_with(
        ".Bl -tag -width Ds\n.It Fl k , Fl \\-depth Ar N\nHow deep.\nNot at \\(aqall\\(aq.\nAnd a\\eb.\n"
    ));
    assert!(page.contains("\n.It Fl \\-mode Ar fast|slow|N\n"));
    assert!(
        page.contains("\n.Ss Selection\nAll that are given must hold; one given twice means either.\n.Bl")
    );
    let bash = completions::script(&TOOL, "bash").expect("known");
    assert!(bash.contains("--mode) COMPREPLY=($(compgen -W 'fast slow' -- \"$cur\")); return ;;"));
    assert!(bash.contains("--depth|-k) COMPREPLY=($(compgen -W '' "));
    let zsh = completions::script(&TOOL, "zsh").expect("known");
    assert!(zsh.contains(r"'*--mode=[how\: \[fast\] or it'\''s slow]:fast|slow|N:(fast slow)'"));
    assert!(zsh.contains("'*'{-k+,--depth=}'[how deep]:N: '"));
    assert!(zsh.lines().any(|line| line.contains("'*--executable=[") && line.ends_with(":FILE:_files' \\")));
    let fish = completions::script(&TOOL, "fish").expect("known");
    assert!(fish.contains("complete -c heap-x -l mode -x -a 'fast slow' -d 'how: [fast] or it\\'s slow'\n"));
    assert!(fish.contains("complete -c heap-x -l executable -r -F -d "));
}

#[test]
fn the_format_option_knows_all_formats() {
    let (_, flag) = TOOL.long("format").expect("an input option");
    let mut offered = flag.choices();
    let mut known: Vec<_> = heap_formats::FORMATS.iter().map(|f| f.name).collect();
    offered.sort_unstable();
    known.sort_unstable();
    assert_eq!(offered, known);
    assert!(heap_formats::FORMATS.iter().all(|f| help::long(&TOOL).contains(f.name)));
}

#[test]
fn a_value_is_what_the_tool_makes_of_it() {
    let value = |line: &str| {
        let words = line.split(' ').map(|word| OsString::from(word.to_owned()));
        let mut args = Args::new(&TOOL, words.collect::<Vec<_>>());
        assert_eq!(args.next().expect("an option"), Some("mode"));
        args.parse_with("fast or slow", |text| ["slow", "fast"].iter().position(|word| *word == text))
    };
    assert_eq!(value("heap-x --mode fast").expect("a mode"), 1);
    let Err(Error::Usage(what)) = value("heap-x --mode late") else { panic!("no usage error") };
    assert_eq!(what, "invalid value 'late' for --mode: expected fast or slow");
}
