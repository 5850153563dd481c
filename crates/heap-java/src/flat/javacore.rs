//! The javacore that OpenJ9 writes beside a heap dump: threads with their calls and locks, loaders with their classes.
//!
//! It is text. Each line begins with a tag: a digit for its level, then what it is. Lines of tags that are not known, which
//! are most, are passed over, so that releases with more or other lines are read as far as they agree. Addresses of
//! `J9VMThread` and of classes are the machine's own structures; those of threads, loaders and locks are objects of the dump.

use std::io::{BufRead, BufReader, Read};

use heap_base::{Blob, Error, Map, Result, Set};
use heap_record::texts::latin1;

use crate::text::class_name;

/// The tag of the first line.
const HEAD: &[u8] = b"0SECTION";
/// Lines are cut behind so many bytes.
const MAX_LINE: u64 = 1 << 16;
/// Calls beyond this are left out.
const MAX_FRAMES: usize = 1 << 22;

/// True if a file that begins with `head` is a javacore.
pub(crate) fn sniff(head: &[u8]) -> bool {
    let mut lines = head.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    // A line of dashes may come first.
    lines.by_ref().take(4).any(|line| line.starts_with(HEAD) && line.ends_with(b"dump routine"))
}

/// What a javacore says.
#[derive(Debug, Default)]
pub(super) struct Javacore {
    pub(super) threads: Vec<Thread>,
    pub(super) loaders: Vec<Loader>,
    /// Numbers of the loaders that have a class of this name, which is the machine's.
    pub(super) classes: Map<Vec<u8>, Vec<u32>>,
    /// Objects that a thread owns or waits for, each with that thread; `None` where a thread that is not known owns it.
    pub(super) monitors: Vec<(u64, Option<u32>)>,
    /// Why it was written.
    pub(super) reason: Option<String>,
    /// True if the last section is there.
    pub(super) complete: bool,
    /// Numbers of threads by the addresses of their `J9VMThread`.
    numbers: Map<u64, u32>,
    /// Numbers of loaders by the addresses of their objects.
    by_object: Map<u64, u32>,
}

/// A thread of Java's.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// Address of its object; 0 where old releases do not say it.
    pub(super) object: u64,
    pub(super) name: String,
    /// The innermost call first.
    pub(super) frames: Vec<Frame>,
}

/// A call.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) function: String,
    pub(super) script: Option<String>,
    pub(super) line: Option<u32>,
    /// Objects that it has locked.
    pub(super) locks: Vec<u64>,
}

/// A class loader.
#[derive(Debug)]
pub(super) struct Loader {
    pub(super) object: u64,
    /// That of the machine, whose classes are never unloaded.
    pub(super) boot: bool,
}

/// What the lines so far have begun.
#[derive(Default)]
struct At {
    /// The thread whose lines these are.
    thread: Option<u32>,
    /// The monitor whose owner and waiters come.
    monitor: u64,
    /// The loader whose classes come.
    loader: Option<u32>,
    frames: usize,
    /// What the locks say, which come before the threads: object, `J9VMThread`, and whether that owns it.
    waits: Vec<(u64, Option<u64>, bool)>,
}

impl Javacore {
    /// Reads a javacore.
    ///
    /// # Errors
    /// Those of reading; the file is none.
    pub(super) fn read(blob: &Blob) -> Result<Self> {
        let mut input = BufReader::new(blob.section(0, blob.len()));
        let head = input.fill_buf().map_err(Error::read)?;
        if !sniff(head) {
            return Err(Error::refused("the file that is said to be its javacore is none"));
        }
        let (mut core, mut at, mut line) = (Self::default(), At::default(), Vec::new());
        loop {
            line.clear();
            let len = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(Error::read)?;
            if len == 0 {
                core.join(at.waits);
                return Ok(core);
            }
            if line.last() != Some(&b'\n') && len as u64 == MAX_LINE {
                input.skip_until(b'\n').map_err(Error::read)?;
            }
            core.line(line.trim_ascii(), &mut at);
        }
    }

    /// Objects of the dump that it names.
    pub(super) fn objects(&self) -> Set<u64> {
        let threads = self.threads.iter().map(|thread| thread.object);
        let loaders = self.loaders.iter().map(|loader| loader.object);
        let frames = self.threads.iter().flat_map(|thread| &thread.frames);
        let locks = frames.flat_map(|frame| frame.locks.iter().copied());
        let monitors = self.monitors.iter().map(|&(object, _)| object);
        let all = threads.chain(loaders).chain(locks).chain(monitors);
        all.filter(|&object| object != 0).collect()
    }

    fn line(&mut self, line: &[u8], at: &mut At) {
        let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
        let (tag, rest) = (&line[..end], line[end..].trim_ascii());
        match tag {
            b"1TISIGINFO" => self.reason = Some(text(rest)).filter(|reason| !reason.is_empty()),
            b"0SECTION" => self.complete |= rest.starts_with(b"Javadump End"),
            b"3XMTHREADINFO" => at.thread = self.thread(rest),
            b"4XESTACKTRACE" => self.frame(rest, at),
            b"5XESTACKTRACE" => self.lock(rest, at),
            b"3XMTHREADBLOCK" => {
                if let (Some(object), Some(thread)) = (object(rest), at.thread) {
                    self.monitors.push((object, Some(thread)));
                }
            }
            b"3LKMONOBJECT" => {
                at.monitor = object(rest).unwrap_or(0);
                let owned = ["owner \"", "locked by \""].iter().any(|words| find(rest, words).is_some());
                at.waits(rest, owned);
            }
            b"3LKWAITER" | b"3LKWAITNOTIFY" => at.waits(rest, false),
            _ if tag.starts_with(b"2LK") => at.monitor = 0,
            b"2CLTEXTCLLOADER" => {
                if let Some(object) = loader(rest) {
                    let boot = rest.starts_with(b"p") || find(rest, "Loader *System*").is_some();
                    self.by_object.entry(object).or_insert(self.loaders.len() as u32);
                    self.loaders.push(Loader { object, boot });
                }
            }
            b"2CLTEXTCLLOAD" => {
                at.loader = loader(rest).and_then(|object| self.by_object.get(&object).copied());
            }
            b"3CLTEXTCLASS" => {
                if let (Some(loader), Some(name)) = (at.loader, rest.rsplitn(2, |&b| b == b'(').nth(1)) {
                    let loaders = self.classes.entry(name.trim_ascii().to_vec()).or_default();
                    if loaders.last() != Some(&loader) {
                        loaders.push(loader);
                    }
                }
            }
            _ => {}
        }
    }

    /// The number of a thread that is new; `None` where its lines came before, and of threads that are not Java's.
    fn thread(&mut self, rest: &[u8]) -> Option<u32> {
        let (open, close) = (find(rest, "\"")?, memchr::memrchr(b'"', rest)?);
        let name = rest.get(open + 1..close)?;
        let said = &rest[close..];
        let own = after(said, "J9VMThread:").or_else(|| after(said, "TID:"));
        let object = after(said, "java/lang/Thread:").unwrap_or(0);
        let number = self.threads.len() as u32;
        if let Some(own) = own
            && *self.numbers.entry(own).or_insert(number) != number
        {
            return None;
        }
        self.threads.push(Thread { object, name: text(name), frames: Vec::new() });
        Some(number)
    }

    fn frame(&mut self, rest: &[u8], at: &mut At) {
        let thread = at.thread.and_then(|number| self.threads.get_mut(number as usize));
        let (Some(thread), Some(rest)) = (thread, rest.strip_prefix(b"at ")) else { return };
        at.frames += 1;
        if at.frames > MAX_FRAMES {
            return;
        }
        let (call, place) = match find(rest, "(") {
            Some(open) => (&rest[..open], &rest[open + 1..]),
            None => (rest, &rest[rest.len()..]),
        };
        let (class, method) = match memchr::memrchr(b'.', call) {
            Some(dot) => (&call[..dot], &call[dot..]),
            None => (&call[..0], call),
        };
        // `module@version/File.java:17(Compiled Code))`
        let place = place.split(|&b| b == b'(' || b == b')').next().unwrap_or_default();
        let place = place.rsplit(|&b| b == b'/').next().unwrap_or_default();
        let (script, line) = match memchr::memrchr(b':', place) {
            Some(colon) => (&place[..colon], std::str::from_utf8(&place[colon + 1..]).ok()),
            None => (place, None),
        };
        let script = Some(text(script)).filter(|script| !script.is_empty() && !script.contains(' '));
        let line = line.and_then(|line| line.parse().ok()).filter(|_| script.is_some());
        let function = format!("{}{}", class_name(&text(class)).name, text(method));
        thread.frames.push(Frame { function, script, line, locks: Vec::new() });
    }

    fn lock(&mut self, rest: &[u8], at: &At) {
        let Some(thread) = at.thread.and_then(|number| self.threads.get_mut(number as usize)) else { return };
        if let (Some(frame), Some(object)) = (thread.frames.last_mut(), object(rest)) {
            frame.locks.push(object);
        }
    }

    /// Finds the threads that the locks name.
    fn join(&mut self, waits: Vec<(u64, Option<u64>, bool)>) {
        for (object, own, owned) in waits {
            let thread = own.and_then(|own| self.numbers.get(&own).copied());
            if thread.is_some() || owned {
                self.monitors.push((object, thread));
            }
        }
    }
}

impl At {
    /// A line that may name a thread by its address: it owns the monitor at hand, or waits for it.
    fn waits(&mut self, rest: &[u8], owned: bool) {
        let own = after(rest, "(J9VMThread:").or_else(|| after(rest, "\" ("));
        if self.monitor != 0 && (own.is_some() || owned) {
            self.waits.push((self.monitor, own, owned));
        }
    }
}

/// Where `words` begin in a line.
fn find(line: &[u8], words: &str) -> Option<usize> {
    memchr::memmem::find(line, words.as_bytes())
}

/// The address behind `words` in a line; `None` where that is 0 or none.
fn after(line: &[u8], words: &str) -> Option<u64> {
    let rest = &line[find(line, words)? + words.len()..];
    let digits = rest.strip_prefix(b"0x").or_else(|| rest.strip_prefix(b"0X"))?;
    let len = digits.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    let digits = std::str::from_utf8(&digits[..len]).ok()?;
    u64::from_str_radix(digits, 16).ok().filter(|&address| address != 0)
}

/// The object in `java/lang/Object@0x00000000FFC5AE60`.
fn object(line: &[u8]) -> Option<u64> {
    after(line, "@")
}

/// The object in `p---st-- Loader *System*(0x00000000016B5448)`.
fn loader(line: &[u8]) -> Option<u64> {
    let line = &line[find(line, "Loader ")?..];
    after(line, "(")
}

/// A part of a line. The encoding of the machine that wrote it is taken for Latin-1 where it is not UTF-8.
fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| {
        let mut text = String::with_capacity(bytes.len());
        latin1(bytes, &mut text);
        text
    })
}
