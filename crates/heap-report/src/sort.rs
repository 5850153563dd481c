//! The order of a report's rows: by one column, ties by name, then identifier.

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

impl Order {
    /// The order of two rows. What is unknown comes last, whichever way is up.
    pub(crate) fn compare(&self, a: &[Cell], b: &[Cell]) -> Ordering {
        let (x, y) = (&a[self.at], &b[self.at]);
        let absent = matches!(x, Cell::Absent).cmp(&matches!(y, Cell::Absent));
        let by_key = if self.up { x.order(y) } else { y.order(x) };
        let mut ties = self.ties.iter().map(|&i| a[i].order(&b[i]));
        absent.then(by_key).then_with(|| ties.find(|tie| tie.is_ne()).unwrap_or(Ordering::Equal))
    }
}

impl Cell {
    /// Numbers before text, each kind in its own order; a float before the whole numbers that it equals.
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
            Self::Absent | Self::Float(_) | Self::Text(_) | Self::Json(_) => None,
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
}
