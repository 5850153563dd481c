//! How a report is written.

/// How a report is written: the output options of the tools.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The format, if one was asked for; else a table on a terminal, JSON elsewhere.
    pub format: Option<Format>,
    /// No more rows than this.
    pub limit: Option<usize>,
    /// The key to sort by, with a `-` before it for smallest first.
    pub sort: Option<String>,
    /// Plain numbers in tables.
    pub plain: bool,
    /// When to use colour.
    pub color: Color,
}

/// A report's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns, for people.
    Table,
    /// One object a line.
    Json,
    /// Quoted as in RFC 4180; lines end in LF, as Unix tools expect.
    Csv,
    /// `\t`, `\n`, `\r` and `\\` stand for tab, LF, CR and backslash.
    Tsv,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless the environment says no.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
