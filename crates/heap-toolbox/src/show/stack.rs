//! Stacks of threads: calls with their places and arguments, as engineers read them: heap-show --stack.
//!
//! An input is read twice: once for frames and for what they refer to ([`Calls`]), once for the objects referred to
//! ([`Values`]). So memory is needed for what is shown, not for the heap.

use heap_base::json::{each, inside, member, scalar};
use heap_base::{Map, Result, Set, sort_by_key};
use heap_record::wants::Strings;
use heap_record::{Edge, Metadata, Node, Types, Value, Wants};

use heap_ops::report::{OnePass, Report};
use heap_ops::select::field::{Content, Field, small_field, source_number, type_name};
use heap_ops::select::{Selection, Selector};
use heap_ops::stream::Context;

/// What is shown of a text.
const LONGEST: usize = 60;

/// Tiers of calls that are none of the program's.
pub const NATIVE: &str = "native";
/// Calls that could not be followed.
pub const GAP: &str = "gap";
/// Calls that no thread runs: they wait, and go on where they stand.
const SUSPENDED: &str = "suspended";

/// Edge subtypes that frames have.
const RECEIVER: &str = "heap.receiver";
const ARGUMENT: &str = "heap.argument";
const LOCAL: &str = "heap.local";
const AWAITS: &str = "heap.awaits";

/// Calls of one chain, and of all chains of a snapshot: beyond, chains end early, see
/// [`Calls::cut`].
const DEEPEST: usize = 1 << 10;
const MOST_CALLS: usize = 1 << 20;

/// Which calls are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// Those of threads.
    #[default]
    Threads,
    /// Those that wait, with who waits for them.
    Waiting,
}

impl Which {
    /// What to say where there are none. Only a source that declares the edges of such calls can have any.
    pub(super) fn none(self, types: &Types) -> &'static str {
        let (kind, none, unknown) = match self {
            Self::Threads => ("heap.frame", "no thread has calls", "such an input has no stacks of threads"),
            Self::Waiting => (AWAITS, "no call waits", "such an input does not say which calls wait"),
        };
        if types.edge_id(kind).is_some() { none } else { unknown }
    }
}

/// The stack of one thread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    /// The snapshot, where the input has several.
    pub snapshot: Option<String>,
    /// What the thread is called.
    pub thread: String,
    /// What it died of, where the process ended for an exception: class and message.
    pub died_of: Option<String>,
    /// The object that stands for it, where the input has one: a node with frames that is no `heap.thread`.
    pub object: Option<Operand>,
    /// Its calls, innermost first.
    pub calls: Vec<Call>,
    /// Objects that it holds without a call.
    pub locals: Vec<Operand>,
}

impl Stack {
    fn operands(&mut self) -> impl Iterator<Item = &mut Operand> {
        let calls = self.calls.iter_mut();
        let of_calls = calls
            .flat_map(|call| call.receiver.iter_mut().chain(&mut call.arguments).chain(&mut call.locals));
        self.object.iter_mut().chain(of_calls).chain(&mut self.locals)
    }
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// Identifier of the frame.
    pub id: Value,
    /// The function's name; empty where it has none.
    pub function: String,
    /// Where the function is from.
    pub script: Option<String>,
    /// Line and column, from 1.
    pub line: Option<u64>,
    /// The column.
    pub column: Option<u64>,
    /// Where the line is not known: that in which the function begins.
    pub function_line: Option<u64>,
    /// Whether `new` called it.
    pub construct: bool,
    /// Whether the input lacks what it was given.
    pub partial: bool,
    /// What runs it, where the input says so: `interpreted`, `sparkplug`; `native` is machine code that was there
    /// before the program, `gap` stands for calls that could not be followed.
    pub tier: Option<String>,
    /// Whether it is a method that its class only declares, and machine code.
    pub native: bool,
    /// What it was called on.
    pub receiver: Option<Operand>,
    /// What it was given, in order.
    pub arguments: Vec<Operand>,
    /// Other objects that it works with.
    pub locals: Vec<Operand>,
}

impl Call {
    /// Whether it is a function of the program, and not machine code of the virtual machine's.
    pub fn is_script(&self) -> bool {
        !matches!(self.tier.as_deref(), Some(NATIVE | GAP))
    }

    /// Whether no thread runs it.
    fn is_suspended(&self) -> bool {
        self.tier.as_deref() == Some(SUSPENDED)
    }
}

/// An object or a value that a call refers to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operand {
    /// The parameter's name, or its number.
    pub label: Option<String>,
    /// The object; `None` for a number of its own.
    pub id: Option<Value>,
    /// As source code has it: `"text"`, `82`, `Account @7`.
    pub text: String,
    /// The class, if it is an object with one.
    pub class: Option<String>,
    /// Bytes that it retains, if that is known.
    pub retained: Option<u64>,
}

/// A node that frames refer to, by the snapshot it is in.
type Key = (usize, Value);

/// First reading: threads, frames, and the edges of both.
#[derive(Debug, Default)]
pub struct Calls {
    which: Which,
    /// How many snapshots ended.
    section: usize,
    threads: Vec<(Value, Stack)>,
    frames: Map<Value, Call>,
    /// Threads and their frames by number.
    order: Vec<(Value, u64, Value)>,
    /// What the stacks lack, and why.
    lost: Option<String>,
    /// What the process died of.
    died_of: Option<String>,
    /// Calls that wait: the inner one, and the outer one that waits for it.
    awaits: Vec<(Value, Value)>,
    /// At how many places chains end early.
    cut: u64,
    /// What nodes other than frames hold as locals.
    loose: Vec<(Value, Operand)>,
    stacks: Vec<(usize, Stack)>,
}

/// Second reading: what the objects are.
#[derive(Debug, Default)]
pub struct Values {
    section: usize,
    wanted: Set<Key>,
    found: Map<Key, Found>,
}

/// What is known of an object.
#[derive(Debug)]
struct Found {
    text: String,
    class: Option<String>,
    name: Option<String>,
    retained: Option<u64>,
}

impl Calls {
    /// The first reading.
    pub fn reading(which: Which) -> OnePass<Self> {
        OnePass::new(Self { which, ..Self::default() }, Selection::default())
    }

    /// At how many places chains end though calls wait there: they are too long or too many.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// What the stacks lack, and why.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// The second reading.
    pub fn values(&self) -> OnePass<Values> {
        let mut values = Values::default();
        values.wanted.extend(self.ids());
        OnePass::new(values, Selection::default())
    }

    /// The objects that are shown.
    fn ids(&self) -> impl Iterator<Item = Key> {
        self.stacks.iter().flat_map(|(section, stack)| {
            let all = stack.object.iter().chain(stack.calls.iter().flat_map(operands)).chain(&stack.locals);
            all.filter_map(|operand| Some((*section, operand.id?)))
        })
    }

    /// The stacks with the objects that the second reading found. Threads without calls and objects are left out.
    /// `retained` says what an object of the last snapshot retains, where the input does not.
    pub fn stacks(self, values: &Values, mut retained: impl FnMut(Value) -> Option<u64>) -> Vec<Stack> {
        let mut stacks = Vec::new();
        for (section, mut stack) in self.stacks {
            for operand in stack.operands() {
                let Some(id) = operand.id else { continue };
                if let Some(found) = values.found.get(&(section, id)) {
                    operand.text.clone_from(&found.text);
                    operand.class.clone_from(&found.class);
                    operand.retained = found.retained.or_else(|| retained(id));
                }
            }
            let id = stack.object.as_ref().and_then(|object| object.id);
            if let Some(found) = id.and_then(|id| values.found.get(&(section, id))) {
                stack.thread = found.name.clone().unwrap_or_else(|| found.text.clone());
            }
            stacks.push(stack);
        }
        stacks
    }

    /// The calls that wait, in chains: one that waits for no other, then who waits for it. Where several wait for one call,
    /// each has a chain. Calls that wait for each other in a circle are a chain, too.
    fn chains(&mut self) -> Vec<Vec<Call>> {
        let mut waiting: Vec<Value> =
            self.frames.values().filter(|c| c.is_suspended()).map(|c| c.id).collect();
        heap_base::sort(&mut waiting);
        heap_base::sort(&mut self.awaits);
        self.awaits.dedup();
        let outer: Set<Value> = self.awaits.iter().map(|pair| pair.1).collect();
        let waiters = |inner: Value| {
            let from = self.awaits.partition_point(|pair| pair.0 < inner);
            self.awaits[from..].iter().take_while(move |pair| pair.0 == inner).map(|pair| pair.1)
        };
        let mut seen = Set::default();
        let mut chains: Vec<Vec<Value>> = Vec::new();
        let (mut calls, mut cut) = (0, 0);
        for inner_first in [true, false] {
            for &first in waiting.iter().filter(|id| !(inner_first && outer.contains(id))) {
                if !inner_first && seen.contains(&first) {
                    continue;
                }
                let mut todo = vec![vec![first]];
                while let Some(mut chain) = todo.pop() {
                    while let Some(last) = chain.last().copied() {
                        seen.insert(last);
                        let mut all = waiters(last).filter(|id| !chain.contains(id));
                        if chain.len() >= DEEPEST {
                            cut += all.count() as u64;
                            break;
                        }
                        let Some(next) = all.next() else { break };
                        for other in all {
                            if calls + chain.len() < MOST_CALLS {
                                calls += chain.len();
                                todo.push(chain.iter().copied().chain([other]).collect());
                            } else {
                                cut += 1;
                            }
                        }
                        chain.push(next);
                    }
                    calls += chain.len();
                    chains.push(chain);
                }
            }
        }
        self.cut += cut;
        let call = |id: Value| self.frames.get(&id).cloned();
        chains.into_iter().map(|chain| chain.into_iter().filter_map(call).collect()).collect()
    }

    fn add(&mut self, edge: &Edge<'_>, context: &Context) -> Result {
        let kind = context.types.edge_name(edge.subtype);
        let label = edge.label.map(|id| context.strings.text_or_number(id)).transpose()?;
        if kind == "heap.frame" {
            let number = label.and_then(|text| text.parse().ok()).unwrap_or(self.order.len() as u64);
            self.order.extend(edge.dest.map(|frame| (edge.source, number, frame)));
            return Ok(());
        }
        if kind == AWAITS {
            self.awaits.extend(edge.dest.map(|inner| (inner, edge.source)));
            return Ok(());
        }
        let (id, text) = match edge.dest {
            Some(id) if id & 1 == 1 => (Some(id), String::new()),
            Some(small) => (None, (small >> 1).to_string()),
            None => (None, value(edge.rest).unwrap_or_default()),
        };
        let operand = Operand { label, id, text, ..Operand::default() };
        let Some(call) = self.frames.get_mut(&edge.source) else {
            if kind == LOCAL {
                self.loose.push((edge.source, operand));
            }
            return Ok(());
        };
        match &*kind {
            RECEIVER => call.receiver = Some(operand),
            ARGUMENT => call.arguments.push(operand),
            LOCAL => call.locals.push(operand),
            _ => {}
        }
        Ok(())
    }
}

fn operands(call: &Call) -> impl Iterator<Item = &Operand> {
    call.receiver.iter().chain(&call.arguments).chain(&call.locals)
}

/// A name of C++ as source code has it, without parameters; other names as they are.
fn demangled(name: String) -> String {
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    let plain = cpp_demangle::Symbol::new(&name).ok();
    plain.and_then(|symbol| symbol.demangle_with_options(&options).ok()).unwrap_or(name)
}

/// The value of an edge that ends at none, as source code has it. A float lacks the last
/// digits of an integer beyond 63 bits: one beside it that is this float has them all.
pub(super) fn value(rest: &[u8]) -> Option<String> {
    let raw = member(rest, "heap.value")?;
    let float = scalar(raw).and_then(|number| number.as_float());
    if let Some(float) = float.filter(|float| float.abs() >= (1_u64 << 62) as f64) {
        let members = each(rest).filter_map(|(_, namespace)| inside(namespace)).flat_map(each);
        let integers = members.filter_map(|(_, value)| scalar(value)?.as_int());
        if let Some(exact) = { integers }.find(|&integer| (integer as f64).to_bits() == float.to_bits()) {
            return Some(exact.to_string());
        }
    }
    Some(number(raw))
}

/// A number of JSON as source code has it; texts stand for those that JSON lacks.
pub(super) fn number(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    let text = text.trim_matches('"');
    text.strip_suffix(".0").unwrap_or(text).to_owned()
}

impl Report for Calls {
    fn begin_stream(&mut self) {}

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if record.key == "heap.died_of" {
            self.died_of = Some(record.value.to_owned());
        }
        if record.key == "heap.lost_calls" && self.lost.as_deref() != Some(record.value) {
            self.lost = Some(record.value.to_owned());
        }
        Ok(())
    }

    fn wants(&self, _: &Selection) -> Wants {
        Wants { extensions: false, ..Wants::ALL }
    }

    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        let types = &selector.context.types;
        let is = |name| types.node_id(name) == Some(node.subtype);
        !(is("heap.frame") || is("heap.thread")) || selector.context.has_strings_of(node)
    }

    fn fold(&mut self, node: &Node<'_>, _: u32, selector: &mut Selector) -> Result {
        let Context { types, snapshot, .. } = &selector.context;
        let text = |name: &str| -> Result<Option<String>> {
            let content = Field::new(name).of(node, &selector.context)?;
            Ok(content.map(|content| content.text().into_owned()).filter(|text| !text.is_empty()))
        };
        let is = |name: &str| -> Result<bool> {
            Ok(Field::new(name).of(node, &selector.context)? == Some(Content::Bool(true)))
        };
        let count = |name: &str| Ok::<_, heap_base::Error>(text(name)?.and_then(|text| text.parse().ok()));
        if types.node_id("heap.thread") == Some(node.subtype) {
            let thread = text("heap.name")?.unwrap_or_else(|| "thread".to_owned());
            self.threads.push((node.id, Stack { snapshot: snapshot.clone(), thread, ..Stack::default() }));
        } else if types.node_id("heap.frame") == Some(node.subtype) {
            let name = match text("function")? {
                Some(name) => Some(name),
                None => text("heap.name")?,
            };
            let tier = text("v8.tier")?;
            let name = name.unwrap_or_default();
            let call = Call {
                id: node.id,
                function: if tier.as_deref() == Some(NATIVE) { demangled(name) } else { name },
                script: text("script_name")?,
                line: count("line")?,
                column: count("column")?,
                function_line: count("v8.line")?,
                tier,
                native: is("java.native")?,
                construct: is("v8.construct")?,
                partial: is("v8.partial")?,
                ..Call::default()
            };
            self.frames.insert(node.id, call);
        }
        Ok(())
    }

    fn fold_edge(&mut self, edge: &Edge<'_>, complete: bool, selector: &Selector) -> Result<bool> {
        let types = &selector.context.types;
        let kinds = ["heap.frame", RECEIVER, ARGUMENT, LOCAL, AWAITS];
        if !kinds.iter().any(|kind| types.edge_id(kind) == Some(edge.subtype)) {
            return Ok(true);
        }
        // Only frames of threads count: other streams have frames without any.
        if complete {
            self.add(edge, &selector.context)?;
        }
        Ok(complete)
    }

    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        if self.which == Which::Waiting {
            let snapshot = selector.context.snapshot.clone();
            let chains = self.chains();
            self.stacks.extend(chains.into_iter().map(|calls| {
                (self.section, Stack { snapshot: snapshot.clone(), calls, ..Stack::default() })
            }));
            self.threads.clear();
            self.loose.clear();
            self.order.clear();
        }
        heap_base::sort(&mut self.order);
        sort_by_key(&mut self.loose, |entry| entry.0);
        // Objects with frames are threads too; their names come with the second reading.
        let named: Set<Value> = self.threads.iter().map(|thread| thread.0).collect();
        let mut objects: Vec<Value> = self.order.iter().map(|entry| entry.0).collect();
        objects.extend(self.loose.iter().map(|entry| entry.0));
        heap_base::sort(&mut objects);
        objects.dedup();
        for id in objects.into_iter().filter(|id| !named.contains(id)) {
            let object = Some(Operand { id: Some(id), ..Operand::default() });
            let snapshot = selector.context.snapshot.clone();
            self.threads.push((id, Stack { snapshot, object, ..Stack::default() }));
        }
        let mut died_of = self.died_of.take();
        for (id, mut stack) in self.threads.drain(..) {
            stack.died_of = died_of.take();
            let from = self.order.partition_point(|entry| entry.0 < id);
            let of_thread = self.order[from..].iter().take_while(|entry| entry.0 == id);
            stack.calls = of_thread.filter_map(|(_, _, frame)| self.frames.remove(frame)).collect();
            let from = self.loose.partition_point(|entry| entry.0 < id);
            let locals = self.loose[from..].iter().take_while(|entry| entry.0 == id);
            stack.locals = locals.map(|(_, operand)| operand.clone()).collect();
            if !stack.calls.is_empty() || !stack.locals.is_empty() {
                self.stacks.push((self.section, stack));
            }
        }
        self.loose.clear();
        self.frames.clear();
        self.order.clear();
        self.awaits.clear();
        self.section += 1;
        Ok(())
    }
}

impl Report for Values {
    fn begin_stream(&mut self) {}

    fn wants(&self, _: &Selection) -> Wants {
        let strings = if self.wanted.is_empty() { Strings::None } else { Strings::All };
        Wants { strings, nodes: heap_record::wants::Nodes::Full, ..Wants::HEAD }
    }

    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        !self.wanted.contains(&(self.section, node.id)) || selector.context.has_strings_of(node)
    }

    fn fold(&mut self, node: &Node<'_>, _: u32, selector: &mut Selector) -> Result {
        let key = (self.section, node.id);
        if self.wanted.contains(&key) {
            let class =
                node.heap.class.map(|_| type_name(node, &selector.context.types, &selector.context.strings));
            let name = node.heap.name.map(|id| selector.context.strings.text_or_number(id)).transpose()?;
            let found = Found {
                text: shown(node, &selector.context)?,
                class: class.transpose()?,
                name: name.filter(|name| !name.is_empty()),
                retained: node.heap.retained,
            };
            self.found.insert(key, found);
        }
        Ok(())
    }

    fn end_snapshot(&mut self, _: &mut Selector) -> Result {
        self.section += 1;
        Ok(())
    }
}

/// A node as source code has its value; an object by its class and number.
fn shown(node: &Node<'_>, context: &Context) -> Result<String> {
    let Context { types, strings, rule, .. } = context;
    let name = node.heap.name.map(|id| strings.text_or_number(id)).transpose()?;
    let own = |field: &str| member(node.own, field);
    let data = own("data").and_then(scalar).and_then(|id| id.as_int());
    let name = match data {
        Some(id) if name.is_none() => Some(strings.text_or_number(id)?),
        _ => name,
    };
    let at = format!("@{}", source_number(node).unwrap_or_else(|| rule.number(node.id)));
    Ok(match &*types.node_name(node.subtype) {
        "string_flat" | "string_cons" | "string_sliced" => match name {
            Some(text) => quoted(&text),
            None => match small_field(node, "length", types) {
                Some(length) => format!("string of {length} {at}"),
                None => format!("string {at}"),
            },
        },
        "heap_number" => own("value").map_or(at, number),
        "v8.bigint" => own("value").map_or(at, |raw| number(raw) + "n"),
        "oddball" | "v8.symbol" => name.unwrap_or(at),
        "closure" => match name.filter(|name| !name.is_empty()) {
            Some(name) => format!("function {name}"),
            None => format!("function {at}"),
        },
        _ => format!("{} {at}", type_name(node, types, strings)?),
    })
}

/// A text in quotes, cut after [`LONGEST`] characters.
fn quoted(text: &str) -> String {
    let mut shown = Vec::new();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => {
            heap_base::json::push_text(&mut shown, &text[..end]);
            shown.pop();
            shown.extend_from_slice("…\"".as_bytes());
        }
        None => heap_base::json::push_text(&mut shown, text),
    }
    String::from_utf8_lossy(&shown).into_owned()
}

#[cfg(test)]
mod tests {
    use heap_record::Sink;

    use super::*;

    /// A stream of a thread with two calls; edges come before what they refer to.
    const STREAM: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.died_of","value":"TypeError: no desk"}
{"type":"node_type","nodetypeid":1,"name":"heap.thread"}
{"type":"node_type","nodetypeid":2,"name":"heap.frame","fields":{"function":"string","script_name":"string","line":"integer","column":"integer"}}
{"type":"node_type","nodetypeid":3,"name":"string_flat","fields":{"length":"integer","data":"string"}}
{"type":"node_type","nodetypeid":4,"name":"object"}
{"type":"edge_type","edgetypeid":1,"name":"heap.frame"}
{"type":"edge_type","edgetypeid":2,"name":"heap.argument"}
{"type":"edge_type","edgetypeid":3,"name":"heap.receiver"}
{"type":"edge","subtype":1,"source":1,"dest":5,"label":-2}
{"type":"edge","subtype":1,"source":1,"dest":3,"label":-1}
{"type":"node","subtype":1,"identifier":1,"heap":{"size":0,"name":1}}
{"type":"node","subtype":2,"identifier":3,"function":2,"script_name":3,"line":7,"column":5,"heap":{"size":0}}
{"type":"node","subtype":2,"identifier":5,"heap":{"size":0},"v8":{"construct":true}}
{"type":"edge","subtype":2,"source":3,"dest":9,"label":-1}
{"type":"edge","subtype":2,"source":3,"dest":164,"label":-2}
{"type":"edge","subtype":2,"source":3,"label":-3,"heap":{"value":1.5}}
{"type":"edge","subtype":3,"source":3,"dest":11}
{"type":"node","subtype":3,"identifier":9,"length":8,"data":4,"heap":{"size":24,"name":4}}
{"type":"node","subtype":4,"identifier":11,"heap":{"size":16,"class":5}}
{"type":"string","stringid":1,"data":"main"}
{"type":"string","stringid":2,"data":"inner"}
{"type":"string","stringid":3,"data":"a.js"}
{"type":"string","stringid":4,"data":"say \"hi\""}
{"type":"string","stringid":5,"data":"Desk"}
"#;

    #[test]
    fn calls_in_order_with_their_values() {
        let mut calls = Calls::reading(Which::Threads);
        heap_record::read::read(STREAM.as_bytes(), heap_record::SnapshotSelector::Last, &mut calls)
            .expect("is sound");
        calls.finish(true).expect("is sound");
        let mut values = calls.report().values();
        heap_record::read::read(STREAM.as_bytes(), heap_record::SnapshotSelector::Last, &mut values)
            .expect("is sound");
        values.finish(true).expect("is sound");
        let stacks = calls.into_report().stacks(&values.into_report(), |_| None);
        let [stack] = &stacks[..] else { panic!("one thread") };
        assert_eq!((stack.thread.as_str(), stack.died_of.as_deref()), ("main", Some("TypeError: no desk")));
        let [inner, outer] = &stack.calls[..] else { panic!("two calls") };
        assert_eq!(
            (inner.function.as_str(), inner.script.as_deref(), inner.line),
            ("inner", Some("a.js"), Some(7))
        );
        let texts: Vec<&str> = inner.arguments.iter().map(|a| a.text.as_str()).collect();
        assert_eq!(texts, [r#""say \"hi\"""#, "82", "1.5"]);
        assert_eq!(inner.receiver.as_ref().map(|r| r.text.as_str()), Some("Desk @5"));
        assert!(outer.construct && !inner.construct);
    }

    #[test]
    fn only_what_declares_calls_can_say_that_there_are_none() {
        let mut calls = Calls::reading(Which::Threads);
        heap_record::read::read(STREAM.as_bytes(), heap_record::SnapshotSelector::Last, &mut calls)
            .expect("is sound");
        let types = &calls.context().types;
        assert_eq!(Which::Threads.none(types), "no thread has calls");
        assert_eq!(Which::Waiting.none(types), "such an input does not say which calls wait");
        assert_eq!(Which::Threads.none(&Types::default()), "such an input has no stacks of threads");
    }

    /// A thread that is an object, as Java has it: two calls, one of which holds a text, and an object that no call holds.
    const OBJECTS: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"node_type","nodetypeid":2,"name":"heap.frame","fields":{"function":"string","script_name":"string","line":"integer"}}
{"type":"node_type","nodetypeid":3,"name":"string_flat","fields":{"data":"string"}}
{"type":"node_type","nodetypeid":4,"name":"java.instance"}
{"type":"edge_type","edgetypeid":1,"name":"heap.frame"}
{"type":"edge_type","edgetypeid":2,"name":"heap.local"}
{"type":"string","stringid":1,"data":"worker"}
{"type":"string","stringid":2,"data":"Desk.work"}
{"type":"string","stringid":3,"data":"Desk"}
{"type":"string","stringid":4,"data":"order 7"}
{"type":"node","subtype":2,"identifier":-3,"function":2,"script_name":3,"line":7,"heap":{"size":0}}
{"type":"node","subtype":2,"identifier":-5,"function":2,"heap":{"size":0}}
{"type":"node","subtype":4,"identifier":1,"heap":{"size":112,"class":3,"name":1,"retained":400}}
{"type":"node","subtype":3,"identifier":3,"data":4,"heap":{"size":24}}
{"type":"node","subtype":4,"identifier":5,"heap":{"size":16,"class":3}}
{"type":"node","subtype":4,"identifier":7,"heap":{"size":16,"class":3}}
{"type":"edge","subtype":1,"source":1,"dest":-5,"label":-2}
{"type":"edge","subtype":1,"source":1,"dest":-3,"label":-1}
{"type":"edge","subtype":2,"source":-3,"dest":3}
{"type":"edge","subtype":2,"source":1,"dest":5}
{"type":"edge","subtype":2,"source":7,"dest":5}
"#;

    #[test]
    fn objects_with_frames_or_locals_are_threads() {
        let read = |sink: &mut dyn Sink| {
            heap_record::read::read(OBJECTS.as_bytes(), heap_record::SnapshotSelector::Last, sink)
                .expect("is sound");
            sink.finish(true).expect("is sound");
        };
        let mut calls = Calls::reading(Which::Threads);
        read(&mut calls);
        let mut values = calls.report().values();
        read(&mut values);
        let stacks = calls.into_report().stacks(&values.into_report(), |id| (id == 3).then_some(24));
        let [worker, other] = &stacks[..] else { panic!("two threads: {stacks:#?}") };
        assert_eq!((worker.thread.as_str(), other.thread.as_str()), ("worker", "Desk @3"));
        let object = worker.object.as_ref().expect("an object");
        assert_eq!((object.text.as_str(), object.id, object.retained), ("Desk @0", Some(1), Some(400)));
        let ids: Vec<_> = worker.calls.iter().map(|call| call.id).collect();
        assert_eq!(ids, [-3, -5]);
        let local = &worker.calls[0].locals[0];
        assert_eq!((local.text.as_str(), local.retained), (r#""order 7""#, Some(24)));
        assert_eq!(worker.locals[0].text, "Desk @2");
        assert!(other.calls.is_empty() && other.locals.len() == 1);
    }

    /// Each call waits for the one before, and one more for the first.
    #[test]
    fn chains_are_counted_where_they_are_cut() {
        let waiting = |ids: &[Value], awaits: Vec<(Value, Value)>| {
            let call = |&id: &Value| (id, Call { id, tier: Some(SUSPENDED.to_owned()), ..Call::default() });
            Calls { frames: ids.iter().map(call).collect(), awaits, ..Calls::default() }
        };
        let line = |count: Value| {
            let ids: Vec<Value> = (0..count).map(|i| 2 * i + 1).collect();
            waiting(&ids, ids.windows(2).map(|pair| (pair[0], pair[1])).collect())
        };
        let lengths = |calls: &mut Calls| calls.chains().iter().map(Vec::len).collect::<Vec<_>>();
        let mut short = line(DEEPEST as Value);
        assert_eq!((lengths(&mut short), short.cut()), (vec![DEEPEST], 0));
        let mut long = line(DEEPEST as Value + 1);
        assert_eq!((lengths(&mut long), long.cut()), (vec![DEEPEST, 1], 1));
        let mut fork = waiting(&[1, 3, 5], vec![(1, 3), (1, 5)]);
        assert_eq!((lengths(&mut fork), fork.cut()), (vec![2, 2], 0));
        let mut circle = waiting(&[1, 3], vec![(1, 3), (3, 1)]);
        assert_eq!((lengths(&mut circle), circle.cut()), (vec![2], 0));
    }

    #[test]
    fn names_of_machine_code_are_readable() {
        let cases = [
            ("_ZN4node5AbortERKN2v820FunctionCallbackInfoINS0_5ValueEEE", "node::Abort"),
            (
                "_ZN2v88internal12_GLOBAL__N_16InvokeEPNS0_7IsolateE",
                "v8::internal::(anonymous namespace)::Invoke",
            ),
            ("Builtins_JSEntry", "Builtins_JSEntry"),
            ("libc.so.6+0x8f4f", "libc.so.6+0x8f4f"),
            ("_Z", "_Z"),
            ("", ""),
        ];
        for (symbol, wanted) in cases {
            assert_eq!(demangled(symbol.to_owned()), wanted);
        }
        // Names nested without end are left as they are.
        let deep = format!("_Z1f{}", "P".repeat(100_000));
        assert_eq!(demangled(deep.clone()), deep);
        let call = |tier: &str| Call { tier: Some(tier.to_owned()), ..Call::default() };
        assert_eq!(
            ["native", "gap", "compiled", "interpreted"].map(|tier| call(tier).is_script()),
            [false, false, true, true]
        );
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(quoted("a"), r#""a""#);
        assert_eq!(quoted(&"é".repeat(61)), format!("\"{}…\"", "é".repeat(60)));
    }

    #[test]
    fn values_keep_the_digits_that_stand_beside_a_float() {
        let shown = |rest: &str| value(rest.as_bytes());
        assert_eq!(shown(r#""v8":{"x":1}"#), None);
        for (rest, expected) in [
            (r#""heap":{"value":7.0}"#, "7"),
            (r#""heap":{"value":"NaN"},"java":{"long":"0x10"}"#, "NaN"),
            (
                r#""heap":{"value":9.223372036854776e+18},"java":{"long":"0x7fffffffffffffff"}"#,
                "9223372036854775807",
            ),
            (
                r#""heap":{"value":-9.223372036854776e+18},"java":{"long":"-0x8000000000000000"}"#,
                "-9223372036854775808",
            ),
            // A double beside something else.
            (r#""heap":{"value":9.223372036854776e+18},"a":{"b":[1],"c":12}"#, "9.223372036854776e+18"),
        ] {
            assert_eq!(shown(rest).as_deref(), Some(expected), "{rest}");
        }
    }
}
