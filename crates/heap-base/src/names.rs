//! Texts by number, each kept once.
//!
//! A map with a text of its own for each key costs a hundred bytes for a key of eight. Here the texts stand one behind the
//! other, and the hash table holds their numbers:
//!
//! ```text
//! text    f o o b a r x        ends    3 6 7
//!         └─0─┘ └─1─┘ 2        places  [ . 2 . . 0 1 . . ]   numbers by hash, linear probing
//! ```

use std::hash::BuildHasher as _;

use crate::hash::Seed;

/// So many texts are looked at one by one: most lists of names are short.
const FEW: usize = 8;

/// A place that holds no number.
const VACANT: u32 = u32::MAX;

/// Texts with the numbers 0, 1, 2, … in the order in which they came first; fewer than 2^32.
///
/// Memory: the text, and 9 to 15 bytes for each.
///
/// ```
/// let mut names = heap_base::Names::default();
/// assert_eq!([names.insert("a"), names.insert("b"), names.insert("a")], [0, 1, 0]);
/// assert_eq!((names.find("b"), names.find("c"), names.get(1)), (Some(1), None, Some("b")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// Where each text ends: the lower half of that number.
    ends: Vec<u32>,
    /// Which texts end beyond a multiple of 2^32, for each in turn.
    beyond: Vec<u32>,
    /// Numbers by the hash of their text, a power of two of places; none while there are few.
    places: Vec<u32>,
    seed: Seed,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.ends == other.ends
    }
}

impl Eq for Names {}

impl Names {
    /// Room for so many texts of so many bytes together.
    pub fn with_capacity(count: usize, bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), ends: Vec::with_capacity(count), ..Self::default() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text with this number.
    pub fn get(&self, number: u32) -> Option<&str> {
        let end = self.end(number)?;
        let start = number.checked_sub(1).and_then(|before| self.end(before)).unwrap_or(0);
        Some(&self.text[start..end])
    }

    /// Where a text ends.
    #[inline]
    fn end(&self, number: u32) -> Option<usize> {
        let low = *self.ends.get(number as usize)? as usize;
        Some(self.beyond.partition_point(|&at| at <= number) << 32 | low)
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len() as u32).filter_map(|number| self.get(number))
    }

    /// The number of a text, if it has come.
    pub fn find(&self, text: &str) -> Option<u32> {
        if self.places.is_empty() {
            return self.iter().position(|known| known == text).map(|number| number as u32);
        }
        self.probe(text).ok()
    }

    /// The number of a text.
    pub fn insert(&mut self, text: &str) -> u32 {
        if let Some(number) = self.find(text) {
            return number;
        }
        let number = self.ends.len() as u32;
        let before = self.text.len() >> 32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        self.beyond.extend((before..self.text.len() >> 32).map(|_| number));
        // At most three of four places are taken, so that a search ends soon.
        if self.ends.len() > FEW.max(self.places.len() / 4 * 3) {
            self.grow();
        } else if !self.places.is_empty()
            && let Err(vacant) = self.probe(text)
        {
            self.places[vacant] = number;
        }
        number
    }

    /// The number of a text, or the place that it would have.
    fn probe(&self, text: &str) -> Result<u32, usize> {
        let mask = self.places.len() - 1;
        let mut at = self.seed.hash_one(text) as usize & mask;
        loop {
            match self.places[at] {
                VACANT => return Err(at),
                number if self.get(number) == Some(text) => return Ok(number),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Doubles the places, and puts each number where it belongs.
    #[cold]
    fn grow(&mut self) {
        let size = (self.places.len() * 2).max(4 * FEW);
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        places.resize(size, VACANT);
        for (number, text) in self.iter().enumerate() {
            let mut at = self.seed.hash_one(text) as usize & (size - 1);
            while places[at] != VACANT {
                at = (at + 1) & (size - 1);
            }
            places[at] = number as u32;
        }
        self.places = places;
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn numbers_are_those_of_a_list() {
        let (mut names, mut list) = (Names::default(), Vec::new());
        // Some come again, at once and later.
        for i in 0..5000u32 {
            let text = format!("{}", i.wrapping_mul(0x9E37_79B9) % 3000);
            let at = list.iter().position(|known| *known == text);
            assert_eq!(names.find(&text).map(|n| n as usize), at);
            assert_eq!(names.insert(&text) as usize, at.unwrap_or(list.len()));
            if at.is_none() {
                list.push(text);
            }
        }
        assert!(names.len() > 1500 && names.iter().eq(&list));
        assert_eq!(names.find(""), None);
        let empty = names.insert("");
        assert_eq!((names.insert(""), names.get(empty), names.get(empty + 1)), (empty, Some(""), None));
    }
}
