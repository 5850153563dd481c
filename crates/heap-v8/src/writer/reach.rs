//! What no root keeps alive, and which nodes to hold so that it is.
//!
//! Memory: 4 bytes an edge, 12 and two bits a node.

use heap_base::BitSet;

/// No target: edges that do not retain leave it.
const NONE: u32 = u32::MAX;

/// Retaining edges by source.
#[derive(Debug)]
pub(crate) struct Reach {
    /// Where each node's edges begin.
    starts: Vec<u64>,
    /// How many of them were added.
    added: Vec<u32>,
    dests: Vec<u32>,
    /// Nodes that another one holds.
    held: BitSet,
}

impl Reach {
    /// Room for so many edges of each node.
    pub(crate) fn new(counts: &[u32]) -> Self {
        let mut starts = Vec::with_capacity(counts.len());
        let mut sum = 0;
        for &count in counts {
            starts.push(sum);
            sum += u64::from(count);
        }
        Self {
            starts,
            added: vec![0; counts.len()],
            dests: vec![NONE; sum as usize],
            held: BitSet::default(),
        }
    }

    /// Adds an edge that retains.
    #[inline]
    pub(crate) fn add(&mut self, source: u32, dest: u32) {
        let (Some(&start), Some(added)) =
            (self.starts.get(source as usize), self.added.get_mut(source as usize))
        else {
            return;
        };
        if let Some(slot) = self.dests.get_mut(start as usize + *added as usize)
            && source != dest
        {
            *slot = dest;
            *added += 1;
            self.held.insert(dest);
        }
    }

    /// Nodes to hold from above so that all are reached: those that nothing holds first, then one of each cycle
    /// that is still out of reach, in the order of ordinals.
    pub(crate) fn hang(&self, roots: &[u32]) -> Vec<u32> {
        let mut reached = BitSet::default();
        let mut hung = Vec::new();
        let mut stack = Vec::new();
        for &root in roots {
            self.walk(root, &mut reached, &mut stack);
        }
        for only_unheld in [true, false] {
            for node in 0..self.starts.len() {
                if !(reached.contains(node as u32) || only_unheld && self.held.contains(node as u32)) {
                    hung.push(node as u32);
                    self.walk(node as u32, &mut reached, &mut stack);
                }
            }
        }
        hung
    }

    fn walk(&self, from: u32, reached: &mut BitSet, stack: &mut Vec<u32>) {
        if !reached.insert(from) {
            return;
        }
        stack.push(from);
        while let Some(node) = stack.pop() {
            let node = node as usize;
            let (Some(&start), Some(&added)) = (self.starts.get(node), self.added.get(node)) else {
                continue;
            };
            let dests = self.dests.get(start as usize..start as usize + added as usize).unwrap_or(&[]);
            stack.extend(dests.iter().filter(|&&dest| reached.insert(dest)));
        }
    }
}
