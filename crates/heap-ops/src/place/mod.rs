//! Where objects hang in the program, and how that is spelt.
//!
//! A *place* is a way from the roots to an object as the program's source names it: `global.pageCache`,
//! `app.js: sessions.byUser[*]`. Readers declare what an edge is to the program (its [`Role`](heap_record::Role)). [`Way`] says
//! it with what its label adds, `search` chooses the cheapest way, [`spell`] writes one edge, [`Names`] the whole place;
//! [`Source`] writes a function with its line. What a dump says beside its graph of functions, scripts and texts are its
//! [`Clues`]; what of it is the program's and what its runtime's, [`Ownership`].

mod clues;
mod exports;
mod locations;
mod names;
mod regions;
mod search;
pub mod source;
pub mod spell;
mod texts;
mod thin;
mod ways;
mod whose;

use heap_base::Result;
use heap_graph::{Outline, Rules};

use crate::graph::NamedGraph;

pub use clues::{Allocated, ClueLoader, Clues, Word};
pub use locations::{Line, Location, Locations};
pub use names::{Name, Names, Step, fold, is_element, is_inner, is_word};
pub(crate) use source::named;
pub use source::{Source, Sources};
pub use texts::{NodeTexts, code, id_of};
pub use thin::{Far, FarEdge, Wanted, Ways};
pub use ways::Way;
pub use whose::{Ownership, Sort, file_of, has_references_alone, is_plain, is_shape};

/// Heaps of fewer nodes are not worth a second thread.
pub const THREAD_FROM: u32 = 1 << 20;
/// Between the class of a global object and the page that it is of; nothing follows outside of a browser.
const PAGE: &str = " / ";

/// What searches for names ask of a dump.
pub struct Naming<'a> {
    loaded: &'a NamedGraph,
    clues: &'a Clues,
    rules: &'a Rules,
    /// The dominator tree, where it is known: searches end sooner.
    tree: Option<&'a Outline>,
    /// What is the program's.
    pub own: Ownership<'a>,
    /// Global objects are of several pages, and only both names together say which.
    pages: bool,
}

impl<'a> Naming<'a> {
    /// Looks at all functions and references; `rules` say which of these hold.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn new(loaded: &'a NamedGraph, clues: &'a Clues, rules: &'a Rules) -> Result<Self> {
        let mut first = None;
        let mut pages = false;
        for &root in &loaded.heap.policy.user_roots {
            if let Some((_, page)) = loaded.class(root)?.split_once(PAGE) {
                pages |= first.get_or_insert_with(|| page.to_owned()) != page;
            }
        }
        Ok(Self { loaded, clues, rules, tree: None, own: Ownership::new(loaded, clues)?, pages })
    }

    /// The same with the dominator tree over what retains by the same rules.
    #[must_use]
    pub fn within(self, tree: &'a Outline) -> Self {
        Self { tree: Some(tree), ..self }
    }

    /// What a reference is to the program.
    #[inline]
    pub fn way(&self, edge: u32) -> Way {
        self.own.way(edge)
    }
}
