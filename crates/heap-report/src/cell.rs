//! Columns and the values in them.

use heap_base::json::push_float;

/// What a column holds, which decides how a table shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Text.
    Text,
    /// How many.
    Count,
    /// A size in bytes.
    Bytes,
    /// By how many something has changed: with a sign.
    Change,
    /// By how many bytes something has changed: with a sign.
    BytesChange,
    /// An identifier.
    Id,
    /// A float.
    Number,
    /// A part of a whole, 0 to 1; tables show percent.
    Share,
}

/// A column of a report.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its key in JSON, CSV and TSV, and its heading in tables.
    pub key: String,
    /// What it holds.
    pub unit: Unit,
    /// Its place in tables: those of rank 0 come first and are always shown, higher ranks where there is room.
    pub rank: u8,
    /// Its heading in tables, where that is not its key.
    pub(crate) heading: Option<&'static str>,
    /// Whether a text that does not fit keeps its end, not its beginning.
    pub(crate) keeps_end: bool,
    /// Columns of higher ranks are left out before a text is cut to less than this.
    pub(crate) readable: usize,
}

impl Column {
    /// A column of rank 0.
    pub fn new(key: impl Into<String>, unit: Unit) -> Self {
        Self { key: key.into(), unit, rank: 0, heading: None, keeps_end: false, readable: 32 }
    }

    /// The same of another rank.
    #[must_use]
    pub fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// The same under another heading in tables.
    #[must_use]
    pub fn heading(self, heading: &'static str) -> Self {
        Self { heading: Some(heading), ..self }
    }

    /// The same, cut at the left where it does not fit: the end of a path says most.
    #[must_use]
    pub fn keeps_end(self) -> Self {
        Self { keeps_end: true, ..self }
    }

    /// The same, with a sentence in it: columns of higher ranks are left out for it.
    #[must_use]
    pub fn sentence(self) -> Self {
        Self { readable: 72, ..self }
    }

    /// What stands above it in a table.
    pub(crate) fn title(&self) -> &str {
        self.heading.unwrap_or(&self.key)
    }
}

/// A value in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Unknown: left out of JSON, empty elsewhere.
    #[default]
    Absent,
    /// A whole number.
    Int(i64),
    /// A whole number without sign.
    Uint(u64),
    /// A float.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// Text.
    Text(String),
    /// A list or an object, as JSON.
    Json(String),
    /// A whole number that tables show otherwise: an identifier as `@6163`.
    Shown(i64, String),
}

impl Cell {
    /// The name of a snapshot: a number where it is one, as in all reports.
    pub fn snapshot(name: Option<&str>) -> Self {
        name.map_or(Self::Absent, |name| name.parse().map_or_else(|_| name.into(), Self::Uint))
    }
}

/// Where a sum stops that would go on: a column holds no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The number is at least this.
    AtLeast,
    /// The change is a loss of at least this.
    AtMost,
}

impl Cell {
    /// Whether a number of this unit is where sums stop. Sums that would go beyond are as large as their type, so a larger one
    /// looks the same.
    pub(crate) fn bound(&self, unit: Unit) -> Option<Bound> {
        if !matches!(unit, Unit::Count | Unit::Bytes | Unit::Change | Unit::BytesChange) {
            return None;
        }
        match self {
            Self::Uint(u64::MAX) | Self::Int(i64::MAX) => Some(Bound::AtLeast),
            Self::Int(i64::MIN) => Some(Bound::AtMost),
            _ => None,
        }
    }
}

macro_rules! cell_from {
    ($($type:ty => |$x:ident| $cell:expr),+ $(,)?) => {
        $(impl From<$type> for Cell {
            fn from($x: $type) -> Self {
                $cell
            }
        })+
    };
}

cell_from! {
    i64 => |n| Self::Int(n),
    u64 => |n| Self::Uint(n),
    usize => |n| Self::Uint(n as u64),
    f64 => |x| Self::Float(x),
    bool => |b| Self::Bool(b),
    String => |text| Self::Text(text),
    &str => |text| Self::Text(text.to_owned()),
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

impl Cell {
    /// The value as text for programs.
    pub fn plain(&self) -> String {
        match self {
            Self::Absent => String::new(),
            Self::Int(n) | Self::Shown(n, _) => n.to_string(),
            Self::Uint(n) => n.to_string(),
            Self::Float(x) if x.is_finite() => {
                let mut digits = Vec::new();
                push_float(&mut digits, *x);
                String::from_utf8_lossy(&digits).into_owned()
            }
            Self::Float(x) if x.is_nan() => "NaN".to_owned(),
            Self::Float(x) => if *x > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
            Self::Bool(b) => b.to_string(),
            Self::Text(text) | Self::Json(text) => text.clone(),
        }
    }
}
