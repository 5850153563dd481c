//! Calls that wait, as heap-show --async shows them.

use std::fmt::Write as _;

use heap_base::json::{push_int, push_text, push_uint};
use heap_base::{Map, sort_by_key};

use super::stack::{broken, common_folder, json};
use crate::show::stack::{Call, Operand, Stack};
use heap_report::{Cell, Error, Field, Fields, Layout, Output, Report, Unit, text};

/// A chain of calls that wait.
struct Chain<'a> {
    stack: &'a Stack,
    first: &'a Call,
    place: String,
    /// How many wait at that place.
    count: usize,
}

fn fields<'a>() -> [Field<'static, Chain<'a>>; 9] {
    [
        Field::new("snapshot", Unit::Text, |chain: &Chain<'_>| {
            Cell::snapshot(chain.stack.snapshot.as_deref())
        })
        .optional(),
        Field::new("place", Unit::Text, |chain| chain.place.as_str().into()),
        Field::new("count", Unit::Count, |chain| chain.count.into()),
        Field::new("function", Unit::Text, |chain| chain.first.function.as_str().into()),
        Field::new("script_name", Unit::Text, |chain| chain.first.script.clone().into()),
        Field::new("line", Unit::Id, |chain| chain.first.line.into()),
        Field::new("column", Unit::Id, |chain| chain.first.column.into()),
        Field::new("identifier", Unit::Id, |chain| Cell::Int(chain.first.id)),
        Field::new("calls", Unit::Text, |chain| Cell::Json(calls(&chain.stack.calls))),
    ]
}

/// A row for each chain of calls.
///
/// # Errors
/// `--sort` names no column.
pub fn report(stacks: &[Stack], layout: &Layout) -> Result<Report, Error> {
    let mut rows = Vec::new();
    for (place, chains) in by_place(stacks, "") {
        let count = chains.len();
        rows.extend(chains.into_iter().filter_map(|stack| {
            Some(Chain { stack, first: stack.calls.first()?, place: place.clone(), count })
        }));
    }
    Fields::met(&fields(), &rows).report("heap.await", &rows, "", layout)
}

/// Chains that stand at the same places, most of them first.
fn by_place<'a>(stacks: &'a [Stack], folder: &str) -> Vec<(String, Vec<&'a Stack>)> {
    let mut numbers: Map<String, usize> = Map::default();
    let mut groups: Vec<(String, Vec<&Stack>)> = Vec::new();
    for stack in stacks {
        let place = place(stack, folder);
        let number = *numbers.entry(place.clone()).or_insert(groups.len());
        if number == groups.len() {
            groups.push((place, Vec::new()));
        }
        groups[number].1.push(stack);
    }
    sort_by_key(&mut groups, |(_, chains)| std::cmp::Reverse(chains.len()));
    groups
}

fn name(call: &Call) -> &str {
    if call.function.is_empty() { "(anonymous)" } else { &call.function }
}

/// `load (db.js:12) < handle (app.js:30) < serve (app.js:7)`.
fn place(stack: &Stack, folder: &str) -> String {
    let mut place = String::new();
    for call in &stack.calls {
        if !place.is_empty() {
            place.push_str(" < ");
        }
        place.push_str(name(call));
        let Some(script) = &call.script else { continue };
        let script = script.strip_prefix(folder).unwrap_or(script);
        let _ = match (call.line, call.function_line) {
            (Some(line), _) => write!(place, " ({script}:{line})"),
            (None, Some(line)) => write!(place, " ({script}, in the function of line {line})"),
            (None, None) => write!(place, " ({script})"),
        };
    }
    place
}

/// Calls as a JSON array.
fn calls(calls: &[Call]) -> String {
    let mut out = vec![b'['];
    for call in calls {
        if out.len() > 1 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"function\":");
        push_text(&mut out, &call.function);
        if let Some(script) = &call.script {
            out.extend_from_slice(b",\"script_name\":");
            push_text(&mut out, script);
        }
        let places = [("line", call.line), ("column", call.column), ("function_line", call.function_line)];
        for (key, number) in places {
            if let Some(number) = number.filter(|_| key != "function_line" || call.line.is_none()) {
                out.push(b',');
                push_text(&mut out, key);
                out.push(b':');
                push_uint(&mut out, number);
            }
        }
        out.extend_from_slice(b",\"identifier\":");
        push_int(&mut out, call.id);
        for (key, operands) in [("arguments", &call.arguments), ("locals", &call.locals)] {
            if !operands.is_empty() {
                out.push(b',');
                push_text(&mut out, key);
                out.push(b':');
                out.extend_from_slice(json(operands).as_bytes());
            }
        }
        out.push(b'}');
    }
    out.push(b']');
    String::from_utf8_lossy(&out).into_owned()
}

/// For people: each place with how many wait there, then each chain with arguments and variables.
///
/// # Errors
/// The output fails.
pub fn sentences(stacks: &[Stack], layout: &Layout, out: &mut dyn Output) -> Result<(), Error> {
    let room = layout.width(out.screen());
    // Each place has its share of the screen; so many chains of each are shown.
    let places = by_place(stacks, common_folder(stacks));
    let most = layout.lines(out.screen(), 0).map_or(usize::MAX, |lines| {
        if layout.limit.is_some() { lines } else { (lines / places.len().max(1)).saturating_sub(2).max(2) }
    });
    let lines = lines(&places, room, layout.limit.unwrap_or(most), layout.limit.is_none());
    out.write_all(lines.as_bytes()).map_err(heap_base::Error::write)?;
    Ok(())
}

fn lines(places: &[(String, Vec<&Stack>)], room: Option<usize>, most: usize, hint: bool) -> String {
    let mut lines = String::new();
    let mut add = |line: &str, first: &str| {
        let mut shown = String::new();
        text::visible(&mut shown, line);
        for (i, line) in broken(&shown, room).into_iter().enumerate() {
            lines.extend([if i == 0 { first } else { "      " }, &line, "\n"]);
        }
    };
    for (number, (place, chains)) in places.iter().enumerate() {
        if number > 0 {
            add("", "");
        }
        add(&format!("{} at {place}", chains.len()), "");
        for stack in chains.iter().take(most) {
            let calls: Vec<String> = stack.calls.iter().map(with_values).collect();
            add(&calls.join(" < "), "  ");
        }
        if chains.len() > most {
            add(&format!("… {} more{}", chains.len() - most, if hint { " (-n all)" } else { "" }), "  ");
        }
    }
    lines
}

/// `load("t-1") {label: "truck-1"}`.
fn with_values(call: &Call) -> String {
    let value = |operand: &Operand| match &operand.label {
        Some(label) if label.parse::<u32>().is_err() => format!("{label}: {}", operand.text),
        _ => operand.text.clone(),
    };
    let list = |operands: &[Operand]| operands.iter().map(value).collect::<Vec<_>>().join(", ");
    let mut line = format!("{}({})", name(call), list(&call.arguments));
    if !call.locals.is_empty() {
        let _ = write!(line, " {{{}}}", list(&call.locals));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_with_most_calls_come_first() {
        let operand = |label: &str, text: &str| Operand {
            label: Some(label.to_owned()),
            text: text.to_owned(),
            ..Operand::default()
        };
        let call = |function: &str, line, arguments: Vec<Operand>, locals: Vec<Operand>| Call {
            function: function.to_owned(),
            script: Some("/srv/a.js".to_owned()),
            line: Some(line),
            arguments,
            locals,
            ..Call::default()
        };
        let chain = |calls| Stack { calls, ..Stack::default() };
        let outer = |id: &str| call("route", 9, vec![operand("path", id)], vec![]);
        let inner = |id: &str| call("load", 4, vec![operand("0", id)], vec![operand("label", "7")]);
        let stacks = [
            chain(vec![call("", 2, vec![], vec![])]),
            chain(vec![inner("1"), outer("\"/a\"")]),
            chain(vec![inner("2"), outer("\"/b\"")]),
        ];
        let places = by_place(&stacks, "/srv/");
        let wanted = "2 at load (a.js:4) < route (a.js:9)\n  load(1) {label: 7} < route(path: \"/a\")\n  … 1 more\n\n\
                      1 at (anonymous) (a.js:2)\n  (anonymous)()\n";
        assert_eq!(lines(&places, None, 1, false), wanted);
    }
}
