//! Inspectors, Dart's service, profiles.

use std::time::{Duration, Instant};

use super::server::{Peer, Server, ok};
use super::{Said, options, refused, taken};
use crate::{Clock, Java, Options, Source, Taker, Thread};

const LIST: &str = r#"[ {"id":"one","title":"app.js {\"x\"}","type":"node","url":"file:///app.js",
    "webSocketDebuggerUrl":"ws://other:1/one"} ]

"#;

fn node(path: &str) -> Option<Vec<u8>> {
    match path {
        "/json/list" => Some(ok(LIST)),
        "/json/version" => Some(ok(r#"{"Browser":"node.js/v20.1.0","Protocol-Version":"1.1"}"#)),
        _ => None,
    }
}

/// Number and method of a request.
fn request(text: &str) -> (u64, String) {
    let members = heap_base::json::inside(text.as_bytes()).expect("JSON");
    let id = heap_base::json::uint(members, "id").expect("a number");
    (id, crate::cdp::text(members, "method").expect("a method").into_owned())
}

fn chunk(text: &str) -> String {
    let mut line = br#"{"method":"HeapProfiler.addHeapSnapshotChunk","params":{"chunk":"#.to_vec();
    heap_base::json::push_text(&mut line, text);
    String::from_utf8(line).expect("text") + "}}"
}

/// A snapshot in pieces of lengths that need each form of a frame's head, with events and a ping between.
fn pieces() -> [String; 3] {
    ["{\"snapshot\":\n".to_owned(), "x\\u00e9\\\"".repeat(100), "0,1,\n".repeat(200_000)]
}

fn snapshot(_: &str, peer: &mut Peer) {
    let Some(text) = peer.text() else { return };
    let (id, method) = request(&text);
    assert_eq!(method, "HeapProfiler.takeHeapSnapshot");
    assert!(text.contains("\"reportProgress\":true,\"captureNumericValue\":false"), "{text}");
    for done in [0, 10_000, 30_000] {
        peer.say(&format!(
            "{{\"method\":\"HeapProfiler.reportHeapSnapshotProgress\",\"params\":{{\"done\":{done},\"total\":20000}}}}"
        ));
    }
    peer.send(0x89, b"are you there");
    for piece in pieces() {
        peer.say(&chunk(&piece));
        peer.say(r#"{"method":"HeapProfiler.lastSeenObjectId","params":{"lastSeenObjectId":1}}"#);
    }
    // The answer to somebody else, and ours in two fragments.
    peer.say(&format!("{{\"id\":{},\"result\":{{}}}}", id + 1));
    peer.send(0x01, format!("{{\"id\":{id},").as_bytes());
    peer.send(0x80, b"\"result\":{}}");
    assert_eq!(peer.frame(), Some((10, b"are you there".to_vec())));
    assert_eq!(peer.frame().expect("we are left with a word").0, 8);
}

#[test]
fn a_snapshot_is_its_pieces() {
    let port = Server { answer: node, socket: snapshot }.start();
    for address in [
        format!("http://localhost:{port}"),
        format!("ws://127.0.0.1:{port}"),
        format!("ws://127.0.0.1:{port}/one"),
    ] {
        let (by, out, said) = taken(&address, &options());
        assert_eq!(by.expect("a dump"), "node.js/v20.1.0");
        assert!(out == pieces().concat().into_bytes(), "{} bytes", out.len());
        assert_eq!((said.percent, said.bytes, said.lines), (vec![0, 50, 100], out.len() as u64, vec![]));
    }
}

#[test]
fn a_dump_that_is_cut_is_none() {
    fn cut(path: &str, peer: &mut Peer) {
        let Some(text) = peer.text() else { return };
        let (id, _) = request(&text);
        match path {
            "/end" => peer.say(&chunk("{\"snapshot\":")),
            "/close" => {
                peer.say(&chunk("{\"snapshot\":"));
                peer.send(0x88, &[]);
            }
            "/half" => peer.send(0x81, chunk("abc").split_at(20).0.as_bytes()),
            "/error" => {
                peer.say(&format!("{{\"id\":{id},\"error\":{{\"code\":-32601,\"message\":\"not here\"}}}}"));
            }
            "/empty" => peer.say(&format!("{{\"id\":{id},\"result\":{{}}}}")),
            "/masked" => peer.send(0x81, &[0x80; 3]),
            _ => peer.say("nonsense"),
        }
    }
    let port = Server { answer: |_| None, socket: cut }.start();
    let says = |path: &str| refused(&format!("ws://127.0.0.1:{port}{path}"), &options());
    assert_eq!(says("/end"), "the connection was closed");
    assert_eq!(says("/close"), "the connection was closed");
    assert_eq!(says("/half"), "HeapProfiler.takeHeapSnapshot: the answer is no JSON");
    assert_eq!(says("/error"), "HeapProfiler.takeHeapSnapshot: not here");
    assert_eq!(says("/empty"), "the snapshot is empty");
    assert_eq!(says("/other"), "HeapProfiler.takeHeapSnapshot: the answer is no JSON");
}

#[test]
fn refusals_of_servers_are_passed_on() {
    fn answer(path: &str) -> Option<Vec<u8>> {
        let text = "Rejected an incoming WebSocket connection";
        match path {
            "/origin" => {
                Some(format!("HTTP/1.1 403 Forbidden\r\nContent-Length: {}\r\n\r\n{text}", text.len()).into())
            }
            "/none" => Some(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".to_vec()),
            "/noise" => Some(b"220 mail.example SMTP\r\n\r\n".to_vec()),
            _ => None,
        }
    }
    let port = Server { answer, socket: |_, _| {} }.start();
    let says = |path: &str| refused(&format!("ws://127.0.0.1:{port}{path}"), &options());
    assert_eq!(
        says("/origin"),
        format!("ws://127.0.0.1:{port}/origin: 403: Rejected an incoming WebSocket connection")
    );
    assert_eq!(says("/none"), format!("ws://127.0.0.1:{port}/none: 400: Bad Request"));
    assert_eq!(says("/noise"), "no answer in HTTP");
    let port = Server { answer: |_| None, socket: |_, _| {} }.start();
    let says = refused(&format!("http://127.0.0.1:{port}"), &options());
    assert!(says.contains("neither an inspector (/json/list) nor a Go program"), "{says}");
}

#[test]
fn a_browser_without_pages_has_no_targets() {
    let port = Server { answer: |path| (path == "/json/list").then(|| ok("[]")), socket: |_, _| {} }.start();
    for target in [None, Some("Shop".to_owned())] {
        let says = refused(&format!("http://127.0.0.1:{port}"), &Options { target, ..options() });
        assert!(says.contains("no page is open"), "{says}");
    }
}

#[test]
fn of_several_targets_one_is_chosen() {
    fn answer(path: &str) -> Option<Vec<u8>> {
        let target = |id: &str, kind: &str, title: &str| {
            format!(
                "{{\"id\":\"{id}\",\"type\":\"{kind}\",\"title\":\"{title}\",\"url\":\"http://x/{id}\",\
                 \"webSocketDebuggerUrl\":\"ws://x/{id}\"}}"
            )
        };
        let all = [
            target("A", "browser_ui", "Popup"),
            target("B", "page", "Shop"),
            target("C", "page", "Shop two"),
            target("D", "worker", "w"),
        ];
        (path == "/json/list").then(|| ok(&format!("[{}]", all.join(","))))
    }
    fn name(path: &str, peer: &mut Peer) {
        let Some(text) = peer.text() else { return };
        peer.say(&chunk(path));
        peer.say(&format!("{{\"id\":{},\"result\":{{}}}}", request(&text).0));
    }
    let port = Server { answer, socket: name }.start();
    let address = format!("http://127.0.0.1:{port}");
    let ask = |target: &str| taken(&address, &Options { target: Some(target.to_owned()), ..options() });
    let says = refused(&address, &options());
    assert_eq!(
        says,
        "2 targets, choose one with --target: B page Shop http://x/B; C page Shop two http://x/C"
    );
    for (target, path) in [("B", "/B"), ("two", "/C"), ("browser_ui", "/A"), ("x/A", "/A")] {
        assert_eq!(String::from_utf8_lossy(&ask(target).1), path, "{target}");
    }
    assert_eq!(taken(&format!("{address}#C"), &options()).1, b"/C");
    let says = ask("D").0.expect_err("a worker").to_string();
    assert_eq!(says, "D is a worker: choose its page, and it with --worker");
    assert!(
        ask("nothing")
            .0
            .expect_err("none")
            .to_string()
            .starts_with("no such target; there are: A browser_ui")
    );
    assert!(ask("Shop").0.expect_err("two").to_string().starts_with("2 targets"));
}

/// A Node with two workers, whose connections are numbered in another order than they; the third begins after the first
/// question.
fn pool(_: &str, peer: &mut Peer) {
    let mut asked = false;
    let attached = |peer: &mut Peer, session: u32, worker: u32| {
        peer.say(&format!(
            "{{\"method\":\"NodeWorker.attachedToWorker\",\"params\":{{\"sessionId\":\"{session}\",\
             \"workerInfo\":{{\"workerId\":\"{session}\",\"title\":\"[worker {worker}] pool-{worker}\"}}}}}}"
        ));
    };
    while let Some(text) = peer.text() {
        let (id, method) = request(&text);
        match method.as_str() {
            "NodeWorker.enable" => {
                for (session, worker) in [(1, 2), (2, 1)] {
                    attached(peer, session, worker);
                }
            }
            "Runtime.getIsolateId" if !asked => {
                asked = true;
                peer.say(r#"{"method":"NodeWorker.detachedFromWorker","params":{"sessionId":"1"}}"#);
                attached(peer, 3, 3);
            }
            "Runtime.getIsolateId" | "NodeWorker.disable" => {}
            "HeapProfiler.takeHeapSnapshot" => peer.say(&chunk("of the main thread")),
            "NodeWorker.sendMessageToWorker" => {
                let members = heap_base::json::inside(text.as_bytes()).expect("JSON");
                let session = crate::cdp::text(members, "params.sessionId").expect("a text").into_owned();
                let inner = crate::cdp::text(members, "params.message").expect("a text").into_owned();
                let own = request(&inner).0;
                for (session, message) in [
                    ("9", chunk("not ours")),
                    (&*session, chunk(&format!("a\n\\\"{session}"))),
                    (&*session, format!("{{\"id\":{own},\"result\":{{}}}}")),
                ] {
                    let mut line =
                        b"{\"method\":\"NodeWorker.receivedMessageFromWorker\",\"params\":{\"sessionId\":\""
                            .to_vec();
                    line.extend(session.bytes());
                    line.extend(b"\",\"message\":");
                    heap_base::json::push_text(&mut line, &message);
                    line.extend(b"}}");
                    peer.say(&String::from_utf8(line).expect("text"));
                }
            }
            _ => panic!("{method}"),
        }
        peer.say(&format!("{{\"id\":{id},\"result\":{{}}}}"));
    }
}

#[test]
fn workers_are_spoken_to_through_the_main_thread() {
    let port = Server { answer: node, socket: pool }.start();
    let address = format!("http://127.0.0.1:{port}");
    let ask = |worker: &str| taken(&address, &Options { worker: Some(worker.to_owned()), ..options() });
    // By the number that the program knows, which is not that of its connection.
    for worker in ["2", "pool-2"] {
        let (by, out, said) = ask(worker);
        by.expect("a dump");
        assert_eq!((&*String::from_utf8_lossy(&out), said.lines), ("a\n\\\"1", vec![]));
    }
    let (source, by_title) = (
        Source::parse(&address).expect("an address"),
        Options { worker: Some("pool-2".to_owned()), ..options() },
    );
    let mut said = Said::default();
    let clock = &mut Clock::new(Some(Duration::from_secs(5)), &mut said);
    let asked =
        |options| Taker::new(&source, options).asked(clock).expect("a worker").map(|worker| worker.id);
    let mut asked = asked;
    assert_eq!((asked(&by_title).as_deref(), asked(&options())), (Some("2"), None));
    let says = ask("pool").0.expect_err("two").to_string();
    assert_eq!(says, "no single worker 'pool': 2 pool-2; 1 pool-1");
    // A dump of the main thread says what it lacks.
    let (by, out, said) = taken(&address, &options());
    by.expect("a dump");
    assert_eq!(String::from_utf8_lossy(&out), "of the main thread");
    assert_eq!(said.lines, ["heaps of workers are not in this dump; --worker 2 or all: 2 pool-2; 1 pool-1"]);
}

#[test]
fn all_workers_are_those_that_run() {
    let port = Server { answer: node, socket: pool }.start();
    let source = Source::parse(&format!("http://127.0.0.1:{port}")).expect("an address");
    let (options, mut said) = (options(), Said::default());
    let mut taker = Taker::new(&source, &options);
    let clock = &mut Clock::new(Some(Duration::from_secs(5)), &mut said);
    let ids = |all: &[Thread]| all.iter().map(Thread::to_string).collect::<Vec<_>>();
    let workers = taker.workers(clock).expect("workers");
    assert_eq!(ids(&workers), ["2 pool-2", "1 pool-1"]);
    let mut out = Vec::new();
    taker.take_of(None, clock, &mut out).expect("a dump");
    taker.take_of(Some(&workers[1]), clock, &mut out).expect("a dump");
    assert_eq!(String::from_utf8_lossy(&out), "of the main threada\n\\\"2");
    // The first has ended meanwhile.
    let says = taker.take_of(Some(&workers[0]), clock, &mut out).expect_err("it has ended").to_string();
    assert_eq!(says, "worker 2 has ended");
    // A new connection has it again, as this server is.
    assert_eq!(taker.workers(clock).expect("workers").len(), 2);
    assert_eq!(ids(&taker.workers(clock).expect("workers")), ["1 pool-1", "3 pool-3"]);
    taker.close(clock);
}

#[test]
fn workers_that_are_named_late_are_found() {
    fn late(_: &str, peer: &mut Peer) {
        while let Some(text) = peer.text() {
            let (id, method) = request(&text);
            peer.say(&format!("{{\"id\":{id},\"result\":{{}}}}"));
            if method == "NodeWorker.enable" {
                std::thread::sleep(Duration::from_millis(50));
                peer.say(
                    r#"{"method":"NodeWorker.attachedToWorker","params":{"sessionId":"7",
                        "workerInfo":{"workerId":"7","title":"worker [7]"}}}"#,
                );
            }
        }
    }
    let port = Server { answer: node, socket: late }.start();
    let says = refused(
        &format!("http://127.0.0.1:{port}"),
        &Options { worker: Some("none".to_owned()), ..options() },
    );
    assert_eq!(says, "no single worker 'none': 7 worker [7]");
}

#[test]
fn options_that_a_machine_does_not_know_are_refused() {
    let port = Server { answer: node, socket: |_, _| {} }.start();
    let says =
        |path: &str, options: &Options<'_>| refused(&format!("http://127.0.0.1:{port}{path}"), options);
    let all = Options { java: Java { all: true, ..Java::default() }, ..options() };
    assert_eq!(says("", &all), "--all is nothing for V8");
    assert_eq!(says("/debug/pprof/heap", &all), "--all is nothing for profiles");
    assert_eq!(says("/word=/", &Options { numbers: true, ..options() }), "--numbers is nothing for Dart");
}

#[test]
fn workers_of_a_page_have_sessions() {
    fn answer(_: &str, peer: &mut Peer) {
        while let Some(text) = peer.text() {
            let (id, method) = request(&text);
            let members = heap_base::json::inside(text.as_bytes()).expect("JSON");
            match method.as_str() {
                "NodeWorker.enable" => {
                    peer.say(&format!(
                        "{{\"id\":{id},\"error\":{{\"code\":-32601,\"message\":\"not found\"}}}}"
                    ));
                }
                "Target.setAutoAttach" => {
                    peer.say(
                        "{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":\"S\",\
                         \"targetInfo\":{\"targetId\":\"T1\",\"type\":\"worker\",\"title\":\"blob:1\"}}}",
                    );
                    peer.say(&format!("{{\"id\":{id},\"result\":{{}}}}"));
                }
                _ => {
                    assert_eq!(crate::cdp::text(members, "sessionId").as_deref(), Some("S"));
                    peer.say(&chunk("of the page"));
                    peer.say(&chunk("of the worker").replace("\"method\"", "\"sessionId\":\"S\",\"method\""));
                    peer.say(&format!("{{\"id\":{id},\"result\":{{}}}}"));
                    peer.say(&format!("{{\"id\":{id},\"sessionId\":\"S\",\"result\":{{}}}}"));
                }
            }
        }
    }
    let port = Server { answer: node, socket: answer }.start();
    let options = Options { worker: Some("blob".to_owned()), ..options() };
    let (by, out, _) = taken(&format!("http://127.0.0.1:{port}"), &options);
    by.expect("a dump");
    assert_eq!(String::from_utf8_lossy(&out), "of the worker");
}

#[test]
fn a_series_has_one_connection() {
    fn count(_: &str, peer: &mut Peer) {
        let mut number = 0;
        while let Some(text) = peer.text() {
            let (id, method) = request(&text);
            if method == "HeapProfiler.takeHeapSnapshot" {
                number += 1;
                peer.say(&chunk(&number.to_string()));
            }
            peer.say(&format!("{{\"id\":{id},\"result\":{{}}}}"));
        }
    }
    let port = Server { answer: node, socket: count }.start();
    let source = Source::parse(&format!("http://127.0.0.1:{port}")).expect("an address");
    let (options, mut said, mut out) = (options(), Said::default(), Vec::new());
    let mut taker = Taker::new(&source, &options);
    for _ in 0..3 {
        taker.take(&mut Clock::new(None, &mut said), &mut out).expect("a dump");
    }
    assert_eq!(String::from_utf8_lossy(&out), "123");
}

#[test]
fn a_main_thread_that_is_busy_is_waited_for_and_said() {
    fn silent(_: &str, peer: &mut Peer) {
        while peer.frame().is_some() {}
    }
    let port = Server { answer: node, socket: silent }.start();
    let source = Source::parse(&format!("http://127.0.0.1:{port}")).expect("an address");
    let mut said = Said::default();
    let began = Instant::now();
    let limit = Some(Duration::from_millis(3500));
    let options = options();
    let mut taker = Taker::new(&source, &options);
    let result = taker.take(&mut Clock::new(limit, &mut said), &mut Vec::new());
    assert_eq!(result.expect_err("too late").to_string(), "not done within 3.5 s");
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(said.lines.len(), 1);
    assert!(said.lines[0].contains("its main thread is busy"), "{:?}", said.lines);
}

#[test]
fn bun_sends_one_long_text() {
    fn answer(path: &str) -> Option<Vec<u8>> {
        (path == "/json/version").then(|| ok("{\"Browser\":\"Bun\",\"WebKit-Version\":\"1\"}"))
    }
    fn socket(path: &str, peer: &mut Peer) {
        let Some(text) = peer.text() else { return };
        assert_eq!(request(&text).1, "Heap.snapshot");
        peer.say("{\"method\":\"Heap.garbageCollected\",\"params\":{}}");
        let mut line = b"{\"result\":{\"timestamp\":0.79,\"snapshotData\":".to_vec();
        heap_base::json::push_text(&mut line, &long());
        line.extend(b"},\"id\":1}");
        match path {
            "/cut" => line.truncate(line.len() / 2),
            "/error" => line = b"{\"error\":{\"message\":\"no heap\"},\"id\":1}".to_vec(),
            _ => {}
        }
        peer.send(0x81, &line);
        while peer.frame().is_some() {}
    }
    fn long() -> String {
        "{\"version\":3,\"é\":[\\\"\u{1f600}\"]}".repeat(100_000)
    }
    let port = Server { answer, socket }.start();
    let (by, out, said) = taken(&format!("ws://127.0.0.1:{port}/x"), &options());
    assert_eq!(by.expect("a dump"), "Bun");
    assert!(out == long().into_bytes());
    assert_eq!(said.bytes, out.len() as u64);
    assert_eq!(refused(&format!("ws://127.0.0.1:{port}/cut"), &options()), "the snapshot ends early");
    assert_eq!(refused(&format!("ws://127.0.0.1:{port}/error"), &options()), "Heap.snapshot: no heap");
    assert!(refused(&format!("http://127.0.0.1:{port}"), &options()).contains("whole address"));
}

#[test]
fn dart_sends_pieces_with_heads() {
    fn socket(path: &str, peer: &mut Peer) {
        assert!(path == "/token=/ws" || path == "/ws", "{path}");
        let piece = |last: bool, data: &[u8]| {
            let head = format!("{{\"params\":{{\"event\":{{\"kind\":\"HeapSnapshot\",\"last\":{last}}}}}}}");
            let mut head = head.into_bytes();
            head.resize(508, b' ');
            [&512u32.to_le_bytes()[..], &head, data].concat()
        };
        let mut streams = false;
        while let Some(text) = peer.text() {
            let members = heap_base::json::inside(text.as_bytes()).expect("JSON");
            let id = crate::cdp::text(members, "id").expect("a text");
            let result = match crate::cdp::text(members, "method").expect("a method").as_ref() {
                "getVM" => {
                    "{\"version\":\"3.7.3 (stable)\",\"isolates\":[{\"id\":\"isolates/1\",\"name\":\"main\",\"x\":{}}]}"
                }
                "streamListen" => {
                    streams = true;
                    "{\"type\":\"Success\"}"
                }
                _ => {
                    assert!(streams, "otherwise nothing would come");
                    peer.send(0x82, &piece(false, b"dart"));
                    peer.send(0x82, &piece(true, b"heap"));
                    "{\"type\":\"Success\"}"
                }
            };
            peer.say(&format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",\"result\":{result}}}"));
        }
    }
    let port = Server { answer: |_| None, socket }.start();
    for path in ["http://127.0.0.1:PORT/token=/", "ws://127.0.0.1:PORT/token=/ws", "ws://127.0.0.1:PORT/ws"] {
        let (by, out, _) = taken(&path.replace("PORT", &port.to_string()), &options());
        assert_eq!(by.expect("a dump"), "Dart 3.7.3");
        assert_eq!(out, b"dartheap");
    }
    let other = Options { target: Some("ui".to_owned()), ..options() };
    let says = refused(&format!("ws://127.0.0.1:{port}/ws"), &other);
    assert_eq!(says, "no single isolate 'ui': isolates/1 main");
}

/// Three isolates, two of which have one heap. The first of each is asked.
fn isolates(_: &str, peer: &mut Peer) {
    while let Some(text) = peer.text() {
        let members = heap_base::json::inside(text.as_bytes()).expect("JSON");
        let word = |path: &str| crate::cdp::text(members, path).unwrap_or_default().into_owned();
        let isolate = |number: u32, name: &str, group: u32| {
            format!("{{\"id\":\"isolates/{number}\",\"name\":\"{name}\",\"isolateGroupId\":\"g/{group}\"}}")
        };
        let result = match &*word("method") {
            "getVM" => format!(
                "{{\"isolates\":[{},{},{}]}}",
                isolate(1, "main", 1),
                isolate(2, "work", 1),
                isolate(3, "other", 2)
            ),
            "requestHeapSnapshot" => {
                let head = b"\x04\0\0\0".to_vec();
                peer.send(0x82, &[head, word("params.isolateId").into_bytes()].concat());
                let last = b"{\"params\":{\"event\":{\"last\":true}}}";
                peer.send(0x82, &[&(last.len() as u32 + 4).to_le_bytes()[..], last].concat());
                "{\"type\":\"Success\"}".to_owned()
            }
            _ => "{\"type\":\"Success\"}".to_owned(),
        };
        peer.say(&format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{}\",\"result\":{result}}}", word("id")));
    }
}

#[test]
fn isolates_of_one_heap_are_one_target() {
    let port = Server { answer: |_| None, socket: isolates }.start();
    let address = format!("ws://127.0.0.1:{port}/ws");
    for (asked, first) in [("main", 1), ("work", 1), ("isolates/2", 1), ("other", 3), ("isolates/3", 3)] {
        let (by, out, _) = taken(&address, &Options { target: Some(asked.to_owned()), ..options() });
        by.expect("a dump");
        assert_eq!(String::from_utf8_lossy(&out), format!("isolates/{first}"), "{asked}");
    }
    assert_eq!(
        refused(&address, &options()),
        "2 isolates, choose one with --target: isolates/1 main, work; isolates/3 other"
    );
}

#[test]
fn profiles_come_by_plain_http() {
    fn answer(path: &str) -> Option<Vec<u8>> {
        match path {
            "/debug/pprof/heap?gc=1" => Some(
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
                    .to_vec(),
            ),
            "/debug/pprof/heap" => Some(ok("profile")),
            "/json/list" => Some(ok("all paths lead here")),
            "/close" => Some(b"HTTP/1.0 200 OK\r\n\r\nto the end".to_vec()),
            "/short" => Some(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc".to_vec()),
            "/chunk" => Some(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab".to_vec()),
            "/page" => Some(b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>".to_vec()),
            "/empty" => Some(ok("")),
            _ => None,
        }
    }
    let port = Server { answer, socket: |_, _| {} }.start();
    for (path, body) in [("", "abcde"), ("/debug/pprof/heap", "profile"), ("/close", "to the end")] {
        let (by, out, _) = taken(&format!("http://localhost:{port}{path}"), &options());
        assert_eq!(
            (by.expect("a profile").as_str(), String::from_utf8_lossy(&out).as_ref()),
            ("pprof", body)
        );
    }
    for (path, what) in [
        ("/short", "the answer ends early"),
        ("/chunk", "the answer ends early"),
        ("/page", "a page for people"),
        ("/empty", "an empty answer"),
        ("/nosuch", "404 Not Found"),
    ] {
        let says = refused(&format!("http://127.0.0.1:{port}{path}"), &options());
        assert!(says.contains(what), "{path}: {says}");
    }
}
