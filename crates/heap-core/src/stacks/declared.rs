//! Variables that a function declares, out of its source.
//!
//! The source is taken apart into tokens only: what is a word, a bracket, a literal. That is enough to see where a variable
//! is declared, where its first value stands and in which block it is seen. Whether that is so the bytecode has to confirm,
//! see [`super::locals`].

/// A variable of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    /// Where its value stands, or its name if none is given; in units from the start of the source.
    pub(crate) at: u32,
    /// Where that ends.
    pub(crate) end: u32,
    /// Whether its value is given where it is declared, and `at` is that of the value.
    pub(crate) given: bool,
    /// The block in which it is seen.
    pub(crate) scope: (u32, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    /// A sign of one character.
    Sign(u8),
    /// A number, a text, a regular expression.
    Literal,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: Kind,
    start: usize,
    end: usize,
    /// Of a bracket: the number of the token that closes or opens it.
    partner: usize,
}

/// The variables that a function declares with `const`, `let` and `var`, those of functions in it included. Nothing if the
/// source cannot be taken apart.
pub(crate) fn declared(source: &[u16]) -> Vec<Declared> {
    let Some(tokens) = tokens(source) else { return Vec::new() };
    let reader = Reader { source, tokens: &tokens };
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let block = reader.is(token, "let") || reader.is(token, "const");
        if block || reader.is(token, "var") {
            let scope = if block { reader.block(i) } else { (0, source.len()) };
            reader.declarators(i + 1, (scope.0 as u32, scope.1 as u32), &mut found);
        }
    }
    found
}

struct Reader<'a> {
    source: &'a [u16],
    tokens: &'a [Token],
}

impl Reader<'_> {
    fn is(&self, token: &Token, word: &str) -> bool {
        token.kind == Kind::Word
            && self.source[token.start..token.end].iter().copied().eq(word.encode_utf16())
    }

    fn sign(&self, at: usize) -> Option<u8> {
        match self.tokens.get(at)?.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// The block around a token, in units; of the head of a loop, from there to the end of what it repeats.
    fn block(&self, at: usize) -> (usize, usize) {
        let mut i = at;
        while let Some(before) = i.checked_sub(1) {
            let token = self.tokens[before];
            match token.kind {
                Kind::Sign(b')' | b']' | b'}') => i = token.partner,
                Kind::Sign(b'{') => return (token.start, self.tokens[token.partner].end),
                Kind::Sign(b'(') => {
                    let body = token.partner + 1;
                    let end = match self.sign(body) {
                        Some(b'{') => self.tokens[self.tokens[body].partner].end,
                        _ => self.source.len(),
                    };
                    return (token.start, end);
                }
                _ => i = before,
            }
        }
        (0, self.source.len())
    }

    /// The token behind one and what it encloses.
    fn behind(&self, at: usize) -> usize {
        match self.sign(at) {
            Some(b'(' | b'[' | b'{') => self.tokens[at].partner + 1,
            _ => at + 1,
        }
    }

    /// The first comma, semicolon or closing bracket from a token on, outside of brackets.
    fn stop(&self, mut at: usize) -> usize {
        while at < self.tokens.len() && !matches!(self.sign(at), Some(b',' | b';' | b')' | b']' | b'}')) {
            at = self.behind(at);
        }
        at
    }

    fn start_of(&self, at: usize) -> u32 {
        self.tokens.get(at).map_or(self.source.len(), |t| t.start) as u32
    }

    fn text(&self, token: &Token) -> String {
        String::from_utf16_lossy(&self.source[token.start..token.end])
    }

    fn declarators(&self, mut at: usize, scope: (u32, u32), found: &mut Vec<Declared>) {
        while let Some(token) = self.tokens.get(at) {
            let behind = self.behind(at);
            match token.kind {
                Kind::Sign(b'{' | b'[') => self.pattern(at, scope, found),
                Kind::Word => {
                    let given = self.sign(behind) == Some(b'=');
                    let (start, end) = if given {
                        (self.start_of(behind + 1), self.start_of(self.stop(behind + 1)))
                    } else {
                        (token.start as u32, token.end as u32)
                    };
                    found.push(Declared { name: self.text(token), at: start, end, given, scope });
                }
                _ => return,
            }
            let stop = self.stop(behind);
            if self.sign(stop) != Some(b',') {
                return;
            }
            at = stop + 1;
        }
    }

    /// The names in a pattern, those of patterns in it included: `{a, b: c, ...d}`.
    fn pattern(&self, open: usize, scope: (u32, u32), found: &mut Vec<Declared>) {
        let close = self.tokens[open].partner;
        let mut at = open + 1;
        while at < close {
            let token = self.tokens[at];
            let next = self.sign(at + 1);
            match token.kind {
                // What stands for a value that is missing.
                Kind::Sign(b'=') => {
                    at = self.stop(at + 1);
                    continue;
                }
                Kind::Word if matches!(next, Some(b',' | b'=' | b'}' | b']')) => {
                    let end = self.start_of(self.stop(at + 1));
                    found.push(Declared {
                        name: self.text(&token),
                        at: token.start as u32,
                        end,
                        given: false,
                        scope,
                    });
                }
                _ => {}
            }
            at += 1;
        }
    }
}

fn is_word(unit: u16) -> bool {
    unit >= 128 || unit == u16::from(b'_') || unit == u16::from(b'$') || (unit as u8).is_ascii_alphanumeric()
}

/// Whether a slash behind this token begins a regular expression.
fn before_pattern(source: &[u16], token: Option<&Token>) -> bool {
    const WORDS: [&str; 13] = [
        "return", "typeof", "case", "in", "of", "await", "yield", "delete", "void", "throw", "new", "else",
        "do",
    ];
    match token {
        None => true,
        Some(token) => match token.kind {
            Kind::Literal => false,
            Kind::Sign(sign) => !matches!(sign, b')' | b']' | b'}'),
            Kind::Word => {
                let text = String::from_utf16_lossy(&source[token.start..token.end]);
                WORDS.contains(&text.as_str())
            }
        },
    }
}

/// Takes a source apart. `None` if brackets do not fit, or a text does not end.
fn tokens(source: &[u16]) -> Option<Vec<Token>> {
    let mut tokens: Vec<Token> = Vec::new();
    // Numbers of tokens that open, and whether the bracket is one in a template.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    let byte = |at: usize| source.get(at).map(|&u| u8::try_from(u).unwrap_or(b'a'));
    while let Some(first) = byte(at) {
        let words = |more: &dyn Fn(u16) -> bool| source[at..].iter().take_while(|&&u| more(u)).count();
        let (kind, end) = match first {
            b' ' | b'\t' | b'\n' | b'\r' | 11 | 12 => (None, at + 1),
            b'/' if byte(at + 1) == Some(b'/') => (None, at + words(&|unit| unit != 10)),
            b'/' if byte(at + 1) == Some(b'*') => {
                let end = [u16::from(b'*'), u16::from(b'/')];
                (None, at + 4 + source[at + 2..].windows(2).position(|pair| pair == end)?)
            }
            b'"' | b'\'' => (Some(Kind::Literal), text_end(source, at + 1, first)?),
            b'/' if before_pattern(source, tokens.last()) => {
                (Some(Kind::Literal), pattern_end(source, at + 1)?)
            }
            b'`' => (None, template(source, at + 1, at, &mut tokens, &mut open)?),
            b'}' if open.last().is_some_and(|&(_, of_template)| of_template) => {
                close(at, b'}', &mut tokens, &mut open)?;
                (None, template(source, at + 1, at + 1, &mut tokens, &mut open)?)
            }
            b'(' | b'[' | b'{' => {
                open.push((tokens.len(), false));
                (Some(Kind::Sign(first)), at + 1)
            }
            b')' | b']' | b'}' => {
                close(at, first, &mut tokens, &mut open)?;
                (None, at + 1)
            }
            b'0'..=b'9' => {
                (Some(Kind::Literal), at + words(&|unit| is_word(unit) || unit == u16::from(b'.')))
            }
            _ if is_word(source[at]) => (Some(Kind::Word), at + words(&is_word)),
            // Signs of which an equals sign is a part.
            b'=' if matches!(byte(at + 1), Some(b'=' | b'>')) => (Some(Kind::Sign(b'?')), at + 2),
            b'=' if at > 0 && byte(at - 1).is_some_and(|before| b"!<>=+-*/%&|^?".contains(&before)) => {
                (Some(Kind::Sign(b'?')), at + 1)
            }
            _ => (Some(Kind::Sign(first)), at + 1),
        };
        tokens.extend(kind.map(|kind| Token { kind, start: at, end, partner: 0 }));
        at = end;
    }
    open.is_empty().then_some(tokens)
}

/// Adds a closing bracket.
fn close(start: usize, sign: u8, tokens: &mut Vec<Token>, open: &mut Vec<(usize, bool)>) -> Option<()> {
    let (partner, _) = open.pop()?;
    let wanted = match sign {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    };
    if tokens[partner].kind != Kind::Sign(wanted) {
        return None;
    }
    tokens[partner].partner = tokens.len();
    tokens.push(Token { kind: Kind::Sign(sign), start, end: start + 1, partner });
    Some(())
}

/// The end of a text in quotes.
fn text_end(source: &[u16], mut at: usize, quote: u8) -> Option<usize> {
    loop {
        let unit = *source.get(at)?;
        at += match unit {
            92 => 2,
            10 => return None,
            _ if unit == u16::from(quote) => return Some(at + 1),
            _ => 1,
        };
    }
}

/// The end of a regular expression, flags included.
fn pattern_end(source: &[u16], mut at: usize) -> Option<usize> {
    let mut in_class = false;
    loop {
        let unit = *source.get(at)?;
        at += 1;
        match u8::try_from(unit).unwrap_or(0) {
            b'\\' => at += 1,
            b'\n' => return None,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => {
                return Some(at + source[at..].iter().take_while(|&&u| is_word(u)).count());
            }
            _ => {}
        }
    }
}

/// A template from `at` to its end, or to the code in it.
fn template(
    source: &[u16],
    mut at: usize,
    start: usize,
    tokens: &mut Vec<Token>,
    open: &mut Vec<(usize, bool)>,
) -> Option<usize> {
    loop {
        let unit = *source.get(at)?;
        match u8::try_from(unit).unwrap_or(0) {
            b'\\' => at += 2,
            b'`' => {
                tokens.push(Token { kind: Kind::Literal, start, end: at + 1, partner: 0 });
                return Some(at + 1);
            }
            b'$' if source.get(at + 1) == Some(&u16::from(b'{')) => {
                tokens.push(Token { kind: Kind::Literal, start, end: at, partner: 0 });
                open.push((tokens.len(), true));
                tokens.push(Token { kind: Kind::Sign(b'{'), start: at + 1, end: at + 2, partner: 0 });
                return Some(at + 2);
            }
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, value and scope of each variable.
    fn of(source: &str) -> Vec<(String, String, String)> {
        let units: Vec<u16> = source.encode_utf16().collect();
        let text = |from: u32, to: u32| String::from_utf16_lossy(&units[from as usize..to as usize]);
        let all = declared(&units).into_iter();
        all.map(|d| (d.name, text(d.at, d.end), text(d.scope.0, d.scope.1))).collect()
    }

    fn named(source: &str) -> Vec<String> {
        of(source).into_iter().map(|(name, value, _)| format!("{name}={value}")).collect()
    }

    #[test]
    fn variables_with_their_values() {
        assert_eq!(
            named("(id) { const label = 'a;' + id, other = f(1, 2); let late; var x = /[/;]/g.test(s) }"),
            ["label='a;' + id", "other=f(1, 2)", "late=late", "x=/[/;]/g.test(s) "]
        );
        assert_eq!(
            named("{ let a = `x${ {b: 1}.b }y;`, c = a / 2 / 3; }"),
            ["a=`x${ {b: 1}.b }y;`", "c=a / 2 / 3"]
        );
        assert_eq!(
            named("{ let a = x => x == 1, b = c >= 2; // let d = 1\n /* let e */ }"),
            ["a=x => x == 1", "b=c >= 2"]
        );
    }

    #[test]
    fn names_in_patterns() {
        assert_eq!(
            named("{ const { a, b: c, d: { e }, f = [g, h], ...rest } = await x, [i, , j] = k; }"),
            ["a=a", "c=c", "e=e ", "f=f = [g, h]", "rest=rest ", "i=i", "j=j"]
        );
    }

    #[test]
    fn blocks_in_which_variables_are_seen() {
        let scopes = |source| of(source).into_iter().map(|(_, _, scope)| scope).collect::<Vec<_>>();
        assert_eq!(
            scopes("(a) { let b = 1; { const c = { d: 1 }; } }"),
            ["{ let b = 1; { const c = { d: 1 }; } }", "{ const c = { d: 1 }; }"]
        );
        assert_eq!(scopes("{ for (const x of y) { f(x); } }"), ["(const x of y) { f(x); }"]);
        assert_eq!(scopes("{ { var v = 1; } }"), ["{ { var v = 1; } }"]);
    }

    #[test]
    fn what_cannot_be_taken_apart_has_none() {
        for source in
            ["{ let a = 1;", "{ let a = 'x\n'; }", "{ let a = (1]; }", "{ let a = `x", "}", "{ /* let a"]
        {
            assert_eq!(named(source), Vec::<String>::new(), "{source}");
        }
    }
}
