//! Heap profiles that are text: jemalloc's, gperftools' and tcmalloc's, and Go's with `?debug=1`.
//!
//! ```text
//! heap profile: LIVE: BYTES [ALL: BYTES] @ KIND/PERIOD      heap_v2/PERIOD
//!   n: b [N: B] @ 0x… 0x…                                     t*: n: b [N: B]
//! #  0x…  main.leaf+0x2f  /main.go:12      (Go)             @ 0x… 0x…
//!                                                             t*: n: b [N: B]
//! MAPPED_LIBRARIES:                                           t1: n: b [N: B]
//! start-end r-xp offset dev inode path                      MAPPED_LIBRARIES: …
//! ```
//!
//! Outside of brackets is what lives, inside what was ever allocated. `jeprof --raw` puts names in front, between
//! `--- symbol` and `--- heap`.
//!
//! A line becomes a sample of a [`Profile`]. Addresses are return addresses: less one, they are the calls'. Where figures
//! were sampled they are scaled up as pprof does it, each value rounded; labels keep what the line says.

mod figures;
mod lines;
mod symbols;

#[cfg(test)]
mod tests;

use heap_base::Error;

use crate::profile::Profile;
use figures::Rule;
use lines::Parser;

/// What is known of a text beside the profile in it.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// Who wrote it: `jemalloc.heap`.
    pub(crate) source: &'static str,
    /// The same for people.
    pub(crate) producer: &'static str,
    /// Metadata: the period, the rule of scaling, the header.
    pub(crate) metadata: Vec<(String, String)>,
}

/// Whether an input that begins with `head` is such a text.
pub(crate) fn sniff(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    if let Some(rest) = head.strip_prefix(b"heap_v2/") {
        return rest.first().is_some_and(u8::is_ascii_digit);
    }
    if head.starts_with(b"--- symbol\n") || head.starts_with(b"--- symbol\r\n") {
        return memchr::memmem::find(head, b"binary=").is_some();
    }
    head.starts_with(b"heap profile:")
}

/// The profile in `bytes`, as far as they are intact, and where they stop being so.
pub(crate) fn decode(bytes: &[u8]) -> (Profile, Origin, Option<Error>) {
    let mut parser = Parser::new();
    let outcome = parser.take(bytes);
    let (profile, origin) = parser.finish();
    (profile, origin, outcome.err())
}
