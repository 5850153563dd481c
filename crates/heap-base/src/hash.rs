//! Hash tables whose keys may come from a file.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, Hash};
use std::sync::LazyLock;

/// Makes the hashers of [`Map`] and [`Set`], with numbers that each process draws anew.
pub type Seed = foldhash::fast::RandomState;

/// A hash map. Nobody can choose keys that share a place, because nobody knows the seed. The order of its entries differs
/// from run to run: what is written is sorted first.
pub type Map<K, V> = HashMap<K, V, Seed>;

/// A hash set, like [`Map`].
pub type Set<K> = HashSet<K, Seed>;

/// The mark of a value: 64 bits that depend on a secret of this process. Values with different marks differ. Two values
/// that differ have one mark by a chance of 2⁻⁶⁴, and nobody can choose them so that they have.
pub fn mark(value: impl Hash) -> u64 {
    static SECRET: LazyLock<std::hash::RandomState> = LazyLock::new(std::hash::RandomState::new);
    SECRET.hash_one(value)
}
