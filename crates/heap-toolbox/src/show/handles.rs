//! What a program has open: timers, sockets, servers, requests, workers, child processes. heap-show --handles.
//!
//! It is read off the objects of Node's own classes, as [`Show`] has them, so any dump with these will do. A snapshot of
//! V8 lacks numbers and the text of `false`; there the roots name that object.

use heap_base::{Map, sort_by};
use heap_ops::select::Selection;
use heap_ops::stream::IdSet;
use heap_record::Value;

use super::{Most, Show, ShownEdge, ShownNode, Sides};
use heap_ops::report::OnePass;

/// Classes of objects that are open, or that say more of one that is.
const CLASSES: [&str; 16] = [
    "Timeout",
    "Immediate",
    "Socket",
    "TLSSocket",
    "Server",
    "ServerResponse",
    "ClientRequest",
    "IncomingMessage",
    "Worker",
    "ChildProcess",
    "FSWatcher",
    "ReadStream",
    "WriteStream",
    "TCP",
    "Pipe",
    "TTY",
];
/// What to say where no object has a property of these: other sources cannot say what is open.
pub(super) const NOT_NODE: &str =
    "no timer, socket or request of Node's classes: nothing is open, or the input is none of Node's";

/// Edges of an object beyond which none is read: those to a value that many have.
const EDGES: usize = 64;

/// The properties of these that are read. A program with a leak may have a million timers, so no others are kept.
const PROPERTIES: &[&str] = &[
    "<symbol kHandle>",
    "<symbol kName>",
    "<symbol kPath>",
    "<symbol kSocket>",
    "<symbol refed>",
    "_connectionKey",
    "_connections",
    "_destroyed",
    "_ended",
    "_handle",
    "_host",
    "_idleNext",
    "_idleStart",
    "_idleTimeout",
    "_onImmediate",
    "_onTimeout",
    "_peername",
    "_pipeName",
    "_repeat",
    "_server",
    "connecting",
    "destroyed",
    "finished",
    "host",
    "method",
    "originalUrl",
    "path",
    "pid",
    "req",
    "server",
    "servername",
    "socket",
    "spawnfile",
    "threadId",
    "threadName",
    "url",
];
/// Properties of an address, which is read with all that it has.
const ADDRESS: &[&str] = &["address", "port"];

/// What kind of thing is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A request that a server has not answered.
    Request,
    /// A request that waits for its answer.
    ClientRequest,
    /// A connection, a pipe or a terminal.
    Socket,
    /// What accepts connections.
    Server,
    /// `setTimeout` or `setInterval`.
    Timer,
    /// `setImmediate`.
    Immediate,
    /// A thread of the program.
    Worker,
    /// A child process.
    Child,
    /// What watches a file.
    Watcher,
}

impl Kind {
    /// The word for it in rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::ClientRequest => "client request",
            Self::Socket => "socket",
            Self::Server => "server",
            Self::Timer => "timer",
            Self::Immediate => "immediate",
            Self::Worker => "worker",
            Self::Child => "child",
            Self::Watcher => "watcher",
        }
    }
}

/// Something that is open. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle {
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// What kind of thing it is.
    pub kind: Kind,
    /// Its object, and the source's number of that.
    pub id: Value,
    /// The source's number.
    pub number: i64,
    /// Its class.
    pub class: String,
    /// `GET /order/7`, `listens at 127.0.0.1`, `connecting`.
    pub what: Option<String>,
    /// File descriptor.
    pub fd: Option<i64>,
    /// Address and port of the other side.
    pub peer: Option<String>,
    /// When it is due, counted from when the timer that was set last was set.
    pub due: Option<i64>,
    /// How long after that again, or how long a timer was set for.
    pub after: Option<i64>,
    /// It does not keep the process alive.
    pub unref: bool,
    /// It comes again and again.
    pub repeats: bool,
    /// The function that is called.
    pub callback: Option<String>,
}

/// The objects that may be open.
pub(crate) fn objects() -> OnePass<Show> {
    let mut selection = Selection::default();
    for class in CLASSES {
        // Plain names are patterns.
        let _ = selection.flag("class", class);
    }
    let most = Most { labels: Some(PROPERTIES), ..Most::default() };
    Show::with_most(selection, Sides { into: false, out: true }, most)
}

/// Objects that these refer to and that say more: addresses, and the values that a snapshot leaves without a text.
pub(crate) fn details(objects: &[ShownNode]) -> Option<OnePass<Show>> {
    let mut wanted = IdSet::default();
    for edge in objects.iter().flat_map(|object| &object.out) {
        let is_address = label(edge) == "_peername";
        let is_unknown = edge.end.name.as_deref() == Some(UNKNOWN) && FLAGS.contains(&label(edge));
        if let Some(id) = edge.end.id.filter(|_| is_address || is_unknown) {
            wanted.insert(id);
        }
    }
    if wanted.is_empty() {
        return None;
    }
    let most = Most { edges: Some(EDGES), ..Most::default() };
    Some(Show::with_most(Selection::default().among(wanted), Sides::default(), most))
}

/// What a snapshot of V8 calls `false`, `null` and the like.
const UNKNOWN: &str = "system / Oddball";
/// Properties that say whether something is open.
const FLAGS: [&str; 7] =
    ["_destroyed", "destroyed", "finished", "_ended", "connecting", "_repeat", "<symbol refed>"];

fn label(edge: &ShownEdge) -> &str {
    edge.label.as_deref().unwrap_or_default()
}

/// An object by the names of its properties.
struct Object<'a> {
    node: &'a ShownNode,
    /// Texts of values that the object itself lacks, by identifier.
    values: &'a Map<(Option<String>, Value), String>,
}

impl<'a> Object<'a> {
    fn edge(&self, names: &[&str]) -> Option<&'a ShownEdge> {
        debug_assert!(names.iter().all(|name| PROPERTIES.contains(name) || ADDRESS.contains(name)));
        names.iter().find_map(|name| self.node.out.iter().find(|edge| edge.label.as_deref() == Some(name)))
    }

    /// The object that a property refers to, if it is one.
    fn object(&self, names: &[&str]) -> Option<&'a ShownEdge> {
        self.edge(names).filter(|edge| {
            let class = edge.end.class.as_deref().unwrap_or("(");
            !class.starts_with('(') || class.starts_with("(closure")
        })
    }

    /// A text, number, `true`, `false`, `null` or `undefined`.
    fn text(&self, names: &[&str]) -> Option<String> {
        let edge = self.edge(names)?;
        let id = edge.end.id;
        match id {
            Some(small) if small & 1 == 0 => Some((small >> 1).to_string()),
            Some(id) if edge.end.name.as_deref() == Some(UNKNOWN) => {
                self.values.get(&(self.node.snapshot.clone(), id)).cloned()
            }
            _ => edge.end.name.as_deref().map(str::to_owned),
        }
    }

    fn is(&self, names: &[&str], value: &str) -> bool {
        self.text(names).as_deref() == Some(value)
    }

    fn number(&self, names: &[&str]) -> Option<i64> {
        let text = self.text(names)?;
        text.parse().ok().or_else(|| text.parse::<f64>().ok().map(|number| number as i64))
    }

    /// A text that is one: neither empty nor the word for nothing.
    fn said(&self, names: &[&str]) -> Option<String> {
        self.text(names).filter(|text| !matches!(text.as_str(), "" | "null" | "undefined" | UNKNOWN))
    }
}

/// What is open, by kind, of the objects that [`objects`] and [`details`] found.
pub(crate) fn handles(objects: &[ShownNode], details: &[ShownNode]) -> Vec<Handle> {
    let mut values = Map::default();
    for node in details {
        let name = node.into.iter().find_map(|edge| label(edge).strip_suffix("_value"));
        if let Some(name) = name {
            values.insert((node.snapshot.clone(), node.id), name.to_owned());
        }
    }
    let by_id: Map<(Option<&str>, Value), &ShownNode> =
        objects.iter().chain(details).map(|node| ((node.snapshot.as_deref(), node.id), node)).collect();
    let at = |node: &ShownNode, edge: Option<&ShownEdge>| -> Option<Object<'_>> {
        let node = by_id.get(&(node.snapshot.as_deref(), edge?.end.id?))?;
        Some(Object { node, values: &values })
    };
    // No timer is due before the one was set that was set last.
    let mut now: Map<Option<&str>, i64> = Map::default();
    for node in objects.iter().filter(|node| node.class == "Timeout") {
        if let Some(start) = (Object { node, values: &values }).number(&["_idleStart"]) {
            let last = now.entry(node.snapshot.as_deref()).or_insert(start);
            *last = start.max(*last);
        }
    }
    let mut found = Vec::new();
    for node in objects {
        let object = Object { node, values: &values };
        let Some(kind) = kind(&object) else { continue };
        let mut handle = Handle {
            snapshot: node.snapshot.clone(),
            kind,
            id: node.id,
            number: node.number,
            class: node.class.clone(),
            what: None,
            fd: None,
            peer: None,
            due: None,
            after: None,
            unref: false,
            repeats: false,
            callback: None,
        };
        let wrapper = object.object(HANDLE);
        let fd_of = |wrapper: Option<Object<'_>>| wrapper?.node.fields.get("v8.fd")?.parse().ok();
        let peer_of = |socket: &Object<'_>| {
            let peer = at(socket.node, socket.object(&["_peername"]))?;
            Some(format!("{}:{}", peer.said(&["address"])?, peer.number(&["port"])?))
        };
        match kind {
            Kind::Timer => {
                handle.after = object.number(&["_idleTimeout"]);
                let start = object.number(&["_idleStart"]);
                let last = now.get(&node.snapshot.as_deref());
                // Times that no clock has give no time.
                handle.due = start.zip(handle.after).and_then(|(start, after)| start.checked_add(after));
                handle.due = handle.due.zip(last).and_then(|(due, last)| due.checked_sub(*last));
                handle.repeats = object.number(&["_repeat"]).is_some();
                handle.unref = object.is(&["<symbol refed>"], "false");
                handle.callback = callback(&object, &["_onTimeout"]);
            }
            Kind::Immediate => handle.callback = callback(&object, &["_onImmediate"]),
            Kind::Socket => {
                handle.fd = fd_of(at(node, wrapper));
                handle.peer = peer_of(&object);
                let server = object.object(&["_server", "server"]);
                let host = object.said(&["_host", "servername"]);
                handle.what = match (object.is(&["connecting"], "true"), server, host) {
                    (true, _, Some(host)) => Some(format!("connecting to {host}")),
                    (true, _, None) => Some("connecting".to_owned()),
                    (false, Some(server), _) => {
                        Some(format!("of Server @{}", server.end.number.unwrap_or_default()))
                    }
                    (false, None, host) => host.map(|host| format!("to {host}")),
                };
            }
            Kind::Server => {
                handle.fd = fd_of(at(node, wrapper));
                let connections = object.number(&["_connections"]);
                handle.what = connections.map(|n| format!("{n} connection{}", if n == 1 { "" } else { "s" }));
                let key = object.said(&["_connectionKey", "_pipeName"]);
                handle.peer =
                    key.map(|key| key.trim_start_matches(['4', '6']).trim_start_matches(':').to_owned());
            }
            Kind::Request | Kind::ClientRequest => {
                let socket = at(node, object.object(SOCKET));
                handle.fd = socket.as_ref().and_then(|s| fd_of(at(s.node, s.object(HANDLE))));
                handle.peer = socket.as_ref().and_then(peer_of);
                let (asked, url) = match kind {
                    Kind::Request => (at(node, object.object(&["req"])), &["originalUrl", "url"][..]),
                    _ => (Some(Object { node, values: &values }), &["path", "<symbol kPath>"][..]),
                };
                if let Some(asked) = asked {
                    let method = asked.said(&["method"]).unwrap_or_default();
                    let host = asked.said(&["host"]).unwrap_or_default();
                    let url = asked.said(url).unwrap_or_default();
                    handle.what = Some(format!("{method} {host}{url}").trim().to_owned());
                }
            }
            Kind::Worker => {
                let thread = object.number(&["threadId"]).map(|n| format!("thread {n}"));
                let named = object.said(&["threadName", "<symbol kName>"]);
                handle.what = thread.or(named);
            }
            Kind::Child => {
                let pid = object.number(&["pid"]).map(|pid| format!("pid {pid}"));
                let file = object.said(&["spawnfile"]);
                let all: Vec<String> = pid.into_iter().chain(file).collect();
                handle.what = (!all.is_empty()).then(|| all.join(" "));
            }
            Kind::Watcher => {}
        }
        found.push(handle);
    }
    let key = |handle: &Handle| (handle.kind, handle.due, handle.fd, handle.id);
    sort_by(&mut found, |a, b| a.snapshot.cmp(&b.snapshot).then_with(|| key(a).cmp(&key(b))));
    found
}

/// Where an object has its handle of libuv, and a message its socket.
const HANDLE: &[&str] = &["<symbol kHandle>", "_handle"];
const SOCKET: &[&str] = &["<symbol kSocket>", "socket"];

/// What kind of thing an object is, if it is open.
fn kind(object: &Object<'_>) -> Option<Kind> {
    let has_handle = object.object(HANDLE).is_some();
    let going = !object.is(&["destroyed"], "true") && object.object(SOCKET).is_some();
    match object.node.class.as_str() {
        "Timeout" => {
            let listed = object.object(&["_idleNext"]).is_some() && object.object(&["_onTimeout"]).is_some();
            (listed && !object.is(&["_destroyed"], "true")).then_some(Kind::Timer)
        }
        "Immediate" => {
            let waits = object.object(&["_onImmediate"]).is_some();
            (waits && !object.is(&["_destroyed"], "true")).then_some(Kind::Immediate)
        }
        "Socket" | "TLSSocket" | "ReadStream" | "WriteStream" => has_handle.then_some(Kind::Socket),
        "Server" => has_handle.then_some(Kind::Server),
        "ServerResponse" => {
            let open = object.is(&["finished"], "false") && object.object(&["req"]).is_some();
            (open && going).then_some(Kind::Request)
        }
        "ClientRequest" => (going && object.is(&["_ended"], "false")).then_some(Kind::ClientRequest),
        "Worker" => has_handle.then_some(Kind::Worker),
        "ChildProcess" => has_handle.then_some(Kind::Child),
        "FSWatcher" => has_handle.then_some(Kind::Watcher),
        _ => None,
    }
}

/// The function that a property refers to, with its place in the source.
fn callback(object: &Object<'_>, names: &[&str]) -> Option<String> {
    let edge = object.edge(names)?;
    match &edge.source {
        Some(source) => Some(source.short()),
        None => edge.end.name.as_deref().filter(|name| !name.is_empty()).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use heap_record::{Sink, SnapshotSelector, read};

    use super::*;

    /// A request on a socket, answered ones, timers of which one is over; values as cores have them, `false` also as
    /// snapshots do.
    const STREAM: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"node_type","nodetypeid":1,"name":"object"}
{"type":"node_type","nodetypeid":2,"name":"string_flat"}
{"type":"node_type","nodetypeid":3,"name":"oddball"}
{"type":"node_type","nodetypeid":4,"name":"v8.hidden"}
{"type":"node_type","nodetypeid":5,"name":"closure"}
{"type":"type","name":"node","fields":{"v8.fd":"integer"}}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"edge_type","edgetypeid":2,"name":"v8.internal"}
NODES
EDGES
"#;

    fn stream() -> String {
        let node = |subtype: u32, id: u32, member: &str, rest: &str| {
            format!(
                "{{\"type\":\"node\",\"subtype\":{subtype},\"identifier\":{id},\"heap\":{{\"size\":8,{member}}}{rest}}}"
            )
        };
        let of_class = |id, class: &str| node(1, id, &format!("\"class\":\"{class}\""), "");
        let named = |subtype, id, name: &str| node(subtype, id, &format!("\"name\":\"{name}\""), "");
        let nodes = [
            of_class(1, "ServerResponse"),
            of_class(3, "ServerResponse"),
            of_class(5, "Socket"),
            node(1, 7, "\"class\":\"TCP\"", ",\"v8\":{\"fd\":23}"),
            of_class(9, "IncomingMessage"),
            of_class(11, "Timeout"),
            of_class(13, "Timeout"),
            of_class(15, "TimersList"),
            of_class(17, "Object"),
            named(2, 21, "POST"),
            named(2, 23, "/order/7"),
            named(2, 25, "10.0.0.4"),
            named(3, 27, "true"),
            named(3, 29, "false"),
            named(4, 31, "system / Oddball"),
            named(5, 33, "sendReport"),
            named(4, 35, "roots"),
        ];
        let edge = |kind: u32, from: u32, label: &str, to: u32| {
            format!(
                "{{\"type\":\"edge\",\"subtype\":{kind},\"source\":{from},\"dest\":{to},\"label\":\"{label}\"}}"
            )
        };
        let edges = [
            edge(1, 1, "finished", 29),
            edge(1, 1, "destroyed", 29),
            edge(1, 1, "<symbol kSocket>", 5),
            edge(1, 1, "req", 9),
            edge(1, 3, "finished", 27),
            edge(1, 3, "destroyed", 29),
            edge(1, 3, "socket", 5),
            edge(1, 3, "req", 9),
            edge(1, 5, "_handle", 7),
            edge(1, 5, "_peername", 17),
            edge(1, 9, "method", 21),
            edge(1, 9, "url", 23),
            edge(1, 17, "address", 25),
            edge(1, 17, "port", 2 * 5123),
            edge(2, 35, "false_value", 31),
            edge(1, 11, "_idleNext", 15),
            edge(1, 11, "_onTimeout", 33),
            edge(1, 11, "_idleStart", 2 * 100),
            edge(1, 11, "_idleTimeout", 2 * 5000),
            edge(1, 11, "_destroyed", 31),
            edge(1, 11, "<symbol refed>", 31),
            edge(1, 13, "_idleStart", 2 * 400),
            edge(1, 13, "_idleTimeout", 2 * 5000),
            edge(1, 13, "_onTimeout", 33),
            edge(1, 13, "_idleNext", 31),
        ];
        STREAM.replace("NODES", &nodes.join("\n")).replace("EDGES", &edges.join("\n"))
    }

    fn rows() -> Vec<Handle> {
        let stream = stream();
        let shown = |mut show: OnePass<Show>| {
            read::read(stream.as_bytes(), SnapshotSelector::Last, &mut show).expect("it is sound");
            show.finish(true).expect("it is sound");
            show.report().rows().to_vec()
        };
        let objects = shown(objects());
        let details = details(&objects).map(shown).expect("addresses are looked up");
        handles(&objects, &details)
    }

    #[test]
    fn what_is_open_is_found_with_what_belongs_to_it() {
        let rows = rows();
        let kinds: Vec<(Kind, Value)> = rows.iter().map(|row| (row.kind, row.id)).collect();
        assert_eq!(kinds, [(Kind::Request, 1), (Kind::Socket, 5), (Kind::Timer, 11)]);
        let [request, socket, timer] = &rows[..] else { return };
        assert_eq!(request.what.as_deref(), Some("POST /order/7"));
        for row in [request, socket] {
            assert_eq!((row.fd, row.peer.as_deref()), (Some(23), Some("10.0.0.4:5123")));
        }
        // Another timer was set 300 ms later.
        assert_eq!((timer.due, timer.after, timer.unref), (Some(4700), Some(5000), true));
        assert_eq!(timer.callback.as_deref(), Some("sendReport"));
    }
}
