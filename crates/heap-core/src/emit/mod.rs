//! The records of one isolate: strings, nodes, edges.
//!
//! Pages are gone over once to find where objects begin, then once for each kind of record that is wanted. Kept are a
//! bit for each word of the pages and another for strings, maps, names that were made up, and the blocks read last.

mod declare;
mod edges;
mod nodes;
mod roots;
mod strings;
mod types;

use heap_base::{Map, Result, Set, sort_by_key};
use heap_record::wants::{Nodes, Strings, SumBy};
use heap_record::{Data, Sink, SnapshotSelector, Str, StringId, Wants, head, index_string};

use crate::heap::{Heap, Walked};
use crate::objects::{Kind, Label, NameId, Names, WRAPPERS, Wrapper};
use crate::space::{PAGE, Starts};
use crate::stacks::{Form, Stack, Suspended};
#[cfg(test)]
pub(crate) use nodes::bigint;
use roots::{Owned, Roots};
use strings::Contents;
use types::Types;

/// Labels of properties that are kept at a time.
const MOST_LABELS: usize = 1 << 16;
/// Isolates that are named one by one.
const SAID: usize = 8;
/// Array indexes below this are kept as bits.
const DENSE: u32 = 1 << 26;

/// Delivers the chosen isolates of a core.
///
/// # Errors
/// A selection that the core does not have; failures of reading and of the sink; damage, after all that is intact.
pub(crate) fn read(heap: &Heap, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let stacks = heap.stacks();
    let isolates = heap.isolates(&stacks);
    let chosen = pick.range(isolates.len() as u64)?;
    declare::metadata(heap, sink)?;
    if let Some(value) = heap.lost_calls(&stacks) {
        head::metadata(sink, "heap.lost_calls", &value)?;
    }
    declare::declarations(sink)?;
    let wants = sink.wants();
    let mut names = Names::default();
    for number in chosen {
        let isolate = isolates[number as usize];
        if pick == SnapshotSelector::All {
            let value = number.to_string();
            head::metadata(sink, "heap.snapshot", &value)?;
        }
        let only = pick != SnapshotSelector::All && isolates.len() > 1;
        if let Some(role) = heap.role(isolate, &stacks).filter(|_| isolates.len() > 1) {
            let value = role.to_string();
            head::metadata(sink, "heap.part", &value)?;
        }
        if only && pick == SnapshotSelector::Last {
            let value = choice(heap, &isolates, &stacks);
            head::metadata(sink, "core.note", &value)?;
        }
        let handles = || Roots::new(heap, isolate, &[], false).words(roots::HANDLE);
        let ran = stacks.first().is_some_and(|stack| stack.heap == Some(isolate));
        let died = if ran { heap.died_of(&stacks, &handles()) } else { None };
        if let Some((error, id)) = died.and_then(|at| Some((at, heap.map_of(at + 1)?))) {
            let class = names.name(heap.class(&names, error, id));
            let value = heap.error_line(&class, error);
            head::metadata(sink, "heap.died_of", &value)?;
        }
        let mut emitter = Emitter::new(heap, isolate, &stacks, wants, only, &mut names);
        emitter.run(sink)?;
        heap.memory.check()?;
    }
    heap.damage.borrow_mut().take().map_or(Ok(()), Err)
}

/// Says which isolate is the last one, that was chosen, and what the others are, those with most pages first.
fn choice(heap: &Heap, isolates: &[u64], stacks: &[Stack]) -> String {
    let said = |isolate: u64| match heap.role(isolate, stacks) {
        Some(role) => role.to_string(),
        None => "without a thread".to_owned(),
    };
    let Some((&last, others)) = isolates.split_last() else { return String::new() };
    let mut others: Vec<_> = others
        .iter()
        .enumerate()
        .map(|(number, &other)| (page_bytes(heap, other).1, number, other))
        .collect();
    sort_by_key(&mut others, |&(bytes, number, _)| (std::cmp::Reverse(bytes), number));
    let mut list: Vec<String> = others
        .iter()
        .take(SAID)
        .map(|&(bytes, number, other)| format!("@{number} {} ({})", said(other), megabytes(bytes)))
        .collect();
    if others.len() > SAID {
        list.push(format!("{} more", others.len() - SAID));
    }
    format!(
        "{} isolates, this is one: {} ({} of pages); the others are {}, and @all is all of them",
        isolates.len(),
        said(last),
        megabytes(page_bytes(heap, last).1),
        list.join(", ")
    )
}

fn megabytes(bytes: u64) -> String {
    format!("{}M", bytes.div_ceil(1 << 20))
}

/// Delivers one isolate.
struct Emitter<'a> {
    heap: &'a Heap,
    isolate: u64,
    stacks: &'a [Stack],
    wants: Wants,
    roots: Roots<'a>,
    walked: Walked,
    /// The global objects, by address.
    globals: Vec<i64>,
    objects: Starts,
    /// Strings that have their characters in a row.
    strings: Starts,
    /// Numbers of names begin here.
    first_name: StringId,
    names: &'a mut Names,
    /// How many names were delivered.
    named: usize,
    /// Numbers of labels that are constants of this reader, by their address.
    fixed: Map<usize, StringId>,
    /// Numbers of labels by word.
    labels: Map<u64, StringId>,
    /// Array indexes whose records were delivered.
    indexes: Vec<u64>,
    far_indexes: Set<u32>,
    texts: Contents,
    types: Types,
    /// Of what stacks and handles refer to, what objects of JavaScript keep their properties, elements and entries in.
    owned: Owned,
    /// What frames were given: strings among them have their joined text as name.
    given: Set<u64>,
    /// Calls that wait, in the order of their objects, and how their tables of positions are written.
    suspended: Vec<Suspended>,
    form: Form,
    /// Classes of objects that have something open, with what it is.
    wrappers: Vec<(NameId, &'static Wrapper)>,
}

impl<'a> Emitter<'a> {
    /// `only`: no other isolate is delivered, so that the threads of all come with this one.
    fn new(
        heap: &'a Heap,
        isolate: u64,
        stacks: &'a [Stack],
        wants: Wants,
        only: bool,
        names: &'a mut Names,
    ) -> Self {
        let of_isolate = |page: &crate::space::Page| page.heap == isolate || page.heap == 0;
        let only_sums = matches!(wants.nodes, Nodes::Sums(SumBy::Class)) && !wants.any_edges();
        let starts = || Starts::new(&heap.pages, |page| !only_sums && of_isolate(page));
        let roots = Roots::new(heap, isolate, stacks, only);
        let frames = roots.threads.iter().flat_map(|thread| thread.stack.scripts());
        let given =
            frames.flat_map(|frame| frame.arguments.iter().chain([&frame.receiver])).copied().collect();
        let types = Types::new(&heap.constants, names);
        let wrappers = WRAPPERS.iter().map(|wrapper| (names.intern(wrapper.class), wrapper)).collect();
        Self {
            heap,
            isolate,
            stacks,
            wrappers,
            wants,
            roots,
            given,
            owned: Owned::default(),
            walked: Walked::default(),
            globals: Vec::new(),
            objects: starts(),
            strings: starts(),
            first_name: 0,
            names,
            named: 0,
            fixed: Map::default(),
            labels: Map::default(),
            indexes: Vec::new(),
            far_indexes: Set::default(),
            texts: Contents::default(),
            types,
            suspended: Vec::new(),
            form: Form::Signed,
        }
    }

    fn run(&mut self, sink: &mut dyn Sink) -> Result {
        if self.wants == Wants::HEAD {
            return declare::isolate(&self.globals, self.roots.kinds(), self.walked, sink);
        }
        if self.wants.nodes == Nodes::Sums(SumBy::Class) && !self.wants.any_edges() {
            let sums = self.add_up();
            declare::isolate(&self.globals, self.roots.kinds(), self.walked, sink)?;
            self.flush_names(sink)?;
            return self.emit_sums(sums, sink);
        }
        self.walk();
        declare::isolate(&self.globals, self.roots.kinds(), self.walked, sink)?;
        if self.wants.strings == Strings::All {
            self.emit_strings(sink)?;
        }
        if self.wants.any_nodes() {
            self.emit_nodes(sink)?;
        }
        if self.wants.any_edges() {
            self.emit_edges(sink)?;
        }
        Ok(())
    }

    /// Finds where objects begin.
    fn walk(&mut self) {
        if self.wants.any_edges() {
            self.owned = Owned::new(self.heap, &self.roots);
        }
        let mut generators = Vec::new();
        let Self { heap, objects, strings, walked, globals, owned, .. } = self;
        for (number, page) in heap.pages_of(self.isolate) {
            heap.walk_page(page, walked, &mut |object| {
                objects.insert(number, page, object.address);
                let map = heap.maps.map(object.id);
                match heap.kind(&map) {
                    Kind::String if matches!(map.kind & 7, 0 | 2) => {
                        strings.insert(number, page, object.address);
                    }
                    kind if kind.is_js() => {
                        owned.look_at(heap, object.address);
                        match kind {
                            Kind::JsGlobalObject => globals.push(object.address as i64 + 1),
                            Kind::JsGenerator => generators.push(object.address),
                            _ => {}
                        }
                    }
                    _ => {}
                }
            });
        }
        objects.count();
        self.first_name = self.strings.count().into();
        (self.suspended, self.form) = heap.suspended(&generators);
        for call in &self.suspended {
            let (arguments, locals) = heap.variables(call, self.form);
            let held = arguments.into_iter().chain(locals).map(|(_, word)| word);
            self.given.extend(held.chain([call.receiver]));
        }
    }

    /// The texts of all strings that have their characters in a row.
    fn emit_strings(&mut self, sink: &mut dyn Sink) -> Result {
        let heap = self.heap;
        let mut id = 0;
        for (number, page) in heap.pages_of(self.isolate) {
            for address in self.strings.on_page(number, page) {
                if let Some(map) = heap.map_of(address + 1).map(|id| heap.maps.map(id)) {
                    self.texts.flat(heap, id, address, &map, sink)?;
                }
                id += 1;
            }
        }
        Ok(())
    }

    /// Delivers names that were made up since the last time.
    fn flush_names(&mut self, sink: &mut dyn Sink) -> Result {
        while self.named < self.names.len() {
            let text = self.names.name(NameId(self.named as u32));
            let id = self.first_name + self.named as StringId;
            self.named += 1;
            if self.wants.any_strings() {
                sink.string(&Str { id, data: Data::Plain(&text), ..Str::default() })?;
            }
        }
        Ok(())
    }

    /// The number of the string of an interned text.
    fn id_of(&self, name: NameId) -> StringId {
        self.first_name + StringId::from(name.0)
    }

    fn intern(&mut self, text: &str) -> StringId {
        let name = self.names.intern(text);
        self.id_of(name)
    }

    /// The number of the text of a string on the heap, if it has its characters in a row.
    fn string_id(&self, word: u64) -> Option<StringId> {
        let (address, map) = self.heap.string_at(word)?;
        let in_core = match self.heap.string_shape(address, &map) {
            crate::objects::Shape::Flat { at, .. } => at != 0,
            _ => false,
        };
        in_core.then(|| self.strings.rank(&self.heap.pages, address)).flatten().map(StringId::from)
    }

    /// The number of a name: of the string itself, or of its text joined.
    fn text_id(&mut self, word: u64) -> Option<StringId> {
        if let Some(id) = self.string_id(word) {
            return Some(id);
        }
        let text = self.heap.label(word)?;
        Some(self.intern(&text))
    }

    /// The number of a label. The record of an array index comes before the first edge that uses it.
    fn label(&mut self, label: Label, sink: &mut dyn Sink) -> Result<StringId> {
        Ok(match label {
            Label::Index(index) => {
                self.index(index, sink)?;
                index_string(index)
            }
            Label::Fixed(text) => {
                let key = text.as_ptr() as usize;
                if let Some(&id) = self.fixed.get(&key) {
                    return Ok(id);
                }
                let id = self.intern(text);
                self.fixed.insert(key, id);
                id
            }
            Label::Name(word) => {
                if let Some(&id) = self.labels.get(&word) {
                    return Ok(id);
                }
                let id = match self.text_id(word) {
                    Some(id) => id,
                    None => self.intern(""),
                };
                if self.labels.len() > MOST_LABELS {
                    self.labels.clear();
                }
                self.labels.insert(word, id);
                id
            }
            Label::Getter(word) => {
                let text = format!("get {}", self.heap.label(word).unwrap_or_default());
                self.intern(&text)
            }
            Label::Setter(word) => {
                let text = format!("set {}", self.heap.label(word).unwrap_or_default());
                self.intern(&text)
            }
        })
    }

    /// Delivers the string of an array index, if it was not delivered before.
    fn index(&mut self, index: u32, sink: &mut dyn Sink) -> Result {
        if index < DENSE {
            let (word, bit) = ((index / 64) as usize, index % 64);
            if word >= self.indexes.len() {
                self.indexes.resize(word + 1, 0);
            }
            if self.indexes[word] >> bit & 1 == 1 {
                return Ok(());
            }
            self.indexes[word] |= 1 << bit;
        } else if !self.far_indexes.insert(index) {
            return Ok(());
        }
        if self.wants.strings != Strings::All {
            return Ok(());
        }
        let mut digits = Vec::new();
        heap_base::json::push_uint(&mut digits, index.into());
        let text = String::from_utf8_lossy(&digits);
        sink.string(&Str { id: index_string(index), data: Data::Escaped(&text), ..Str::default() })
    }
}

/// Pages of an isolate in bytes, for the facts about a file.
pub(crate) fn page_bytes(heap: &Heap, isolate: u64) -> (u64, u64) {
    let pages = heap.pages.pages.iter().filter(|p| p.heap == isolate);
    pages.fold((0, 0), |(count, bytes), page| (count + 1, bytes + (page.end - page.start).max(PAGE)))
}
