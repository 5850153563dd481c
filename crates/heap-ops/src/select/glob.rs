//! Name patterns: `*` and `?`, everything else as it stands.

/// A pattern over text; `*` stands for any characters, `?` for one. There is no escape: class names hold
/// neither, and `?` matches itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    pattern: Box<str>,
    plain: bool,
}

impl Glob {
    /// A pattern; every text is one.
    pub fn new(pattern: &str) -> Self {
        Self { pattern: pattern.into(), plain: !pattern.contains(['*', '?']) }
    }

    /// The pattern as it was written.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// True if it begins with a bracket, as names of subtypes do where a class is expected.
    pub fn is_bracketed(&self) -> bool {
        self.pattern.starts_with('(')
    }

    /// True if the whole of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        if self.plain { *self.pattern == *text } else { wild(&self.pattern, text) }
    }
}

/// Greedy matching with one point of return, linear in text × pattern at worst.
fn wild(pattern: &str, text: &str) -> bool {
    let (mut p, mut t) = (pattern, text);
    let mut back: Option<(&str, &str)> = None;
    loop {
        let mut rest = p.chars();
        match rest.next() {
            Some('*') => {
                p = rest.as_str();
                back = Some((p, t));
                continue;
            }
            None if t.is_empty() => return true,
            Some(want) => {
                let mut chars = t.chars();
                if chars.next().is_some_and(|c| c == want || want == '?') {
                    (p, t) = (rest.as_str(), chars.as_str());
                    continue;
                }
            }
            None => {}
        }
        // Let the last star take one character more.
        let Some((star, from)) = back else { return false };
        let mut chars = from.chars();
        if chars.next().is_none() {
            return false;
        }
        (p, t) = (star, chars.as_str());
        back = Some((star, t));
    }
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn patterns() {
        let check = |pattern, text, expected| {
            assert_eq!(Glob::new(pattern).matches(text), expected, "{pattern} {text}");
        };
        check("Array", "Array", true);
        check("Array", "Arrays", false);
        check("*", "", true);
        check("?", "", false);
        check("?", "é", true);
        check("A*y", "Array", true);
        check("A*y", "Arrays", false);
        check("*a*b*c", "xxaxxbxxbc", true);
        check("*a*b*c", "xxaxxcxxb", false);
        check("a**b", "ab", true);
        check("system / *", "system / Map", true);
        check("?*", "ab", true);
        check("", "", true);
        check("", "a", false);
        check("*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", &"a".repeat(20_000), false);
    }
}
