//! The VM service of Dart: requests are texts, the snapshot comes in binary messages with a head of their own.

use std::io::Write;

use heap_base::json::{inside, member};
use heap_base::{Error, Result};

use crate::address::Host;
use crate::cdp::{objects, text};
use crate::take::{Options, only};
use crate::{Clock, WebSocket};

/// Takes a snapshot of an isolate group by the service at `path`.
pub(crate) fn take(
    host: &Host,
    path: &str,
    options: &Options<'_>,
    clock: &mut Clock<'_>,
    out: &mut dyn Write,
) -> Result<String> {
    let mut service = Service { socket: host.socket(path, clock)?, last: 0 };
    let vm = service.ask("getVM", "", clock)?;
    let word = |members: &[u8], path: &str| text(members, path).unwrap_or_default().into_owned();
    let isolates = objects(member(&vm, "isolates").unwrap_or_default());
    let isolates = isolates.into_iter().filter_map(inside).map(|members| Isolate {
        id: word(members, "id"),
        name: word(members, "name"),
        group: word(members, "isolateGroupId"),
    });
    let isolate = choose(&isolates.collect::<Vec<_>>(), options.target.as_deref())?;
    // Without this the snapshot would be made and sent to nobody.
    service.ask("streamListen", "\"streamId\":\"HeapSnapshot\"", clock)?;
    let request = service.send("requestHeapSnapshot", &format!("\"isolateId\":\"{isolate}\""))?;
    let (mut answered, mut ended, mut received) = (false, false, 0u64);
    while !(answered && ended) {
        let (binary, message) = service.socket.message(clock)?.ok_or_else(gone)?;
        if !binary {
            if let Some(result) = answer(&message, &request, "requestHeapSnapshot")? {
                if word(&result, "type") != "Success" {
                    return Err(Error::refused(format!("isolate {isolate} has ended")));
                }
                answered = true;
            }
            continue;
        }
        let (head, data) =
            split(&message).ok_or_else(|| Error::input("a piece of the snapshot has no head"))?;
        out.write_all(data).map_err(Error::write)?;
        received += data.len() as u64;
        clock.watch.received(received);
        let last = inside(head).and_then(|members| member(members, "params.event.last"));
        ended = last == Some(b"true");
    }
    let version = word(&vm, "version");
    Ok(format!("Dart {}", version.split(' ').next().unwrap_or_default()))
}

/// What runs in a heap, which it has in common with the others of its group.
struct Isolate {
    id: String,
    name: String,
    group: String,
}

/// The first isolate of a group, which began it, has the heap of all. The others come and go, and a machine ended that was
/// asked for the heap of one. Several groups need a wish, which may be for any isolate of theirs.
fn choose(isolates: &[Isolate], asked: Option<&str>) -> Result<String> {
    let same = |one: &Isolate, other: &Isolate| !one.group.is_empty() && one.group == other.group;
    let mut heaps: Vec<(&Isolate, String)> = Vec::new();
    for isolate in isolates {
        match heaps.iter_mut().find(|(first, _)| same(first, isolate)) {
            Some((_, names)) => *names = format!("{names}, {}", isolate.name),
            None => heaps.push((isolate, isolate.name.clone())),
        }
    }
    // The number of any of a group is that of its first.
    let by_number = isolates.iter().find(|isolate| Some(isolate.id.as_str()) == asked);
    let asked = by_number
        .and_then(|one| heaps.iter().find(|(first, _)| same(first, one)))
        .map_or(asked, |(first, _)| Some(&first.id));
    let heaps: Vec<_> = heaps.into_iter().map(|(first, names)| (first.id.clone(), names)).collect();
    Ok(only("--target", "isolate", &heaps, asked)?.0.clone())
}

/// Head and data of a binary message: four bytes say where data begin, between is JSON.
fn split(message: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = u32::from_le_bytes(*message.first_chunk()?) as usize;
    Some((message.get(4..at)?, message.get(at..)?))
}

fn gone() -> Error {
    Error::input("the connection was closed")
}

struct Service {
    socket: WebSocket,
    last: u64,
}

impl Service {
    fn send(&mut self, method: &str, params: &str) -> Result<String> {
        self.last += 1;
        let id = self.last.to_string();
        let request = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",\"method\":\"{method}\",\"params\":{{{params}}}}}"
        );
        self.socket.send_text(&request)?;
        Ok(id)
    }

    fn ask(&mut self, method: &str, params: &str, clock: &mut Clock<'_>) -> Result<Vec<u8>> {
        let request = self.send(method, params)?;
        loop {
            let (binary, message) = self.socket.message(clock)?.ok_or_else(gone)?;
            if !binary && let Some(result) = answer(&message, &request, method)? {
                return Ok(result);
            }
        }
    }
}

/// The members of the result, if this message is the answer to that request.
fn answer(message: &[u8], request: &str, method: &str) -> Result<Option<Vec<u8>>> {
    let members = inside(message).ok_or_else(|| Error::input(format!("{method}: the answer is no JSON")))?;
    if text(members, "id").as_deref() != Some(request) {
        return Ok(None);
    }
    if let Some(error) = text(members, "error.message") {
        return Err(Error::refused(format!("{method}: {error}")));
    }
    Ok(Some(member(members, "result").and_then(inside).unwrap_or_default().to_vec()))
}
