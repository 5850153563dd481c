//! Whether a program of Node's has a handler of its own for a signal: what its event loop waits for.
//!
//! The system says that there is a handler, not whose it is. A program's own is a handle of libuv on the main loop, whose
//! layout is fixed for all of libuv 1. The loop is a variable of the executable or of its library; it is known by its
//! ring of handles, of which each leads back to it. Only memory is read; the process is not stopped.

use std::fs::{self, File};
use std::path::Path;

use heap_base::sys::read_exact_at;

use super::process::Process;

/// Largest part of the memory that is looked through for the loop: variables of a program are a few hundred kilobytes.
const LARGEST: u64 = 16 << 20;
/// More handles than this are no ring.
const HANDLES: usize = 1 << 20;
/// Nothing of a program is below this address.
const LOWEST: u64 = 0xffff;
/// How often it is looked anew at a ring that changes meanwhile.
const TRIES: usize = 5;
/// Where things are in a loop: its ring of handles.
const RING: u64 = 16;
/// Bytes of a loop that are looked at.
const LOOP: usize = 32;
/// Where things are in a handle: its loop, its kind, its place in the ring, and of a signal its number.
const OWNER: usize = 8;
const KIND: usize = 16;
const LINK: u64 = 32;
const NUMBER: usize = 104;
const HANDLE: usize = 112;
/// The kind of handles that wait for a signal.
const SIGNAL: u32 = 16;

/// Whether the program waits for this signal itself; `None` if its memory may not be read, or has no loop that is known.
pub(super) fn waits_for(process: &Process, signal: u32) -> Option<bool> {
    let memory = File::open(process.path("mem")).ok()?;
    let loops: Vec<u64> = areas(process).into_iter().flat_map(|(from, to)| find(&memory, from, to)).collect();
    let answers = loops.into_iter().filter_map(|own| (0..TRIES).find_map(|_| ring(&memory, own, signal)));
    answers.reduce(|one, other| one || other)
}

/// Variables that can be written to, of the executable and of libraries with a loop: the part of the file, and what
/// follows it, which is in no file.
fn areas(process: &Process) -> Vec<(u64, u64)> {
    let maps = fs::read_to_string(process.path("maps")).unwrap_or_default();
    let exe = fs::read_link(process.path("exe")).unwrap_or_default();
    let (mut found, mut end, mut ours) = (Vec::new(), 0, false);
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let range = words.next().and_then(|range| range.split_once('-'));
        let number = |text| u64::from_str_radix(text, 16).ok();
        let Some((from, to)) = range.and_then(|(from, to)| Some((number(from)?, number(to)?))) else {
            continue;
        };
        let writable = words.next().is_some_and(|rights| rights.starts_with("rw"));
        // Path names may hold blanks.
        let path = line.find('/').map_or("", |at| &line[at..]);
        if path.is_empty() {
            ours &= from == end && !line.ends_with(']');
        } else {
            let name = path.rsplit('/').next().unwrap_or_default();
            ours = Path::new(path) == exe || name.starts_with("libuv.so") || name.starts_with("libnode.so");
        }
        end = to;
        if ours && writable && to - from <= LARGEST {
            found.push((from, to));
        }
    }
    found
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn half(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The loops between two addresses.
fn find(memory: &File, from: u64, to: u64) -> Vec<u64> {
    let mut bytes = vec![0; (to - from) as usize];
    if read_exact_at(memory, &mut bytes, from).is_err() {
        return Vec::new();
    }
    let is_loop = |at: &usize| {
        let own = from + *at as u64;
        let link = |at: usize| word(&bytes, at).filter(|p| p % 8 == 0 && *p > LOWEST && *p != own + RING);
        // An empty ring leads to itself, and is none of Node's.
        let (Some(next), Some(_)) = (link(at + RING as usize), link(at + RING as usize + 8)) else {
            return false;
        };
        handle(memory, own, next).is_some_and(|(_, before)| before == own + RING)
    };
    let places = (0..bytes.len().saturating_sub(LOOP)).step_by(8);
    places.filter(is_loop).map(|at| from + at as u64).collect()
}

/// The handle of a loop whose place in the ring this is, and the place before.
fn handle(memory: &File, own: u64, link: u64) -> Option<([u8; HANDLE], u64)> {
    let mut bytes = [0; HANDLE];
    read_exact_at(memory, &mut bytes, link.checked_sub(LINK)?).ok()?;
    let before = word(&bytes, LINK as usize + 8)?;
    (word(&bytes, OWNER) == Some(own)).then_some((bytes, before))
}

/// Whether a handle of the loop waits for the signal; `None` if the ring is not whole.
fn ring(memory: &File, own: u64, signal: u32) -> Option<bool> {
    let end = own + RING;
    let mut head = [0; 8];
    read_exact_at(memory, &mut head, end).ok()?;
    let (mut link, mut last) = (u64::from_ne_bytes(head), end);
    for _ in 0..HANDLES {
        if link == end {
            return Some(false);
        }
        let (bytes, before) = handle(memory, own, link)?;
        if before != last {
            return None;
        }
        if half(&bytes, KIND) == Some(SIGNAL) && half(&bytes, NUMBER) == Some(signal) {
            return Some(true);
        }
        last = link;
        link = word(&bytes, LINK as usize)?;
    }
    None
}
