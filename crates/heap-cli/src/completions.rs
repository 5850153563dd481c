//! `--completions SHELL`: scripts for bash, zsh and fish.

use std::fmt::Write as _;

use crate::tool::{Flag, Tool};

/// The completion script of a tool for `bash`, `zsh` or `fish`; `None` for another shell.
pub fn script(tool: &Tool, shell: &str) -> Option<String> {
    match shell {
        "bash" => Some(bash(tool)),
        "zsh" => Some(zsh(tool)),
        "fish" => Some(fish(tool)),
        _ => None,
    }
}

/// A command that prints number and kind of each process that the tool takes, with a tab between.
fn processes(tool: &Tool) -> String {
    format!("{} --list --tsv 2> /dev/null | tail -n +2 | cut -f 1,2", tool.name)
}

fn flags(tool: &Tool) -> impl Iterator<Item = &'static Flag> {
    tool.groups().flat_map(|g| g.flags.iter())
}

fn bash(tool: &Tool) -> String {
    let function = format!("_{}", tool.name.replace('-', "_"));
    let mut words = Vec::new();
    let mut cases = String::new();
    for flag in flags(tool) {
        words.push(format!("--{}", flag.long));
        words.extend(flag.short.map(|c| format!("-{c}")));
        if flag.value.is_some() {
            let short = flag.short.map(|c| format!("|-{c}")).unwrap_or_default();
            let choices = tool.values(flag).join(" ");
            let _ = writeln!(
                cases,
                "        --{}{short}) COMPREPLY=($(compgen -W '{choices}' -- \"$cur\")); return ;;",
                flag.long
            );
        }
    }
    let words = words.join(" ");
    let name = tool.name;
    let operands = tool.first_operands().join(" ");
    let first = if tool.of_processes() {
        format!(
            "    if [[ $cur != -* ]]; then\n        \
                 COMPREPLY=($(compgen -W \"$({} | cut -f 1)\" -- \"$cur\"))\n        \
                 return\n    \
             fi\n",
            processes(tool)
        )
    } else if operands.is_empty() {
        String::new()
    } else {
        format!(
            "    if [[ $COMP_CWORD == 1 && $cur != -* ]]; then\n        \
                 COMPREPLY=($(compgen -W '{operands}' -- \"$cur\"))\n        \
                 return\n    \
             fi\n"
        )
    };
    format!(
        "{function}() {{\n    \
             local cur=${{COMP_WORDS[COMP_CWORD]}}\n    \
             case ${{COMP_WORDS[COMP_CWORD-1]}} in\n{cases}    esac\n{first}    \
             if [[ $cur == -* ]]; then\n        \
                 COMPREPLY=($(compgen -W '{words}' -- \"$cur\"))\n    \
             fi\n\
         }}\n\
         complete -o default -F {function} {name}\n"
    )
}

fn zsh(tool: &Tool) -> String {
    let mut out = format!("#compdef {}\n\n_arguments -s -S \\\n", tool.name);
    for flag in flags(tool) {
        // Brackets and colons part the fields of a specification.
        let help =
            flag.summary().replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]").replace(':', "\\:");
        let help = help.replace('\'', "'\\''");
        let value = flag.value.map_or_else(String::new, |value| {
            let choices = tool.values(flag);
            let action = match () {
                () if flag.takes_file() => "_files".to_owned(),
                () if choices.is_empty() => " ".to_owned(),
                () => format!("({})", choices.join(" ")),
            };
            format!(":{}:{action}", value.replace(':', "\\:"))
        });
        let long = flag.long;
        let equals = if flag.value.is_some() { "=" } else { "" };
        match flag.short {
            Some(c) => {
                let plus = if flag.value.is_some() { "+" } else { "" };
                let _ = writeln!(out, "  '*'{{-{c}{plus},--{long}{equals}}}'[{help}]{value}' \\");
            }
            None => {
                let _ = writeln!(out, "  '*--{long}{equals}[{help}]{value}' \\");
            }
        }
    }
    let operands = tool.first_operands();
    if !operands.is_empty() {
        let _ = writeln!(out, "  '1:target:({})' \\", operands.join(" "));
    }
    if tool.of_processes() {
        let _ = writeln!(
            out,
            "  '*:process:{{local -a found; found=(${{(f)\"$({} | tr \"\\t\" :)\"}}); _describe process found}}'",
            processes(tool)
        );
    } else {
        out.push_str("  '*:file:_files'\n");
    }
    out
}

fn fish(tool: &Tool) -> String {
    let mut out = String::new();
    for flag in flags(tool) {
        let help = flag.summary().replace('\\', "\\\\").replace('\'', "\\'");
        let _ = write!(out, "complete -c {} -l {}", tool.name, flag.long);
        if let Some(c) = flag.short {
            let _ = write!(out, " -s {c}");
        }
        if flag.value.is_some() {
            // -F: the value is a file also where operands are none.
            out.push_str(if flag.takes_file() { " -r -F" } else { " -x" });
            let choices = tool.values(flag);
            if !choices.is_empty() {
                let _ = write!(out, " -a '{}'", choices.join(" "));
            }
        }
        let _ = writeln!(out, " -d '{help}'");
    }
    if tool.of_processes() {
        let _ = writeln!(out, "complete -c {} -f -a '({})'", tool.name, processes(tool));
    }
    let operands = tool.first_operands();
    if !operands.is_empty() {
        let none = "test (count (commandline -opc)) -eq 1";
        let _ = writeln!(out, "complete -c {} -n '{none}' -f -a '{}'", tool.name, operands.join(" "));
    }
    out
}
