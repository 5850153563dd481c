//! Lines of a source.

/// Where the lines of a script end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    /// Offsets of the line ends.
    pub(crate) ends: Vec<u32>,
    /// Offset of the script in its file, in lines.
    pub(crate) first: u32,
}

impl Lines {
    /// The lines of a source.
    pub(crate) fn of_units(units: &[u16], first: u32) -> Self {
        let mut ends: Vec<u32> = (0..).zip(units).filter(|(_, u)| **u == 10).map(|(i, _)| i).collect();
        ends.push(units.len() as u32);
        Self { ends, first }
    }

    /// The lines of a text.
    #[cfg(test)]
    pub(crate) fn of(text: &str) -> Self {
        Self::of_units(&text.encode_utf16().collect::<Vec<_>>(), 0)
    }

    /// Line and column from 1 of an offset.
    pub(crate) fn place(&self, offset: u32) -> Option<(u32, u32)> {
        if self.ends.is_empty() {
            return None;
        }
        let line = self.ends.partition_point(|&end| end < offset);
        let start = line.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| end + 1);
        Some((line as u32 + 1 + self.first, offset - start.min(offset) + 1))
    }
}
