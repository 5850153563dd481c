//! The table that describes a tool: `--help`, the manual's OPTIONS, completions and the parser come from it.

use heap_formats::targets::TARGETS;

use crate::{Args, Error, Out, Status};

/// A tool: what it is called, what it does and what it takes.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its command, e.g. `heap-filter`.
    pub name: &'static str,
    /// What it does, in a few words: lower case, no full stop.
    pub about: &'static str,
    /// What follows its name: `[OPTIONS] [FILE...]`.
    pub usage: &'static str,
    /// Its options: its own first, then what it shares with others ([`SELECTION`], [`OUTPUT`], [`INPUT`]).
    pub flags: &'static [Group],
    /// Command lines worth pasting; tests run them.
    pub examples: &'static [Example],
    /// Paragraphs for `--help`, after the first line. An empty line parts them.
    pub notes: &'static str,
    /// What the exit status says: [`EXIT`], or the tool's own list where it answers a question.
    pub exit: &'static [(&'static str, &'static str)],
    /// Reads the arguments and does the work.
    pub run: fn(&mut Args, &mut Out) -> Result<Status, Error>,
}

/// Options under one heading.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The heading.
    pub title: &'static str,
    /// The options.
    pub flags: &'static [Flag],
    /// Who reads them.
    pub kind: Kind,
    /// Columns that `--sort` takes, for completion: of [`OUTPUT`], see [`output`].
    pub columns: &'static [&'static str],
}

/// Who reads the options of a [`Group`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tool: [`Args::next`](crate::Args::next) hands them over.
    Own,
    /// The tool, with the rules that all tools share.
    Selection,
    /// heap-cli, into [`Args::output`](crate::Args::output).
    Output,
    /// heap-cli, into [`Args::input`](crate::Args::input).
    Input,
    /// heap-cli, into what [`Args::gate`](crate::Args::gate) makes.
    Gate,
    /// heap-cli, which answers at once.
    General,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// `-t`.
    pub short: Option<char>,
    /// `--type`, without the dashes.
    pub long: &'static str,
    /// What its value is called. Words in lower case parted by `|` are values in themselves, which
    /// completion offers: `N|last|all`.
    pub value: Option<&'static str>,
    /// What it does. The first line is all that `-h` shows; `--help` and the manual have all of it.
    pub help: &'static str,
}

/// A command line worth pasting.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What it is good for: lower case, no full stop.
    pub about: &'static str,
    /// The command line.
    pub command: &'static str,
}

/// The exit statuses of a tool that answers no question.
pub const EXIT: &[(&str, &str)] =
    &[("0", "done"), ("2", "wrong usage, input that cannot be read or is damaged, or output that fails")];

/// The options of `OPTIONS` that only one tool has.
pub const fn own(flags: &'static [Flag]) -> Group {
    Group { title: "Options", flags, kind: Kind::Own, columns: &[] }
}

/// How a report with these columns is written.
pub const fn output(columns: &'static [&'static str]) -> Group {
    Group { columns, ..OUTPUT }
}

/// An option without a value: `-s`, `--long`.
pub const fn switch(short: Option<char>, long: &'static str, help: &'static str) -> Flag {
    Flag { short, long, value: None, help }
}

/// How to select nodes; the same in every tool that does.
pub const SELECTION: Group = Group {
    title: "Selection (all that are given must hold; one given twice means either)",
    kind: Kind::Selection,
    columns: &[],
    flags: &[
        Flag {
            short: Some('t'),
            long: "type",
            value: Some("NAME"),
            help: "nodes of this type: class, or subtype where there is no class\n\
                   The characters * and ? stand for any text and any one character.",
        },
        Flag { short: None, long: "subtype", value: Some("NAME"), help: "nodes of this subtype" },
        Flag { short: None, long: "name", value: Some("GLOB"), help: "nodes with this name of their own" },
        Flag { short: None, long: "class", value: Some("GLOB"), help: "nodes of this class" },
        Flag {
            short: None,
            long: "id",
            value: Some("@N"),
            help: "the node with this identifier\n\
                   @N is the number that the source itself uses (DevTools shows it as @N), a bare N the identifier in the stream; 0xN is the object at an address.",
        },
        Flag {
            short: None,
            long: "min-size",
            value: Some("BYTES"),
            help: "nodes of at least this shallow size\n\
                   Sizes may end in K, M, G or T, which stand for powers of 1024.",
        },
        Flag {
            short: None,
            long: "max-size",
            value: Some("BYTES"),
            help: "nodes of at most this shallow size",
        },
        Flag {
            short: None,
            long: "where",
            value: Some("EXPR"),
            help: "nodes for which a condition holds, such as 'v8.detachedness = 2'\n\
                   Any field by its dotted name, joined by and, or, not; several --where must all hold. See heap-tools(7).",
        },
        Flag { short: Some('v'), long: "invert", value: None, help: "the nodes that do not match" },
    ],
};

/// How a report is written; the same in every report tool.
pub const OUTPUT: Group = Group {
    title: "Output (a table on a terminal, JSON lines in a pipe)",
    kind: Kind::Output,
    columns: &[],
    flags: &[
        Flag { short: None, long: "table", value: None, help: "an aligned table" },
        Flag { short: None, long: "json", value: None, help: "one JSON object per line" },
        Flag {
            short: None,
            long: "csv",
            value: None,
            help: "comma-separated values, with a header\nTexts stay as they are: a cell that begins with = + - or @ is a formula to a spreadsheet.",
        },
        Flag { short: None, long: "tsv", value: None, help: "tab-separated values, with a header" },
        Flag {
            short: Some('n'),
            long: "limit",
            value: Some("N|all"),
            help: "no more than N rows\n\
                   The default is all, but for a table on a terminal: as many as fit on the screen.",
        },
        Flag {
            short: None,
            long: "sort",
            value: Some("KEY"),
            help: "sort by this column, largest first; -KEY: smallest first",
        },
        Flag { short: None, long: "bytes", value: None, help: "plain numbers in tables, not 1.5M" },
        Flag {
            short: None,
            long: "wide",
            value: None,
            help: "tables with all columns, and no text cut\n\
                   Otherwise a table fits the terminal, or 80 characters where there is none: the last columns may be \
                   left out, which its last line names.",
        },
        Flag {
            short: None,
            long: "color",
            value: Some("auto|always|never"),
            help: "colour in tables\n\
                   With auto, the default, on a terminal only, and not if NO_COLOR is set or TERM is dumb.",
        },
    ],
};

/// How inputs are read; the same in every tool.
pub const INPUT: Group = Group {
    title: "Input",
    kind: Kind::Input,
    columns: &[],
    flags: &[
        Flag {
            short: None,
            long: "snapshot",
            value: Some("N|last|all"),
            help: "which snapshot of a file with several\n\
                   They are counted from 0; the default is the last. FILE@N says it of one file.",
        },
        Flag {
            short: None,
            long: "format",
            value: Some("records|v8|webkit|moarvm|dart|core|java|ruby|pprof|memory-infra|sqlite|parquet|mdb"),
            help: "take the input for this format\n\
                   Otherwise the format is detected from the first bytes after unpacking, never from the name.",
        },
        Flag {
            short: None,
            long: "java-layout",
            value: Some("LAYOUT"),
            help: "Java HPROF: bytes of a reference, of a header, of the alignment, and how fields are packed\n\
                   reference=4|8,header=8|12|16,align=8..256,fields=packed|inherited|mat; what is not given is inferred from \
                   the distances between objects. fields=mat gives the sizes of Eclipse MAT.",
        },
        Flag {
            short: None,
            long: "java-refs",
            value: Some("all|strong|hard"),
            help: "Java HPROF: which references retain\n\
                   all: every one, as in Eclipse MAT. strong: weak and phantom ones do not. hard: nor do soft and final ones.",
        },
        Flag {
            short: None,
            long: "java-values",
            value: None,
            help: "Java HPROF: values of primitive fields too\n\
                   Each is an edge to a number with the field's name as label. heap-show and heap-to have them then, \
                   heap-redact --numbers leaves them out. Contents of primitive arrays are never carried.",
        },
        Flag {
            short: None,
            long: "value",
            value: Some("NAME"),
            help: "pprof: which value of the samples is their size, such as alloc_space\n\
                   Otherwise it is the one that the profile names, or else the bytes in use. The count of objects goes with it.",
        },
        Flag {
            short: None,
            long: "executable",
            value: Some("FILE"),
            help: "the executable that a core dump is of\n\
                   It says where V8 keeps what, and holds the source of Node's own functions. Without it the numbers of \
                   known releases are used, else those of the file that the core names.",
        },
        Flag {
            short: None,
            long: "javacore",
            value: Some("FILE"),
            help: "the javacore of an OpenJ9 dump: its threads, roots and loaders\n\
                   Otherwise it is the one beside heapdump.DATE.TIME.PID.N.phd that is called javacore.DATE.TIME.PID.N.txt, \
                   with the nearest N.",
        },
        Flag {
            short: None,
            long: "no-limit",
            value: None,
            help: "unpack whatever comes\n\
                   Otherwise a packed input is refused that expands to more than 1 GiB and a thousand times its size, and \
                   one of more than 64 GiB that would have to be spooled.",
        },
        Flag { short: None, long: "no-progress", value: None, help: "no progress bar on the terminal" },
    ],
};

/// What comes of `--fail-on`, which is an option of the tool's own; the same in every tool that has it.
pub const GATE: Group = Group {
    title: "Gate (with --fail-on)",
    kind: Kind::Gate,
    columns: &[],
    flags: &[
        Flag {
            short: None,
            long: "baseline",
            value: Some("FILE"),
            help: "known rows, which do not fail: a line CONDITION # REASON each\n\
                   The conditions are as those of --fail-on. Known rows are not written, but said on standard error; \
                   entries that hold for no row are warned of.",
        },
        Flag {
            short: None,
            long: "report",
            value: Some("junit=FILE|gitlab=FILE|github"),
            help: "also write the result for a service of continuous integration; may repeat\n\
                   junit: JUnit XML. gitlab: a code quality report. github: workflow commands, which annotate the run, to \
                   standard error, or to a file with github=FILE.",
        },
    ],
};

/// What every tool answers; added to each table by heap-cli.
pub(crate) const GENERAL: Group = Group {
    title: "General",
    kind: Kind::General,
    columns: &[],
    flags: &[
        Flag { short: Some('h'), long: "help", value: None, help: "help; -h: on one screen" },
        Flag { short: Some('V'), long: "version", value: None, help: "name and version" },
    ],
};

impl Tool {
    /// All groups, the general one last.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &'static Group> {
        self.flags.iter().chain(std::iter::once(&GENERAL))
    }

    /// The option called `--long`.
    pub(crate) fn long(&self, long: &str) -> Option<(&'static Group, &'static Flag)> {
        self.groups().find_map(|g| g.flags.iter().find(|f| f.long == long).map(|f| (g, f)))
    }

    /// The values of an option that completion offers.
    pub(crate) fn values(&self, flag: &Flag) -> Vec<&'static str> {
        let columns = self.groups().find(|g| g.kind == Kind::Output).map_or(&[][..], |g| g.columns);
        if flag.long == "sort" { columns.to_vec() } else { flag.choices() }
    }

    /// The words that the first operand may be, where it is no FILE.
    pub(crate) fn first_operands(&self) -> Vec<&'static str> {
        let targets = self.usage.starts_with("TARGET ");
        if targets { TARGETS.iter().map(|target| target.name).collect() } else { Vec::new() }
    }

    /// Whether its operands are processes, which `--list` lists.
    pub(crate) fn of_processes(&self) -> bool {
        self.usage.ends_with("PROCESS|ADDRESS")
    }

    /// The option called `-short`.
    pub(crate) fn short(&self, short: char) -> Option<(&'static Group, &'static Flag)> {
        self.groups().find_map(|g| g.flags.iter().find(|f| f.short == Some(short)).map(|f| (g, f)))
    }
}

impl Flag {
    /// Whether the value is the name of a file.
    pub(crate) fn takes_file(&self) -> bool {
        self.value == Some("FILE")
    }

    /// The help's first line.
    pub(crate) fn summary(&self) -> &'static str {
        self.help.lines().next().unwrap_or_default()
    }

    /// The values that can be offered for completion.
    pub(crate) fn choices(&self) -> Vec<&'static str> {
        let words = self.value.unwrap_or_default();
        if !words.contains('|') {
            return Vec::new();
        }
        let words = words.split('|').filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase()));
        // Of `threshold=N` the part before the value.
        words.map(|word| word.split_inclusive('=').next().unwrap_or(word)).collect()
    }
}
