//! heap-tools: all tools in one program, and what installs it. See `man/heap-tools.1`.

mod install;
mod pages;
mod sys;

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use heap_cli::{Args, Error, Example, Flag, Out, Status, Tool, nearest, own};
use heap_toolbox::TOOLS;

static TOOL: Tool = Tool {
    name: "heap-tools",
    about: "all tools in one program",
    usage: "[TOOL [ARGUMENT...] | install [--prefix DIR] | uninstall [--prefix DIR]]",
    flags: &[own(&[Flag {
        short: None,
        long: "prefix",
        value: Some("DIR"),
        help: "install below this folder, or uninstall from there\n\
               The default is ~/.local, for root /usr/local.",
    }])],
    examples: &[
        Example { about: "which tools there are", command: "heap-tools" },
        Example { about: "a tool by its name", command: "heap-tools sum -n 20 app.heapsnapshot" },
        Example {
            about: "every tool by its own name, with pages and completions",
            command: "heap-tools install --prefix tmp/here",
        },
        Example { about: "the same away again", command: "heap-tools uninstall --prefix tmp/here" },
        Example {
            about: "what takes the space, with jq",
            command: "heap-tools sum app.heapsnapshot | jq .class",
        },
    ],
    notes: "Without arguments it lists the tools. TOOL is a name with or without heap-; the program is also the tool \
            that it is called as, so a link heap-sum to it is heap-sum. install copies the program to DIR/bin, makes a link for \
            each tool beside it, and writes pages and completions for bash, zsh and fish to DIR/share. uninstall removes \
            exactly that.",
    exit: &[("0", "done"), ("2", "wrong usage, or a file that cannot be written or removed")],
    run,
};

/// Commit and day, if this program was built from a repository.
const COMMIT: Option<&str> = option_env!("HEAP_TOOLS_COMMIT");

fn main() -> ExitCode {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let called = words.first().and_then(|word| Path::new(word).file_name()).and_then(OsStr::to_str);
    if let Some(tool) = TOOLS.iter().find(|tool| called == Some(tool.name)) {
        return heap_cli::run(tool, words, COMMIT);
    }
    if let Some(tool) = words.get(1).and_then(|word| tool(word.to_str()?)) {
        words.remove(0);
        return heap_cli::run(tool, words, COMMIT);
    }
    heap_cli::run(&TOOL, words, COMMIT)
}

/// The tool with this name, with or without `heap-`.
fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().copied().find(|tool| name == tool.name || name == short(tool))
}

/// Its name without `heap-`.
fn short(tool: &Tool) -> &'static str {
    tool.name.strip_prefix("heap-").unwrap_or(tool.name)
}

/// Name and text of the completions of this program for a shell.
fn completions(shell: &str) -> String {
    let words: Vec<_> = TOOLS.iter().map(|tool| short(tool)).chain(["install", "uninstall"]).collect();
    let words = words.join(" ");
    match shell {
        "bash" => format!(
            "_heap_tools() {{\n    \
                 if [[ $COMP_CWORD == 1 ]]; then\n        \
                     COMPREPLY=($(compgen -W '{words}' -- \"${{COMP_WORDS[1]}}\"))\n    \
                 fi\n\
             }}\n\
             complete -o default -F _heap_tools heap-tools\n"
        ),
        "zsh" => format!("#compdef heap-tools\n\n_arguments '1:tool:({words})' '*:file:_files'\n"),
        _ => format!("complete -c heap-tools -n __fish_is_first_arg -f -a '{words}'\n"),
    }
}

fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
    let mut prefix = None;
    while let Some(option) = args.next()? {
        match option {
            "prefix" => prefix = Some(PathBuf::from(args.value()?)),
            _ => return Err(args.unexpected()),
        }
    }
    let mut words = args.operands.iter().map(|word| word.to_string_lossy());
    let shell = match words.next().as_deref() {
        None if prefix.is_some() => return Err(Error::usage("--prefix goes with install or uninstall")),
        None => list(),
        Some("install") if words.len() == 0 => install::install(&install::prefix(prefix)?)?,
        Some("uninstall") if words.len() == 0 => install::uninstall(&install::prefix(prefix)?)?,
        Some("install" | "uninstall") => {
            return Err(Error::usage("install and uninstall take no further words"));
        }
        Some(word) => {
            let names = TOOLS.iter().map(|tool| short(tool)).chain(["install", "uninstall"]);
            let hint = nearest(word, names).map_or(String::new(), |name| format!("; did you mean '{name}'?"));
            return Err(Error::usage(format!("no tool '{word}'{hint}")));
        }
    };
    out.write_all(shell.as_bytes())?;
    Ok(Status::Done)
}

/// A line for each tool.
fn list() -> String {
    let mut text = String::new();
    for tool in TOOLS {
        let _ = writeln!(text, "{:<15}{}", tool.name, tool.about);
    }
    text.push_str(
        "\nheap-tools TOOL --help says more of one. heap-tools install makes each a command, with its page.\n",
    );
    text
}
