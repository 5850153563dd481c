//! Bun's inspector, which speaks WebKit's protocol: the whole snapshot is one text in one message.

use std::io::Write;
use std::process::Command;

use heap_base::json::{inside, unescape};
use heap_base::{Error, Result};

use crate::address::Host;
use crate::cdp::text;
use crate::system::Keeper;
use crate::{Clock, WebSocket};

/// What stands before the snapshot in the answer.
const BEGIN: &[u8] = b"\"snapshotData\":\"";
/// Longest message without a snapshot.
const LONGEST: usize = 16 << 20;

/// Takes a snapshot by the inspector at `path`. A Bun may end when its client goes meanwhile, so `guard` starts a keeper of
/// the connection.
pub(crate) fn take(
    host: &Host,
    path: &str,
    guard: &dyn Fn() -> Command,
    clock: &mut Clock<'_>,
    out: &mut dyn Write,
) -> Result<String> {
    let mut socket = host.socket(path, clock)?;
    let keeper = Keeper::start(guard(), socket.stream())?;
    socket.send_text("{\"id\":1,\"method\":\"Heap.snapshot\"}")?;
    loop {
        socket.begin(clock)?.ok_or_else(|| Error::input("the connection was closed"))?;
        if message(&mut socket, clock, out)? {
            socket.close();
            keeper.done();
            return Ok("Bun".to_owned());
        }
    }
}

/// Reads a message; true if it was the one with the snapshot, whose text has gone to `out`.
fn message(socket: &mut WebSocket, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result<bool> {
    let mut held = Vec::new();
    loop {
        if let Some(at) = memchr::memmem::find(&held, BEGIN) {
            held.drain(..at + BEGIN.len());
            break;
        }
        if held.len() > LONGEST {
            return Err(Error::input("the answer has a message that is too long"));
        }
        if !more(socket, &mut held, clock)? {
            let error = inside(&held).and_then(|members| text(members, "error.message"));
            return match error {
                Some(error) => Err(Error::refused(format!("Heap.snapshot: {error}"))),
                None => Ok(false),
            };
        }
    }
    let mut received = 0u64;
    loop {
        let (cut, ended) = cut(&held);
        let decoded = String::from_utf8_lossy(&held[..cut]);
        let decoded = unescape(&decoded);
        out.write_all(decoded.as_bytes()).map_err(Error::write)?;
        received += decoded.len() as u64;
        clock.watch.received(received);
        held.drain(..cut);
        if ended {
            // What follows is the number of the request.
            while more(socket, &mut held, clock)? {
                held.clear();
            }
            return Ok(true);
        }
        if !more(socket, &mut held, clock)? {
            return Err(Error::input("the snapshot ends early"));
        }
    }
}

/// Appends the next piece of the message; false at its end.
fn more(socket: &mut WebSocket, held: &mut Vec<u8>, clock: &mut Clock<'_>) -> Result<bool> {
    let piece = socket.piece(clock)?;
    let n = piece.len();
    held.extend_from_slice(piece);
    socket.take(n);
    Ok(n > 0)
}

/// How much of the contents of a JSON string can be decoded by itself: up to its closing quote, which is then there, or
/// to an escape or a character that goes on in the next piece.
fn cut(bytes: &[u8]) -> (usize, bool) {
    let mut at = 0;
    while let Some(next) = memchr::memchr2(b'"', b'\\', &bytes[at..]) {
        at += next;
        if bytes[at] == b'"' {
            return (at, true);
        }
        let length = match &bytes[at + 1..] {
            // The first half of a character of two units.
            [b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] => 12,
            [b'u', ..] => 6,
            _ => 2,
        };
        if at + length > bytes.len() {
            return (at, false);
        }
        at += length;
    }
    let whole = match std::str::from_utf8(&bytes[at..]) {
        // An error without a length is a character that is cut off.
        Err(e) if e.error_len().is_none() => at + e.valid_up_to(),
        _ => bytes.len(),
    };
    (whole, false)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn no_cut_parts_an_escape_or_a_character() {
        let text = br#"ab\"c\\\u0041\ud83d\ude00"#;
        let text = [text.as_slice(), "é€\u{1f600}".as_bytes()].concat();
        let whole = heap_base::json::unescape(std::str::from_utf8(&text).expect("text")).into_owned();
        for at in 0..=text.len() {
            let (first, ended) = cut(&text[..at]);
            assert!(!ended && first <= at);
            let rest = [&text[first..], b"\",\"id\":1}"].concat();
            let (second, ended) = cut(&rest);
            assert!(ended && second == rest.len() - 9);
            let decode = |bytes: &[u8]| {
                heap_base::json::unescape(std::str::from_utf8(bytes).expect("whole characters")).into_owned()
            };
            assert_eq!(decode(&text[..first]) + &decode(&rest[..second]), whole, "{at}");
        }
    }
}
