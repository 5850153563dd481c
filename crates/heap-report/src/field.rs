//! Columns with what fills them: all that a tool says of a column stands in one place.

use crate::{Cell, Column, Error, Layout, Report, Unit};

/// A column, and what a row of type `R` has in it.
///
/// ```
/// use heap_report::{Field, Fields, Layout, Unit};
///
/// struct Class { name: String, count: u64, note: Option<String> }
///
/// const FIELDS: &[Field<'_, Class>] = &[
///     Field::new("class", Unit::Text, |class: &Class| class.name.as_str().into()),
///     Field::new("count", Unit::Count, |class: &Class| class.count.into()),
///     Field::new("note", Unit::Text, |class: &Class| class.note.clone().into()).optional(),
/// ];
///
/// let rows = [Class { name: "Page".to_owned(), count: 7, note: None }];
/// let fields = Fields::met(FIELDS, &rows);
/// assert_eq!(fields.keys().collect::<Vec<_>>(), ["class", "count"]);
/// let report = fields.report("heap.example", &rows, "-count", &Layout::default()).unwrap();
/// # drop(report);
/// ```
#[derive(Debug)]
pub struct Field<'a, R> {
    key: &'a str,
    unit: Unit,
    rank: u8,
    keeps_end: bool,
    sentence: bool,
    optional: bool,
    cell: fn(&R) -> Cell,
}

impl<R> Clone for Field<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Field<'_, R> {}

impl<'a, R> Field<'a, R> {
    /// A column of rank 0 that every report has.
    pub const fn new(key: &'a str, unit: Unit, cell: fn(&R) -> Cell) -> Self {
        Self { key, unit, rank: 0, keeps_end: false, sentence: false, optional: false, cell }
    }

    /// The same, left out of a report in which it would be empty.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    /// The same of another rank, see [`Column::rank`].
    #[must_use]
    pub const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// The same, cut at the left where it does not fit.
    #[must_use]
    pub const fn keeps_end(self) -> Self {
        Self { keeps_end: true, ..self }
    }

    /// The same, with a sentence in it, see [`Column::sentence`].
    #[must_use]
    pub const fn sentence(self) -> Self {
        Self { sentence: true, ..self }
    }

    fn column(&self) -> Column {
        let column = Column::new(self.key, self.unit).rank(self.rank);
        let column = if self.keeps_end { column.keeps_end() } else { column };
        if self.sentence { column.sentence() } else { column }
    }
}

/// The keys of fields, for what `--sort` takes.
pub const fn keys<const N: usize, R>(fields: &[Field<'static, R>; N]) -> [&'static str; N] {
    let mut keys = [""; N];
    let mut at = 0;
    while at < N {
        keys[at] = fields[at].key;
        at += 1;
    }
    keys
}

/// The fields of one report.
#[derive(Clone, Debug)]
pub struct Fields<'a, R>(Vec<Field<'a, R>>);

impl<'a, R> Fields<'a, R> {
    /// All of `fields`.
    pub fn all(fields: &[Field<'a, R>]) -> Self {
        Self(fields.to_vec())
    }

    /// Those of `fields` that are not optional, or that some row has.
    pub fn met(fields: &[Field<'a, R>], rows: &[R]) -> Self {
        let is_met = |field: &Field<'a, R>| {
            !field.optional || rows.iter().any(|row| (field.cell)(row) != Cell::Absent)
        };
        Self(fields.iter().filter(|field| is_met(field)).copied().collect())
    }

    /// Their keys.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.0.iter().map(|field| field.key)
    }

    /// A report without rows; `sort` as [`Report::new`] has it.
    ///
    /// # Errors
    /// `--sort` names no column.
    pub fn empty(&self, kind: &str, sort: &str, layout: &Layout) -> Result<Report, Error> {
        Report::new(kind, self.0.iter().map(Field::column).collect(), sort, layout)
    }

    /// A report with these rows.
    ///
    /// # Errors
    /// `--sort` names no column.
    pub fn report(&self, kind: &str, rows: &[R], sort: &str, layout: &Layout) -> Result<Report, Error> {
        let mut report = self.empty(kind, sort, layout)?;
        for row in rows {
            report.row(self.cells(row));
        }
        Ok(report)
    }

    /// The cells of a row.
    pub fn cells(&self, row: &R) -> Vec<Cell> {
        self.0.iter().map(|field| (field.cell)(row)).collect()
    }

    /// A row with these cells alone, such as sums.
    pub fn only(&self, cells: &[(&str, Cell)]) -> Vec<Cell> {
        let of = |key| cells.iter().find(|(other, _)| *other == key).map(|(_, cell)| cell.clone());
        self.keys().map(|key| of(key).unwrap_or_default()).collect()
    }
}
