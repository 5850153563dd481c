//! The toolbox below the records: what readers, sinks and algorithms share and that knows no record.
//!
//! [`Blob`] is input that can be read at any offset, [`Spool`] bytes that are written once and read back,
//! [`away`] numbers in a file.
//! [`join`] runs two closures on two threads, [`WorkQueue`] shares numbered parts between them. [`BitSet`] is a set of
//! small numbers, [`NumberMap`] and [`NumberSet`] take any numbers, [`Names`] numbers texts, [`Map`] and [`Set`] are hash tables with a seed,
//! [`sys`] has what systems do differently, [`Error`] is the one error type, [`json`] numbers and texts as canonical JSON has them, [`Window`] a cursor over JSON
//! text and [`literal`] the strings in it, [`sums`] sums that stop where numbers do, [`xml`] texts as XML and HTML have them, [`sort_by`] sorts rows.

pub mod away;
pub mod bits;
pub mod blob;
mod cutoff;
mod dump;
pub mod error;
pub mod hash;
pub mod json;
pub mod literal;
mod names;
mod numbers;
mod order;
pub mod spool;
pub mod stage;
pub mod sums;
pub mod sys;
mod threads;
mod unescape;
mod window;
pub mod xml;

pub use bits::BitSet;
pub use blob::Blob;
pub use cutoff::Cutoff;
pub use dump::Dump;
pub use error::{Error, Place, Result};
pub use hash::{Map, Set};
pub use json::{Members, member};
pub use names::Names;
pub use numbers::{NumberMap, NumberSet};
pub use order::{sort, sort_by, sort_by_key};
pub use spool::{Reader, Spool, push_varint, unzigzag, zigzag};
pub use sums::Plus;
pub use threads::{WorkQueue, join};
pub use unescape::Unescape;
pub use window::Window;
