//! Which version of V8 and Node a core is of: text that each process has on its heap.

use heap_base::{Blob, Error};
use memchr::memmem;

use crate::memory::Memory;
use crate::space::Pages;

/// What `process.versions` said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Version {
    /// `12.4.254.21-node.57`.
    pub(crate) v8: Option<String>,
    /// `v22.23.3`.
    pub(crate) node: Option<String>,
}

/// Bytes that are searched at a time.
const PIECE: usize = 256 << 10;
/// The longest text that is looked for, and how much pieces overlap.
const OVERLAP: usize = 64;

/// Searches the heap pages, the oldest spaces first in the order of addresses.
pub(crate) fn find(memory: &Memory, pages: &Pages) -> Version {
    let mut version = Version::default();
    let mut piece = vec![0; PIECE + OVERLAP];
    for page in &pages.pages {
        let mut at = page.area;
        while at < page.end {
            let want = (page.end - at).min(piece.len() as u64) as usize;
            let n = memory.read(at, &mut piece[..want]);
            search(&piece[..n], &mut version);
            if version.v8.is_some() && version.node.is_some() {
                return version;
            }
            if n < want {
                break;
            }
            at += PIECE as u64;
        }
    }
    version
}

fn search(bytes: &[u8], version: &mut Version) {
    if version.v8.is_none() {
        version.v8 = memmem::find_iter(bytes, b"-node.").find_map(|at| v8_around(bytes, at));
    }
    if version.node.is_none() {
        // The text that ends `process.version` stands alone: a string of that length.
        version.node = memchr::memchr_iter(b'v', bytes).find_map(|at| node_at(bytes, at));
    }
}

/// `11.3.244.8-node.38` around the dash at `at`.
fn v8_around(bytes: &[u8], at: usize) -> Option<String> {
    let is = |b: &u8| b.is_ascii_digit() || *b == b'.';
    let begin = bytes[..at].iter().rposition(|b| !is(b)).map_or(0, |i| i + 1);
    let after = at + b"-node.".len();
    let end = bytes[after..].iter().position(|b| !b.is_ascii_digit()).map_or(bytes.len(), |i| after + i);
    let text = std::str::from_utf8(&bytes[begin..end]).ok()?;
    let numbers = text.split("-node.").next()?.split('.').filter(|n| !n.is_empty() && n.len() < 5).count();
    (numbers == 4 && end > after && text.len() < OVERLAP).then(|| text.to_owned())
}

/// A flat string `v22.23.3`: its length is in the four bytes before.
fn node_at(bytes: &[u8], at: usize) -> Option<String> {
    let length = crate::elf::u32_at(bytes, at.checked_sub(4)?) as usize;
    if !(6..=12).contains(&length) {
        return None;
    }
    let text = std::str::from_utf8(bytes.get(at..at + length)?).ok()?;
    let numbers: Vec<&str> = text.strip_prefix('v')?.split('.').collect();
    let digits = |n: &&str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    (numbers.len() == 3 && numbers.iter().all(digits)).then(|| text.to_owned())
}

/// The version that an executable has in its read-only data.
pub(crate) fn of_executable(blob: &Blob) -> Option<String> {
    let mut piece = vec![0; (4 << 20) + OVERLAP];
    let mut at = 0;
    while at < blob.len() {
        let n = blob.read_at(&mut piece, at).ok()?;
        let found = memmem::find_iter(&piece[..n], b"-node.").find_map(|i| v8_around(&piece[..n], i));
        if found.is_some() {
            return found;
        }
        at += 4 << 20;
    }
    None
}

/// What takes a dump of other programs that run JavaScript. They are known by the name of their executable.
const OTHERS: [(&[&str], &str); 3] = [
    (
        &["deno"],
        "this is Deno, whose memory cannot be read: start it with --inspect, and heap-dump ADDRESS takes a snapshot",
    ),
    (
        &["bun", "bunx"],
        "this is Bun, which has another engine: start it with --inspect, and heap-dump ADDRESS takes a snapshot",
    ),
    (
        &["electron", "chrome", "chromium", "code", "headless_shell"],
        "this is Electron or Chromium, where V8 compresses pointers, which cannot be read: process.takeHeapSnapshot(FILE), \
         or --remote-debugging-port and heap-dump ADDRESS",
    ),
];

/// What to do instead for a program that is not Node, by what it may be known by: paths, or paths with arguments.
pub(crate) fn advice(names: &[&str]) -> Option<&'static str> {
    let base = |name: &&str| {
        let path = name.split(' ').next().unwrap_or_default();
        let base = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        base.strip_suffix(".exe").map(str::to_owned).unwrap_or(base)
    };
    let bases: Vec<String> = names.iter().map(base).collect();
    OTHERS.iter().find(|(known, _)| bases.iter().any(|b| known.contains(&b.as_str()))).map(|(_, text)| *text)
}

/// What is said of a version that is not known: what to do instead, where that is known.
pub(crate) fn unknown(version: &Version, names: &[&str], error: Error) -> Error {
    if let Some(advice) = advice(names) {
        return Error::refused(advice);
    }
    let old = version.node.as_deref().filter(|node| {
        let major =
            node.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
        major.is_some_and(|major| major < 18)
    });
    match old {
        Some(node) => Error::refused(format!(
            "Node {node} is older than what can be read, 18 to 26: start it with --heapsnapshot-signal=SIGUSR2, and a signal \
             takes a snapshot"
        )),
        None => error,
    }
}
