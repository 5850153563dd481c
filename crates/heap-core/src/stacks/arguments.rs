//! Names of parameters, out of the source of a function.

use crate::heap::Heap;

/// Units of the source that are searched for parameters.
const MOST_SOURCE: u64 = 4 << 10;

impl Heap {
    /// The names of a function's parameters, as far as they are plain names; the others are empty.
    pub(crate) fn parameters(&self, function: u64) -> Vec<String> {
        let Some(shared) = self.shared(function) else { return Vec::new() };
        let Some((start, end)) = self.shared_position(shared) else { return Vec::new() };
        let Some(script) = self.shared_script(shared) else { return Vec::new() };
        let Some(source) = self.memory.word(script + self.offsets.script_source) else { return Vec::new() };
        let mut units = Vec::new();
        self.part(source, start.into(), u64::from(end - start).min(MOST_SOURCE), &mut units);
        parameters(&String::from_utf16_lossy(&units))
    }
}

/// The parameters of the function that `source` begins with: `(a, b = 1, {c})`, or `a =>`. An asynchronous function with an
/// arrow begins with `async`, any other with its parameters.
pub(crate) fn parameters(source: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let behind = source.strip_prefix("async").filter(|rest| !rest.starts_with(is_name)).map(str::trim_start);
    // One that has `async` for its parameter is none.
    let source = behind.filter(|rest| !rest.starts_with("=>")).unwrap_or(source);
    let Some(list) = source.strip_prefix('(') else {
        let name: String = source.chars().take_while(|&c| is_name(c)).collect();
        let arrow = source[name.len()..].trim_start().starts_with("=>");
        return if arrow && !name.is_empty() { vec![name] } else { Vec::new() };
    };
    let mut names = Vec::new();
    let mut name = String::new();
    let mut depth = 0;
    // Whether the name may still grow: not behind `=` or a bracket.
    let mut open = true;
    for c in list.chars() {
        match c {
            ')' if depth == 0 => {
                if !name.is_empty() || !names.is_empty() || !open {
                    names.push(name);
                }
                return names;
            }
            ',' if depth == 0 => {
                names.push(std::mem::take(&mut name));
                open = true;
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '"' | '\'' | '`' | '/' => return Vec::new(),
            _ => {}
        }
        if depth == 0 && open && is_name(c) {
            name.push(c);
        } else if !(c.is_whitespace() || c == '.') || !name.is_empty() {
            open = false;
        }
    }
    Vec::new()
}
