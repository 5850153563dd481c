//! Dumps that are inside of something else: in a tar archive, or one JSON document in other text.
//!
//! What a head shows is peeled off one layer at a time, each by a [`Read`] that gives what is inside, until a format is
//! known:
//!
//! ```text
//! UTF-16                           utf16   the same text in UTF-8
//! a byte order mark of UTF-8               what is behind it
//! "{\"snapshot\":…}"               texts   what the string says
//! ["{\"snapsh", "ot\":…}"]         texts   what the strings say, one behind the other
//! {"method":…,"params":{"chunk":"{\"snapsh"}}
//! {"method":…,"params":{"chunk":"ot\":…}"}}
//!                                  texts   what the values of that key say, one behind the other
//! {"id":1,"result":{"snapshot":…}} inside  the object that is a document; so too behind lines of a log
//! a tar archive                   archive  the first file that is a dump
//! {"snapshot":…,"nodes":[9.0,1.0,…  whole   the same without the fractions
//! ```
//!
//! A zip archive is a packing, which `unpack` takes off. Of a plain dump no more than the head is looked at. Memory: some pieces of text.

mod archive;
mod inside;
mod texts;
mod utf16;
mod whole;

use std::io::{self, Read};

use crate::HEAD;
use crate::peek::Peeked;
use archive::Archived;
use inside::Inside;
use texts::Texts;
use utf16::{Order, Utf16};
use whole::Whole;
pub(crate) use whole::is_written_so as has_fractions;

/// What some programs of Windows write before text in UTF-8.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// How many layers are taken off at most.
pub(crate) const MOST: usize = 4;

/// Most strings and objects of a head that are tried.
const TRIES: usize = 256;

/// Bytes of an object that show whether it is a document.
const ENOUGH: usize = 16 << 10;

/// What is around a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrapping {
    /// Two bytes a unit.
    Utf16(Order),
    /// A byte order mark of UTF-8.
    Mark,
    /// Strings of JSON: the values of a key, or those of a list, or the only one.
    Texts(Option<Vec<u8>>),
    /// Other text before and behind it: it begins at this offset.
    Inside(usize),
    /// A file of a tar archive, whose header is at this offset.
    Archive(usize),
    /// Whole numbers have fractions.
    Fractions,
}

impl Wrapping {
    /// What an input that begins with `head` has around a document, of which `known` knows the first bytes.
    pub(crate) fn find(head: &[u8], known: &dyn Fn(&[u8]) -> bool) -> Option<Self> {
        if let Some(order) = utf16::order(head) {
            return Some(Self::Utf16(order));
        }
        if known(head) {
            return has_fractions(head).then_some(Self::Fractions);
        }
        if head.starts_with(MARK) {
            return Some(Self::Mark);
        }
        if let Some(at) = archive::dump(head) {
            return Some(Self::Archive(at));
        }
        // Before anything is tried: most that is no dump is no JSON either.
        memchr::memchr(b'{', head)?;
        let texts = || {
            let keys = texts::candidates(head, TRIES);
            keys.into_iter().find(|key| begins(&mut Texts::new(head, key.clone()), known)).map(Self::Texts)
        };
        let inside = || {
            let objects = inside::candidates(head).take(TRIES);
            let mut objects = objects.filter(|&at| at > 0);
            objects.find(|&at| known(&head[at..head.len().min(at + ENOUGH)])).map(Self::Inside)
        };
        inside().or_else(texts)
    }

    /// What is inside of `input`.
    pub(crate) fn take_off(self, mut input: Peeked) -> Peeked {
        let inner: Box<dyn Read + Send> = match self {
            Self::Utf16(order) => Box::new(Utf16::new(input, order)),
            Self::Mark => {
                // It was read ahead, so this cannot fail.
                let _ = input.read_exact(&mut [0; MARK.len()]);
                Box::new(input)
            }
            Self::Texts(key) => Box::new(Texts::new(input, key)),
            Self::Archive(at) => Box::new(Archived::new(input, at)),
            Self::Inside(at) => Box::new(Inside::new(input, at)),
            Self::Fractions => Box::new(Whole::new(input)),
        };
        Peeked::new(inner)
    }
}

/// Whether a document begins in `text`, or a string that holds one.
fn begins(text: &mut dyn Read, known: &dyn Fn(&[u8]) -> bool) -> bool {
    let mut head = Vec::new();
    // The head may end anywhere; what came before that counts.
    let _ = text.take(HEAD as u64).read_to_end(&mut head);
    let text = head.trim_ascii_start();
    known(text) || text.starts_with(b"\"{\\\"")
}

/// The error of text that is not as its wrapping has to be.
fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests;
