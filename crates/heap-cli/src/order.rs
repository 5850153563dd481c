//! The order of a report's rows: by one column, ties by name, then identifier.
//!
//! What mostly decides is gathered as numbers side by side, so that rows, which lie scattered in memory, are asked only
//! where these are equal. [`Order::compare`] is the obvious twin, and sorts whatever is no whole number.

use std::cmp::Ordering;

use crate::Cell;

/// How rows are sorted.
#[derive(Debug)]
pub(crate) struct Order {
    /// The column that counts first, and whether its smallest come first.
    pub(crate) at: usize,
    pub(crate) up: bool,
    /// The columns that ties break by, in their order.
    pub(crate) ties: Vec<usize>,
}

/// What is gathered of a row: whether its key is unknown, the key, and the beginning of the first name; and its place.
type Rank = ((bool, u64, u64), usize);

impl Order {
    /// Sorts rows. Those that are alike stay as they came.
    pub(crate) fn sort(&self, rows: &mut Vec<Vec<Cell>>) {
        let ranks: Option<Vec<Rank>> = rows.iter().enumerate().map(|(i, row)| self.rank(i, row)).collect();
        let Some(mut ranks) = ranks else {
            rows.sort_by(|a, b| self.compare(a, b));
            return;
        };
        ranks.sort_unstable_by(|(a, i), (b, j)| {
            a.cmp(b).then_with(|| self.compare(&rows[*i], &rows[*j])).then(i.cmp(j))
        });
        *rows = ranks.into_iter().map(|(_, i)| std::mem::take(&mut rows[i])).collect();
    }

    /// `None` if the key is no whole number of 64 bits.
    fn rank(&self, place: usize, row: &[Cell]) -> Option<Rank> {
        let key = match &row[self.at] {
            Cell::Absent => None,
            cell => {
                let ascending = i64::try_from(cell.whole()?).ok()?.wrapping_sub(i64::MIN) as u64;
                Some(if self.up { ascending } else { !ascending })
            }
        };
        let name = self.ties.first().map_or(0, |&name| beginning(&row[name]));
        Some(((key.is_none(), key.unwrap_or(0), name), place))
    }

    /// The order of two rows.
    pub(crate) fn compare(&self, a: &[Cell], b: &[Cell]) -> Ordering {
        let (x, y) = (&a[self.at], &b[self.at]);
        // Unknown comes last either way.
        let absent = matches!(x, Cell::Absent).cmp(&matches!(y, Cell::Absent));
        let by_key = if self.up { x.order(y) } else { y.order(x) };
        let mut ties = self.ties.iter().map(|&i| a[i].order(&b[i]));
        absent.then(by_key).then_with(|| ties.find(|tie| tie.is_ne()).unwrap_or(Ordering::Equal))
    }
}

/// A number that is never larger than that of a name that comes later.
fn beginning(name: &Cell) -> u64 {
    let Cell::Text(text) = name else { return 0 };
    let mut first = [0; 8];
    for (to, &byte) in first.iter_mut().zip(text.as_bytes()) {
        *to = byte;
    }
    u64::from_be_bytes(first)
}

impl Cell {
    /// Numbers before text, each kind in its own order; a float before the whole numbers that it cannot be told from.
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Uint(one), Self::Uint(two)) => one.cmp(two),
            (Self::Text(one), Self::Text(two)) => one.cmp(two),
            (Self::Text(_), _) => Ordering::Greater,
            (_, Self::Text(_)) => Ordering::Less,
            _ => self.float().total_cmp(&other.float()).then_with(|| self.whole().cmp(&other.whole())),
        }
    }

    fn whole(&self) -> Option<i128> {
        match *self {
            Self::Int(n) | Self::Shown(n, _) => Some(n.into()),
            Self::Uint(n) => Some(n.into()),
            Self::Bool(b) => Some(b.into()),
            Self::Absent | Self::Float(_) | Self::Text(_) => None,
        }
    }

    fn float(&self) -> f64 {
        match *self {
            Self::Float(x) => x,
            _ => self.whole().map_or(f64::NEG_INFINITY, |n| n as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_too_large_for_a_float_have_one_order() {
        let near = |n: u64| [Cell::Float(n as f64), Cell::Uint(n), Cell::Int(n as i64)];
        let cells: Vec<_> = ((1 << 53) - 4..(1 << 53) + 4).flat_map(near).collect();
        for a in &cells {
            for b in &cells {
                assert_eq!(a.order(b), b.order(a).reverse(), "{a:?} {b:?}");
                for c in &cells {
                    let through = a.order(b).is_le() && b.order(c).is_le();
                    assert!(!through || a.order(c).is_le(), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }

    #[test]
    fn rows_are_sorted_as_by_comparing_them() {
        let mut gathered = 0;
        for i in 1..=2000u32 {
            // The same input in every run: random bits above, the number of bytes below.
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 1024;
            arbtest::arbtest(|u| {
                let order = Order {
                    at: u.int_in_range(0..=1)?,
                    up: u.arbitrary()?,
                    ties: [vec![], vec![0], vec![0, 2], vec![2]][u.int_in_range(0..=3)?].clone(),
                };
                let odd = u.ratio(1, 4)?;
                let mut rows = Vec::new();
                for place in 0..u.int_in_range(0..=40)? {
                    let name = match u.int_in_range(0..=9)? {
                        0 => Cell::Absent,
                        1 => Cell::Int(u.int_in_range(-1..=1)?),
                        _ => {
                            (*u.choose(&["", "a", "a\0", "b", "beginning", "beginnings", "beginner", "é"])?)
                                .into()
                        }
                    };
                    let key = match u.int_in_range(0..=9)? {
                        0 => Cell::Absent,
                        1 => Cell::Int(u.int_in_range(-2..=2)?),
                        2 => Cell::Uint(
                            u.int_in_range(i64::MAX as u64 - 1..=i64::MAX as u64 + u64::from(odd))?,
                        ),
                        3 if odd => Cell::Float(0.5),
                        4 if odd => "text".into(),
                        5 => Cell::Shown(u.int_in_range(i64::MIN..=i64::MIN + 1)?, String::new()),
                        _ => Cell::Uint(u.int_in_range(0..=3)?),
                    };
                    rows.push(vec![name, key, Cell::Int(u.int_in_range(0..=1)?), Cell::Int(place)]);
                }
                let mut slow = rows.clone();
                slow.sort_by(|a, b| order.compare(a, b));
                gathered +=
                    usize::from(rows.len() > 9 && rows.iter().all(|row| order.rank(0, row).is_some()));
                order.sort(&mut rows);
                assert_eq!(rows, slow);
                Ok(())
            })
            .seed(seed);
        }
        assert!(gathered > 200, "{gathered}");
    }
}
