//! Interfaces: plain objects named after the properties that many of them have, `{name, balance}`.

use std::rc::Rc;

use heap_base::{Map, Result};
use heap_base::{json::push_text, sort_by_key};
use heap_graph::HeapGraph;
use heap_ops::stream::Strings;
use heap_record::StringId;

/// An interface's name stops before it would pass this many UTF-16 units.
const MOST_UNITS: usize = 120;
/// An interface has at least this many objects,
const LEAST_OBJECTS: f64 = 2.0;
/// and one of this many plain objects.
const LEAST_SHARE: f64 = 1000.0;

/// A name for plain objects, and the properties that one must have to be called so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The name: `{name, balance}`.
    pub name: String,
    /// The properties, in the order of the name.
    pub properties: Vec<Box<str>>,
}

/// Interfaces, the most frequent first.
pub type Interfaces = Vec<Interface>;

/// The properties of all plain objects. Objects with the same properties in the same order share a shape.
#[derive(Debug)]
pub(crate) struct Shapes {
    names: Names,
    /// Properties of each shape and how many objects have it, in the order they are met.
    lists: Vec<(Rc<[u32]>, u64)>,
    /// Shape of each plain object, in their order.
    of: Vec<u32>,
}

/// Texts of properties by number.
#[derive(Debug, Default)]
struct Names {
    texts: Vec<Box<str>>,
    by_text: Map<Box<str>, u32>,
    by_string: Map<StringId, u32>,
}

impl Names {
    fn number(&mut self, string: StringId, strings: &Strings) -> Result<u32> {
        if let Some(&number) = self.by_string.get(&string) {
            return Ok(number);
        }
        let text = strings.text_or_number(string)?.into_boxed_str();
        let next = self.texts.len() as u32;
        let number = *self.by_text.entry(text.clone()).or_insert(next);
        if number == next {
            self.texts.push(text);
        }
        self.by_string.insert(string, number);
        Ok(number)
    }
}

impl Shapes {
    /// Gathers the properties of the nodes in `plain`: the labels of their edges of the subtype `property`.
    pub(crate) fn of(
        heap: &HeapGraph,
        plain: &[u32],
        property: Option<u32>,
        strings: &Strings,
    ) -> Result<Self> {
        let mut this = Self { names: Names::default(), lists: Vec::new(), of: Vec::new() };
        let mut numbers: Map<Rc<[u32]>, u32> = Map::default();
        let mut list = Vec::new();
        for &node in plain {
            list.clear();
            for edge in heap.graph.range(node) {
                let edge = edge as u32;
                if property.is_some()
                    && heap.kind(edge)? == property
                    && let Some(label) = heap.label(edge)?
                {
                    list.push(this.names.number(label, strings)?);
                }
            }
            let shape = if let Some(&shape) = numbers.get(&list[..]) {
                shape
            } else {
                let shape = this.lists.len() as u32;
                let list: Rc<[u32]> = list[..].into();
                numbers.insert(Rc::clone(&list), shape);
                this.lists.push((list, 0));
                shape
            };
            this.lists[shape as usize].1 += 1;
            this.of.push(shape);
        }
        Ok(this)
    }

    /// The interfaces that these objects show.
    pub(crate) fn infer(&self) -> Interfaces {
        let mut numbers: Map<String, usize> = Map::default();
        let mut found: Vec<(Interface, u64)> = Vec::new();
        for (list, count) in &self.lists {
            let (name, properties) = self.name(list);
            if properties.is_empty() {
                continue;
            }
            if let Some(&at) = numbers.get(&name) {
                found[at].1 += count;
            } else {
                numbers.insert(name.clone(), found.len());
                let properties = properties.iter().map(|&p| self.names.texts[p as usize].clone()).collect();
                found.push((Interface { name, properties }, *count));
            }
        }
        sort_by_key(&mut found, |interface| std::cmp::Reverse(interface.1));
        let least = (self.of.len() as f64 / LEAST_SHARE).max(LEAST_OBJECTS);
        found
            .into_iter()
            .take_while(|interface| interface.1 as f64 >= least)
            .map(|interface| interface.0)
            .collect()
    }

    /// What an interface of these properties is called, and the properties that fit into the name.
    fn name(&self, list: &[u32]) -> (String, Vec<u32>) {
        let (mut name, mut units) = ("{".to_owned(), 1);
        let mut properties = Vec::new();
        for &property in list {
            let text = &*self.names.texts[property as usize];
            if text == "__proto__" {
                continue;
            }
            let mut quoted = Vec::new();
            if text.contains([',', '\'', '"', '{', '}']) {
                push_text(&mut quoted, text);
            }
            let shown = if quoted.is_empty() { text } else { std::str::from_utf8(&quoted).unwrap_or(text) };
            let more = shown.encode_utf16().count();
            if units > 1 && units + more > MOST_UNITS {
                break;
            }
            if units > 1 {
                name.push_str(", ");
                units += 2;
            }
            name.push_str(shown);
            units += more;
            properties.push(property);
        }
        name.push('}');
        (name, properties)
    }

    /// The interface of each plain object, in their order: of those whose properties it has, the one with the most;
    /// of these the most frequent. Time: for each property of each shape, the interfaces that have it.
    pub(crate) fn apply(&self, interfaces: &[Interface]) -> impl Iterator<Item = Option<u32>> {
        // An interface may want a property twice, so it is asked for the first, the second, ….
        let mut wanting: Map<(u32, u32), Vec<u32>> = Map::default();
        for (interface, Interface { properties, .. }) in interfaces.iter().enumerate() {
            let known = properties.iter().map(|p| self.names.by_text.get(p).copied());
            if let Some(mut known) = known.collect::<Option<Vec<u32>>>() {
                for wanted in ranked(&mut known) {
                    wanting.entry(wanted).or_default().push(interface as u32);
                }
            }
        }
        let mut met = vec![0u32; interfaces.len()];
        let mut touched = Vec::new();
        let mut sorted = Vec::new();
        let best: Vec<Option<u32>> = self
            .lists
            .iter()
            .map(|(list, _)| {
                sorted.clear();
                sorted.extend_from_slice(list);
                let mut best: Option<u32> = None;
                for has in ranked(&mut sorted) {
                    for &interface in wanting.get(&has).into_iter().flatten() {
                        let at = interface as usize;
                        if met[at] == 0 {
                            touched.push(at);
                        }
                        met[at] += 1;
                        let size = |i: u32| interfaces[i as usize].properties.len();
                        if met[at] as usize == size(interface)
                            && best.is_none_or(|b| (size(b), interface) < (size(interface), b))
                        {
                            best = Some(interface);
                        }
                    }
                }
                touched.drain(..).for_each(|at| met[at] = 0);
                best
            })
            .collect();
        self.of.iter().map(move |&shape| best[shape as usize])
    }
}

/// Sorts `list`; each item comes with how many equal ones came before.
fn ranked(list: &mut [u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    list.sort_unstable();
    let mut last = (u32::MAX, 0);
    list.iter().map(move |&item| {
        last = if last.0 == item { (item, last.1 + 1) } else { (item, 0) };
        last
    })
}
