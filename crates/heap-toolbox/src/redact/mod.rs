//! Texts replaced by tokens, so that a dump can be shared: heap-redact.
//!
//! An input is read twice, by [`passes`]. The first pass finds out where each string stands: as the contents of a
//! string, as a name, as a label. The last decides for each text and place, by [`Rules`], and writes tokens in place of
//! what is not to be seen. A string that stays in one place and goes in another is split: the token gets a number of
//! its own. What is contents and what is a name is read from the stream's declarations; what nothing is known of counts
//! as contents.

mod apply;
mod audit;
mod composed;
mod files;
mod joined;
mod known;
mod members;
mod options;
mod passes;
mod prescan;
pub mod rows;
mod rules;
pub mod secret;
#[cfg(test)]
mod tests;
mod token;

pub use audit::{Audit, AuditRow, Kept};
pub use files::read_key;
pub use joined::Joined;
pub use options::TOOL;
pub use passes::passes;
pub use rules::{Rules, TextRole};
pub use token::{Key, Tokens};
