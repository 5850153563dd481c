//! Names for addresses: those of Go's comments, those in front of a profile that `jeprof --raw` wrote.

use heap_base::Map;

use crate::profile::{Function, Line, Profile, Text};

/// Texts and functions of a profile, each once; and the lines of addresses that are known.
#[derive(Default)]
pub(super) struct Symbols {
    texts: Map<Vec<u8>, Text>,
    functions: Map<(Text, Text), u64>,
    /// By address of the call.
    pub(super) lines: Map<u64, Vec<Line>>,
}

impl Symbols {
    /// The number of a text.
    pub(super) fn text(&mut self, profile: &mut Profile, text: &[u8]) -> Text {
        let next = self.texts.len() as Text;
        *self.texts.entry(text.to_vec()).or_insert_with(|| {
            profile.strings.push(text.to_vec());
            next
        })
    }

    fn line(&mut self, profile: &mut Profile, name: &[u8], file: &[u8], line: i64) -> Line {
        let (name, file) = (self.text(profile, name), self.text(profile, file));
        let next = self.functions.len() as u64 + 1;
        let function = *self.functions.entry((name, file)).or_insert_with(|| {
            profile.functions.push(Function { id: next, names: [name, name, file], start_line: 0 });
            next
        });
        Line { function, line, column: 0 }
    }

    /// A line of a symbol section: `0xADDRESS NAME--NAME`, inlined calls the innermost first. False if it is none.
    pub(super) fn named(&mut self, profile: &mut Profile, text: &[u8]) -> bool {
        let Some((address, names)) = address(text) else { return false };
        let names = std::str::from_utf8(names.trim_ascii()).unwrap_or_default();
        if !names.is_empty() && !names.starts_with("0x") {
            let lines = names.split("--").map(|name| self.line(profile, name.as_bytes(), b"", 0)).collect();
            self.lines.insert(address.wrapping_sub(1), lines);
        }
        true
    }

    /// Takes the comments behind a stack of Go. They are not one for each address: some are left out, and
    /// a call that was inlined has the address of what it was inlined into. So lines are found by address, and the
    /// lines of equal addresses in a row, as recursion makes them, are shared out.
    pub(super) fn comments(&mut self, profile: &mut Profile, stack: &[u64], comments: &[Comment]) {
        let mut rest = comments;
        while let Some(first) = rest.first() {
            let same = rest.iter().take_while(|c| c.address == first.address).count();
            let (run, behind) = rest.split_at(same);
            rest = behind;
            if self.lines.contains_key(&first.address) {
                continue;
            }
            let at = stack.iter().position(|&a| a == first.address).unwrap_or(stack.len());
            let calls = stack[at..].iter().take_while(|&&a| a == first.address).count().max(1);
            let each = if same.is_multiple_of(calls) { same / calls } else { same };
            let lines = run[..each].iter().map(|c| self.line(profile, &c.name, &c.file, c.line)).collect();
            self.lines.insert(first.address, lines);
        }
    }
}

/// A line `#  0xADDRESS  NAME+0xOFFSET  FILE:LINE`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comment {
    pub(super) address: u64,
    name: Vec<u8>,
    file: Vec<u8>,
    line: i64,
}

impl Comment {
    /// Parses what follows `#`; `None` of a line without a name.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let mut parts = text.split(|&b| b == b'\t').map(<[u8]>::trim_ascii).filter(|part| !part.is_empty());
        let (address, rest) = address(parts.next()?)?;
        let name = parts.next().filter(|_| rest.is_empty())?;
        let place = parts.next().unwrap_or_default();
        let offset = memchr::memmem::rfind(name, b"+0x").unwrap_or(name.len());
        let colon = memchr::memrchr(b':', place).unwrap_or(place.len());
        let line = std::str::from_utf8(place.get(colon + 1..).unwrap_or_default()).ok()?;
        Some(Self {
            address,
            name: name[..offset].to_vec(),
            file: place[..colon].to_vec(),
            line: line.parse().unwrap_or(0),
        })
    }
}

/// The address `0x…` at the start of `text`, and what follows.
pub(super) fn address(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.trim_ascii_start().strip_prefix(b"0x")?;
    let end = digits.iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(digits.len());
    let number = u64::from_str_radix(std::str::from_utf8(&digits[..end]).ok()?, 16).ok()?;
    Some((number, &digits[end..]))
}
