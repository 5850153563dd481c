//! How a report is written.

use crate::Output;

/// How a report is written: the output options of the tools.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The format, if one was asked for; else a table on a terminal, JSON elsewhere.
    pub format: Option<Format>,
    /// No more rows than this. If `None`, a table on a terminal has no more than fit on the screen.
    pub limit: Option<usize>,
    /// The key to sort by, with a `-` before it for smallest first.
    pub sort: Option<String>,
    /// Plain numbers in tables.
    pub plain: bool,
    /// All columns of a table, with nothing cut; else as many as fit.
    pub wide: bool,
    /// When to use colour.
    pub color: Color,
}

/// How much fits where a report goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Characters on a line, if that is known.
    pub columns: Option<usize>,
    /// Lines, if it is a terminal and that is known.
    pub lines: Option<usize>,
}

/// Characters on a line where nothing says how many there are.
const USUAL: usize = 80;

impl Layout {
    /// Whether a report that goes there is a table.
    pub fn is_table(&self, out: &dyn Output) -> bool {
        self.format.map_or(out.is_terminal(), |format| format == Format::Table)
    }

    /// Characters that the lines of a table may have; `None`: any number.
    pub fn width(&self, screen: Screen) -> Option<usize> {
        (!self.wide).then(|| screen.columns.unwrap_or(USUAL))
    }

    /// How many lines of a table are shown, of those that are not `fixed` (headings and the like); `None`: all.
    pub fn lines(&self, screen: Screen, fixed: usize) -> Option<usize> {
        // One line is left for the prompt.
        self.limit.or_else(|| screen.lines.map(|lines| lines.saturating_sub(fixed + 1).max(1)))
    }
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

impl Color {
    /// Whether headings are bold, on a terminal or not.
    pub(crate) fn is_on(self, terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let set = |key| std::env::var_os(key).is_some_and(|v| !v.is_empty());
                terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_some_and(|t| t != "dumb")
            }
        }
    }
}
