//! A table of a partition: columns, the rows that wait, and the file they go to.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use heap_base::{Error, Members, Result, Set};
use heap_record::columns::{Cell, Slot};
use heap_record::{FieldKind, StringId};

use crate::column::{Column, Entry, Kind, Spec, Values};
use crate::file::FileWriter;
use crate::names::{Names, Of};

/// Number of the record in the stream.
pub(crate) const ROW: &str = "heap_row";
/// JSON of what the columns would not give back.
pub(crate) const REST: &str = "heap_rest";
/// Which of several snapshots a record belongs to.
pub(crate) const SNAPSHOT: &str = "heap_snapshot";

/// Most columns of a table; what comes beyond goes to `heap_rest`.
const MOST_COLUMNS: usize = 500;
/// Bytes of text after which a row group ends.
const MOST_TEXT: usize = 8 << 20;

/// What a column must hold for a field.
pub(crate) const fn kind_of(field: FieldKind) -> Kind {
    match field {
        FieldKind::Value | FieldKind::Integer | FieldKind::Address => Kind::Int,
        FieldKind::String => Kind::Name,
        FieldKind::Float => Kind::Float,
        FieldKind::Text => Kind::Text,
        FieldKind::Boolean => Kind::Bool,
    }
}

/// A field that has a column.
#[derive(Debug)]
struct Field {
    name: String,
    kind: FieldKind,
    column: usize,
}

/// See the module.
pub(crate) struct Table {
    /// What the footer calls it.
    name: &'static str,
    /// The record type, of extension records.
    kind: String,
    of: Of,
    specs: Vec<Spec>,
    columns: Vec<Column>,
    fields: Vec<Field>,
    taken: Set<String>,
    /// Rows that wait, and how many make a row group.
    pub(crate) rows: u32,
    most: u32,
    /// Bytes of text that wait.
    text: usize,
    pub(crate) total: u64,
    file: FileWriter<BufWriter<File>>,
}

impl Table {
    /// A table in a new file. `taken` are names that no field's column may have.
    pub(crate) fn create(
        path: &Path,
        name: &'static str,
        of: Of,
        most: u32,
        specs: Vec<Spec>,
        taken: &[String],
    ) -> Result<Self> {
        let file = File::create_new(path).map_err(Error::write)?;
        let lower = |name: &str| name.to_ascii_lowercase();
        Ok(Self {
            name,
            kind: String::new(),
            of,
            columns: specs.iter().map(|spec| Column::new(spec.kind)).collect(),
            taken: specs.iter().map(|s| lower(&s.name)).chain(taken.iter().map(|t| lower(t))).collect(),
            specs,
            fields: Vec::new(),
            rows: 0,
            most,
            text: 0,
            total: 0,
            file: FileWriter::new(BufWriter::with_capacity(256 << 10, file))?,
        })
    }

    /// A table of extension records.
    pub(crate) fn of_kind(mut self, kind: &str) -> Self {
        kind.clone_into(&mut self.kind);
        self
    }

    /// The column of a field; `None` if rows were written already without it, or there is no room.
    pub(crate) fn column_for(&mut self, name: &str, kind: FieldKind) -> Option<usize> {
        if let Some(field) = self.fields.iter().find(|f| f.name == name && f.kind == kind) {
            return Some(field.column);
        }
        if self.total > u64::from(self.rows) || self.specs.len() >= MOST_COLUMNS {
            return None;
        }
        let base = plain(name);
        let with_kind = format!("{base}_{}", kind.name());
        let numbered = (2u32..).map(|n| format!("{with_kind}_{n}"));
        let column = [base, with_kind.clone()].into_iter().chain(numbered);
        let column = column.into_iter().find(|c| self.taken.insert(c.to_ascii_lowercase()))?;
        self.specs.push(Spec::new(&column, kind_of(kind)));
        self.columns.push(Column::new(kind_of(kind)));
        let column = self.specs.len() - 1;
        self.fields.push(Field { name: name.to_owned(), kind, column });
        Some(column)
    }

    #[inline]
    pub(crate) fn int(&mut self, column: usize, n: i64) {
        self.columns[column].int(self.rows, n);
    }

    pub(crate) fn boolean(&mut self, column: usize, b: bool) {
        self.columns[column].boolean(self.rows, b);
    }

    pub(crate) fn text(&mut self, column: usize, text: &str) {
        self.columns[column].text(self.rows, text);
        self.text += text.len();
    }

    #[inline]
    pub(crate) fn name(&mut self, column: usize, entry: Entry, names: &Names) {
        if self.columns[column].name(self.rows, entry) {
            self.text += match entry {
                Entry::String(id) => names.length(id),
                Entry::Subtype(_) | Entry::Bracketed(_) => 0,
            };
        }
    }

    /// Sets the column of a field.
    pub(crate) fn set(&mut self, slot: &Slot, cell: &Cell<'_>, names: &Names) {
        if let Cell::Text(text) = cell {
            self.text += text.len();
        }
        let new: Option<StringId> = self.columns[slot.column].set(self.rows, cell);
        self.text += new.map_or(0, |id| names.length(id));
    }

    /// Ends the row.
    #[inline]
    pub(crate) fn end(&mut self, names: &mut Names) -> Result {
        self.rows += 1;
        self.total += 1;
        if self.rows >= self.most || self.text >= MOST_TEXT { self.flush(names) } else { Ok(()) }
    }

    /// Writes the rows that wait.
    #[cold]
    fn flush(&mut self, names: &mut Names) -> Result {
        let mut texts = Vec::new();
        for column in &self.columns {
            if let Values::Name(dictionary) = &column.values {
                texts.push(names.texts(dictionary, self.of)?);
            }
        }
        self.file.group(&self.specs, &self.columns, self.rows, &texts)?;
        self.columns.iter_mut().for_each(Column::clear);
        (self.rows, self.text) = (0, 0);
        Ok(())
    }

    /// Writes what waits, and the footer.
    pub(crate) fn finish(mut self, names: &mut Names) -> Result {
        if self.rows > 0 {
            self.flush(names)?;
        }
        let mut fields = Members::new();
        for field in &self.fields {
            fields.text(&self.specs[field.column].name, &format!("{} {}", field.kind.name(), field.name));
        }
        let fields = [b"{", fields.as_bytes(), b"}"].concat();
        let fields = String::from_utf8_lossy(&fields);
        let mut facts = vec![("heap.version", "1"), ("heap.table", self.name), ("heap.fields", &*fields)];
        if !self.kind.is_empty() {
            facts.push(("heap.kind", &self.kind));
        }
        self.file.finish(&self.specs, &facts)?;
        Ok(())
    }
}

/// A name that needs no quotes in SQL: `v8.detachedness` is `v8_detachedness`.
pub(crate) fn plain(name: &str) -> String {
    let mut out: String =
        name.chars().take(100).map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert_str(0, "x_");
    }
    out
}
