//! The sink: what the view needs of a record stream, in one pass.

use heap_base::json::{each, scalar};
use heap_base::{BitSet, Map};
use heap_base::{Error, Result, member};
use heap_graph::{Config, analyse, attribute};
use heap_graph::{Graph, GraphSink, Guard, HeapGraph, Keep, Policy};
use heap_ops::stream::Strings;
use heap_record::{
    Declaration, EdgeBatch, Extension, IdRule, Metadata, Node, NodeBatch, Sharded, Sink, Str, Types, Value,
    Wants, wants,
};

use crate::classes::Classes;
use crate::detached;
use crate::group::{Built, Grouped, Location, Parts};
use crate::interfaces::{Interfaces, Shapes};
use crate::roles::{Kind, Roles};

/// Bytes a node and an edge that groups take, and that sizes alone take.
const GROUPS: (u64, u64) = (40, 8);
const SIZES: (u64, u64) = (30, 8);

/// No location.
const NOWHERE: u32 = u32::MAX;

/// Takes the records of one V8 snapshot.
#[derive(Debug)]
pub struct View {
    graph: GraphSink,
    /// Only the sizes are asked for.
    sizes_only: bool,
    types: Types,
    strings: Strings,
    /// How many node records came.
    nodes: u32,
    /// Which of them have a state of detachedness, and which.
    detached: Vec<(u32, u8)>,
    /// Objects with a location, and the number of that.
    located: Vec<(Value, u32)>,
    places: Vec<Location>,
    place_numbers: Map<Location, u32>,
    /// V8's node types, as the snapshot declares them.
    declared: Option<Vec<String>>,
    /// What the stream says of its origin.
    source: Option<String>,
    /// Whether identifiers only number the nodes of this snapshot.
    counted: bool,
}

impl Default for View {
    fn default() -> Self {
        Self::new()
    }
}

impl View {
    /// A view for [`build`](Self::build) or [`group`](Self::group).
    pub fn new() -> Self {
        Self::keeping(
            Keep { table: true, classes: true, subtypes: true, labels: true, kinds: true, ..Keep::default() },
            false,
        )
    }

    /// A view for [`heap`](Self::heap), that keeps what `keep` says.
    pub fn of_sizes(keep: Keep) -> Self {
        Self::keeping(Keep { classes: true, subtypes: true, ..keep }, true)
    }

    /// Refuses a graph that takes more memory.
    #[must_use]
    pub fn guarded(self, guard: Guard) -> Self {
        let each = if self.sizes_only { SIZES } else { GROUPS };
        Self { graph: self.graph.guarded(guard, each), ..self }
    }

    fn keeping(keep: Keep, sizes_only: bool) -> Self {
        Self {
            graph: GraphSink::new(keep),
            sizes_only,
            types: Types::default(),
            strings: Strings::default(),
            nodes: 0,
            detached: Vec::new(),
            located: Vec::new(),
            places: Vec::new(),
            place_numbers: Map::default(),
            declared: None,
            source: None,
            counted: false,
        }
    }

    /// The graph with sizes as DevTools shows them: `sizes` of a backing store is zero where its one owner counts it.
    ///
    /// # Errors
    /// The stream says that it comes from something else than a V8 snapshot, or holds no sound graph.
    pub fn heap(self) -> Result<HeapGraph> {
        self.check()?;
        let Self { graph, strings, types, declared, .. } = self;
        let mut heap = graph.build()?;
        let roles = Roles::new(&types, declared.as_deref());
        let mut texts = Texts::default();
        move_sizes(&mut heap, &roles, |heap, node| texts.is_payload(heap, node, &strings))?;
        Ok(heap)
    }

    /// Sizes and groups, for a comparison; by the interfaces given (those of the newer snapshot), else by its own.
    ///
    /// # Errors
    /// As [`heap`](Self::heap).
    pub fn group(self, interfaces: Option<&Interfaces>) -> Result<Grouped> {
        Ok(self.grouped(interfaces)?.0)
    }

    /// Everything.
    ///
    /// # Errors
    /// As [`heap`](Self::heap).
    pub fn build(self) -> Result<Built> {
        let (grouped, graph, policy) = self.grouped(None)?;
        let config = Config { distance: true, retained: true, ..Config::default() };
        let analysis = analyse(graph, grouped.sizes(), &policy, config);
        Ok(Built::new(grouped, analysis))
    }

    /// Notes the state of detachedness, which few nodes have.
    #[inline]
    fn note_detached(&mut self, node: &Node<'_>) {
        if !node.rest.is_empty()
            && let Some(state) = member(node.rest, "v8.detachedness").and_then(scalar)
            && let Some(state) = state.as_int().and_then(|state| u8::try_from(state).ok())
            && state != 0
        {
            self.detached.push((self.nodes, state));
        }
        self.nodes += 1;
    }

    fn check(&self) -> Result {
        match &self.source {
            Some(source) if source != "v8.heapsnapshot" => {
                Err(Error::refused(format!("not a V8 heap snapshot, but {source}")))
            }
            _ => Ok(()),
        }
    }

    fn grouped(self, interfaces: Option<&Interfaces>) -> Result<(Grouped, Graph, Policy)> {
        self.check()?;
        let Self {
            graph, types, strings, detached, located, places, declared, counted, place_numbers, ..
        } = self;
        drop(place_numbers);
        let mut heap = graph.build()?;
        let roles = Roles::new(&types, declared.as_deref());
        let of_objects = locations(&mut heap, located, &roles);
        let ids = std::mem::take(&mut heap.table).into_ids();

        let mut classes = Classes::default();
        let (node_classes, interfaces) = {
            let detached = detached_nodes(&heap, &detached, &roles, &types)?;
            name_nodes(&heap, &roles, &types, &strings, &detached, &mut classes, interfaces)?
        };
        let mut texts = Texts::default();
        move_sizes(&mut heap, &roles, |heap, node| texts.is_payload(heap, node, &strings))?;
        heap.graph.forget_names();
        let HeapGraph { graph, policy, sizes, .. } = heap;
        let grouped = Grouped::new(
            Parts { ids, sizes, node_classes, interfaces, lasting: !counted },
            classes.into_texts(),
            &places,
            &of_objects,
        );
        Ok((grouped, graph, policy))
    }
}

/// Kind of a node.
fn kind(heap: &HeapGraph, roles: &Roles, node: u32) -> Kind {
    roles.get(heap.subtypes.get(node) as u32).0
}

/// Nodes that have a location, ascending, with its number; the last one counts.
fn locations(heap: &mut HeapGraph, located: Vec<(Value, u32)>, roles: &Roles) -> Vec<(u32, u32)> {
    let mut of_objects: Vec<(u32, u32)> = Vec::new();
    for (id, place) in located {
        if let Ok(Some(node)) = heap.table.get(id)
            && kind(heap, roles, node) == Kind::Object
        {
            of_objects.push((node, place));
        }
    }
    heap_base::sort_by_key(&mut of_objects, |&(node, _)| node);
    of_objects.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 = later.1;
        }
        same
    });
    of_objects
}

/// The nodes that are called detached.
fn detached_nodes(heap: &HeapGraph, said: &[(u32, u8)], roles: &Roles, types: &Types) -> Result<BitSet> {
    if said.is_empty() {
        return Ok(BitSet::default());
    }
    let mut native = BitSet::new(heap.graph.nodes());
    for node in 0..heap.graph.nodes() {
        if kind(heap, roles, node) == Kind::Native {
            native.insert(node);
        }
    }
    detached::spread(heap, said, types.edge_id("v8.hidden"), &native)
}

/// The class of each node, and the interfaces that were given or found.
fn name_nodes(
    heap: &HeapGraph,
    roles: &Roles,
    types: &Types,
    strings: &Strings,
    detached: &BitSet,
    classes: &mut Classes,
    interfaces: Option<&Interfaces>,
) -> Result<(Vec<u32>, Interfaces)> {
    let object = classes.number("Object");
    let mut plain = Vec::new();
    let mut fixed: Map<u32, u32> = Map::default();
    let mut node_classes = Vec::with_capacity(heap.graph.nodes() as usize);
    for node in 0..heap.graph.nodes() {
        let subtype = heap.subtypes.get(node) as u32;
        let (kind, text) = roles.get(subtype);
        let class = if matches!(kind, Kind::Object | Kind::Native) {
            classes.of_name(heap.class(node), detached.contains(node), strings)?
        } else {
            *fixed.entry(subtype).or_insert_with(|| classes.number(text))
        };
        if kind == Kind::Object && class == object {
            plain.push(node);
        }
        node_classes.push(class);
    }
    let shapes = Shapes::of(heap, &plain, types.edge_id("object property"), strings)?;
    let interfaces = interfaces.cloned().unwrap_or_else(|| shapes.infer());
    let numbers: Vec<u32> = interfaces.iter().map(|interface| classes.number(&interface.name)).collect();
    for (&node, interface) in plain.iter().zip(shapes.apply(&interfaces)) {
        if let Some(interface) = interface {
            node_classes[node as usize] = numbers[interface as usize];
        }
    }
    Ok((node_classes, interfaces))
}

/// Which natives are the shared text of external strings.
#[derive(Debug, Default)]
struct Texts {
    known: Map<i64, bool>,
}

impl Texts {
    fn is_payload(&mut self, heap: &HeapGraph, node: u32, strings: &Strings) -> Result<bool> {
        let Some(class) = heap.class(node) else { return Ok(false) };
        if let Some(&known) = self.known.get(&class) {
            return Ok(known);
        }
        let is = strings.get(class)?.is_some_and(|text| text.escaped() == "system / ExternalStringData");
        self.known.insert(class, is);
        Ok(is)
    }
}

/// Moves the sizes of backing stores to their owners. Where the root has no child that belongs to the program,
/// the snapshot shows V8's own objects as such and nothing is moved.
fn move_sizes(
    heap: &mut HeapGraph,
    roles: &Roles,
    mut is_payload: impl FnMut(&HeapGraph, u32) -> Result<bool>,
) -> Result {
    let n = heap.graph.nodes();
    if heap.policy.distance_roots.is_empty() && heap.policy.user_roots.is_empty() {
        return Ok(());
    }
    let mut ownerless = BitSet::new(n);
    let mut barred = BitSet::new(n);
    for node in 0..n {
        match kind(heap, roles, node) {
            Kind::Hidden | Kind::Array => {
                ownerless.insert(node);
            }
            Kind::Native if is_payload(heap, node)? => {
                ownerless.insert(node);
            }
            Kind::Synthetic => {
                barred.insert(node);
            }
            _ => {}
        }
    }
    for &root in &heap.policy.roots {
        barred.insert(root);
    }
    attribute(&heap.graph, &mut heap.sizes, &ownerless, &barred);
    Ok(())
}

/// V8's node types, out of the snapshot's own header.
fn declared_types(header: &str) -> Option<Vec<String>> {
    let header: serde_json::Value = serde_json::from_str(header).ok()?;
    let meta = header.get("meta")?;
    let at = meta.get("node_fields")?.as_array()?.iter().position(|field| field == "type")?;
    let names = meta.get("node_types")?.get(at)?.as_array()?;
    Some(names.iter().map(|name| name.as_str().unwrap_or_default().to_owned()).collect())
}

impl Sink for View {
    fn wants(&self) -> Wants {
        let graph = self.graph.wants();
        let strings = wants::Strings::All;
        if self.sizes_only {
            return Wants { strings, ..graph };
        }
        // Detachedness and locations as well.
        Wants { strings, nodes: wants::Nodes::Full, extensions: true, ..graph }
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.graph.sharded()
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.graph.metadata(record)?;
        match record.key {
            "target_source" => self.source = Some(record.value.to_owned()),
            "v8.snapshot" => self.declared = declared_types(record.value),
            _ => self.counted = IdRule::of(record).map_or(self.counted, |rule| rule == IdRule::Index),
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.types.declare(record);
        self.graph.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        // The record itself is never passed on, so neither its line nor its exact form is kept.
        self.strings.insert(&Str { id: record.id, data: record.data, ..Str::default() })
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.graph.nodes(batch)?;
        batch.iter().for_each(|node| self.note_detached(&node));
        Ok(())
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.graph.edges(batch)
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        if record.kind != "v8.location" || self.sizes_only {
            return Ok(());
        }
        let mut object = None;
        let mut place = (0, 0, 0);
        for (key, raw) in each(record.body) {
            let value = || scalar(raw).and_then(|value| value.as_int());
            match key {
                "object" => object = value(),
                "script_id" => place.0 = value().unwrap_or(0),
                "line" => place.1 = value().unwrap_or(0),
                "column" => place.2 = value().unwrap_or(0),
                _ => {}
            }
        }
        if let Some(object) = object.filter(|id| id & 1 == 1)
            && self.places.len() < NOWHERE as usize
        {
            let places = &mut self.places;
            let number = *self.place_numbers.entry(place).or_insert_with(|| {
                places.push(place);
                places.len() as u32 - 1
            });
            self.located.push((object, number));
        }
        Ok(())
    }
}
