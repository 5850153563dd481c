//! Type, name and size of every node: six bytes each, so that nodes need not be lexed twice. What few nodes have beside
//! these is kept apart. Where memory is short they go to a file.

use heap_base::Result;
use heap_base::away::{Away, AwayWriter};

/// See the module's description.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// Type in a byte, name in three, size in two.
    nodes: Vec<[u8; 6]>,
    /// The same in a file, and none in memory.
    away: Option<Away>,
    /// The upper bits of the first names, as far as the last that has some.
    high: Vec<u8>,
    /// Type and size of the nodes for which these are too narrow.
    wide: Vec<(u32, u64)>,
    /// Ordinals of the nodes that have more fields, and these.
    more: Vec<(u32, More)>,
}

/// Fields of a node beside type, name and size: 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct More {
    pub(crate) trace: u64,
    pub(crate) detachedness: u64,
}

impl Columns {
    /// Room for `hint` nodes.
    pub(crate) fn with_capacity(hint: usize) -> Self {
        Self { nodes: Vec::with_capacity(hint), ..Self::default() }
    }

    /// Keeps the other fields of node `ordinal`; false if too many nodes have such fields.
    #[cold]
    pub(crate) fn add(&mut self, ordinal: u32, more: More) -> bool {
        self.more.push((ordinal, more));
        self.more.len() <= self.nodes.len() / 16 + 64
    }

    /// Appends a node, whose name is below 2^32.
    #[inline]
    pub(crate) fn push(&mut self, kind: u64, name: u64, size: u64) {
        let wide = kind > u64::from(u8::MAX) || size >= u64::from(u16::MAX);
        if wide {
            self.wide.push((kind as u32, size));
        }
        if name >> 24 != 0 {
            self.high.resize(self.nodes.len(), 0);
            self.high.push((name >> 24) as u8);
        }
        let size = if wide { u16::MAX } else { size as u16 };
        let packed = u64::from(kind as u8) | (name & 0xFF_FFFF) << 8 | u64::from(size) << 32;
        let [kind, name @ .., low, high, _, _] = packed.to_le_bytes();
        self.nodes.push([kind, name[0], name[1], name[2], low, high]);
    }

    /// Appends other nodes, the first of which is the node `first`.
    pub(crate) fn append(&mut self, first: u32, mut other: Self) {
        if !other.high.is_empty() {
            self.high.resize(self.nodes.len(), 0);
            self.high.append(&mut other.high);
        }
        self.nodes.append(&mut other.nodes);
        self.wide.append(&mut other.wide);
        self.more.extend(other.more.iter().map(|&(ordinal, more)| (first + ordinal, more)));
    }

    /// The name of a node.
    #[inline]
    pub(crate) fn name(&self, ordinal: usize) -> u64 {
        let Some(&[_, n0, n1, n2, ..]) = self.nodes.get(ordinal) else { return self.name_away(ordinal) };
        let high = self.high.get(ordinal).copied().unwrap_or(0);
        u32::from_le_bytes([n0, n1, n2, high]).into()
    }

    #[cold]
    fn name_away(&self, ordinal: usize) -> u64 {
        let Some(away) = self.away.as_ref().filter(|away| ordinal < away.len()) else { return u64::MAX };
        let high = self.high.get(ordinal).copied().unwrap_or(0);
        away.get(ordinal) >> 8 & 0xFF_FFFF | u64::from(high) << 24
    }

    /// Puts the nodes into a file.
    pub(crate) fn put_away(&mut self) -> Result {
        let mut file = AwayWriter::new(6)?;
        let nodes = std::mem::take(&mut self.nodes);
        nodes.iter().try_for_each(|&node| file.push(number(node)))?;
        self.away = Some(file.finish()?);
        Ok(())
    }

    /// Says that the file could not be read.
    pub(crate) fn check(&self) -> Result {
        self.away.as_ref().map_or(Ok(()), Away::check)
    }

    /// Whether no node has other fields.
    pub(crate) fn are_all(&self) -> bool {
        self.more.is_empty()
    }

    /// Type, name and size of each node.
    pub(crate) fn brief(&self) -> impl Iterator<Item = (u32, u64, u64)> + '_ {
        let mut wide = self.wide.iter();
        let mut away = self.away.iter().flat_map(Away::iter);
        let count = self.away.as_ref().map_or(self.nodes.len(), Away::len);
        (0..count).map(move |ordinal| {
            let node = self.nodes.get(ordinal).copied().unwrap_or_else(|| node(away.next()));
            let [kind, n0, n1, n2, s0, s1] = node;
            let high = self.high.get(ordinal).copied().unwrap_or(0);
            let name = u32::from_le_bytes([n0, n1, n2, high]);
            let (kind, size) = match u16::from_le_bytes([s0, s1]) {
                u16::MAX => wide.next().copied().unwrap_or_default(),
                size => (kind.into(), size.into()),
            };
            (kind, name.into(), size)
        })
    }

    /// Type, name and size of each node, and its other fields.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u64, u64, More)> + '_ {
        let mut more = self.more.iter().peekable();
        (0..).zip(self.brief()).map(move |(ordinal, (kind, name, size))| {
            let more = more.next_if(|more| more.0 == ordinal).map_or(More::default(), |more| more.1);
            (kind, name, size, more)
        })
    }
}

/// A node as the file has it.
fn number([kind, n0, n1, n2, s0, s1]: [u8; 6]) -> u64 {
    u64::from_le_bytes([kind, n0, n1, n2, s0, s1, 0, 0])
}

/// A node out of the file.
#[cold]
fn node(number: Option<u64>) -> [u8; 6] {
    let [node @ .., _, _] = number.unwrap_or(0).to_le_bytes();
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_any_node() {
        let node = |i: u32| (i % 256, u64::from(i) * 33_000, u64::from(i) * 131, More::default());
        let narrow: Vec<_> = (0..500).map(node).collect();
        let wide =
            [(300, 7, 1), (3, 0xFFFF_FFFE, 2), (4, 0x0100_0000, 65_535), (255, 5, u64::MAX), (0, 0, 0)];
        let mut nodes = narrow.clone();
        nodes.extend(
            wide.map(|(kind, name, size)| (kind, name, size, More { trace: size, detachedness: name })),
        );
        nodes.extend(narrow);
        for cut in [0, 1, 499, 502, 600, nodes.len()] {
            let (before, after) = nodes.split_at(cut);
            let [mut columns, others] = [before, after].map(|nodes| {
                let mut columns = Columns::with_capacity(3);
                for (ordinal, &(kind, name, size, more)) in (0..).zip(nodes) {
                    assert!(more == More::default() || columns.add(ordinal, more));
                    columns.push(kind.into(), name, size);
                }
                columns
            });
            columns.append(cut as u32, others);
            for _ in 0..2 {
                assert_eq!(columns.iter().collect::<Vec<_>>(), nodes);
                let names = (0..nodes.len() + 2).map(|ordinal| columns.name(ordinal));
                let wanted = nodes.iter().map(|node| node.1).chain([u64::MAX; 2]);
                assert!(names.eq(wanted));
                assert!(columns.wide.len() > 2 && columns.high.len() == 503);
                columns.put_away().expect("a file");
                assert!(columns.nodes.is_empty());
            }
        }
    }

    #[test]
    fn other_fields_of_many_nodes_are_not_kept() {
        let mut columns = Columns::default();
        let more = More { trace: 1, detachedness: 0 };
        let kept = (0..1000).take_while(|&i| columns.add(i, more)).count();
        assert_eq!(kept, 64);
    }
}
