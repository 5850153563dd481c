//! From node numbers to identifiers and back.

use heap_base::{Error, Map, Result};
use heap_record::Value;

/// A flat table serves while the largest identifier is below this many times the number of nodes.
const SPARSE: u64 = 16;
/// No node.
const NONE: u32 = u32::MAX;

/// Identifiers of nodes in stream order, and which node has which.
///
/// Memory: none while the identifiers go up in steps of two, as those of counting sources do; else 8 bytes a node, and
/// 8 to 32 more to look identifiers up.
#[derive(Debug, Default)]
pub struct Ids {
    len: u32,
    /// The first one.
    base: Value,
    /// All of them, once one is not two more than the one before.
    all: Vec<Value>,
    lookup: Lookup,
}

#[derive(Debug, Default)]
enum Lookup {
    /// The first identifier + 2n is node n.
    #[default]
    Counted,
    /// By identifier / 2, for odd positive ones.
    Flat(Vec<u32>),
    Hash(Map<Value, u32>),
}

impl Ids {
    /// Appends the identifier of the next node.
    ///
    /// # Errors
    /// More than 4,294,967,294 nodes.
    #[inline]
    pub fn push(&mut self, id: Value) -> Result {
        if self.len == 0 && id & 1 == 1 && id > 0 {
            self.base = id;
        }
        if self.all.is_empty() && id == self.counted(self.len) && self.len < NONE {
            self.len += 1;
            return Ok(());
        }
        self.add(id)
    }

    /// The identifier of a node as long as they go up in steps of two.
    #[inline]
    fn counted(&self, node: u32) -> Value {
        self.base.wrapping_add(2 * i64::from(node))
    }

    #[cold]
    fn add(&mut self, id: Value) -> Result {
        if self.all.is_empty() {
            self.all = (0..self.len).map(|n| self.counted(n)).collect();
        }
        if self.len >= NONE - 1 {
            return Err(Error::refused("more than 4,294,967,294 nodes"));
        }
        self.all.push(id);
        self.len += 1;
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether they are `first`, `first` + 2, `first` + 4, …
    pub fn count_from(&self, first: Value) -> bool {
        self.all.is_empty() && (self.len == 0 || self.base == first)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Prepares [`find`](Self::find). Returns how many nodes repeat an identifier; [`find`](Self::find) gives the first node that has it.
    pub fn seal(&mut self) -> u64 {
        let mut double = 0;
        if self.all.is_empty() {
            return 0;
        }
        let largest = self.all.iter().fold(0, |max, &id| max.max(id as u64));
        let odd = self.all.iter().all(|id| id & 1 == 1);
        if odd && largest / 2 < SPARSE * u64::from(self.len).max(64) {
            let mut flat = vec![NONE; largest as usize / 2 + 1];
            for (n, &id) in (0..).zip(&self.all) {
                let slot = &mut flat[id as usize / 2];
                if *slot == NONE {
                    *slot = n;
                } else {
                    double += 1;
                }
            }
            self.lookup = Lookup::Flat(flat);
        } else {
            let mut hash = Map::default();
            hash.reserve(self.all.len());
            for (n, &id) in (0..).zip(&self.all) {
                if *hash.entry(id).or_insert(n) != n {
                    double += 1;
                }
            }
            self.lookup = Lookup::Hash(hash);
        }
        double
    }

    /// The node with this identifier. Call [`seal`](Self::seal) before.
    #[inline]
    pub fn find(&self, id: Value) -> Option<u32> {
        match &self.lookup {
            Lookup::Counted => {
                let n = id.wrapping_sub(self.base) as u64;
                (n & 1 == 0 && n >> 1 < u64::from(self.len)).then_some((n >> 1) as u32)
            }
            Lookup::Flat(flat) if id & 1 == 1 => {
                flat.get(id as u64 as usize / 2).copied().filter(|&n| n != NONE)
            }
            Lookup::Flat(_) => None,
            Lookup::Hash(hash) => hash.get(&id).copied(),
        }
    }

    /// The identifier of a node.
    pub fn id(&self, node: u32) -> Value {
        self.all.get(node as usize).copied().unwrap_or(self.counted(node))
    }
}
