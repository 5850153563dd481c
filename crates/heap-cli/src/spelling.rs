//! Options that are misspelt, or had another name in the release before.

use crate::tool::{Flag, Group, Tool};

/// Tool, the option as it was, the option as it is. Each works for one release after the change: 0.2 takes those of 0.1.
const OLD: &[(&str, &str, &str)] = &[("heap-redact", "key", "key-file"), ("heap-redact", "k", "keep")];

/// What an option is called now.
pub(crate) fn renamed(tool: &str, old: &str) -> Option<&'static str> {
    OLD.iter().find(|entry| entry.0 == tool && entry.1 == old).map(|entry| entry.2)
}

/// The option called `-short`, now or in the release before.
pub(crate) fn short(tool: &Tool, short: char) -> Option<(&'static Group, &'static Flag)> {
    tool.short(short).or_else(|| tool.long(renamed(tool.name, &short.to_string())?))
}

/// `invalid option '--merg'; did you mean '--merge'?`
pub(crate) fn invalid(tool: &Tool, long: &str) -> String {
    let names = tool.groups().flat_map(|group| group.flags).map(|flag| flag.long);
    let hint = nearest(long, names).map_or(String::new(), |name| format!("; did you mean '--{name}'?"));
    format!("invalid option '--{long}'{hint}")
}

/// The word that was most likely meant: one that begins so, or one with few letters changed.
pub fn nearest<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Words that begin so are nearer than any other.
    let distance = |name: &&str| {
        let letters = strsim::damerau_levenshtein(word, name);
        if word.len() > 1 && name.starts_with(word) { (0, letters) } else { (1, letters) }
    };
    let near = |name: &&str| distance(name).0 == 0 || distance(name).1 <= 1 + name.len() / 5;
    words.filter(near).min_by_key(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_suggested() {
        let words = ["merge", "min-size", "max-size", "snapshot", "table", "tsv", "no-progress"];
        let found = |word| nearest(word, words.into_iter());
        assert_eq!(found("merg"), Some("merge"));
        assert_eq!(found("megre"), Some("merge"));
        assert_eq!(found("minsize"), Some("min-size"));
        assert_eq!(found("snap"), Some("snapshot"));
        assert_eq!(found("snapshots"), Some("snapshot"));
        assert_eq!(found("color"), None);
        assert_eq!(found("x"), None);
    }
}
