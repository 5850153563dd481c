//! The protocol of Chrome DevTools, as Node, Deno and Chromium speak it.

use std::borrow::Cow;
use std::io::Write;
use std::process::Command;
use std::time::Duration;

use heap_base::json::{Json, inside, member, push_text, scalar, uint};
use heap_base::{Error, Result};

use crate::address::Host;
use crate::system::Keeper;
use crate::take::Thread;
use crate::{Clock, WebSocket};

/// After this time without a word from a main thread a line says why nothing happens.
pub(crate) const SILENCE: Duration = Duration::from_secs(3);
/// That line.
pub(crate) const BUSY: &str =
    "waiting for the process: its main thread is busy (an interrupt leaves it as it was)";

/// How long workers may be named after the answer to who asked for them.
const NAMED: Duration = Duration::from_millis(150);
/// How a message with a piece of a snapshot begins, as V8 writes it.
const CHUNK: &[u8] = b"{\"method\":\"HeapProfiler.addHeapSnapshotChunk\"";

/// What can be asked for a dump, as `/json/list` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) url: String,
    /// Where its WebSocket is.
    pub(crate) path: String,
}

/// The text at a path among members.
pub(crate) fn text<'a>(members: &'a [u8], path: &str) -> Option<Cow<'a, str>> {
    match scalar(member(members, path)?)? {
        Json::Text(text) => Some(text),
        _ => None,
    }
}

/// Splits a JSON array into its elements, which are objects.
pub(crate) fn objects(array: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let (mut depth, mut start, mut quoted, mut escaped) = (0usize, 0, false, false);
    for (at, &byte) in array.iter().enumerate() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(&array[start..=at]);
                }
            }
            _ => {}
        }
    }
    found
}

/// The targets of an inspector; `None` if it has no list.
pub(crate) fn targets(host: &Host, clock: &mut Clock<'_>) -> Result<Option<Vec<Target>>> {
    let (status, body) = host.get_short("/json/list", clock)?;
    // A server may answer every path with a page of its own.
    if status != 200 || !body.trim_ascii_start().starts_with(b"[") {
        return Ok(None);
    }
    let target = |object: &[u8]| {
        let members = inside(object)?;
        let word = |key: &str| text(members, key).unwrap_or_default().into_owned();
        // The URL repeats the host that was asked for; only its path says something.
        let url = word("webSocketDebuggerUrl");
        let path =
            url.split_once("://").and_then(|(_, rest)| Some(format!("/{}", rest.split_once('/')?.1)))?;
        Some(Target { id: word("id"), kind: word("type"), title: word("title"), url: word("url"), path })
    };
    Ok(Some(objects(&body).into_iter().filter_map(target).collect()))
}

/// What an inspector says it is: `node.js/v20.20.2`, `Chrome/156.0.1`.
pub(crate) fn version(host: &Host, clock: &mut Clock<'_>) -> Result<Option<String>> {
    let (status, body) = host.get_short("/json/version", clock)?;
    let members = inside(&body).filter(|_| status == 200);
    Ok(members.and_then(|members| text(members, "Browser").map(Cow::into_owned)))
}

/// The target to take: the one that was asked for, by its number, its type or a part of its title or address; else the
/// only one that is a program or a page.
pub(crate) fn choose<'a>(all: &'a [Target], asked: Option<&str>) -> Result<&'a Target> {
    let list = |chosen: &[&Target]| {
        let line = |t: &&Target| format!("{} {} {} {}", t.id, t.kind, t.title, t.url);
        chosen.iter().map(line).collect::<Vec<_>>().join("; ")
    };
    let mut found: Vec<_> = match asked {
        None => all.iter().filter(|t| matches!(t.kind.as_str(), "node" | "page" | "deno")).collect(),
        Some(asked) => {
            let by_id: Vec<_> = all.iter().filter(|t| t.id == asked).collect();
            let has = |t: &&Target| t.kind == asked || t.title.contains(asked) || t.url.contains(asked);
            if by_id.is_empty() { all.iter().filter(has).collect() } else { by_id }
        }
    };
    let of_kind: Vec<_> = found.iter().copied().filter(|t| t.kind == "page").collect();
    if asked.is_some() && of_kind.len() == 1 {
        // Parts of the browser's own window carry the title of its page.
        found = of_kind;
    }
    match found.as_slice() {
        // Its own address answers only while somebody is connected to its page.
        [one] if one.kind == "worker" => {
            Err(Error::refused(format!("{} is a worker: choose its page, and it with --worker", one.id)))
        }
        [one] => Ok(one),
        [] if all.is_empty() => Err(Error::refused("it has no targets: no page is open, or none yet")),
        [] if asked.is_some() => {
            let all: Vec<_> = all.iter().collect();
            Err(Error::refused(format!("no such target; there are: {}", list(&all))))
        }
        [] => Err(Error::refused(format!(
            "no program or page; choose one with --target: {}",
            list(&all.iter().collect::<Vec<_>>())
        ))),
        several => Err(Error::refused(format!(
            "{} targets, choose one with --target: {}",
            several.len(),
            list(several)
        ))),
    }
}

/// Which thread of a program is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Route {
    /// The one that the connection is to.
    Main,
    /// A worker of Node or Deno: messages are texts inside messages.
    Worker(String),
    /// A worker of a page: messages name their session.
    Attached(String),
}

/// What an event does: method and parameters.
type OnEvent<'a> = dyn FnMut(&mut Clock<'_>, &str, &[u8]) -> Result + 'a;

/// A worker that can be spoken to.
#[derive(Debug)]
struct Worker {
    route: Route,
    thread: Thread,
}

/// Takes back that a Node or Deno was asked for its workers.
const LEAVE_WORKERS: (&str, &str) = ("NodeWorker.disable", "");
/// The same of a page.
const LEAVE_TARGETS: (&str, &str) =
    ("Target.setAutoAttach", "\"autoAttach\":false,\"waitForDebuggerOnStart\":false");

/// A connection to an inspector.
#[derive(Debug)]
pub(crate) struct Session {
    socket: WebSocket,
    last: u64,
    route: Route,
    /// The request that takes it back, once we have asked for workers.
    leave: Option<(&'static str, &'static str)>,
    workers: Vec<Worker>,
    /// Who brings the connection to its end if we leave it while an answer is outstanding.
    keeper: Option<Keeper>,
    /// Whether one is.
    waits: bool,
}

impl Session {
    pub(crate) fn new(socket: WebSocket) -> Self {
        Self {
            socket,
            last: 0,
            route: Route::Main,
            leave: None,
            workers: Vec::new(),
            keeper: None,
            waits: false,
        }
    }

    /// The same, with a keeper that `guard` starts: a Node may die of a client that goes while it sends a snapshot.
    pub(crate) fn kept(socket: WebSocket, guard: &dyn Fn() -> Command) -> Result<Self> {
        let keeper = Keeper::start(guard(), socket.stream())?;
        Ok(Self { keeper: Some(keeper), ..Self::new(socket) })
    }

    /// Sends a request and returns its number. `params` are members of JSON.
    fn send(&mut self, method: &str, params: &str) -> Result<u64> {
        self.last += 1;
        let own = self.last;
        let request = format!("{{\"id\":{own},\"method\":\"{method}\",\"params\":{{{params}}}}}");
        match self.route.clone() {
            Route::Main => self.socket.send_text(&request)?,
            Route::Attached(id) => {
                let mut named = request.into_bytes();
                named.pop();
                named.extend_from_slice(b",\"sessionId\":");
                push_text(&mut named, &id);
                named.push(b'}');
                self.socket.send_text(&String::from_utf8_lossy(&named))?;
            }
            Route::Worker(id) => {
                // The answer to the envelope has a number of its own, which nobody waits for.
                self.last += 1;
                let mut envelope = format!(
                    "{{\"id\":{},\"method\":\"NodeWorker.sendMessageToWorker\",\"params\":",
                    self.last
                )
                .into_bytes();
                envelope.extend_from_slice(b"{\"sessionId\":");
                push_text(&mut envelope, &id);
                envelope.extend_from_slice(b",\"message\":");
                push_text(&mut envelope, &request);
                envelope.extend_from_slice(b"}}");
                self.socket.send_text(&String::from_utf8_lossy(&envelope))?;
            }
        }
        Ok(own)
    }

    /// The next message of the thread that is spoken to; `None` if the connection was closed.
    fn message(&mut self, clock: &mut Clock<'_>) -> Result<Option<Vec<u8>>> {
        loop {
            let Some(message) = self.socket.text(clock)? else { return Ok(None) };
            if self.leave.is_some() && !message.starts_with(CHUNK) {
                self.notice(&message);
            }
            if self.route == Route::Main {
                return Ok(Some(message));
            }
            let members = inside(&message).unwrap_or_default();
            let id = match &self.route {
                Route::Main => continue,
                Route::Attached(id) => {
                    if text(members, "sessionId").as_deref() == Some(id) {
                        return Ok(Some(message));
                    }
                    continue;
                }
                Route::Worker(id) => id,
            };
            match text(members, "method").as_deref() {
                Some("NodeWorker.receivedMessageFromWorker")
                    if text(members, "params.sessionId").as_deref() == Some(id) =>
                {
                    let inner = text(members, "params.message").unwrap_or_default();
                    return Ok(Some(inner.into_owned().into_bytes()));
                }
                Some("NodeWorker.detachedFromWorker")
                    if text(members, "params.sessionId").as_deref() == Some(id) =>
                {
                    return Err(Error::refused("the worker ended while dumping"));
                }
                // What is wrong with the envelope is wrong with the request.
                None if member(members, "error").is_some() => {
                    let said = text(members, "error.message").unwrap_or_default();
                    return Err(Error::refused(format!("the worker: {said}")));
                }
                _ => {}
            }
        }
    }

    /// Asks and waits for the answer, whose members it returns; events that come meanwhile go to `on_event`.
    pub(crate) fn call(
        &mut self,
        method: &str,
        params: &str,
        clock: &mut Clock<'_>,
        on_event: &mut OnEvent<'_>,
    ) -> Result<Vec<u8>> {
        self.waits = true;
        let id = self.send(method, params)?;
        loop {
            let message = self.message(clock)?.ok_or_else(gone)?;
            let members =
                inside(&message).ok_or_else(|| Error::input(format!("{method}: the answer is no JSON")))?;
            if let Some(event) = text(members, "method") {
                let params = member(members, "params").and_then(inside).unwrap_or_default();
                on_event(clock, &event, params)?;
            } else if uint(members, "id") == Some(id) {
                self.waits = false;
                if let Some(error) = text(members, "error.message") {
                    return Err(Error::refused(format!("{method}: {error}")));
                }
                let result = member(members, "result").and_then(inside);
                return Ok(result.unwrap_or_default().to_vec());
            }
        }
    }

    /// The same where no event is of interest.
    pub(crate) fn ask(&mut self, method: &str, params: &str, clock: &mut Clock<'_>) -> Result<Vec<u8>> {
        self.call(method, params, clock, &mut |_, _, _| Ok(()))
    }

    /// What an expression is: a number.
    pub(crate) fn number(&mut self, expression: &str, clock: &mut Clock<'_>) -> Result<Option<u64>> {
        let mut params = b"\"expression\":".to_vec();
        push_text(&mut params, expression);
        let result = self.ask("Runtime.evaluate", &String::from_utf8_lossy(&params), clock)?;
        Ok(uint(&result, "result.value"))
    }

    /// Has the inspector of a Node closed, and waits until the connection is. There is no answer: what comes is the end
    /// of the connection, on which the main thread waits.
    ///
    /// Unless `at_once`, Node closes it in the second turn of its event loop from now. The signal that opened the inspector
    /// waits in the event loop a second time where the main thread has been busy since, and opens it again if it finds it
    /// closed. We may be in the middle of the turn that is going on.
    pub(crate) fn end_inspector(&mut self, at_once: bool, clock: &mut Clock<'_>) -> Result {
        let expression = if at_once {
            "process._debugEnd()"
        } else {
            "void setImmediate(() => setImmediate(() => process._debugEnd()))"
        };
        self.send("Runtime.evaluate", &format!("\"expression\":\"{expression}\""))?;
        while self.socket.text(clock)?.is_some() {}
        Ok(())
    }

    /// Takes a snapshot of the heap; each piece goes to `out`. Returns how many bytes there were.
    pub(crate) fn snapshot(
        &mut self,
        numbers: bool,
        clock: &mut Clock<'_>,
        out: &mut dyn Write,
    ) -> Result<u64> {
        let mut written = 0u64;
        let params = format!("\"reportProgress\":true,\"captureNumericValue\":{numbers}");
        clock.expect(SILENCE, BUSY);
        let taken =
            self.call("HeapProfiler.takeHeapSnapshot", &params, clock, &mut |clock, method, params| {
                clock.came();
                match method {
                    "HeapProfiler.addHeapSnapshotChunk" => {
                        let chunk = text(params, "chunk")
                            .ok_or_else(|| Error::input("a piece of the snapshot is no text"))?;
                        out.write_all(chunk.as_bytes()).map_err(Error::write)?;
                        written += chunk.len() as u64;
                        clock.watch.received(written);
                    }
                    "HeapProfiler.reportHeapSnapshotProgress" => {
                        let done = uint(params, "done").unwrap_or(0);
                        let total = uint(params, "total").unwrap_or(0);
                        if let Some(percent) = done.saturating_mul(100).checked_div(total) {
                            clock.watch.building(percent.min(100));
                        }
                    }
                    _ => {}
                }
                Ok(())
            });
        clock.came();
        taken?;
        if written == 0 {
            return Err(Error::input("the snapshot is empty"));
        }
        Ok(written)
    }

    /// Keeps the list of workers as it is: what an event says of it.
    fn notice(&mut self, message: &[u8]) {
        let members = inside(message).unwrap_or_default();
        let word = |path: &str| text(members, path).unwrap_or_default().into_owned();
        let session = word("params.sessionId");
        let (route, thread) = match &*word("method") {
            "NodeWorker.attachedToWorker" => {
                // The number that the program knows it by is in the title: [worker 3] NAME. The others count connections.
                let title = word("params.workerInfo.title");
                let number = title.strip_prefix("[worker ").and_then(|rest| rest.split_once(']'));
                let thread = match number {
                    Some((id, name)) => Thread { id: id.to_owned(), title: name.trim().to_owned() },
                    None => Thread { id: session.clone(), title },
                };
                (Route::Worker(session), thread)
            }
            "Target.attachedToTarget" => {
                let title = [word("params.targetInfo.type"), word("params.targetInfo.title")].join(" ");
                (Route::Attached(session), Thread { id: word("params.targetInfo.targetId"), title })
            }
            "NodeWorker.detachedFromWorker" => return self.ended(&Route::Worker(session)),
            "Target.detachedFromTarget" => return self.ended(&Route::Attached(session)),
            _ => return,
        };
        self.workers.push(Worker { route, thread });
    }

    fn ended(&mut self, route: &Route) {
        self.workers.retain(|worker| worker.route != *route);
    }

    /// The workers of a program or a page that run now.
    pub(crate) fn workers(&mut self, clock: &mut Clock<'_>) -> Result<Vec<Thread>> {
        self.route = Route::Main;
        if self.leave.is_none() {
            self.leave = Some(LEAVE_WORKERS);
            if self.ask("NodeWorker.enable", "\"waitForDebuggerOnStart\":false", clock).is_err() {
                // A browser does not know the domain.
                self.leave = Some(LEAVE_TARGETS);
                let params = "\"autoAttach\":true,\"waitForDebuggerOnStart\":false,\"flatten\":true";
                if let Err(e) = self.ask("Target.setAutoAttach", params, clock) {
                    self.leave = None;
                    return Err(e);
                }
            }
            if !self.workers.is_empty() {
                return Ok(self.threads());
            }
            // Deno names them only after the answer.
            clock.pause(NAMED)?;
        }
        // What has begun or ended meanwhile was said before the answer to this.
        self.ask("Runtime.getIsolateId", "", clock)?;
        Ok(self.threads())
    }

    fn threads(&self) -> Vec<Thread> {
        self.workers.iter().map(|worker| worker.thread.clone()).collect()
    }

    /// Lets the workers alone again.
    pub(crate) fn leave_workers(&mut self, clock: &mut Clock<'_>) -> Result {
        let Some((method, params)) = self.leave.take() else { return Ok(()) };
        self.route = Route::Main;
        self.workers.clear();
        self.ask(method, params, clock).map(drop)
    }

    /// Speaks to this one of the workers from now on; without one to the main thread.
    pub(crate) fn enter(&mut self, id: Option<&str>) -> Result {
        self.route = Route::Main;
        let Some(id) = id else { return Ok(()) };
        let worker = self.workers.iter().find(|worker| worker.thread.id == id);
        let route = worker.map(|worker| worker.route.clone());
        self.route = route.ok_or_else(|| Error::refused(format!("worker {id} has ended")))?;
        Ok(())
    }

    /// Says that we are done. Where an answer is outstanding that is the keeper's business.
    pub(crate) fn close(self) {
        match self.keeper {
            Some(_) if self.waits => {}
            Some(keeper) => {
                self.socket.close();
                keeper.done();
            }
            None => self.socket.close(),
        }
    }
}

/// The other side has closed the connection.
fn gone() -> Error {
    Error::input("the connection was closed")
}
