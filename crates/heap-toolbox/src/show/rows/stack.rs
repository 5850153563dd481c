//! Stacks, as heap-show --stack shows them.

use std::fmt::Write as _;

use crate::show::stack::{Call, GAP, NATIVE, Operand, Stack};
use heap_base::json::{push_int, push_text, push_uint};

use heap_report::{Cell, Error, Field, Fields, Layout, Output, Report, Unit, text};

/// A call of a stack with how deep it stands; without one the locals of a thread that no call holds.
struct Row<'a> {
    stack: &'a Stack,
    call: Option<(usize, &'a Call)>,
}

impl<'a> Row<'a> {
    /// Something of the call.
    fn of<T: Into<Cell>>(&self, part: impl Fn(&'a Call) -> T) -> Cell {
        self.call.map(|(_, call)| part(call)).into()
    }

    fn locals(&self) -> &'a [Operand] {
        self.call.map_or(&self.stack.locals, |(_, call)| &call.locals)
    }
}

fn fields<'a>() -> [Field<'static, Row<'a>>; 17] {
    type Column<'a> = Field<'static, Row<'a>>;
    [
        Column::new("snapshot", Unit::Text, |row| Cell::snapshot(row.stack.snapshot.as_deref())).optional(),
        Column::new("thread", Unit::Text, |row| row.stack.thread.as_str().into()),
        Column::new("depth", Unit::Count, |row| row.call.map(|(depth, _)| depth).into()),
        Column::new("call", Unit::Text, |row| row.of(written)),
        Column::new("function", Unit::Text, |row| row.of(|call| call.function.as_str())),
        Column::new("script_name", Unit::Text, |row| row.of(|call| call.script.clone())),
        Column::new("line", Unit::Id, |row| row.of(|call| call.line)),
        Column::new("column", Unit::Id, |row| row.of(|call| call.column)),
        Column::new("identifier", Unit::Id, |row| row.of(|call| call.id)),
        Column::new("receiver", Unit::Text, |row| row.of(|call| Some(call.receiver.as_ref()?.text.as_str()))),
        Column::new("arguments", Unit::Text, |row| row.of(|call| list(&call.arguments))),
        Column::new("locals", Unit::Text, |row| list(row.locals())),
        Column::new("function_line", Unit::Id, |row| row.of(|call| call.function_line)),
        Column::new("tier", Unit::Text, |row| {
            row.of(|call| call.tier.clone().or_else(|| call.native.then(|| NATIVE.to_owned())))
        }),
        Column::new("thread_id", Unit::Id, |row| row.stack.object.as_ref().and_then(|o| o.id).into())
            .optional(),
        Column::new("thread_retained", Unit::Bytes, |row| {
            row.stack.object.as_ref().and_then(|object| object.retained).into()
        })
        .optional(),
        Column::new("died_of", Unit::Text, |row| row.stack.died_of.clone().into()).optional(),
    ]
}

fn list(operands: &[Operand]) -> Cell {
    if operands.is_empty() { Cell::Absent } else { Cell::Json(json(operands)) }
}

/// A row for each call, with the columns that some row has.
///
/// # Errors
/// `--sort` names no column.
pub fn report(stacks: &[Stack], layout: &Layout) -> Result<Report, Error> {
    let mut rows = Vec::new();
    for stack in stacks {
        rows.extend((!stack.locals.is_empty()).then_some(Row { stack, call: None }));
        rows.extend(stack.calls.iter().enumerate().map(|call| Row { stack, call: Some(call) }));
    }
    Fields::met(&fields(), &rows).report("heap.stack", &rows, "", layout)
}

/// `new innermost("because acct-7", 82, Account @7)`; machine code by its name alone.
pub(super) fn written(call: &Call) -> String {
    let name = if call.function.is_empty() { "(anonymous)" } else { &call.function };
    if !call.is_script() {
        return name.to_owned();
    }
    let mut arguments: Vec<&str> = call.arguments.iter().map(|a| a.text.as_str()).collect();
    if call.partial {
        arguments.push("…");
    }
    format!("{}{name}({})", if call.construct { "new " } else { "" }, arguments.join(", "))
}

/// Operands as a JSON array.
pub(super) fn json(operands: &[Operand]) -> String {
    let mut out = vec![b'['];
    for operand in operands {
        if out.len() > 1 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"value\":");
        push_text(&mut out, &operand.text);
        for (key, text) in [("label", &operand.label), ("class", &operand.class)] {
            if let Some(text) = text {
                out.push(b',');
                push_text(&mut out, key);
                out.push(b':');
                push_text(&mut out, text);
            }
        }
        if let Some(id) = operand.id {
            out.extend_from_slice(b",\"identifier\":");
            push_int(&mut out, id);
        }
        if let Some(retained) = operand.retained {
            out.extend_from_slice(b",\"retained\":");
            push_uint(&mut out, retained);
        }
        out.push(b'}');
    }
    out.push(b']');
    String::from_utf8_lossy(&out).into_owned()
}

/// For people: each thread, then its calls, innermost first, with their places.
///
/// # Errors
/// The output fails.
pub fn sentences(stacks: &[Stack], layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
    let lines = lines(stacks, layout.width(out.screen()));
    out.write_all(lines.as_bytes()).map_err(heap_base::Error::write)?;
    Ok(())
}

/// The lines of that, none longer than `room` columns where they can be broken.
fn lines(stacks: &[Stack], room: Option<usize>) -> String {
    let shared = common_folder(stacks);
    let mut lines = String::new();
    for (number, stack) in stacks.iter().enumerate() {
        if number > 0 {
            lines.push('\n');
        }
        if let Some(why) = &stack.died_of {
            let mut shown = String::new();
            text::visible(&mut shown, &format!("died of: {why}"));
            for (i, line) in broken(&shown, room).into_iter().enumerate() {
                lines.extend([if i == 0 { "" } else { "      " }, &line, "\n"]);
            }
        }
        let snapshot = stack.snapshot.as_ref().map_or_else(String::new, |s| format!(", snapshot {s}"));
        let mut title = format!("{}{snapshot}", stack.thread);
        if let Some(object) = &stack.object {
            if object.text != stack.thread {
                let _ = write!(title, "   {}", object.text);
            }
            if let Some(bytes) = object.retained {
                let _ = write!(title, "   retains {}", text::human_size(bytes));
            }
        }
        // What the machine does beside the program, in short; but the thread that died is the first.
        let short = number > 0 && stack.object.is_none() && !stack.calls.iter().any(Call::is_script);
        if short {
            let names: Vec<&str> = stack.calls.iter().map(|call| call.function.as_str()).collect();
            let _ = write!(title, ": {}", names.join(" < "));
        }
        let mut shown = String::new();
        text::visible(&mut shown, &title);
        for (i, line) in broken(&shown, room).into_iter().enumerate() {
            lines.extend([if i == 0 { "" } else { "      " }, &line, "\n"]);
        }
        if short {
            continue;
        }
        if !stack.locals.is_empty() {
            let mut shown = String::new();
            text::visible(&mut shown, &format!("no call: {}", held(&stack.locals)));
            for (i, line) in broken(&shown, room).into_iter().enumerate() {
                lines.extend([if i == 0 { "  " } else { "      " }, &line, "\n"]);
            }
        }
        for call in &stack.calls {
            let mut line = written(call);
            if !call.locals.is_empty() {
                let _ = write!(line, " {}", held(&call.locals));
            }
            match &call.script {
                _ if call.tier.as_deref() == Some(GAP) => {}
                Some(file) if !call.is_script() => {
                    let _ = write!(line, " [{}]", file.rsplit('/').next().unwrap_or(file));
                }
                Some(script) => {
                    line.push(' ');
                    line.push_str(script.strip_prefix(shared).unwrap_or(script));
                    for place in [call.line, call.column].into_iter().flatten() {
                        let _ = write!(line, ":{place}");
                    }
                    if let (None, Some(begin)) = (call.line, call.function_line) {
                        let _ = write!(line, " (in the function of line {begin})");
                    }
                }
                // A source that says what runs a call has no script of the machine's own functions.
                None if call.tier.is_some() => line.push_str(" (native)"),
                None => {}
            }
            if call.native {
                line.push_str(" (native)");
            }
            let mut shown = String::new();
            text::visible(&mut shown, &line);
            for (i, line) in broken(&shown, room).into_iter().enumerate() {
                lines.extend([if i == 0 { "  " } else { "      " }, &line, "\n"]);
            }
        }
    }
    lines
}

/// `{Account @7, "text" 1.2K}`: locals, with what they retain if that is known.
fn held(locals: &[Operand]) -> String {
    let local = |local: &Operand| match local.retained {
        Some(bytes) => format!("{} {}", local.text, text::human_size(bytes)),
        None => local.text.clone(),
    };
    format!("{{{}}}", locals.iter().map(local).collect::<Vec<_>>().join(", "))
}

/// What the stacks lack, in a line of its own below them.
///
/// # Errors
/// The output fails.
pub fn lost(lost: &[String], layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
    for text in lost {
        for line in broken(&format!("… {text}"), layout.width(out.screen())) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// A line in pieces, the first indented by 2, the others by 6, that fit into `room`.
pub(super) fn broken(line: &str, room: Option<usize>) -> Vec<String> {
    match room {
        Some(room) if text::width(line) + 2 > room => text::wrap(line, room.saturating_sub(6)),
        _ => vec![line.to_owned()],
    }
}

/// The folder that all scripts with an absolute path are in, its slash included.
pub(super) fn common_folder(stacks: &[Stack]) -> &str {
    let calls = stacks.iter().flat_map(|s| &s.calls).filter(|call| call.is_script());
    let scripts = calls.filter_map(|call| call.script.as_deref());
    let mut absolute = scripts.filter(|script| script.starts_with('/') || script.contains("://"));
    let Some(first) = absolute.next() else { return "" };
    let mut end = first.rfind('/').map_or(0, |at| at + 1);
    for script in absolute {
        let same = first.bytes().zip(script.bytes()).take_while(|(a, b)| a == b).count();
        end = first[..floor(first, same.min(end))].rfind('/').map_or(0, |at| at + 1);
    }
    &first[..end]
}

/// The end of the last character that ends before `at`.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_without_scripts_are_short() {
        let call = |function: &str, script: Option<&str>, tier: &str| Call {
            function: function.to_owned(),
            script: script.map(str::to_owned),
            tier: Some(tier.to_owned()),
            ..Call::default()
        };
        let idle =
            || vec![call("wait", Some("/lib/libc.so.6"), "native"), call("run", Some("/bin/node"), "native")];
        let busy = vec![
            call("node::Abort", Some("/bin/node"), "native"),
            call("(calls missing: libx.so is not at hand)", None, "gap"),
            Call { function_line: Some(4), ..call("hot", Some("/srv/a.js"), "compiled") },
            Call { partial: true, ..call("small", Some("/srv/a.js"), "inlined") },
            call("map", None, "compiled"),
        ];
        let stack = |thread: &str, calls| Stack { thread: thread.to_owned(), calls, ..Stack::default() };
        let died_of = Some("TypeError: x is not a function".to_owned());
        let one = Stack { died_of, ..stack("one", idle()) };
        let stacks = [one, stack("two", busy), stack("three", idle())];
        let wanted = "died of: TypeError: x is not a function\none\n  wait [libc.so.6]\n  run [node]\n\n\
                      two\n  node::Abort [node]\n  (calls missing: libx.so is not at hand)\n  \
                      hot() a.js (in the function of line 4)\n  small(…) a.js\n  map() (native)\n\n\
                      three: wait < run\n";
        assert_eq!(lines(&stacks, None), wanted);
    }

    #[test]
    fn only_native_methods_are_native_where_nothing_says_what_runs_a_call() {
        let call = |function: &str, script: Option<&str>, native| Call {
            function: function.to_owned(),
            script: script.map(str::to_owned),
            native,
            ..Call::default()
        };
        let calls = vec![
            call("a.Lock.park", Some("Lock.java"), true),
            call("a.Lock.hidden", None, true),
            call("a.$Proxy1.run", None, false),
            call("a.Main.main", Some("Main.java"), false),
        ];
        let stack = Stack { thread: "main".to_owned(), calls, ..Stack::default() };
        let wanted = "main\n  a.Lock.park() Lock.java (native)\n  a.Lock.hidden() (native)\n  \
                      a.$Proxy1.run()\n  a.Main.main() Main.java\n";
        assert_eq!(lines(&[stack], None), wanted);
    }

    #[test]
    fn folders_that_all_scripts_share() {
        let stack = |scripts: &[&str]| {
            let call = |script: &&str| Call { script: Some((*script).to_owned()), ..Call::default() };
            [Stack { calls: scripts.iter().map(call).collect(), ..Stack::default() }]
        };
        for (scripts, folder) in [
            (&["/a/b/x.js", "/a/b/c/y.js", "node:timers"][..], "/a/b/"),
            (&["/a/b/x.js"], "/a/b/"),
            (&["/a/bé/x.js", "/a/bè/x.js"], "/a/"),
            (&["node:fs"], ""),
            (&[], ""),
        ] {
            assert_eq!(common_folder(&stack(scripts)), folder);
        }
    }
}
