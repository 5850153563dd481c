//! Where V8 keeps objects: pages, and the maps that say what an object is.

mod bits;
mod fresh;
mod maps;
mod page;
mod pages;
mod sizes;

pub(crate) use bits::Starts;
pub(crate) use maps::{Map, MapId, Maps, object_of};
pub(crate) use page::Page;
pub(crate) use pages::{PAGE, Pages};
pub(crate) use sizes::{Size, Sizes};
