//! The rows of a heap, by column, as newer dumps write them: a pass over one part of them touches nothing else.

use std::collections::BTreeMap;

use crate::texts::NONE;

/// Stands for "the dump gives no count".
pub(crate) const NO_COUNT: u64 = u64::MAX;

/// Own bytes at one frame with one type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) size: u64,
    /// [`NO_COUNT`] if unknown.
    pub(crate) count: u64,
    /// Slot of the frame, or [`ROOT`](crate::heap::ROOT).
    pub(crate) slot: u32,
    /// Dense number of the type, [`OTHER`](crate::heap::OTHER), or [`NONE`] where the dump has no types.
    pub(crate) class: u32,
}

/// Rows. 16 bytes each, and some more where a size or a count is 4 GiB or above.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(crate) sizes: Amounts,
    /// [`NO_COUNT`] where it is unknown.
    pub(crate) counts: Amounts,
    /// Frames while they are read, then slots; see [`Row`].
    pub(crate) slots: Vec<u32>,
    /// See [`Row`].
    pub(crate) classes: Vec<u32>,
}

impl Rows {
    /// How many there are; while columns are read, how long the longest is.
    pub(crate) fn len(&self) -> usize {
        let amounts = self.sizes.short.len().max(self.counts.short.len());
        amounts.max(self.slots.len()).max(self.classes.len())
    }

    /// Gives all columns the length `n`: cuts longer ones, and fills shorter ones with unknown values.
    pub(crate) fn level(&mut self, n: usize) {
        self.sizes.short.resize(n, 0);
        self.counts.short.resize(n, UNKNOWN);
        self.slots.resize(n, NONE);
        self.classes.resize(n, NONE);
    }

    /// Adds a row behind the others, of which all columns are as long.
    pub(crate) fn push(&mut self, row: Row) {
        let at = self.len();
        self.sizes.set(at, row.size);
        self.counts.set(at, row.count);
        self.slots.push(row.slot);
        self.classes.push(row.class);
    }

    /// The rows in their order; see [`level`](Self::level).
    pub(crate) fn iter(&self) -> impl Iterator<Item = Row> {
        let places = self.slots.iter().zip(&self.classes);
        places.zip(self.sizes.iter().zip(self.counts.iter())).map(|((&slot, &class), (size, count))| Row {
            size,
            count,
            slot,
            class,
        })
    }
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Self {
        let mut this = Self::default();
        rows.into_iter().for_each(|row| this.push(row));
        this
    }
}

/// Puts a number at a place of a column, or at its end.
#[inline]
pub(crate) fn set(column: &mut Vec<u32>, at: usize, n: u32) {
    match column.get_mut(at) {
        Some(place) => *place = n,
        None => column.push(n),
    }
}

/// Stands for a number that is too long for its column.
const LONG: u32 = u32::MAX;

/// Stands for [`NO_COUNT`].
const UNKNOWN: u32 = u32::MAX - 1;

/// A column of sizes or counts.
#[derive(Debug, Default)]
pub(crate) struct Amounts {
    short: Vec<u32>,
    /// Those that are [`LONG`], by place.
    long: BTreeMap<usize, u64>,
}

impl Amounts {
    /// Puts a number at a place, or at the end.
    #[inline]
    pub(crate) fn set(&mut self, at: usize, n: u64) {
        let short = if n < u64::from(UNKNOWN) { n as u32 } else { self.set_long(at, n) };
        set(&mut self.short, at, short);
    }

    /// Stores a long number; returns what represents it in the column.
    #[cold]
    fn set_long(&mut self, at: usize, n: u64) -> u32 {
        if n == NO_COUNT {
            return UNKNOWN;
        }
        self.long.insert(at, n);
        LONG
    }

    /// The numbers in their order.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.short
            .iter()
            .enumerate()
            .map(|(at, &n)| if n < UNKNOWN { n.into() } else { self.get_long(at, n) })
    }

    #[cold]
    fn get_long(&self, at: usize, short: u32) -> u64 {
        match short {
            LONG => self.long.get(&at).copied().unwrap_or(NO_COUNT),
            _ => NO_COUNT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_give_the_rows_that_were_put_in() {
        arbtest::arbtest(|u| {
            let amount = |u: &mut arbtest::arbitrary::Unstructured<'_>| -> arbtest::arbitrary::Result<u64> {
                Ok(match u.int_in_range(0..=3)? {
                    0 => u64::from(u32::MAX) - 3 + u.int_in_range(0..=6)?,
                    1 => u64::MAX - u.int_in_range(0..=1)?,
                    _ => u.arbitrary::<u64>()? >> u.int_in_range(0..=63)?,
                })
            };
            let mut rows = Vec::new();
            for _ in 0..u.int_in_range(0..=20)? {
                rows.push(Row {
                    size: amount(u)?,
                    count: amount(u)?,
                    slot: u.arbitrary()?,
                    class: u.arbitrary()?,
                });
            }
            let mut columns: Rows = rows.iter().copied().collect();
            // Some are written over, and some columns go further.
            for _ in 0..u.int_in_range(0..=5)? {
                let (at, n) = (u.int_in_range(0..=rows.len())?, amount(u)?);
                columns.sizes.set(at, n);
                match rows.get_mut(at) {
                    Some(row) => row.size = n,
                    None => rows.push(Row { size: n, count: NO_COUNT, slot: NONE, class: NONE }),
                }
            }
            assert_eq!(columns.len(), rows.len());
            let length = u.int_in_range(0..=25)?;
            columns.level(length);
            rows.resize(length, Row { size: 0, count: NO_COUNT, slot: NONE, class: NONE });
            assert_eq!(columns.iter().collect::<Vec<_>>(), rows);
            Ok(())
        });
    }
}
