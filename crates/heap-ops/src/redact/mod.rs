//! Texts replaced by tokens, so that a dump can be shared: heap-redact.
//!
//! An input is read twice. [`Survey`] finds out where each string stands: as the contents of a string, as a name, as
//! a label. [`Redact`] then decides for each text and place, by [`Rules`], and writes tokens in place of what is not to
//! be seen. A string that stays in one place and goes in another is split: the token gets a number of its own. What
//! is contents and what is a name is read from the stream's declarations; what nothing is known of counts as contents.

mod apply;
mod audit;
mod composed;
mod files;
mod members;
mod place;
mod roles;
pub mod secret;
mod survey;
#[cfg(test)]
mod tests;
mod token;

pub use apply::{Decide, Redact};
pub use audit::{Audit, Row};
pub use files::{private_file, read_key};
pub use place::{Place, Rules};
pub use survey::Survey;
pub use token::{Key, Tokens};
