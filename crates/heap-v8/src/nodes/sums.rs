//! Nodes added up by type and class as they are read, for sinks that ask for no more.

use heap_base::Map;

/// Classes with lower names are found without hashing.
const LOW: u64 = 1 << 18;

/// Nodes of one type, and one class if they have one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Total {
    /// Ordinal of the first.
    pub(crate) first: u32,
    /// Code of the type.
    pub(crate) kind: u32,
    /// How many; none in a place that nothing came to.
    pub(crate) count: u32,
    /// The sum of their sizes, or the largest number.
    pub(crate) size: u64,
    /// The highest identifier of one that takes space.
    pub(crate) highest: u64,
}

/// Adds nodes up.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    /// Nodes without a class, by type.
    kinds: Vec<Total>,
    /// Nodes with a class, by its name: those of the type that came first.
    low: Vec<Total>,
    /// All others, by type and name.
    others: Map<(u32, u64), Total>,
}

impl Sums {
    /// Adds the node `ordinal`, of a type with this code, and if its name is its class, this `class`.
    #[inline]
    pub(crate) fn add(&mut self, ordinal: u32, kind: u32, class: Option<u64>, (id, size): (u64, u64)) {
        let (list, place) = match class {
            None => (&mut self.kinds, u64::from(kind)),
            Some(name) if name < LOW => (&mut self.low, name),
            Some(name) => return self.add_other(ordinal, (kind, name), (id, size)),
        };
        let place = place as usize;
        if place >= list.len() {
            list.resize((place + 1).next_power_of_two(), Total::default());
        }
        let total = &mut list[place];
        if total.count == 0 {
            (total.first, total.kind) = (ordinal, kind);
        }
        match class {
            Some(name) if total.kind != kind => self.add_other(ordinal, (kind, name), (id, size)),
            _ => total.add(id, size),
        }
    }

    #[cold]
    fn add_other(&mut self, ordinal: u32, key: (u32, u64), (id, size): (u64, u64)) {
        let new = || Total { first: ordinal, kind: key.0, ..Total::default() };
        self.others.entry(key).or_insert_with(new).add(id, size);
    }

    /// The classes, ascending.
    pub(crate) fn classes(&self) -> Vec<u64> {
        let mut classes: Vec<u64> = self.totals().into_iter().filter_map(|(_, class)| class).collect();
        heap_base::sort(&mut classes);
        classes.dedup();
        classes
    }

    /// What came together, with its class if it has one, in the order of the first nodes.
    pub(crate) fn totals(&self) -> Vec<(Total, Option<u64>)> {
        let kinds = self.kinds.iter().map(|&total| (total, None));
        let low = (0..).zip(&self.low).map(|(name, &total)| (total, Some(name)));
        let others = self.others.iter().map(|(&(_, name), &total)| (total, Some(name)));
        let mut totals: Vec<_> =
            kinds.chain(low).chain(others).filter(|(total, _)| total.count > 0).collect();
        heap_base::sort_by_key(&mut totals, |(total, _)| total.first);
        totals
    }
}

impl Total {
    fn add(&mut self, id: u64, size: u64) {
        if size > 0 {
            self.highest = self.highest.max(id);
        }
        self.count += 1;
        self.size = self.size.saturating_add(size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_one_type_and_class_come_together() {
        let mut sums = Sums::default();
        let nodes = [
            (3, Some(7), 10),
            (2, None, 1),
            (8, Some(7), 100),
            (3, Some(LOW + 5), 1),
            (3, Some(7), 20),
            (2, None, u64::MAX),
            (3, Some(LOW + 5), 2),
            (8, Some(7), 200),
            (70_000, None, 5),
        ];
        for (ordinal, &(kind, class, size)) in (0..).zip(&nodes) {
            sums.add(ordinal, kind, class, (100 - u64::from(ordinal), size));
        }
        sums.add(9, 70_000, None, (1000, 0));
        let total = |first: u32, kind, count, size| {
            let highest = 100 - u64::from(first);
            Total { first, kind, count, size, highest }
        };
        let expected = [
            (total(0, 3, 2, 30), Some(7)),
            (total(1, 2, 2, u64::MAX), None),
            (total(2, 8, 2, 300), Some(7)),
            (total(3, 3, 2, 3), Some(LOW + 5)),
            (total(8, 70_000, 2, 5), None),
        ];
        assert_eq!(sums.totals(), expected);
    }
}
