//! A process beside ours that keeps a connection to an inspector until all is said on it.
//!
//! A Node whose client goes while it sends a snapshot may write to a connection that it has freed, and dies of that. So the
//! keeper has the connection too. When ours ends while an answer is outstanding, in whatever way, it reads what still
//! comes, and says good-bye after the last answer.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use heap_base::{Error, Result};

/// The line that makes a process a keeper.
pub(crate) const KEEP: &str = "keep";
/// The line that says that the connection was left in order.
const DONE: &str = "done";
/// A question that comes after all others, so its answer does, too.
const LAST: &str = "{\"id\":2147483647,\"method\":\"Runtime.getIsolateId\"}";
/// How its answer begins. Inside a snapshot the quotes would be escaped.
const ANSWER: &[u8] = b"{\"id\":2147483647,";
/// Without a word for so long after that answer there is none to come: of a worker it may come later.
const QUIET: Duration = Duration::from_millis(200);
/// How long the other side may take to close the connection after the good-bye.
const CLOSING: Duration = Duration::from_secs(2);
/// What a server sends that closes the connection, and what we send, with a mask of zeros.
const ITS_END: &[u8] = &[0x88, 0];
const OUR_END: &[u8] = &[0x88, 0x80, 0, 0, 0, 0];
/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// The keeper, as seen from the process that takes a dump.
#[derive(Debug)]
pub(crate) struct Keeper {
    child: Child,
    input: ChildStdin,
}

impl Keeper {
    /// Starts it by `command`, which must come to [`run`](super::guard::run).
    ///
    /// # Errors
    /// It does not start.
    pub(crate) fn start(mut command: Command, stream: &TcpStream) -> Result<Self> {
        let failed = |e| Error::refused(format!("the guard does not start: {}", heap_base::error::plain(&e)));
        let own = stream.try_clone().map_err(failed)?;
        command.process_group(0).current_dir("/");
        command.stdin(Stdio::piped()).stdout(OwnedFd::from(own)).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let input = child.stdin.take().ok_or_else(|| failed(ErrorKind::BrokenPipe.into()))?;
        let mut keeper = Self { child, input };
        keeper.say(KEEP)?;
        Ok(keeper)
    }

    fn say(&mut self, line: &str) -> Result {
        self.input.write_all(format!("{line}\n").as_bytes()).map_err(Error::read)
    }

    /// The connection was left in order.
    pub(crate) fn done(mut self) {
        let _ = self.say(DONE);
        drop(self.input);
        let _ = self.child.wait();
    }
}

/// What the keeper does: waits for the end of `lines`, and then brings the connection at standard output to its end.
pub(crate) fn run(lines: BufReader<impl Read>) {
    if lines.lines().map_while(std::result::Result::ok).any(|line| line == DONE) {
        return;
    }
    if let Ok(own) = rustix::stdio::stdout().try_clone_to_owned() {
        let _ = end(&TcpStream::from(own));
    }
}

/// Asks a last question, reads until its answer has come and no more, and closes the connection.
pub(crate) fn end(mut stream: &TcpStream) -> std::io::Result<()> {
    let mut question = vec![0x81, 0x80 | LAST.len() as u8, 0, 0, 0, 0];
    question.extend_from_slice(LAST.as_bytes());
    stream.write_all(&question)?;
    stream.set_read_timeout(Some(QUIET))?;
    let mut buf = vec![0; PIECE];
    // The end of what was read before, so that an answer in two pieces is found.
    let mut held: Vec<u8> = Vec::new();
    let mut answered = false;
    loop {
        match stream.read(&mut buf) {
            Ok(0) => return Ok(()),
            Ok(n) => {
                held.extend_from_slice(&buf[..n]);
                answered |= memchr::memmem::find(&held, ANSWER).is_some();
                held.drain(..held.len().saturating_sub(ANSWER.len()));
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                // A server that closes the connection stands still until it is answered.
                if answered || held.ends_with(ITS_END) {
                    break;
                }
            }
            Err(e) => return Err(e),
        }
    }
    stream.write_all(OUR_END)?;
    let end = Instant::now() + CLOSING;
    while Instant::now() < end {
        match stream.read(&mut buf) {
            Ok(0) => break,
            Err(e)
                if !matches!(
                    e.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                break;
            }
            _ => {}
        }
    }
    stream.shutdown(Shutdown::Both)
}
