//! Where functions stand in the program's source, and how that reads: `onConfig (app.js:40:12)`.

use heap_base::json::{each, inside, member};
use heap_base::{Map, NumberMap, Result};
use heap_record::{Data, Edge, Extension, Node, Role, Str, StringId, Types, Value};

use super::clues::{Word, word};
use super::locations::{Line, Locations};
use super::whose::file_of;
use crate::select::field::int_field;
use crate::stream::Strings;

/// A function with its place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The function; empty if it has no name.
    pub function: String,
    /// The name of its script, as the source has it; empty if that is not known.
    pub script: String,
    /// Its line, from 1; 0 if that is not known.
    pub line: i64,
    /// Its column, from 1; 0 if that is not known.
    pub column: i64,
}

impl Source {
    /// The function, or what stands for one without a name.
    pub fn name(&self) -> &str {
        named(&self.function)
    }

    /// `onConfig (app.js:40:12)`: the script without its folders.
    pub fn short(&self) -> String {
        spelt(&self.function, &self.place())
    }

    /// `onConfig (/srv/app.js:40:12)`: functions of different scripts read differently.
    pub fn whole(&self) -> String {
        spelt(&self.function, &place(&self.script, self.line, self.column))
    }

    /// `app.js:40:12`; empty if the script is not known.
    pub fn place(&self) -> String {
        place(file_of(&self.script), self.line, self.column)
    }
}

/// A function at a place; a place that is not known is left out.
pub fn spelt(function: &str, place: &str) -> String {
    let function = named(function);
    if place.is_empty() { function.to_owned() } else { format!("{function} ({place})") }
}

/// A function's name, or what stands for it.
pub(crate) fn named(function: &str) -> &str {
    if function.is_empty() { "(anonymous)" } else { function }
}

/// A line of a script, as far as they are known.
pub fn place(script: &str, line: i64, column: i64) -> String {
    match (script.is_empty(), line > 0, column > 0) {
        (true, ..) => String::new(),
        (false, false, _) => script.to_owned(),
        (false, true, false) => format!("{script}:{line}"),
        (false, true, true) => format!("{script}:{line}:{column}"),
    }
}

/// The script and line that a node itself gives. A source may have the line in a namespace of its own.
pub(super) fn line_of(node: &Node<'_>) -> Option<Line> {
    let script = member(node.own, "script_name").and_then(int_field)?;
    let beside = |name: &str| each(node.rest).find_map(|(_, raw)| int_field(member(inside(raw)?, name)?));
    let field = |name| member(node.own, name).and_then(int_field);
    let place = |name| field(name).or_else(|| beside(name)).unwrap_or(0);
    Some(Line { script, line: place("line"), column: place("column"), function: field("function") })
}

/// Where the functions of a snapshot stand, gathered from its records: for tools that build no graph.
///
/// Memory: some 40 bytes for each function and for each node of code, 20 more for code that has functions, 10 for each
/// location.
#[derive(Debug, Default)]
pub struct Sources {
    /// What each function is made from, and its name.
    functions: Map<Value, (Value, Option<StringId>)>,
    /// The first function that is made from each code.
    made: Map<Value, Value>,
    /// Lines that nodes give themselves.
    lines: Map<Value, Line>,
    /// Names of nodes of code; scripts are among them.
    names: Map<Value, StringId>,
    /// The script of code.
    scripts: Map<Value, Value>,
    locations: Locations,
    /// Labels that lead from code to its script. They hold for a stream.
    labels: Vec<StringId>,
    /// Whether subtypes of nodes are code, as far as that was asked. That holds for a stream, too.
    codes: NumberMap<Option<bool>>,
}

impl Sources {
    /// A new stream begins.
    pub fn begin_stream(&mut self) {
        *self = Self::default();
    }

    /// Takes a string record in.
    pub fn string(&mut self, record: &Str<'_>) {
        let (Data::Plain(text) | Data::Escaped(text)) = record.data;
        if word(text) == Some(Word::Script) {
            self.labels.push(record.id);
        }
    }

    /// Takes a node in.
    pub fn node(&mut self, node: &Node<'_>, types: &Types) {
        if let Some(code) = member(node.own, "metadata").and_then(int_field) {
            self.functions.insert(node.id, (code, node.heap.name));
            self.made.entry(code).or_insert(node.id);
        } else if let Some(line) = line_of(node) {
            self.lines.insert(node.id, line);
        } else if let Some(name) = node.heap.name {
            let is_code = self.codes.slot(node.subtype.into());
            if *is_code.get_or_insert_with(|| types.node_id("code") == Some(node.subtype)) {
                self.names.insert(node.id, name);
            }
        }
    }

    /// Takes an edge in.
    #[inline]
    pub fn edge(&mut self, edge: &Edge<'_>, types: &Types) {
        if edge.label.is_some_and(|label| self.labels.contains(&label))
            && let Some(script) = edge.dest
            && types.role(edge.subtype) == Role::Inner
        {
            self.scripts.insert(edge.source, script);
        }
    }

    /// Takes an extension record in.
    pub fn extension(&mut self, record: &Extension<'_>) {
        self.locations.add(record.body);
    }

    /// What the function of a node is made from: the same for all functions of one place.
    pub fn code(&self, id: Value) -> Option<Value> {
        self.functions.get(&id).map(|of| of.0)
    }

    /// Where the functions stand that are made from this code, as [`find`](Self::find) has it.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn of_code(&self, code: Value, strings: &Strings) -> Result<Option<Source>> {
        self.made.get(&code).map_or(Ok(None), |&function| self.find(function, strings))
    }

    /// Where a function or call stands, if its script is known.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn find(&self, id: Value, strings: &Strings) -> Result<Option<Source>> {
        let made = self.functions.get(&id).copied();
        let (code, name) = made.unwrap_or((id, None));
        let line = self.lines.get(&code);
        if made.is_none() && line.is_none_or(|line| line.function.is_none()) {
            return Ok(None);
        }
        let script = match line {
            Some(line) => Some(line.script),
            None => self.scripts.get(&code).and_then(|script| self.names.get(script)).copied(),
        };
        let text = |id: Option<StringId>| id.map_or(Ok(String::new()), |id| strings.text_or_number(id));
        let script = text(script)?;
        if script.is_empty() {
            return Ok(None);
        }
        let function = text(line.and_then(|line| line.function).or(name))?;
        let (line, column) = match (self.locations.find(id), line) {
            (Some(at), _) => (at.line, at.column),
            (None, Some(at)) => (at.line, at.column),
            (None, None) => (0, 0),
        };
        Ok(Some(Source { function, script, line, column }))
    }

    /// The next snapshot begins.
    pub fn clear(&mut self) {
        let (labels, codes) = (std::mem::take(&mut self.labels), std::mem::take(&mut self.codes));
        *self = Self { labels, codes, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_reads_with_what_is_known_of_its_place() {
        let source = |function: &str, script: &str, line, column| Source {
            function: function.to_owned(),
            script: script.to_owned(),
            line,
            column,
        };
        assert_eq!(source("onConfig", "/srv/app.js", 40, 12).short(), "onConfig (app.js:40:12)");
        assert_eq!(source("onConfig", "/srv/app.js", 40, 12).whole(), "onConfig (/srv/app.js:40:12)");
        assert_eq!(source("", "file:///srv/app.js?x=1", 40, 0).short(), "(anonymous) (app.js:40)");
        assert_eq!(source("run", "C:\\srv\\app.js", 0, 12).short(), "run (app.js)");
        assert_eq!(source("emit", "vm:lib/events", 4, 1).short(), "emit (vm:lib/events:4:1)");
        assert_eq!(source("main", "", 4, 1).short(), "main");
    }
}
