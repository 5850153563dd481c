//! The roles that a text has, as declared, and what becomes of it in each.

use heap_record::FieldKind;

use super::composed::{Form, form};
use super::secret;
use heap_ops::select::glob::Glob;

/// The role of a text. It may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextRole {
    /// Contents: of strings, regular expressions, and of every field that is not known to be something else.
    Value,
    /// Names of classes.
    Class,
    /// Names of functions, code, roots and the like.
    Name,
    /// Names of properties, variables and fields.
    Label,
    /// Paths and addresses of scripts, libraries and files.
    File,
    /// What else a source says of the program in fields of its own: allocators, categories, kinds.
    Other,
    /// Facts about the dump.
    Metadata,
}

impl TextRole {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Value, Self::Class, Self::Name, Self::Label, Self::File, Self::Other, Self::Metadata];

    /// Its bit in a set of places.
    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Class => "class",
            Self::Name => "name",
            Self::Label => "label",
            Self::File => "file",
            Self::Other => "other",
            Self::Metadata => "metadata",
        }
    }

    /// The places in a set.
    pub(crate) fn each(set: u8) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |p| set & p.bit() != 0)
    }

    /// Where the text of a field stands: `path` is its dotted name, `own` says that it is one of a node subtype's
    /// own fields, `string` that the subtype is one of strings.
    pub(crate) fn of_field(path: &str, own: bool, string: bool) -> Self {
        let last = path.rsplit('.').next().unwrap_or(path);
        match last {
            _ if own && string => Self::Value,
            // The text of a symbol, what the program attached to a sample, and what errors say.
            "value" | "labels" | "message" | "stack" => Self::Value,
            "name" | "function" | "method" | "called" | "flags" => Self::Name,
            "class" | "type" | "constructor" => Self::Class,
            "label" | "variable" => Self::Label,
            "file" | "script_name" | "script" | "uri" | "url" | "path" | "library" | "module" => Self::File,
            _ if own => Self::Value,
            _ => Self::Other,
        }
    }
}

/// What is to become of text.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "one for each switch on the command line")]
pub struct Rules {
    /// Labels are redacted.
    pub labels: bool,
    /// Names, of classes too, are redacted.
    pub names: bool,
    /// Paths are redacted, and names that hold one.
    pub files: bool,
    /// Numbers are left out.
    pub numbers: bool,
    /// Numbers that stay and contents that go are looked at, too.
    pub audit: bool,
    /// Texts that stay wherever they stand.
    pub keep: Vec<Glob>,
}

/// What V8's snapshots have in place of a text that is not there.
pub(crate) const NO_TEXT: [&str; 2] = ["(concatenated string)", "(sliced string)"];

impl Rules {
    /// The options that these rules are, each with a blank before it, but for texts that are kept: those are the
    /// owner's words.
    pub fn options(&self) -> String {
        let options = [
            (self.labels, " --labels"),
            (self.names, " --names"),
            (self.files, " --files"),
            (self.numbers, " --numbers"),
        ];
        options.into_iter().filter(|(given, _)| *given).map(|(_, option)| option).collect()
    }

    /// True if the owner has this text kept.
    pub(crate) fn keeps(&self, text: &str) -> bool {
        self.keep.iter().any(|glob| glob.matches(text))
    }

    /// Which of the places in `set` lose `text`, which a part of it, and what it looks like if that is a secret.
    pub(crate) fn judge(&self, set: u8, text: &str) -> Judged {
        let value = TextRole::Value.bit();
        if text.is_empty() {
            return Judged::default();
        }
        let kept = self.keeps(text);
        if set == value && !kept {
            // The usual case, and the only one with texts of any length.
            let redacted = if NO_TEXT.contains(&text) { 0 } else { value };
            // It goes anyway: only an audit asks what it was.
            let looks = if self.audit { secret::looks_like(text) } else { None };
            return Judged { redacted, looks, ..Judged::default() };
        }
        let looks = || secret::looks_like(text);
        if kept {
            return Judged { looks: looks(), ..Judged::default() };
        }
        match form(text) {
            Form::Plain => {}
            // Its place among the labels is all that is known of such a text elsewhere.
            Form::Names(names) if set & TextRole::Label.bit() != 0 => {
                let mut stays = names.map(|name| &text[name]).into_iter().filter(|name| self.keeps(name));
                let looks = stays.find_map(secret::looks_like);
                return Judged {
                    redacted: set & !TextRole::Label.bit(),
                    in_part: TextRole::Label.bit(),
                    looks,
                };
            }
            _ => return Judged { redacted: set, in_part: 0, looks: looks() },
        }
        let looks = looks();
        if looks.is_some() {
            return Judged { redacted: set, in_part: 0, looks };
        }
        let redacted = TextRole::each(set).filter(|place| match place {
            TextRole::Value => !NO_TEXT.contains(&text),
            TextRole::Label => self.labels,
            TextRole::File => self.files,
            TextRole::Class | TextRole::Name | TextRole::Other => {
                self.names || self.files && secret::holds_path(text)
            }
            TextRole::Metadata => false,
        });
        Judged { redacted: redacted.fold(0, |set, place| set | place.bit()), in_part: 0, looks }
    }
}

/// What is to become of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Judged {
    /// The places that lose it.
    pub(crate) redacted: u8,
    /// The places in which the text stays but for the names of objects in it.
    pub(crate) in_part: u8,
    /// What it looks like, if it looks like a secret; of contents that go only an audit asks that.
    pub(crate) looks: Option<&'static str>,
}

/// True if a text in place is a number that JSON cannot hold exactly.
pub(crate) fn is_number(text: &str, kind: Option<FieldKind>) -> bool {
    let special = || matches!(text, "NaN" | "Infinity" | "-Infinity");
    let hex = || heap_base::json::hex_text(text).is_some();
    match kind {
        None | Some(FieldKind::Float) => hex() || special(),
        Some(FieldKind::Text | FieldKind::String) => false,
        Some(_) => hex(),
    }
}
